import type { Ctx } from '../../../platform/access/ctx.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../platform/clock.ts'
import { say } from '../../../words/say.ts'
import { isReportedByBridge } from '../../books/accounts/platform-feed.ts'
import { mailOwners } from '../../firm/users/users.notices.ts'
import type { RemoteTerminal } from '../child/desk.ts'
import { type ConnectionRow, terminalConnections, terminalHealth } from '../connections/connections.table.ts'
import { explainFault } from '../connections/fault-words.ts'
import { isOutage, noteHealth } from '../connections/health.ts'
import { FAULTS, TerminalFault } from '../contract/fault.ts'
import { healFinding, noteFinding } from '../findings/findings.service.ts'
import { terminalFindings } from '../findings/findings.table.ts'
import { terminalLogins } from '../logins/logins.table.ts'
import { missTransfers } from '../movements/miss-transfers.ts'
import type { Worker } from '../sessions/each-connection.ts'
import { getLiveSessions, getWholeReads } from '../sessions/live-sessions.ts'
import { isDue, openSession, type Session } from '../sessions/session.ts'
import { beginLoad, loadSome } from './load.ts'
import { readBack } from './read-back.ts'
import { OVERLAP, readDeals, readWhole, readWindows } from './read-deals.ts'
import { readLogins } from './read-logins.ts'
import { beginPositions, type PositionMemory, readPositions } from './read-positions.ts'

/** Deals of the last hours are read again this often, and those of the last days once a day. */
const WARM = { every: 30 * MINUTE, back: 3 * HOUR }
const COLD = { every: DAY, back: 3 * DAY }
/** What lies further back than this is loaded login by login, until what is left is as near as that. */
const FAR = DAY
const NEAR = 12 * HOUR

/** The pauses after faults. */
const FIRST_PAUSE = 5 * SECOND
const LONGEST_PAUSE = 2 * MINUTE
const SLOW_PAUSE = 5 * MINUTE

/** What is known between two readings of one connection. */
type Memory = {
  session: Session | undefined
  /** The settings that the session was opened by, and when they were confirmed. */
  settings: string
  confirmedAt: number | null
  next: { deals: number; positions: number; accounts: number; warm: number; cold: number }
  positions: PositionMemory
  /** Logins that were read from their beginning, since more was closed than opened there. */
  whole: Set<string>
}

const beginMemory = (now: number): Memory => ({
  session: undefined,
  settings: '',
  confirmedAt: null,
  next: { deals: 0, positions: 0, accounts: 0, warm: now + WARM.every, cold: now + COLD.every },
  positions: beginPositions(),
  whole: new Set(),
})

/** Names the settings by which a terminal is spoken to; the password as it is sealed. */
const nameSettings = ({
  address,
  trust,
  certificate,
  login,
  password,
  groups,
  requestsPerSecond,
}: ConnectionRow): string =>
  JSON.stringify([address, trust, certificate, login, password.toHex(), groups, requestsPerSecond])

/**
 * Reads deals: the newest ones with an overlap, or what an outage or a first load left of some logins. Returns whether
 * all were read.
 */
async function readNewDeals(ctx: Ctx, row: ConnectionRow, session: Session): Promise<boolean> {
  const now = ctx.now()
  const known = ctx.db.find(terminalHealth, { id: row.id })?.dealsUntil ?? null
  if (known === null) await beginLoad(ctx, row)
  const until = Math.max(known ?? row.since, row.since)
  const from = Math.max(until - OVERLAP, row.since)
  const isWhole = now - from <= FAR
  if (isWhole) await readWindows(ctx, row, session, { logins: 'all', from, to: now + DAY })
  const end = isWhole ? now : await loadSome(ctx, row, session, { from, goal: now - NEAR })
  if (end !== null)
    await ctx.write('terminals.read', (tx) => {
      // an earlier `since` was confirmed meanwhile: deals are loaded anew
      if ((tx.find(terminalHealth, { id: row.id })?.dealsUntil ?? null) === null) return null
      noteHealth(tx, row.id, { dealsUntil: end })
      return null
    })
  if (isWhole) await missTransfers(ctx, row, now)
  return isWhole
}

