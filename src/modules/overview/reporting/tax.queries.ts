import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { toIso } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { readSum, sumAsText } from '../../../platform/db/sums.ts'
import { formatAmount } from '../../../platform/money.ts'
import { startOfDay } from '../../../platform/zone.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import {
  ledgerEntries as entries,
  ledgerTransactions as movements,
  wallets,
} from '../../books/wallets/wallets.table.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { INSIDE, pickTaxColumn, TAX_COLUMNS, type TaxColumn } from './ledger-kinds.ts'
import { addConverted, amountOut, type Conversion, createConversion } from './reporting.conversion.ts'
import type { MissingRate } from './reporting.model.ts'
import { dayFinder, readPeriod } from './reporting.period.ts'
import type { TaxRow } from './tax.model.ts'

const MOST_DAYS = 20 * 366
/** Returns the days of the tax report, by default this year until now. */
export const taxPeriod = (query: { from?: string; to?: string }, today: string) =>
  readPeriod(query, today, {
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

/** A text that sorts after every id. */
const LAST = '\u{10ffff}'
/** A page reads this many wallets at once. */
const OF_A_PAGE = 500
/** At most this many movements are in memory, since one client may have many thousands. */
const MOST_MOVED = 300_000
// one text has the opening, the closing and the number in between, so that the entries of a wallet are read once
const BALANCES = sql`(SELECT ${sumAsText(entries.amount, sql`${entries.createdAt} < ?5`)} || ';' || ${sumAsText(entries.amount)}
    || ';' || count(*) FILTER (WHERE ${entries.createdAt} >= ?5)
  FROM ${entries} WHERE ${entries.tenantId} = ?1 AND ${entries.walletId} = ${wallets.id} AND ${entries.createdAt} < ?6)`
const WALLETS = statement(
  sql`SELECT ${listed({
    id: wallets.id,
    traderId: wallets.traderId,
    currency: wallets.currency,
    firstName: traders.firstName,
    lastName: traders.lastName,
    country: traders.country,
    balances: BALANCES,
  })} FROM ${wallets} JOIN ${traders} ON ${traders.tenantId} = ?1 AND ${traders.id} = ${wallets.traderId}
  WHERE ${wallets.tenantId} = ?1 AND (${wallets.traderId}, ${wallets.currency}) > (?2, ?3)
    AND ${wallets.traderId} <= ?4
  ORDER BY ${wallets.traderId}, ${wallets.currency} LIMIT ?7`,
)
type WalletRow = {
  id: string
  traderId: string
  currency: string
  firstName: string | null
  lastName: string | null
  country: string | null
  balances: string
}
const other = alias(entries, 'other')
const MOVED = sql`${listed({
  walletId: entries.walletId,
  amount: entries.amount,
  at: entries.createdAt,
  kind: movements.kind,
  isConversion: sql`${movements.kind} = 'transfer' AND EXISTS (SELECT 1 FROM ${entries} ${other}
      WHERE ${other.tenantId} = ?1 AND ${other.transactionId} = ${entries.transactionId}
      AND ${other.traderId} = ${entries.traderId} AND ${other.currency} <> ${entries.currency})`,
})}`
const THEIRS = sql`CROSS JOIN ${movements} ON ${movements.tenantId} = ?1 AND ${movements.id} = ${entries.transactionId}
  WHERE ${entries.createdAt} >= ?3 AND ${entries.createdAt} < ?4
    AND ${movements.kind} NOT IN (SELECT value FROM json_each(?5))`
/** Selects the movements of some wallets; ?2 is the list of their ids. */
const MOVED_OF_SOME = statement(
  sql`SELECT ${MOVED} FROM json_each(?2) AS w CROSS JOIN ${entries} ON ${entries.tenantId} = ?1
    AND ${entries.walletId} = w.value ${THEIRS}`,
)
/**
 * Selects the movements of all wallets of the clients from ?2 to ?6. Entries and their transactions are stored by time,
 * so reading a whole period in that order is several times faster than looking up the entries of thousands of wallets.
 */
const MOVED_OF_MANY = statement(
  sql`SELECT ${MOVED} FROM ${entries} INDEXED BY ledger_entries_account ${THEIRS} AND ${entries.tenantId} = ?1
    AND ${entries.account} IN ('client_available', 'client_held') AND ${entries.traderId} BETWEEN ?2 AND ?6`,
)
type MovedRow = { walletId: string; amount: number; at: number; kind: string; isConversion: number }
type Moved = { column: TaxColumn; amount: bigint; at: number }

type Sums = Record<TaxColumn, bigint>
type Row = { wallet: WalletRow; sums: Sums; opening: bigint; closing: bigint; moved: Moved[] }
const nothing = (): Sums => ({
  deposits: 0n,
  withdrawals: 0n,
  transfersIn: 0n,
  transfersOut: 0n,
  converted: 0n,
  adjustments: 0n,
  commissions: 0n,
  merged: 0n,
})

type Asked = { start: number; end: number; atOnce: number }

/** Returns the movements in some wallets, which must be in the order of their clients. */
function movedIn(db: Reader, some: readonly Row[], { start, end, atOnce }: Asked): MovedRow[] {
  const [first, last] = [some.at(0)?.wallet, some.at(-1)?.wallet]
  if (!first || !last) return []
  const inside = JSON.stringify(INSIDE)
  return atOnce > OF_A_PAGE
    ? db.query<MovedRow>(MOVED_OF_MANY, [first.traderId, start, end, inside, last.traderId])
    : db.query<MovedRow>(MOVED_OF_SOME, [JSON.stringify(some.map(({ wallet }) => wallet.id)), start, end, inside])
}

/** Returns as many of the first wallets as may be read together; at least one. */
function fewEnough(found: readonly WalletRow[]): readonly WalletRow[] {
  let moved = 0
  const tooMany = found.findIndex(({ balances }, index) => {
    moved += Number(balances.split(';')[2])
    return index > 0 && moved > MOST_MOVED
  })
  return tooMany === -1 ? found : found.slice(0, tooMany)
}

/** Returns how wallets changed between two moments. */
function moveWallets(db: Reader, found: readonly WalletRow[], asked: Asked): Row[] {
  const busy = new Map<string, Row>()
  const rows = found.map((wallet): Row => {
    const [opening = '', closing = '', count = ''] = wallet.balances.split(';')
    const row = { wallet, sums: nothing(), opening: readSum(opening), closing: readSum(closing), moved: [] }
    if (count !== '0') busy.set(wallet.id, row)
    return row
  })
  for (const { walletId, amount, at, kind, isConversion } of movedIn(db, [...busy.values()], asked)) {
    const row = busy.get(walletId)
    // a client at the border of two parts may have wallets in both of them
    if (!row) continue
    const minor = BigInt(amount)
    const column = pickTaxColumn(kind, minor, isConversion === 1)
    if (column === 'opening') {
      row.opening += minor
      continue
    }
    row.sums[column] += minor
    row.moved.push({ column, amount: minor, at })
  }
  return rows
}

const formatName = ({ firstName, lastName }: WalletRow): string | null =>
  [firstName, lastName].filter(Boolean).join(' ') || null

function taxRow(
  { wallet, sums, opening, closing, moved }: Row,
  conversion: Conversion,
  into: { currency: string; toDay: (at: number) => string },
): TaxRow {
  const { traderId, currency, country } = wallet
  const made = TAX_COLUMNS.reduce((sum, column) => sum + sums[column], opening)
  if (made !== closing) throw new Error(`the movements of wallet ${wallet.id} do not make up what it holds`)
  const convert = (column: TaxColumn): bigint | null =>
    moved
      .filter((one) => one.column === column)
      .reduce<bigint | null>(
        (sum, { amount, at }) => addConverted(sum, conversion.convert(amount, currency, into.toDay(at))),
        0n,
      )
  const [deposits, withdrawals] = [convert('deposits'), convert('withdrawals')]
  const nothing = formatAmount(0n, currency)
  // most columns of most clients are empty, and formatting millions of zeros would take long
  const shown = (minor: bigint): string => (minor === 0n ? nothing : formatAmount(minor, currency))
  return {
    traderId,
    name: formatName(wallet),
    country,
    currency,
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

/** Returns whether a wallet had a balance or a movement in the period; the others have no row. */
const isShown = ({ opening, moved }: Row): boolean => opening !== 0n || moved.length > 0

/**
 * Counts the rows of the tax report, without converting anything. It looks at `most` wallets at most, and fewer if they
 * have many movements: `isAll` says whether these were all.
 */
export function countTax(
  db: Reader,
  params: Static<typeof TaxParams>,
  most: number,
): { count: number; isAll: boolean } {
  const { from, to, traderId } = params
  const { timeZone } = readFirmSettings(db)
  const [start, end] = [startOfDay(from, timeZone), startOfDay(to, timeZone)]
  const atOnce = traderId === null ? most : OF_A_PAGE
  const found = db.query<WalletRow>(WALLETS, [traderId ?? '', '', traderId ?? LAST, start, end, atOnce])
  const some = fewEnough(found)
  const count = moveWallets(db, some, { start, end, atOnce }).filter(isShown).length
  return { count, isAll: some === found && found.length < atOnce }
}

type TaxPart = { asOf: string; rows: TaxRow[]; next: Place | null; missingRates: MissingRate[] }

/**
 * Returns the next rows of the tax report by client and currency, and the place to continue from; fewer than asked for
 * if the clients have many movements. Wallets without balance and movement are left out. Throws if the books are
 * inconsistent.
 */
export function readTax(db: Reader, params: Static<typeof TaxParams>): TaxPart {
  const { from, to, now, currency, traderId, limit } = params
  const { timeZone } = readFirmSettings(db)
  const [start, end] = [startOfDay(from, timeZone), startOfDay(to, timeZone)]
  const conversion = createConversion(db, { currency, timeZone, now })
  const into = { currency, toDay: dayFinder(timeZone) }
  const rows: TaxRow[] = []
  const part = (next: Place | null) => ({ asOf: toIso(now), rows, next, missingRates: conversion.allMissing() })
  let after = params.after ?? { traderId: traderId ?? '', currency: '' }
  // reading one row more than asked for shows whether there is a next page
  const atOnce = traderId === null ? Math.max(limit + 1, OF_A_PAGE) : OF_A_PAGE
  for (;;) {
    const found = db.query<WalletRow>(WALLETS, [after.traderId, after.currency, traderId ?? LAST, start, end, atOnce])
    const some = fewEnough(found)
    for (const row of moveWallets(db, some, { start, end, atOnce })) {
      if (!isShown(row)) continue
      if (rows.length === limit) return part(after)
      rows.push(taxRow(row, conversion, into))
      after = { traderId: row.wallet.traderId, currency: row.wallet.currency }
    }
    const last = some.at(-1)
    if (!last || (some === found && found.length < atOnce)) return part(null)
    after = { traderId: last.traderId, currency: last.currency }
    // if clients have many movements, the rest is left to the next child, which has its own time limit; a part of a
    // file may be short too, since reading as many wallets again for a few rows would take as long as the first time
    if (some !== found || atOnce > OF_A_PAGE) return part(after)
  }
}
