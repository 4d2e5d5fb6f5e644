import { type Column, sql } from 'drizzle-orm'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { readSum, sumAsText } from '../../../platform/db/sums.ts'
import { accounts } from '../../books/accounts/accounts.table.ts'
import { transfers } from '../../books/transfers/transfers.table.ts'
import { terminalConnections } from '../connections/connections.table.ts'
import { type DealRow, terminalDeals } from '../deals/deals.table.ts'
import { findEffect } from '../deals/effects.ts'
import { type FindingRow, MOVEMENT_KINDS, terminalFindings } from '../findings/findings.table.ts'
import { terminalLogins } from '../logins/logins.table.ts'
import type { RawReport } from './day-end.ts'

/** What days need of a live login. */
export type DayLogin = RawReport & {
  login: string
  currency: string
  createdAt: number
  registeredAt: number
  explained: number
  base: number
}
const LOGINS = statement(
  sql`SELECT ${listed({
    login: terminalLogins.login,
    currency: terminalLogins.currency,
    createdAt: terminalLogins.createdAt,
    registeredAt: terminalLogins.registeredAt,
    explained: terminalLogins.explained,
    base: terminalLogins.base,
    balance: terminalLogins.balance,
    credit: terminalLogins.credit,
    equity: terminalLogins.equity,
    readAt: terminalLogins.readAt,
    endedBalance: terminalLogins.endedBalance,
    endedCredit: terminalLogins.endedCredit,
    endedEquity: terminalLogins.endedEquity,
    endedAt: terminalLogins.endedAt,
  })} FROM ${terminalLogins} WHERE ${terminalLogins.tenantId} = ?1 AND ${terminalLogins.connectionId} = ?2
    AND ${terminalLogins.login} > ?3 AND ${terminalLogins.accountType} = 'live'
  ORDER BY ${terminalLogins.login} LIMIT ?4`,
)

/** Returns the next live logins of a connection after a number. */
export const readLogins = (db: Reader, connectionId: string, after: string, most: number): DayLogin[] =>
  db.query<DayLogin>(LOGINS, [connectionId, after, most])

type RawDeal = Pick<
  DealRow,
  'login' | 'number' | 'at' | 'kind' | 'currency' | 'profit' | 'swap' | 'commission' | 'fee' | 'state' | 'transferId'
>
/** What days need of a deal: what it changed of the balance, and what it was. */
export type DayDeal = Pick<RawDeal, 'login' | 'number' | 'at' | 'kind' | 'transferId'> & { effect: bigint }
const DEALS = statement(
  sql`SELECT ${listed({
    login: terminalDeals.login,
    number: terminalDeals.number,
    at: terminalDeals.at,
    kind: terminalDeals.kind,
    currency: terminalDeals.currency,
    profit: terminalDeals.profit,
    swap: terminalDeals.swap,
    commission: terminalDeals.commission,
    fee: terminalDeals.fee,
    state: terminalDeals.state,
    transferId: terminalDeals.transferId,
  })} FROM json_each(?3) AS one CROSS JOIN ${terminalDeals} ON ${terminalDeals.tenantId} = ?1
    AND ${terminalDeals.connectionId} = ?2 AND ${terminalDeals.login} = one.key
    AND ${terminalDeals.at} >= one.value AND ${terminalDeals.at} < ?4
  WHERE ${terminalDeals.state} = 'live'`,
)

/** Returns the deals of logins, each from a moment of its own, and all before the same one. */
export const readDeals = (
  db: Reader,
  connectionId: string,
  from: Readonly<Record<string, number>>,
  until: number,
): DayDeal[] =>
  db
    .query<RawDeal>(DEALS, [connectionId, JSON.stringify(from), until])
    .map((deal) => Object.assign(deal, { effect: findEffect(deal).balance }))

/** What does not fit of a login. */
type DayFinding = Pick<FindingRow, 'kind' | 'subject' | 'state' | 'createdAt'> & {
  login: string
  healed: number
  amount: number | null
}
const FINDINGS = statement(
  sql`SELECT ${listed({
    kind: terminalFindings.kind,
    subject: terminalFindings.subject,
    login: terminalFindings.login,
    state: terminalFindings.state,
    healed: terminalFindings.healed,
    amount: terminalFindings.amount,
    createdAt: terminalFindings.createdAt,
  })} FROM ${terminalFindings} WHERE ${terminalFindings.tenantId} = ?1 AND ${terminalFindings.connectionId} = ?2
    AND ${terminalFindings.login} IS NOT NULL AND ${terminalFindings.createdAt} >= ?3`,
)

