import { expect, test } from 'bun:test'
import { stillChosen } from './selectable.ts'

const row = (id: string, status: string) => ({ id, status })

test('keeps what is still in the list, as it is now', () => {
  const before = [row('1', 'requested'), row('2', 'requested')]
  expect(stillChosen([row('2', 'approved'), row('3', 'requested')], before)).toEqual([row('2', 'approved')])
})

test('leaves out what can no longer be chosen', () => {
  const rows = [row('1', 'requested'), row('2', 'approved')]
  const selectable = { when: ({ status }: { status: string }) => status === 'requested', otherwise: 'Decided already' }
  expect(stillChosen(rows, rows, selectable)).toEqual([row('1', 'requested')])
})
