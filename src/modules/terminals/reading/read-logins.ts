import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { HOUR, SECOND } from '../../../platform/clock.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { isCurrency, roundAmount } from '../../../platform/money.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import type { ConnectionRow } from '../connections/connections.table.ts'
import { findType } from '../connections/groups.ts'
import type { State } from '../contract/terminal.ts'
import { type DayEnd, findDayEnd, keepEnded } from '../days/day-end.ts'
import { terminalDeals } from '../deals/deals.table.ts'
import { findEffect } from '../deals/effects.ts'
import { healFinding, isVanishAccepted, noteFinding } from '../findings/findings.service.ts'
import { terminalFindings } from '../findings/findings.table.ts'
import { type LoginRow, terminalLogins } from '../logins/logins.table.ts'
import { noteOpenedLater } from '../sending/opened-later.ts'
import type { Session } from '../sessions/session.ts'
import { OVERLAP } from './read-deals.ts'
import { reportBalances } from './report-balances.ts'

/** The server writes this many logins at once, in about ten milliseconds. */
const PIECE = 100
/** That a balance is what it was is written this often. */
const UNCHANGED_EVERY = HOUR

/** Returns the amounts of a state in the currency of its group. */
const toAmounts = ({ balance, credit, equity, marginFree }: State, currency: string) => ({
  balance: roundAmount(balance, currency),
  credit: roundAmount(credit, currency),
  equity: equity === null ? null : roundAmount(equity, currency),
  marginFree: marginFree === null ? null : roundAmount(marginFree, currency),
})

const FACTS = [
  'groupName',
  'accountType',
  'currency',
  'leverage',
  'mayTrade',
  'maySignIn',
  'balance',
  'credit',
  'state',
] as const satisfies readonly (keyof LoginRow)[]
/** What moves with the prices of open positions. */
const BY_PRICES = ['equity', 'marginFree'] as const satisfies readonly (keyof LoginRow)[]

/** Returns what the deals of a login since a moment changed of its balance. */
const sumEffects = (tx: Tx, connectionId: string, login: string, since: number): bigint =>
  tx
    .list(terminalDeals, { connectionId, login })
    .filter(({ at }) => at >= since)
    .reduce((sum, deal) => sum + findEffect(deal).balance, 0n)

/**
 * How a reading judges balances: anew until deals were loaded, not yet while an outage is made up for, and then as a
 * finding only what differs by the same amount once more, after the deals were read: a trade may fall between the two.
 */
type Judging = 'anew' | 'not_yet' | 'once' | ReadonlyMap<string, bigint>

/** A base is proven once it was the same for as long as deals may be shown late, and be in the balance before. */
const PROVEN_AFTER = OVERLAP

/**
 * Finds out what a balance is beside its deals, and whether that is proven by now. Returns by how much it is another
 * one than before, as long as its deals have to be read first.
 */
function proveBase(tx: Tx, row: LoginRow, base: bigint, judging: Judging): bigint {
  const isLoading = judging === 'anew' || judging === 'not_yet'
  if (!row.proven && base === row.base) {
    if (!isLoading && tx.now - row.baseSince >= PROVEN_AFTER) tx.update(terminalLogins, row.id, { proven: true })
    return 0n
  }
  if (judging === 'once') return base - row.base
  tx.update(terminalLogins, row.id, { base, baseSince: tx.now, proven: false })
  return 0n
}

/** Compares the balance of a login with what its deals make of it; returns by how much that differs. */
function compareBalance(tx: Tx, { id: connectionId, since }: ConnectionRow, row: LoginRow, judging: Judging): bigint {
  const about = { connectionId, kind: 'balance_differs', subject: row.login } as const
  // an account that is younger than what is loaded has nothing but its deals
  if (judging === 'anew' && row.registeredAt >= since) {
    tx.update(terminalLogins, row.id, { base: 0n, proven: true })
    return 0n
  }
  const isProven = row.proven && judging !== 'anew'
  if (isProven && judging === 'not_yet') return 0n
  // the others are judged after their deals were read, since a balance may have one that was not
  if (typeof judging !== 'string' && !judging.has(row.login)) return 0n
  const base = row.balance - row.explained
  if (!isProven) {
    // what nobody explained is not the account's own because deals are loaded anew
    const open = tx.find(terminalFindings, { ...about, state: 'open' })?.amount ?? 0n
    return proveBase(tx, row, base - open, judging)
  }
  const amount = base - row.base
  if (amount === 0n) healFinding(tx, about)
  else if (typeof judging !== 'string' && judging.get(row.login) === amount)
    noteFinding(tx, about, { login: row.login, currency: row.currency, amount })
  return amount
}

/** What holds for all logins of a reading; what moves with prices is written every `pricesEvery` milliseconds. */
type Reading = { session: Session; dayEnd: DayEnd; pricesEvery: number }

/**
 * Prices are written every so many seconds, as those of positions are, but at once before a midnight of the firm, since
 * a day has what was reported last.
 */
function beginReading(tx: Tx, session: Session, { readEvery }: ConnectionRow): Reading {
  const { timeZone } = readFirmSettings(tx)
  const dayEnd = findDayEnd(tx.now, timeZone)
  const every = readEvery.prices * SECOND
  const endsSoon = findDayEnd(tx.now + every, timeZone).at !== dayEnd.at
  return { session, dayEnd, pricesEvery: endsSoon ? 0 : every }
}