/** Returns the findings about logins since a moment. */
export const readFindings = (db: Reader, connectionId: string, since: number): DayFinding[] =>
  db.query<DayFinding>(FINDINGS, [connectionId, since])

/** The transfers of one kind of condition that touch live accounts of a connection. */
const inFlight = (amount: Column, currency: Column, kind: string, state: ReturnType<typeof sql>) =>
  sql`SELECT ${amount} AS amount, ${currency} AS currency FROM ${transfers}
    JOIN ${accounts} ON ${accounts.tenantId} = ${transfers.tenantId} AND ${accounts.id} = ${transfers.accountId}
    JOIN ${terminalConnections} ON ${terminalConnections.tenantId} = ${transfers.tenantId}
      AND ${terminalConnections.id} = ?2 AND ${terminalConnections.platform} = ${accounts.platform}
      AND ${accounts.server} IN ('', ${terminalConnections.server})
    JOIN ${terminalLogins} ON ${terminalLogins.tenantId} = ${transfers.tenantId}
      AND ${terminalLogins.connectionId} = ?2 AND ${terminalLogins.login} = ${accounts.accountNumber}
      AND ${terminalLogins.accountType} = 'live'
    WHERE ${transfers.tenantId} = ?1 AND ${transfers.kind} = ${sql.raw(`'${kind}'`)} AND ${transfers.createdAt} < ?3
      AND ${state}`

const WAITING = sql`${transfers.state} = 'sent'`
const ENDED_SINCE = sql`${transfers.updatedAt} >= ?3 AND ${transfers.state} <> 'sent'
  AND ${transfers.acknowledgedAt} >= ?3`
const { fromAmount, fromCurrency, toAmount, toCurrency } = transfers
const IN_FLIGHT = statement(
  sql`SELECT currency, ${sumAsText(sql.raw('amount'))} AS amount FROM (
    ${inFlight(toAmount, toCurrency, 'wallet_to_account', WAITING)}
    UNION ALL ${inFlight(toAmount, toCurrency, 'wallet_to_account', ENDED_SINCE)}
    UNION ALL ${inFlight(fromAmount, fromCurrency, 'account_to_wallet', WAITING)}
    UNION ALL ${inFlight(fromAmount, fromCurrency, 'account_to_wallet', ENDED_SINCE)}) GROUP BY currency`,
)

/** Returns what was on its way to and from live accounts of a connection at a moment, by currency. */
export const readInFlight = (db: Reader, connectionId: string, at: number): Map<string, bigint> =>
  new Map(
    db
      .query<{ currency: string; amount: string }>(IN_FLIGHT, [connectionId, at])
      .map(({ currency, amount }) => [currency, readSum(amount)]),
  )

/** A quarter of an hour, of which the offsets of all zones are whole numbers. */
const QUARTER = 900_000
// few rows changed lately and many are of the connection, so only the first is looked up by an index: hence the pluses
const CHANGED_DEALS = statement(
  sql`SELECT DISTINCT ${terminalDeals.at} / ?5 * ?5 AS at FROM ${terminalDeals}
  WHERE ${terminalDeals.tenantId} = ?1 AND ${terminalDeals.updatedAt} >= ?3 AND +${terminalDeals.connectionId} = ?2
    AND +${terminalDeals.at} < ?4`,
)
const CHANGED_FINDINGS = statement(
  sql`SELECT coalesce((SELECT ${terminalDeals.at} FROM ${terminalDeals} WHERE ${terminalDeals.tenantId} = ?1
      AND ${terminalDeals.connectionId} = ?2 AND ${terminalFindings.kind} IN (${sql.raw(MOVEMENT_KINDS.map((kind) => `'${kind}'`).join(', '))})
      AND ${terminalDeals.number} = ${terminalFindings.subject}), ${terminalFindings.createdAt}) AS at
  FROM ${terminalFindings} WHERE ${terminalFindings.tenantId} = ?1 AND ${terminalFindings.updatedAt} >= ?3
    AND ${terminalFindings.connectionId} = ?2`,
)

/** Returns moments in the days before `until` of which something changed since a moment. */
export function readChanged(db: Reader, connectionId: string, since: number, until: number): number[] {
  const deals = db.query<{ at: number }>(CHANGED_DEALS, [connectionId, since, until, QUARTER])
  const findings = db.query<{ at: number }>(CHANGED_FINDINGS, [connectionId, since])
  return [...deals, ...findings].map(({ at }) => at)
}
