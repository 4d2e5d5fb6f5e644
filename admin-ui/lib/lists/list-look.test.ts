import { expect, test } from 'bun:test'
import { inOrder, moved, plainLook } from './list-look.ts'

const COLUMNS = [{ key: 'client' }, { key: 'amount' }, { key: 'method', optional: true }, { key: 'at' }]
const listKeys = (order: string[]) => inOrder(COLUMNS, order).map(({ key }) => key)

test('columns have the reader’s order; new ones follow their neighbour, removed ones disappear', () => {
  expect(listKeys([])).toEqual(['client', 'amount', 'method', 'at'])
  expect(listKeys(['at', 'client', 'amount', 'method'])).toEqual(['at', 'client', 'amount', 'method'])
  expect(listKeys(['at', 'gone', 'client'])).toEqual(['at', 'client', 'amount', 'method'])
  expect(listKeys(['amount', 'method', 'at'])).toEqual(['client', 'amount', 'method', 'at'])
})

test('a column moves one place, and stays at the ends', () => {
  expect(moved(COLUMNS, [], 'at', -1)).toEqual(['client', 'amount', 'at', 'method'])
  expect(moved(COLUMNS, ['at', 'client', 'amount', 'method'], 'at', 1)).toEqual(['client', 'at', 'amount', 'method'])
  expect(moved(COLUMNS, [], 'client', -1)).toEqual(['client', 'amount', 'method', 'at'])
  expect(moved(COLUMNS, [], 'nobody', 1)).toEqual(['client', 'amount', 'method', 'at'])
})

test('optional columns are hidden at first, but on a phone not those of the card', () => {
  expect(plainLook(COLUMNS, false).hidden).toEqual(['method'])
  const withCard = [...COLUMNS, { key: 'phone', optional: true, card: true }]
  expect(plainLook(withCard, false).hidden).toEqual(['method', 'phone'])
  expect(plainLook(withCard, true).hidden).toEqual(['method'])
})
