import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { toIso } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/reader.ts'
import { listed, statement } from '../../platform/db/statement.ts'
import { readSum, sumOf } from '../../platform/db/sums.ts'
import { formatAmount } from '../../platform/money.ts'
import { startOfDay } from '../../platform/zone.ts'
import { readFirmSettings } from '../tenants/firm-settings.ts'
import { traders } from '../traders/traders.table.ts'
import { ledgerEntries as entries, ledgerTransactions as movements, wallets } from '../wallets/wallets.table.ts'
import { INSIDE, TAX_COLUMNS, type TaxColumn, taxColumnOf } from './ledger-kinds.ts'
import { addConverted, amountOut, type Conversion, createConversion } from './reporting.conversion.ts'
import type { MissingRate } from './reporting.model.ts'
import { dayFinder, periodOf } from './reporting.period.ts'
import type { TaxRow } from './tax.model.ts'

const MOST_DAYS = 20 * 366
/** The days that the tax report is asked for: this year so far, where nothing is said. */
export const taxPeriod = (query: { from?: string; to?: string }, today: string) =>
  periodOf(query, today, {
    usual: (to) => `${to > today ? today.slice(0, 4) : Number(to.slice(0, 4)) - 1}-01-01`,
    most: MOST_DAYS,
  })

const Place = Type.Object({ traderId: Type.String(), currency: Type.String() })
export type Place = Static<typeof Place>
export const TaxParams = Type.Object({
  from: Type.String(),
  to: Type.String(),
  now: Type.Integer(),
  currency: Type.String(),
  traderId: Type.Union([Type.String(), Type.Null()]),
  after: Type.Union([Place, Type.Null()]),
  limit: Type.Integer(),
})

/** After every id. */
const LAST = '\u{10ffff}'
/** Wallets that are looked at together. */
const AT_ONCE = 500
const WALLETS = statement(
  sql`SELECT ${listed({
    id: wallets.id,
    traderId: wallets.traderId,
    currency: wallets.currency,
    firstName: traders.firstName,
    lastName: traders.lastName,
    country: traders.country,
  })} FROM ${wallets} JOIN ${traders} ON ${traders.tenantId} = ?1 AND ${traders.id} = ${wallets.traderId}
  WHERE ${wallets.tenantId} = ?1 AND (${wallets.traderId}, ${wallets.currency}) > (?2, ?3)
    AND ${wallets.traderId} <= ?4
  ORDER BY ${wallets.traderId}, ${wallets.currency} LIMIT ${sql.raw(String(AT_ONCE))}`,
)
type WalletRow = {
  id: string
  traderId: string
  currency: string
  firstName: string | null
  lastName: string | null
  country: string | null
}
// ?2 is a list of wallets, in their order
const LISTED = sql`json_each(?2) AS w`
const BALANCES = statement(
  sql`SELECT ${listed({
    place: sql`w.key`,
    opening: sumOf(entries.amount, sql`${entries.createdAt} < ?3`),
    closing: sumOf(entries.amount),
  })} FROM ${LISTED} CROSS JOIN ${entries} ON ${entries.tenantId} = ?1 AND ${entries.walletId} = w.value
    AND ${entries.createdAt} < ?4
  GROUP BY w.key`,
)
const other = alias(entries, 'other')
const MOVED = statement(
  sql`SELECT ${listed({
    place: sql`w.key`,
    amount: entries.amount,
    at: entries.createdAt,
    kind: movements.kind,
    isConversion: sql`${movements.kind} = 'transfer' AND EXISTS (SELECT 1 FROM ${entries} ${other}
      WHERE ${other.tenantId} = ?1 AND ${other.transactionId} = ${entries.transactionId}
      AND ${other.traderId} = ${entries.traderId} AND ${other.currency} <> ${entries.currency})`,
  })} FROM ${LISTED} CROSS JOIN ${entries} ON ${entries.tenantId} = ?1 AND ${entries.walletId} = w.value
    AND ${entries.createdAt} >= ?3 AND ${entries.createdAt} < ?4
  CROSS JOIN ${movements} ON ${movements.tenantId} = ?1 AND ${movements.id} = ${entries.transactionId}
  WHERE ${movements.kind} NOT IN (SELECT value FROM json_each(?5))`,
)
type Moved = { place: number; amount: number; at: number; kind: string; isConversion: number }

type Sums = Record<TaxColumn, bigint>
type Row = { sums: Sums; opening: bigint; closing: bigint; moved: Moved[] }
const nothing = (): Sums => ({
  ...{ deposits: 0n, withdrawals: 0n, transfersIn: 0n, transfersOut: 0n },
  ...{ converted: 0n, adjustments: 0n, commissions: 0n, merged: 0n },
})