/** So many logins are read from their beginning at once. */
const MOST_WHOLE = 100

/**
 * Reads logins from their beginning where more was closed than opened: what was opened may lie before the time from
 * which deals are read.
 */
async function readImpossible(ctx: Ctx, row: ConnectionRow, session: Session, whole: Set<string>): Promise<void> {
  const connectionId = row.id
  const open = ctx.db.list(terminalFindings, { connectionId, kind: 'position_impossible', state: 'open' })
  const found = open.filter(({ login }) => login !== null && !whole.has(login))
  const logins = [...new Set(found.flatMap(({ login }) => login ?? []))].slice(0, MOST_WHOLE)
  if (logins.length === 0) return
  const since = ctx.db.list(terminalLogins, { connectionId, login: logins }).map(({ registeredAt }) => registeredAt)
  await readWhole(ctx, row, session, logins, Math.min(row.since, ...since))
  for (const login of logins) whole.add(login)
}

/** Does what is due of one connection; returns whether all of it was read. */
async function readDue(ctx: Ctx, row: ConnectionRow, memory: Memory, session: Session): Promise<boolean> {
  const { next } = memory
  const now = ctx.now()
  let isWhole = true
  if (now >= next.accounts) {
    const until = ctx.db.find(terminalHealth, { id: row.id })?.dealsUntil ?? 0
    const judging = until <= row.since ? 'anew' : now - until < OVERLAP ? 'once' : 'not_yet'
    const { differs, isMassVanish } = await readLogins(ctx, row, session, judging)
    if (isMassVanish) return false
    // what its deals do not explain may stand in deals that were not read yet
    if (differs.size > 0) {
      await readWhole(ctx, row, session, [...differs.keys()], Math.max(row.since, now - COLD.back))
      await readLogins(ctx, row, session, differs)
    }
    next.accounts = now + row.readEvery.accounts * SECOND
  }
  if (now >= next.deals) {
    isWhole = await readNewDeals(ctx, row, session)
    next.deals = isWhole ? now + row.readEvery.deals * SECOND : now
  }
  if (isWhole) await readImpossible(ctx, row, session, memory.whole)
  for (const [name, { every, back }] of [
    ['warm', WARM],
    ['cold', COLD],
  ] as const) {
    if (now < next[name] || !isWhole) continue
    for (let from = Math.max(row.since, now - back); from < now; )
      from = await readDeals(ctx, row, session, { logins: 'all', from, to: Math.min(from + WARM.back, now + DAY) })
    next[name] = now + every
  }
  if (now >= next.positions && isWhole) {
    if (!(await readPositions(ctx, row, session, memory.positions))) return false
    next.positions = memory.positions.hasMore ? now : now + row.readEvery.positions * SECOND
  }
  if (isWhole) await readBack(ctx, row, session)
  return true
}

/** Notes a fault, and when the terminal is tried again; tells the owners once of an outage that lasts. */
async function noteFault(ctx: Ctx, row: ConnectionRow, fault: TerminalFault): Promise<void> {
  await ctx.write('terminals.read', (tx) => {
    const health = tx.find(terminalHealth, { id: row.id })
    const failures = (health?.failures ?? 0) + 1
    const manner = FAULTS[fault.code]
    const pause =
      manner === 'slowly' ? SLOW_PAUSE : Math.min(FIRST_PAUSE * 2 ** Math.min(failures - 1, 10), LONGEST_PAUSE)
    // a part of chance keeps many boxes from coming back at one moment
    const wait = Math.round(pause * (0.8 + Math.random() * 0.4))
    const period = Math.max(row.readEvery.deals, row.readEvery.positions, row.readEvery.accounts) * SECOND
    const lastReadAt = health?.lastReadAt ?? row.createdAt
    const tells = (isOutage({ period, lastReadAt }, tx.now) || manner === 'stop') && (health?.mailedAt ?? null) === null
    noteHealth(tx, row.id, {
      state: manner === 'stop' ? 'stopped' : 'waiting',
      failures,
      nextTryAt: manner === 'stop' ? null : tx.now + wait,
      errorCode: fault.code,
      errorDetail: { ...fault.detail },
      errorAt: tx.now,
      ...(tells && { mailedAt: tx.now }),
    })
    if (tells)
      mailOwners(tx, ctx, () => ({
        subject: say('terminals.mail.subject.outage', { name: row.name }),
        text: say('terminals.mail.outage', {
          name: row.name,
          since: new Date(lastReadAt),
          reason: explainFault(fault.code, fault.detail),
        }),
      }))
    return null
  })
}

