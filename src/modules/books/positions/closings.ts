import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { toIso } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { bare, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { Amount, Id, Nullable, Time } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { formatLots } from './lots.ts'
import { inCurrency, type StoredAmounts, toWireAmounts } from './positions.amounts.ts'
import { type ClosingRow, positionClosings as closings, type PositionRow } from './positions.table.ts'

const REPLACE = statement(
  sql`UPDATE ${closings} SET ${bare(closings.lots)} = ?3, ${bare(closings.openedAt)} = ?4,
    ${bare(closings.closedAt)} = ?5, ${bare(closings.assumed)} = ?6, ${bare(closings.void)} = ?7,
    ${bare(closings.updatedAt)} = ?8
  WHERE ${closings.tenantId} = ?1 AND ${closings.id} = ?2`,
)
const SET_AMOUNTS = statement(
  sql`UPDATE ${closings} SET ${bare(closings.currency)} = ?3, ${bare(closings.profit)} = ?4,
    ${bare(closings.swap)} = ?5, ${bare(closings.commission)} = ?6, ${bare(closings.spread)} = ?7,
    ${bare(closings.reported)} = ?8, ${bare(closings.updatedAt)} = ?9
  WHERE ${closings.tenantId} = ?1 AND ${closings.id} = ?2`,
)

function setAmounts(tx: Tx, id: string, amounts: StoredAmounts): void {
  const { currency, profit, swap, commission, spread, reported } = amounts
  const text = reported && JSON.stringify(reported)
  tx.execute(SET_AMOUNTS, [id, currency, profit, swap, commission, spread, text, tx.now])
}

/**
 * Records that a position's leg is closed, with the amounts last reported of it; `lots` are those of the leg. A closing
 * that was recorded before, because it was assumed or is corrected, is replaced under its id.
 */
export function recordClosing(tx: Tx, position: PositionRow, closedAt: number, isAssumed: boolean): void {
  const { id, leg, openedAt, currency, profit, swap, commission, spread, reported } = position
  const lots = position.closedVolume - position.earlierVolume
  const amounts = { currency, profit, swap, commission, spread, reported }
  const known = tx.find(closings, { positionId: id, leg, deal: null })
  if (known) {
    tx.execute(REPLACE, [known.id, lots, openedAt, closedAt, isAssumed ? 1 : 0, 0, tx.now])
    setAmounts(tx, known.id, amounts)
    return
  }
  const first = leg === 1 ? { id } : {}
  tx.insert(closings, { ...first, positionId: id, leg, lots, openedAt, closedAt, assumed: isAssumed, ...amounts })
}

/** Marks the closing of a position's leg as one that does not hold. */
export function voidClosing(tx: Tx, { id, leg }: PositionRow): void {
  const known = tx.find(closings, { positionId: id, leg, deal: null })
  if (!known) return
  tx.execute(REPLACE, [known.id, known.lots, known.openedAt, known.closedAt, 0, 1, tx.now])
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
  for (const { id, amounts } of converted) setAmounts(tx, id, amounts)
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