/** What became of the wallets of one batch between two moments. */
function moveWallets(db: Reader, found: readonly WalletRow[], start: number, end: number): Row[] {
  const ids = JSON.stringify(found.map(({ id }) => id))
  const rows: Row[] = found.map(() => ({ sums: nothing(), opening: 0n, closing: 0n, moved: [] }))
  type Balance = { place: number; opening: string; closing: string }
  for (const { place, opening, closing } of db.query<Balance>(BALANCES, [ids, start, end])) {
    const row = rows[place]
    if (row) Object.assign(row, { opening: readSum(opening), closing: readSum(closing) })
  }
  for (const one of db.query<Moved>(MOVED, [ids, start, end, JSON.stringify(INSIDE)])) {
    const row = rows[one.place]
    if (!row) continue
    const amount = BigInt(one.amount)
    row.sums[taxColumnOf(one.kind, amount, one.isConversion === 1)] += amount
    row.moved.push(one)
  }
  return rows
}

const nameOf = ({ firstName, lastName }: WalletRow): string | null =>
  [firstName, lastName].filter(Boolean).join(' ') || null

function taxRow(
  wallet: WalletRow,
  { sums, opening, closing, moved }: Row,
  conversion: Conversion,
  into: { currency: string; dayOf: (at: number) => string },
): TaxRow {
  const { traderId, currency, country } = wallet
  const made = TAX_COLUMNS.reduce((sum, column) => sum + sums[column], opening)
  if (made !== closing) throw new Error(`the movements of wallet ${wallet.id} do not make up what it holds`)
  const convert = (column: TaxColumn): bigint | null =>
    moved
      .filter(({ kind, amount, isConversion }) => taxColumnOf(kind, BigInt(amount), isConversion === 1) === column)
      .reduce<bigint | null>(
        (sum, { amount, at }) => addConverted(sum, conversion.convert(BigInt(amount), currency, into.dayOf(at))),
        0n,
      )
  const [deposits, withdrawals] = [convert('deposits'), convert('withdrawals')]
  const nothing = formatAmount(0n, currency)
  // most columns of most clients are empty, and millions of amounts take their time
  const shown = (minor: bigint): string => (minor === 0n ? nothing : formatAmount(minor, currency))
  return {
    ...{ traderId, name: nameOf(wallet), country, currency },
    opening: shown(opening),
    deposits: shown(sums.deposits),
    withdrawals: shown(sums.withdrawals),
    transfersIn: shown(sums.transfersIn),
    transfersOut: shown(sums.transfersOut),
    converted: shown(sums.converted),
    adjustments: shown(sums.adjustments),
    commissions: shown(sums.commissions),
    merged: shown(sums.merged),
    closing: shown(closing),
    depositsConverted: amountOut(deposits, into.currency),
    withdrawalsConverted: amountOut(withdrawals, into.currency),
    missingRates: conversion.takeMissing(),
  }
}

export type TaxPart = { asOf: string; rows: TaxRow[]; next: Place | null; missingRates: MissingRate[] }

/**
 * The next rows of the tax report, by client and currency, and where to go on. Wallets that had nothing and in which
 * nothing moved are left out. Throws where the books do not add up.
 */
export function readTax(db: Reader, params: Static<typeof TaxParams>): TaxPart {
  const { from, to, now, currency, traderId, limit } = params
  const { timeZone } = readFirmSettings(db)
  const [start, end] = [startOfDay(from, timeZone), startOfDay(to, timeZone)]
  const conversion = createConversion(db, { currency, timeZone, now })
  const into = { currency, dayOf: dayFinder(timeZone) }
  const rows: TaxRow[] = []
  const part = (next: Place | null) => ({ asOf: toIso(now), rows, next, missingRates: conversion.allMissing() })
  let after = params.after ?? { traderId: traderId ?? '', currency: '' }
  for (;;) {
    const found = db.query<WalletRow>(WALLETS, [after.traderId, after.currency, traderId ?? LAST])
    for (const [index, row] of moveWallets(db, found, start, end).entries()) {
      const wallet = found[index]
      if (!wallet || (row.opening === 0n && row.moved.length === 0)) continue
      // one more than asked for says that there is a next page
      if (rows.length === limit) return part(after)
      rows.push(taxRow(wallet, row, conversion, into))
      after = { traderId: wallet.traderId, currency: wallet.currency }
    }
    const last = found.at(-1)
    if (!last || found.length < AT_ONCE) return part(null)
    after = { traderId: last.traderId, currency: last.currency }
  }
}