/** Writes what a terminal says of one login; returns the row, or null where it is not the account that it was. */
function takeState(
  tx: Tx,
  row: ConnectionRow,
  { session, dayEnd, pricesEvery }: Reading,
  state: State,
  before: LoginRow | undefined,
): LoginRow | null {
  const currency = session.groups.get(state.group)?.currency ?? ''
  const accountType = findType(row.groups, state.group)
  if (accountType === null || !isCurrency(currency)) return null
  const { login, group: groupName, leverage, mayTrade, maySignIn, registeredAt } = state
  const connectionId = row.id
  const values = { groupName, accountType, currency, leverage, mayTrade, maySignIn, ...toAmounts(state, currency) }
  if (before === undefined) {
    // a login that was given anew has nothing of the account that it was
    const explained = sumEffects(tx, connectionId, login, Math.max(row.since, registeredAt))
    // an account that is younger than the connection has nothing but its deals
    const proven = registeredAt >= row.since
    const base = proven ? 0n : values.balance - explained
    const moments = { registeredAt, stateSince: tx.now, readAt: tx.now, baseSince: tx.now }
    return tx.insert(terminalLogins, { connectionId, login, ...values, explained, base, proven, ...moments })
  }
  const reused = { connectionId, kind: 'login_reused', subject: login } as const
  if (before.registeredAt !== registeredAt) {
    if (before.state !== 'reused') {
      tx.update(terminalLogins, before.id, { state: 'reused', stateSince: tx.now })
      noteFinding(tx, reused, { login })
    }
    return null
  }
  for (const kind of ['login_gone', 'login_archived'] as const)
    if (before.state !== 'there') healFinding(tx, { ...reused, kind })
  const after = { ...values, state: 'there' as const }
  const isSame = (keys: readonly (keyof typeof after)[]) => keys.every((key) => after[key] === before[key])
  const every = isSame(BY_PRICES) ? UNCHANGED_EVERY : pricesEvery
  if (isSame(FACTS) && tx.now - before.readAt < every) return before
  const since = before.state === 'there' ? {} : { stateSince: tx.now }
  return tx.update(terminalLogins, before.id, {
    ...after,
    ...since,
    ...keepEnded(before, dayEnd),
    readAt: tx.now,
  })
}

/** Notes that logins are not listed any more: archived or gone. They keep their last balance. */
function missLogins(tx: Tx, connectionId: string, missing: readonly Listed[], archived: ReadonlySet<string>): void {
  for (const { id, login } of missing) {
    const state = archived.has(login) ? ('archived' as const) : ('gone' as const)
    tx.update(terminalLogins, id, { state, stateSince: tx.now })
    noteFinding(tx, { connectionId, kind: `login_${state}`, subject: login }, { login })
  }
}

/** Over this part of the logins, gone in one reading, nothing is believed. */
const MOST_GONE = 0.01
const LEAST_GONE = 2

/** The logins that the terminal listed when it was read last. */
type Listed = Pick<LoginRow, 'id' | 'login' | 'groupName'>
const LISTED = statement(
  sql`SELECT ${listed({
    id: terminalLogins.id,
    login: terminalLogins.login,
    groupName: terminalLogins.groupName,
  })} FROM ${terminalLogins} WHERE ${terminalLogins.tenantId} = ?1 AND ${terminalLogins.connectionId} = ?2
    AND ${terminalLogins.state} IN ('there', 'reused')`,
)

/** Which logins’ balances are not explained, and by how much. */
type LoginsRead = { differs: ReadonlyMap<string, bigint>; isMassVanish: boolean }

/** Reads all logins with their balances, and writes them once the reading is whole. */
export async function readLogins(
  ctx: Ctx,
  row: ConnectionRow,
  session: Session,
  judging: Judging,
): Promise<LoginsRead> {
  const states: State[] = []
  for await (const piece of session.terminal.states('all')) states.push(...piece)
  const there = new Set(states.map(({ login }) => login))
  const missing = ctx.db.query<Listed>(LISTED, [row.id]).filter(({ login }) => !there.has(login))
  const archived = new Set(
    missing.length === 0 ? [] : await session.terminal.archived(missing.map(({ login }) => login)),
  )
  // what is archived, and what the masks leave out by now, is not gone
  const gone = missing.filter(
    ({ login, groupName }) => !archived.has(login) && findType(row.groups, groupName) !== null,
  )
  const isMassVanish = gone.length > Math.max(LEAST_GONE, (there.size + gone.length) * MOST_GONE)
  if (isMassVanish && !isVanishAccepted(ctx, row)) return { differs: new Map(), isMassVanish }
  const differs = new Map<string, bigint>()
  for (let from = 0; from < states.length; from += PIECE)
    await ctx.write('terminals.read', (tx) => {
      const piece = states.slice(from, from + PIECE)
      const known = new Map(
        tx
          .list(terminalLogins, { connectionId: row.id, login: piece.map(({ login }) => login) })
          .map((one) => [one.login, one]),
      )
      const reading = beginReading(tx, session, row)
      const rows = piece.flatMap((state) => takeState(tx, row, reading, state, known.get(state.login)) ?? [])
      for (const taken of rows) {
        // deals of a login that is seen first are read after this: its balance may have one of them
        if (!known.has(taken.login) && !taken.proven) continue
        const amount = compareBalance(tx, row, taken, judging)
        if (amount !== 0n) differs.set(taken.login, amount)
      }
      reportBalances(tx, row, rows)
      return null
    })
  if (missing.length > 0)
    await ctx.write('terminals.read', (tx) => {
      missLogins(tx, row.id, missing, archived)
      return null
    })
  if (row.confirmedAt !== null) await noteOpenedLater(ctx, row, states)
  return { differs, isMassVanish: false }
}
