import { expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { maxMinor } from '../../../platform/money.ts'
import { openBrokerDesk } from '../../../testing/broker-desk.ts'
import type { NewLine } from './differences.ts'
import { storableLines } from './overflow-check.ts'

const line = (source: string, amount: bigint, contra = false): NewLine => ({
  source,
  amount,
  contra,
  affiliateId: 'aff_1',
  traderId: null,
  level: 1,
  model: 'lot',
  sourceType: 'trade',
  symbol: null,
  lots: 0n,
  occurredAt: 0,
  planVersionId: 'v',
  currency: 'EUR',
  detail: { rate: '1' },
  revision: 1,
})

test('an amount is booked if it fits to the last minor unit; if it does not, only contra lines are booked', async () => {
  const { app, firm, desk } = await openBrokerDesk()
  const { db } = systemCtx(app.platform, firm.tenantId, 'test')
  const left = (found: readonly NewLine[], before = 0n) => {
    const totals = before === 0n ? [] : [{ affiliateId: 'aff_1', currency: 'EUR', amount: `${before}`, lines: 1 }]
    const { lines, tooLarge } = storableLines(db, totals, found)
    return [lines.map(({ amount }) => amount), tooLarge]
  }
  expect(left([line('a', maxMinor)])).toEqual([[maxMinor], 0])
  expect(left([line('a', -maxMinor)])).toEqual([[-maxMinor], 0])
  expect(left([line('a', maxMinor + 1n)])).toEqual([[], 1])
  expect(left([line('a', maxMinor), line('b', 1n), line('c', 2n)])).toEqual([[maxMinor], 2])
  expect(left([line('a', maxMinor - 1n)], 1n)).toEqual([[maxMinor - 1n], 0])
  expect(left([line('a', maxMinor)], 1n)).toEqual([[], 1])
  expect(left([line('a', -5n, true), line('a', maxMinor + 1n)])).toEqual([[-5n], 1])
  await desk.close()
})
