import { expect, test } from 'bun:test'
import { stillChosen } from './selectable.ts'

const row = (id: string, status: string) => ({ id, status })

test('chosen rows that are still in the list are kept in their current version', () => {
  const before = [row('1', 'requested'), row('2', 'requested')]
  expect(stillChosen([row('2', 'approved'), row('3', 'requested')], before)).toEqual([row('2', 'approved')])
})

test('chosen rows that can no longer be chosen are dropped', () => {
  const rows = [row('1', 'requested'), row('2', 'approved')]
  const selectable = { when: ({ status }: { status: string }) => status === 'requested', otherwise: 'Decided already' }
  expect(stillChosen(rows, rows, selectable)).toEqual([row('1', 'requested')])
})
