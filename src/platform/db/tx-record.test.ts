import { expect, test } from 'bun:test'
import { text } from 'drizzle-orm/sqlite-core'
import { money } from './columns.ts'
import { findCurrency, getTableMeta, tenantTable } from './tenant-table.ts'
import { findTraderId, visible } from './tx-record.ts'

const swaps = getTableMeta(
  tenantTable(
    'test_swaps',
    'tsw',
    {
      currency: text().notNull(),
      fee: money().notNull(),
      soldCurrency: text().notNull(),
      sold: money().notNull(),
      lots: money().notNull(),
      pin: text(),
    },
    { entity: 'swap', currencies: { sold: 'soldCurrency', lots: null }, secret: ['pin'] },
  ),
)
const row = { tenantId: 't', id: 'tsw_1', currency: 'USD', fee: 150n, soldCurrency: 'JPY', sold: 1500n, lots: 7n }

test('an amount is in the currency of its column; other units have none', () => {
  expect(['fee', 'sold', 'lots', 'currency', 'nothing'].map((key) => findCurrency(swaps, key, row))).toEqual([
    'USD',
    'JPY',
    undefined,
    undefined,
    undefined,
  ])
  expect(findCurrency(swaps, 'fee', { ...row, currency: 'nonsense' })).toBeUndefined()
  expect(findCurrency(swaps, 'fee', { ...row, currency: null })).toBeUndefined()
})

test('the audit shows money as people read it, and leaves out secrets and the tenant', () => {
  expect(JSON.parse(visible(swaps, { ...row, pin: '1234' }, row))).toEqual({
    id: 'tsw_1',
    currency: 'USD',
    fee: '1.50',
    soldCurrency: 'JPY',
    sold: '1500',
    lots: '7',
    pin: '(secret)',
  })
  expect(visible(swaps, { pin: null }, row)).toBe('{"pin":null}')
  // if only the amount changed, the currency comes from the row and is shown with the amount
  expect(visible(swaps, { fee: 5n }, row)).toBe('{"fee":"0.05","currency":"USD"}')
})

test('a row counts as about the client whom it names, and a client’s own row as about that client', () => {
  expect(findTraderId({ ...swaps, name: 'traders' }, { id: 'trd_1' })).toBe('trd_1')
  expect(findTraderId(swaps, { id: 'tsw_1', traderId: 'trd_1' })).toBeNull()
})

test('two tables of one name are refused, since they would share the cached names of columns', () => {
  expect(() => tenantTable('test_swaps', 'tsx', { other: text() }, { entity: 'other' })).toThrow('two tables')
})
