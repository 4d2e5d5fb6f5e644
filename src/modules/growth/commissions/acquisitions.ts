import { sql } from 'drizzle-orm'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { fitsWildcard } from '../../../platform/wildcard.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import { accounts } from '../../books/accounts/accounts.table.ts'
import { deposits } from '../../books/deposits/deposits.table.ts'
import { LOT } from '../../books/positions/lots.ts'
import { positionClosings as closings, positions } from '../../books/positions/positions.table.ts'
import { ledgerEntries, ledgerTransactions } from '../../books/wallets/wallets.table.ts'
import type { Rule } from '../affiliates/plans.table.ts'
import { OWNER, readLots, type Trade } from './closed-trades.ts'
import { listDepositRules, type Terms } from './compute.ts'
import type { DayRates } from './day-rates.ts'
import { converted, isLess, parseFraction, plus, toMinor, whole, ZERO } from './fraction.ts'
import { type Acquisition, type MaxAcquisition, whyNot } from './sources.ts'
import type { TermsBook } from './terms.ts'

// the books are never rewritten, so they show to whose wallet a deposit was credited, even after a merge
const DEPOSITED = statement(
  sql`SELECT ${listed({
    depositId: deposits.id,
    traderId: ledgerEntries.traderId,
    currency: deposits.currency,
    amount: deposits.settledAmount,
    settledAt: deposits.settledAt,
  })} FROM ${ledgerEntries} INDEXED BY ledger_entries_trader
  CROSS JOIN ${ledgerTransactions} ON ${ledgerTransactions.tenantId} = ?1
    AND ${ledgerTransactions.id} = ${ledgerEntries.transactionId} AND ${ledgerTransactions.kind} = 'deposit'
  CROSS JOIN ${deposits} ON ${deposits.tenantId} = ?1 AND ${deposits.id} = ${ledgerTransactions.reference}
    AND ${deposits.settledAt} < ?3
  WHERE ${ledgerEntries.tenantId} = ?1 AND ${ledgerEntries.traderId} IN (SELECT value FROM json_each(?2))
    AND ${ledgerEntries.account} = 'client_available' ORDER BY ${deposits.settledAt}, ${deposits.id}`,
)
// each trade qualifies one client, however often its account is given to another one
const TRADED = statement(
  sql`SELECT ${listed({
    symbol: positions.symbol,
    lots: closings.lots,
    openedAt: closings.openedAt,
    closedAt: closings.closedAt,
    currency: closings.currency,
    traderId: positions.traderId,
    owner: OWNER,
    isDemo: accounts.isDemo,
    liveSince: accounts.liveSince,
    assumed: closings.assumed,
    void: closings.void,
  })} FROM ${positions} CROSS JOIN ${closings} ON ${closings.tenantId} = ?1 AND ${closings.positionId} = ${positions.id}
  JOIN ${accounts} ON ${accounts.tenantId} = ?1 AND ${accounts.id} = ${positions.accountId}
  WHERE ${positions.tenantId} = ?1 AND ${positions.traderId} = ?2
    AND ${closings.closedAt} >= max(?3, coalesce(${accounts.givenAt}, 0)) ORDER BY ${closings.closedAt}, ${closings.id}`,
)

type Deposited = { depositId: string; traderId: string; currency: string; amount: number; settledAt: number }
type Traded = Omit<Trade, 'lots' | 'id' | 'spread' | 'commission' | 'swap'> & { lots: number }

/** Returns when a client had traded enough lots since a moment; undefined if they have not yet. */
function tradedAt(db: Reader, book: TermsBook, traderId: string, rule: Rule, since: number): number | undefined {
  if (rule.minLots === undefined) return since
  const least = parseFraction(rule.minLots)
  let sum = ZERO
  for (const row of db.query<Traded>(TRADED, [book.clientAt(traderId, Number.MAX_SAFE_INTEGER), since])) {
    const { owner, closedAt } = row
    // trades of a client who was merged into this one by then count too
    if (owner !== traderId && (owner === null || book.clientAt(owner, closedAt) !== traderId)) continue
    if (whyNot(row) !== null || !rule.symbols.some((pattern) => fitsWildcard(pattern, row.symbol))) continue
    sum = plus(sum, { n: readLots(row.lots, row.currency), d: LOT })
    if (!isLess(sum, least)) return row.closedAt
  }
  return undefined
}

/** Returns whether a deposit reaches a rule's minimum, in the plan's currency at the rate of its day. */
function reaches(
  { amount, currency, settledAt }: Pick<Acquisition, 'amount' | 'currency' | 'settledAt'>,
  { minDeposit }: Rule,
  terms: Terms,
  rates: DayRates,
): boolean {
  if (minDeposit === undefined) return true
  const quote = rates.at(settledAt)(currency, terms.currency)
  return !isLess(converted(whole(amount), currency, terms.currency, quote), toMinor(minDeposit, terms.currency))
}

/** Returns a finder of a plan's first rule whose minimum a deposit reaches. */
export const ruleMet =
  (deposit: Pick<Acquisition, 'amount' | 'currency' | 'settledAt'>, rates: DayRates) =>
  (terms: Terms): Rule | undefined =>
    listDepositRules(terms, deposit.settledAt).find((rule) => reaches(deposit, rule, terms, rates))

/**
 * Returns a client's first deposit that a plan pays for, once the client has traded enough; undefined without one. A
 * client who had deposited as much before, with or without a broker, is not new.
 */
export function findAcquisition(
  db: Reader,
  book: TermsBook,
  rates: DayRates,
  list: readonly Deposited[],
  affiliateAt: (at: number) => string | null,
): Acquisition | undefined {
  const deposits = list.map((deposit) => ({ ...deposit, amount: BigInt(deposit.amount) }))
  for (const [index, deposit] of deposits.entries()) {
    const { traderId, settledAt } = deposit
    const affiliateId = affiliateAt(settledAt)
    const terms = affiliateId === null ? null : book.chainAt(affiliateId, settledAt, () => false)[0]?.terms
    const rule = terms && ruleMet(deposit, rates)(terms)
    if (!rule) continue
    if (deposits.slice(0, index).some((earlier) => reaches(earlier, rule, terms, rates))) return undefined
    const qualifiedAt = tradedAt(db, book, traderId, rule, settledAt)
    return qualifiedAt === undefined ? undefined : { ...deposit, qualifiedAt }
  }
  return undefined
}

/** Returns the amount that one acquisition counts as at most. */
export function readMaxAcquisition(db: Reader): MaxAcquisition {
  const { maxAcquisition, currency } = readFirmSettings(db)
  return { amount: maxAcquisition, currency }
}

/** Returns the deposits that were credited to clients before a moment, the oldest first. */
export const listCreditedDeposits = (db: Reader, traderIds: readonly string[], until: number): Deposited[] =>
  db.query<Deposited>(DEPOSITED, [JSON.stringify(traderIds), until])
