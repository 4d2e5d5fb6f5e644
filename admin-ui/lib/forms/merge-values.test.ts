import { expect, test } from 'bun:test'
import { findClashes, takeTheirs, withTypedOn } from './merge-values.ts'

const base = { name: 'Anna', phone: '1', tags: ['a'], address: { city: 'Limassol', street: 'Old' } }

test('a field that both sides changed needs a choice, and one that a single side changed does not', () => {
  const mine = { ...base, name: 'Mine', phone: '2' }
  const theirs = { ...base, name: 'Theirs', tags: ['a', 'b'], address: { ...base.address, street: 'New' } }
  expect(findClashes(base, mine, theirs)).toEqual([
    { path: 'name', mine: 'Mine', theirs: 'Theirs', both: true },
    { path: 'tags', mine: ['a'], theirs: ['a', 'b'], both: false },
    { path: 'address.street', mine: 'Old', theirs: 'New', both: false },
  ])
  expect(findClashes(base, { ...base, name: 'Same' }, { ...base, name: 'Same' })).toEqual([])
})

test('the merged record has my values, and theirs where they were chosen', () => {
  const mine = { ...base, name: 'Mine', phone: '2' }
  const theirs = { ...base, name: 'Theirs', address: { city: 'Nicosia', street: 'New' } }
  expect(takeTheirs(mine, theirs, ['name', 'address.street'])).toEqual({
    name: 'Theirs',
    phone: '2',
    tags: ['a'],
    address: { city: 'Limassol', street: 'New' },
  })
})

test('text typed after sending stays, and other fields are as saved', () => {
  const sent = { name: ' A ', address: { city: 'x', street: 's' }, tags: ['a'] }
  const now = { name: ' A ', address: { city: 'y', street: 's' }, tags: ['a', 'b'] }
  const saved = { name: 'A', address: { city: 'x', street: 'S' }, tags: ['a'] }
  expect(withTypedOn(now, sent, saved)).toEqual({ name: 'A', address: { city: 'y', street: 'S' }, tags: ['a', 'b'] })
  expect(withTypedOn(sent, sent, saved)).toEqual(saved)
})
