import { expect, test } from 'bun:test'
import { toSorting } from './sort-head.tsx'

const AT = { title: 'Announced', sort: 'createdAt' }
const AMOUNT = { title: 'Amount', sort: 'amount' }

test('a list shows its default order if the address has none, and reverses it', () => {
  const asked: string[] = []
  const usual = toSorting(undefined, '-createdAt', (sort) => asked.push(sort))
  expect([usual.of(AT), usual.of(AMOUNT), usual.of({ title: 'Client' })]).toEqual(['descending', 'none', undefined])
  usual.by(AT)
  usual.by(AMOUNT)
  const turned = toSorting('createdAt', '-createdAt', (sort) => asked.push(sort))
  expect(turned.of(AT)).toBe('ascending')
  turned.by(AT)
  expect(asked).toEqual(['createdAt', '-amount', '-createdAt'])
})

test('a column of names is sorted from A at the first press, and reversed at the second', () => {
  const asked: string[] = []
  const name = { title: 'Name', sort: 'name', upFirst: true }
  toSorting('-createdAt', '-createdAt', (sort) => asked.push(sort)).by(name)
  const up = toSorting('name', '-createdAt', (sort) => asked.push(sort))
  up.by(name)
  up.to(name, 'ascending')
  expect(asked).toEqual(['name', '-name', 'name'])
})
