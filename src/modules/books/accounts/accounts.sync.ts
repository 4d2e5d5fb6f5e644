import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { bare, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { isCurrency, MoneyError, roundAmount } from '../../../platform/money.ts'
import { say } from '../../../words/say.ts'
import { isOnServer } from './account-numbers.ts'
import { AccountNumber, type AccountSyncIn, type AccountSyncOut, BalanceReport } from './accounts.model.ts'
import { reportBy } from './accounts.service.ts'
import { type AccountRow, accounts } from './accounts.table.ts'
import { createRowSorter } from './feed-rows.ts'
import { advance, lastTaken, limitNumbers, listNumbers, mustBePlatform } from './platform-feed.ts'

/** One step takes this many rows, in about two milliseconds. */
const STEP = 50
/** An answer names at most this many differences. */
const NAMED = 1000

type Report = Static<typeof AccountSyncOut>
type Reported = Static<typeof BalanceReport>

// SQL instead of tx.update, so that ten thousand balances make one audit entry
const REPORT = statement(
  sql`UPDATE ${accounts} SET ${bare(accounts.balance)} = ?3, ${bare(accounts.equity)} = ?4,
    ${bare(accounts.version)} = ${accounts.version} + 1, ${bare(accounts.updatedAt)} = ?5
  WHERE ${accounts.tenantId} = ?1 AND ${accounts.id} = ?2`,
)
// a confirmed balance changes nothing on the account, so its version stays
const HEARD = statement(
  sql`UPDATE ${accounts} SET ${bare(accounts.balanceAt)} = ?3, ${bare(accounts.balanceBy)} = ?4,
    ${bare(accounts.byBridge)} = ?5
  WHERE ${accounts.tenantId} = ?1 AND ${accounts.id} IN (SELECT value FROM json_each(?2))`,
)

const sortRows = createRowSorter(
  { list: 'accounts', key: 'accountNumber', row: BalanceReport, name: AccountNumber },
  ({ currency }) =>
    currency === undefined || isCurrency(currency)
      ? undefined
      : { path: 'currency', code: 'currency_unknown', message: say('problems.field.currency_unknown') },
)

/**
 * Takes the balances that a platform bridge reports, in one transaction whose steps let reads run in between. A
 * repeated or older number changes nothing; decimals beyond the currency's are rounded. An amount in another currency,
 * or too large for the account's, is named in the answer and not applied. A bad row is refused, but no other row.
 * RULES “Feeds”.
 */
export function syncAccounts(ctx: Ctx, input: Static<typeof AccountSyncIn>): Promise<Report> {
  const rows = sortRows(input.accounts)
  rows.mustHaveTaken()
  return ctx.writeSteps('account.sync', function* (tx): Generator<void, Report> {
    const { platform, server, sequence } = input
    mustBePlatform(tx, platform)
    const last = lastTaken(tx, ctx, 'accounts', input)
    const report: Report = {
      applied: false,
      sequence: last,
      updated: 0,
      unchanged: 0,
      unlinked: [],
      otherCurrency: [],
      refused: [],
      refusedTotal: 0,
    }
    if (sequence <= last) return report
    const unlinked = new Set<string>()
    const taken = new Set<string>()
    const { balanceAt, balanceBy, byBridge } = reportBy(ctx, tx)
    for (let start = 0; start < rows.taken.length; start += STEP) {
      const part = rows.taken.slice(start, start + STEP).map(({ row }) => row)
      const there = tx.list(accounts, { platform, accountNumber: listNumbers(part) })
      const known = new Map(
        there.filter((row) => isOnServer(row, server.trim())).map((row) => [row.accountNumber, row]),
      )
      const heard: string[] = []
      for (const one of part) {
        const number = one.accountNumber.trim()
        const account = known.get(number)
        if (account === undefined) unlinked.add(number)
        // the call names this number twice, with and without blanks: the first row counts
        else if (taken.has(account.id)) unlinked.add(one.accountNumber)
        else {
          taken.add(account.id)
          if (takeOne(tx, report, account, one)) heard.push(account.id)
        }
      }
      if (heard.length > 0) tx.execute(HEARD, [JSON.stringify(heard), balanceAt, balanceBy, byBridge ? 1 : 0])
      yield
    }
    advance(tx, ctx, 'accounts', input)
    const refused = rows.refused.map(({ name, ...fault }) => ({ accountNumber: name, ...fault }))
    const { refusedTotal } = rows
    Object.assign(report, { applied: true, sequence, unlinked: limitNumbers(unlinked), refused, refusedTotal })
    const { updated, unchanged } = report
    tx.audit({
      entity: 'account_stream',
      entityId: null,
      after: { platform, server, sequence, updated, unchanged, unlinked: unlinked.size, refused: refusedTotal },
    })
    return report
  })
}

/** Returns a report in the account's currency; null if its currency is another or an amount is too large. */
function roundReported(account: AccountRow, { balance, equity, currency = account.currency }: Reported) {
  if (currency !== account.currency) return null
  try {
    return { balance: roundAmount(balance, currency), equity: roundAmount(equity, currency) }
  } catch (error) {
    if (error instanceof MoneyError) return null
    throw error
  }
}

/** Writes the report of one account; returns false if it does not apply to it. */
function takeOne(tx: Tx, report: Report, account: AccountRow, reported: Reported): boolean {
  const amounts = roundReported(account, reported)
  if (amounts === null) {
    const { accountNumber, currency = account.currency } = reported
    if (report.otherCurrency.length < NAMED)
      report.otherCurrency.push({ accountNumber, currency: account.currency, reported: currency })
    return false
  }
  const { balance, equity } = amounts
  if (balance === account.balance && equity === account.equity) {
    report.unchanged += 1
    return true
  }
  tx.execute(REPORT, [account.id, balance, equity, tx.now])
  report.updated += 1
  return true
}
