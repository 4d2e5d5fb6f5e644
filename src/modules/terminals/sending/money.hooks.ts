import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { HOUR, MINUTE } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { readSum, sumAsText } from '../../../platform/db/sums.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { invalid } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import type { Place } from '../../books/accounts/accounts.hooks.ts'
import { accounts } from '../../books/accounts/accounts.table.ts'
import { isBridge } from '../../books/accounts/platform-feed.ts'
import type { TransferHooks } from '../../books/transfers/transfers.hooks.ts'
import { transfers } from '../../books/transfers/transfers.table.ts'
import { COUNTS_FOR } from '../../firm/independence/independence.service.ts'
import { type ConnectionRow, terminalConnections, terminalHealth } from '../connections/connections.table.ts'
import type { Deal } from '../contract/terminal.ts'
import { toDeal } from '../deals/deals.store.ts'
import { terminalDeals } from '../deals/deals.table.ts'
import { healFinding } from '../findings/findings.service.ts'
import {
  BRINGS_MONEY,
  type FindingKind,
  type FindingRow,
  MOVEMENT_KINDS,
  terminalFindings,
} from '../findings/findings.table.ts'
import { moveOn } from '../instructions/instructions.store.ts'
import { type InstructionRow, terminalInstructions } from '../instructions/instructions.table.ts'
import { type LoginRow, terminalLogins } from '../logins/logins.table.ts'
import { askTerminal } from '../sessions/ask-terminal.ts'
import { aboutUnresolved, isAskedDeal, smaller } from './money.ts'
import { sendingErrors } from './sending.errors.ts'

/** A balance counts for this long after it was read. */
const LATELY = 5 * MINUTE
/** The clock of a terminal may be so far behind ours. */
export const BEHIND = 2 * HOUR

/** Returns the connection that a live account lies on; undefined if none is confirmed. */
export function findConnection(db: Reader, account: Place): ConnectionRow | undefined {
  const { platform, server, accountNumber } = account
  if (accountNumber === null) return undefined
  const all = db.list(terminalConnections, { platform })
  const there = all.filter((one) => one.server === server || (server === '' && all.length === 1))
  return there.find(({ confirmedAt }) => confirmedAt !== null)
}

/** Returns the login of an account as it was read; undefined if the terminal does not list it. */
export function findListed(db: Reader, connectionId: string, { accountNumber }: Place): LoginRow | undefined {
  const login = db.find(terminalLogins, { connectionId, login: accountNumber ?? '' })
  return login?.state === 'there' ? login : undefined
}

const findMover: TransferHooks['findMover'] = (db, account) => {
  const connection = account.isDemo ? undefined : findConnection(db, account)
  // while money is held it is not booked without the terminal either
  if (!connection?.money && connection?.moneyHeldAt == null) return null
  if (findListed(db, connection.id, account)?.accountType !== 'live') throw sendingErrors.login_unknown()
  return connection.id
}

type Whose = Pick<FindingRow, 'connectionId' | 'state'> & { login: string; healed?: boolean }
/** Returns the findings of a login whose money came by nobody’s word. */
const listMoney = (db: Reader, whose: Whose, kinds: readonly FindingKind[]): FindingRow[] =>
  db.list(terminalFindings, { ...whose, kind: [...kinds] }).filter(({ amount }) => (amount ?? 0n) > 0n)
const sumAmounts = (rows: readonly FindingRow[]): bigint => rows.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n)

// a transfer home that was booked without the terminal still lies there, until its deal is read
const ON_ITS_WAY = statement(
  sql`SELECT ${listed({ taken: sumAsText(transfers.fromAmount) })} FROM ${transfers}
  WHERE ${transfers.tenantId} = ?1 AND ${transfers.accountId} = ?2 AND ${transfers.kind} = 'account_to_wallet'
    AND (${transfers.state} = 'sent' OR (${transfers.state} = 'booked' AND ${transfers.createdAt} >= ?3 AND NOT EXISTS (
      SELECT 1 FROM ${terminalDeals} WHERE ${terminalDeals.tenantId} = ?1
        AND ${terminalDeals.transferId} = ${transfers.id})))`,
)

/**
 * Returns what an account has: the balance that was read, at most what deals and findings account for, less what is on
 * its way. Null if it was not read in the last five minutes.
 */
const findFree: TransferHooks['findFree'] = (db, account, { connectionId, now }) => {
  const login = findListed(db, connectionId, account)
  const readAt = db.find(terminalHealth, { id: connectionId })?.lastReadAt ?? 0
  if (login === undefined || now - readAt > LATELY) return null
  const since = db.get(terminalConnections, connectionId).createdAt
  const [row] = db.query<{ taken: string }>(ON_ITS_WAY, [account.id, since])
  const differs = sumAmounts(listMoney(db, { connectionId, login: login.login, state: 'open' }, ['balance_differs']))
  const accounted = login.proven ? login.base + login.explained + differs : login.balance
  return smaller(accounted, login.balance) - readSum(row?.taken ?? '0 0')
}