/** Notes that all was read, or that so much was gone at once that nothing is believed. */
async function noteRead(ctx: Ctx, row: ConnectionRow, isWhole: boolean): Promise<void> {
  const about = { connectionId: row.id, kind: 'mass_vanish', subject: '' } as const
  await ctx.write('terminals.read', (tx) => {
    if (!isWhole) {
      noteFinding(tx, about)
      noteHealth(tx, row.id, { state: 'waiting', nextTryAt: tx.now + row.readEvery.positions * SECOND })
    } else {
      healFinding(tx, about)
      const fine = { failures: 0, nextTryAt: null, errorCode: null, errorDetail: null, errorAt: null, mailedAt: null }
      noteHealth(tx, row.id, { state: 'connected', lastReadAt: tx.now, ...fine })
    }
    return null
  })
}

/**
 * Makes the reader of one connection. `work` does what is due and answers whether anything was; a fault of the terminal
 * is noted and ends the session, and is no fault of the caller.
 */
export function createConnectionReader(id: string, now: number): Worker {
  const memory = beginMemory(now)
  let live: Map<string, RemoteTerminal> | undefined
  const stop = async (): Promise<void> => {
    await memory.session?.terminal.quit()
    memory.session = undefined
    live?.delete(id)
  }

  const readOnce = async (ctx: Ctx, row: ConnectionRow): Promise<void> => {
    if (memory.session === undefined || isDue(memory.session, ctx.now()))
      memory.session = await openSession(ctx, row, memory.session)
    live = getLiveSessions(ctx)
    live.set(id, memory.session.terminal)
    const isWhole = await readDue(ctx, row, memory, memory.session)
    if (!isWhole) await stop()
    await noteRead(ctx, row, isWhole)
    if (isWhole) getWholeReads(ctx).add(id)
  }

  return {
    stop,
    work: async (ctx) => {
      const row = ctx.db.find(terminalConnections, { id })
      const health = ctx.db.find(terminalHealth, { id })
      // one person's word does not take the place of a bridge's
      const isHeld = row?.confirmedAt === null && isReportedByBridge(ctx.db, row.platform, row.server)
      if (row === undefined || row.paused || isHeld || health?.state === 'stopped') {
        await stop()
        return false
      }
      const settings = nameSettings(row)
      if (memory.settings !== settings) await stop()
      // what a second person only confirms is read anew by the session that is there
      if (memory.settings !== settings || memory.confirmedAt !== row.confirmedAt)
        Object.assign(memory, beginMemory(ctx.now()), {
          settings,
          confirmedAt: row.confirmedAt,
          session: memory.session,
        })
      const at = ctx.now()
      const { next } = memory
      if (at < (health?.nextTryAt ?? 0) || at < Math.min(next.deals, next.positions, next.accounts)) return false
      try {
        await readOnce(ctx, row)
      } catch (error) {
        await stop()
        if (error instanceof TerminalFault) await noteFault(ctx, row, error)
        else {
          // a terminal may say what nobody can store: it is told of, and the other connections go on
          ctx.log.warn({ err: error, connection: id }, 'what a trading server said could not be taken')
          await noteFault(ctx, row, new TerminalFault('not_an_answer'))
        }
      }
      return true
    },
  }
}
