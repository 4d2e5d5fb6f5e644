import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import type { Ctx } from '../../platform/access/ctx.ts'
import { bare, statement } from '../../platform/db/statement.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { amountOf, knownCurrency } from '../../platform/http/fields.ts'
import { invalid } from '../../platform/http/problem.ts'
import { roundAmount } from '../../platform/money.ts'
import type { AccountSyncIn, AccountSyncOut, BalanceReport } from './accounts.model.ts'
import { reportBy } from './accounts.service.ts'
import { type AccountRow, accounts } from './accounts.table.ts'
import { advance, lastTaken, mustBePlatform, named } from './platform-feed.ts'

/** Rows of one step: about two milliseconds. */
const STEP = 50
/** Differences that an answer names at most. */
const NAMED = 1000

type Report = Static<typeof AccountSyncOut>
/** With its place in the request, so that a bad one can be named. */
type Reported = Static<typeof BalanceReport> & { at: string }

// By SQL, not by tx.update: ten thousand balances are one audit entry.
const REPORT = statement(
  sql`UPDATE ${accounts} SET ${bare(accounts.balance)} = ?3, ${bare(accounts.equity)} = ?4,
    ${bare(accounts.version)} = ${accounts.version} + 1, ${bare(accounts.updatedAt)} = ?5
  WHERE ${accounts.tenantId} = ?1 AND ${accounts.id} = ?2`,
)
// that somebody says so is not a change of the account, so its version stays
const HEARD = statement(
  sql`UPDATE ${accounts} SET ${bare(accounts.balanceAt)} = ?3, ${bare(accounts.balanceBy)} = ?4,
    ${bare(accounts.byBridge)} = ?5
  WHERE ${accounts.tenantId} = ?1 AND ${accounts.id} IN (SELECT value FROM json_each(?2))`,
)

/** An account must come once, in a currency that exists if one is said; checked before the transaction. */
function refuseBadRows(list: readonly Static<typeof BalanceReport>[]): void {
  const seen = new Set<string>()
  for (const [index, { accountNumber, currency }] of list.entries()) {
    if (seen.has(accountNumber)) throw invalid(`accounts.${index}.accountNumber`, 'repeated', 'is given more than once')
    seen.add(accountNumber)
    if (currency !== undefined) knownCurrency(`accounts.${index}.currency`, currency)
  }
}

/**
 * Takes the balances that a platform bridge reports, as `syncPositions` takes positions: one transaction in steps that
 * let reads through, nothing new from a repeated or older sequence, decimals beyond the currency's rounded. An amount
 * in another currency than the account's says nothing about it: it is named in the answer and not applied. rules.md
 * “Feeds”.
 */
export function syncAccounts(ctx: Ctx, input: Static<typeof AccountSyncIn>): Promise<Report> {
  refuseBadRows(input.accounts)
  return ctx.writeSteps('account.sync', function* (tx): Generator<void, Report> {
    const { platform, server, sequence } = input
    mustBePlatform(tx, platform)
    const last = lastTaken(tx, ctx, 'accounts', input)
    const report: Report = { applied: false, sequence: last, updated: 0, unchanged: 0, unlinked: [], otherCurrency: [] }
    if (sequence <= last) return report
    const unlinked = new Set<string>()
    const { balanceAt, balanceBy, byBridge } = reportBy(ctx, tx)
    for (let start = 0; start < input.accounts.length; start += STEP) {
      const part = input.accounts.slice(start, start + STEP)
      const known = new Map(
        tx
          .list(accounts, { platform, accountNumber: part.map(({ accountNumber }) => accountNumber) })
          .map((row) => [row.accountNumber, row]),
      )
      const heard: string[] = []
      for (const [offset, one] of part.entries()) {
        const account = known.get(one.accountNumber)
        if (account === undefined) unlinked.add(one.accountNumber)
        else if (takeOne(tx, report, account, { ...one, at: `accounts.${start + offset}` })) heard.push(account.id)
      }
      if (heard.length > 0) tx.execute(HEARD, [JSON.stringify(heard), balanceAt, balanceBy, byBridge ? 1 : 0])
      yield
    }
    advance(tx, ctx, 'accounts', input)
    Object.assign(report, { applied: true, sequence, unlinked: named(unlinked) })
    const { updated, unchanged } = report
    tx.audit({
      entity: 'account_stream',
      entityId: null,
      after: { platform, server, sequence, updated, unchanged, unlinked: unlinked.size },
    })
    return report
  })
}

/** Writes what was reported of an account; false where it is in another currency and says nothing. */
function takeOne(tx: Tx, report: Report, account: AccountRow, reported: Reported): boolean {
  const { accountNumber, currency = account.currency, at } = reported
  if (currency !== account.currency) {
    if (report.otherCurrency.length < NAMED)
      report.otherCurrency.push({ accountNumber, currency: account.currency, reported: currency })
    return false
  }
  const balance = amountOf(`${at}.balance`, reported.balance, currency, roundAmount)
  const equity = amountOf(`${at}.equity`, reported.equity, currency, roundAmount)
  if (balance === account.balance && equity === account.equity) {
    report.unchanged += 1
    return true
  }
  tx.execute(REPORT, [account.id, balance, equity, tx.now])
  report.updated += 1
  return true
}