const readUnexplained: TransferHooks['readUnexplained'] = (db, account, now) => {
  const connection = findConnection(db, account)
  if (connection === undefined || account.accountNumber === null) return { amount: 0n, explainedBy: [] }
  const about = { connectionId: connection.id, login: account.accountNumber } as const
  return {
    amount: sumAmounts(listMoney(db, { ...about, state: 'open' }, BRINGS_MONEY)),
    explainedBy: listMoney(db, { ...about, state: 'closed', healed: false }, BRINGS_MONEY)
      .filter(({ closedAt }) => now - (closedAt ?? 0) < COUNTS_FOR)
      .flatMap(({ closedBy }) => closedBy ?? []),
  }
}

const instruct: TransferHooks['instruct'] = (tx, connectionId, transfer) => {
  const { accountId, kind, fromCurrency, fromAmount, toCurrency, toAmount, reference, createdBy } = transfer
  const isIn = kind === 'wallet_to_account'
  const { accountNumber } = tx.unowned.get(accounts, accountId ?? '')
  tx.insert(terminalInstructions, {
    connectionId,
    kind: 'balance',
    traderId: transfer.toTraderId ?? transfer.traderId,
    accountId,
    transferId: transfer.id,
    login: accountNumber,
    reference,
    currency: isIn ? toCurrency : fromCurrency,
    amount: isIn ? toAmount : -fromAmount,
    value: {},
    askedBy: createdBy,
    nextAt: tx.now,
  })
}

/** Asks the terminal for one deal; undefined if it has none, does not answer in time, or is not spoken to. */
async function askDeal(ctx: Ctx, connectionId: string, number: string): Promise<Deal | undefined> {
  const stored = ctx.unowned.find(terminalDeals, { connectionId, number })
  if (stored?.state === 'live') return toDeal(stored)
  if (!/^[1-9][0-9]{0,19}$/.test(number)) return undefined
  return askTerminal(ctx, connectionId, async (terminal) => {
    for await (const deals of terminal.deals({ ids: [number] })) return deals.find(({ id }) => id === number)
    return undefined
  })
}

/** Returns whether a deal is the booking of a transfer already, other than of this one. */
const isUsed = (tx: Tx, { connectionId, transferId }: InstructionRow, number: string): boolean =>
  tx
    .list(terminalInstructions, { connectionId, kind: 'balance', state: 'done', number })
    .some((one) => one.transferId !== transferId) ||
  (tx.find(terminalDeals, { connectionId, number })?.transferId ?? transferId) !== transferId

/** Returns whether a deal may be the booking of an instruction: it is not older, and bears no other reference. */
const mayBeBookedBy = ({ createdAt, reference }: InstructionRow, { at, comment }: Deal): boolean =>
  at >= createdAt - BEHIND && (!comment.startsWith('BB-') || comment.startsWith(reference))

const weigh: TransferHooks['weigh'] = async (ctx, transferId, { state, reference }) => {
  const asked = ctx.unowned.find(terminalInstructions, { transferId })
  if (asked === undefined) return () => false
  const isBooked = state === 'booked'
  if (isBooked && reference === undefined) throw invalid('reference', 'required', say('terminals.field.deal_number'))
  const isAsked = isBooked && asked.state === 'unresolved'
  const deal = isAsked ? await askDeal(ctx, asked.connectionId, reference?.trim() ?? '') : undefined
  return (tx) => {
    const row = tx.get(terminalInstructions, asked.id)
    const isTheirs = row.state === 'unresolved' || (row.state === 'queued' && !isBooked)
    if (!isTheirs || isBridge(tx, ctx)) throw sendingErrors.terminal_decides()
    if (!isBooked) return true
    if (deal === undefined || !isAskedDeal(row, deal) || !mayBeBookedBy(row, deal)) throw sendingErrors.deal_differs()
    if (isUsed(tx, row, deal.id)) throw sendingErrors.deal_used()
    return true
  }
}

const follow: TransferHooks['follow'] = (tx, { id: transferId, state, acknowledgedBy, platformReference }) => {
  const number = platformReference?.trim() ?? null
  const before = tx.find(terminalInstructions, { transferId })
  if (before === undefined) return
  healFinding(tx, aboutUnresolved(before))
  if (state === 'booked') moveOn(tx, before, 'done', { number, decidedBy: acknowledgedBy, answer: null })
  else moveOn(tx, before, before.state === 'queued' ? 'cancelled' : 'refused', { decidedBy: acknowledgedBy })
  const deal = tx.find(terminalDeals, { connectionId: before.connectionId, number: number ?? '' })
  if (!deal || state !== 'booked') return
  tx.update(terminalDeals, deal.id, { transferId })
  for (const kind of MOVEMENT_KINDS) healFinding(tx, { connectionId: before.connectionId, kind, subject: deal.number })
}

/** What transfers ask of trading servers that move money themselves. */
export const moneyHooks: TransferHooks = { findMover, findFree, readUnexplained, instruct, weigh, follow }
