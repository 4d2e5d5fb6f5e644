import { type Static, Type } from '@sinclair/typebox'
import { toIso } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { Amount, Id, Nullable, Time } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { formatLots } from './lots.ts'
import { inCurrency, type StoredAmounts, toWireAmounts } from './positions.amounts.ts'
import { type ClosingRow, positionClosings as closings, type PositionRow } from './positions.table.ts'

/**
 * Records that a position's leg is closed, with the amounts last reported of it; `lots` are those of the leg. A closing
 * that was recorded before, because it was assumed or is corrected, is replaced under its id.
 */
export function recordClosing(tx: Tx, position: PositionRow, closedAt: number, isAssumed: boolean): void {
  const { id, leg, openedAt, currency, profit, swap, commission, spread, reported } = position
  const lots = position.closedVolume - position.earlierVolume
  const values = { lots, openedAt, closedAt, currency, profit, swap, commission, spread, reported, assumed: isAssumed }
  const known = tx.find(closings, { positionId: id, leg, deal: null })
  if (known) tx.update(closings, known.id, { ...values, void: false })
  else tx.insert(closings, leg === 1 ? { ...values, id, positionId: id, leg } : { ...values, positionId: id, leg })
}

/** Marks the closing of a position's leg as one that does not hold. */
export function voidClosing(tx: Tx, { id, leg }: PositionRow): void {
  const known = tx.find(closings, { positionId: id, leg, deal: null })
  if (known) tx.update(closings, known.id, { assumed: false, void: true })
}

/**
 * Returns those closings of a position whose amounts wait for a currency, with the amounts in it; null if one of them
 * is too large.
 */
export function convertClosings(
  db: Reader,
  positionId: string,
  currency: string,
): { id: string; amounts: StoredAmounts }[] | null {
  const found = []
  for (const { id, reported } of db.list(closings, { positionId, currency: null })) {
    const amounts = reported && inCurrency(reported, currency)
    if (!amounts) return null
    found.push({ id, amounts })
  }
  return found
}

/** Gives closings their amounts in the currency of the account that was linked. */
export function linkClosings(tx: Tx, converted: readonly { id: string; amounts: StoredAmounts }[]): void {
  for (const { id, amounts } of converted) tx.update(closings, id, amounts)
}

export const ClosingOut = nameSchema(
  'Closing',
  Type.Object({
    id: Id,
    lots: Type.String({ description: 'lots that were closed' }),
    openedAt: Time,
    closedAt: Time,
    profit: Amount,
    swap: Amount,
    commission: Amount,
    spread: Nullable(Amount),
    deal: Nullable(Type.String({ description: 'the deal that closed them; null where positions are reported' })),
    void: Type.Boolean({ description: 'it no longer holds, and counts for nothing' }),
  }),
)

const toClosing = (row: ClosingRow): Static<typeof ClosingOut> => ({
  id: row.id,
  lots: formatLots(row.lots),
  openedAt: toIso(row.openedAt),
  closedAt: toIso(row.closedAt),
  ...toWireAmounts(row),
  deal: row.deal,
  void: row.void,
})

/** An answer has at most this many closings of a position. */
const SHOWN = 200

/** Returns the newest closings of a position, and how many there are. */
export const readClosings = (db: Reader, positionId: string) => ({
  closings: db.list(closings, { positionId }, { orderBy: 'closedAt', descending: true, limit: SHOWN }).map(toClosing),
  closingsTotal: db.count(closings, { positionId }),
})
