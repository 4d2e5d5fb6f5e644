import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { HOUR, SECOND } from '../../../platform/clock.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { type Price, takePrices } from '../../books/positions/positions.prices.ts'
import { type PositionRow, positions } from '../../books/positions/positions.table.ts'
import type { ConnectionRow } from '../connections/connections.table.ts'
import type { OpenPosition } from '../contract/terminal.ts'
import { healFinding, isVanishAccepted, noteFinding } from '../findings/findings.service.ts'
import { getLiveSessions } from '../sessions/live-sessions.ts'
import type { Session } from '../sessions/session.ts'
import { findOwnTicket } from './derive.ts'
import { writePaced } from './paced.ts'
import { readWhole } from './read-deals.ts'

/** Over this part of the open positions, and this many, gone in one reading, nothing is believed. */
const MOST_GONE = 0.05
const LEAST_GONE = 10
/** An open position that two whole readings lack, and that no deal closed, is a finding. */
const MISSED = 2
/** Positions are looked for in pieces of this many, so that others are served in between. */
const PIECE = 500

/** So many prices are written in a second, by all connections of the box. */
const PRICES_A_SECOND = 100
/** So many prices are written at once. */
const PRICES = 250

/** What is remembered of positions between two readings of a connection. */
export type PositionMemory = {
  missed: Map<string, number>
  /** The position whose price was written last; those behind it are the next. */
  priced: string
  /** How many were known when the last reading began. */
  known: number
  /** Whether there are more positions that are not known than one reading looks for, and it found some before. */
  hasMore: boolean
}
/** Returns what is remembered before the first reading. */
export const beginPositions = (): PositionMemory => ({ missed: new Map(), priced: '', known: -1, hasMore: false })

/** So many positions that are not known are looked for in one reading, and the others in the next ones. */
const MOST_UNKNOWN = 20_000
/** A position that only the terminal has, or only we. */
type OneSided = Pick<OpenPosition, 'ticket' | 'login' | 'openedAt'>
type Open = Pick<PositionRow, 'id' | 'ticket' | 'updatedAt'>

const OPEN = statement(
  sql`SELECT ${listed({ id: positions.id, ticket: positions.ticket, updatedAt: positions.updatedAt })} FROM ${positions}
  WHERE ${positions.tenantId} = ?1 AND ${positions.status} = 'open' AND ${positions.id} > ?4
    AND ${positions.platform} = ?2 AND ${positions.server} = ?3 ORDER BY ${positions.id} LIMIT ?5`,
)

/** Looks through our open positions, in pieces, by their ids. */
async function* eachOpen(ctx: Ctx, { platform, server }: ConnectionRow): AsyncIterable<Open[]> {
  for (let after = ''; ; ) {
    const part = ctx.db.query<Open>(OPEN, [platform, server, after, PIECE])
    yield part
    const last = part.at(-1)
    if (last === undefined || part.length < PIECE) return
    after = last.id
    await ctx.sleep(0)
  }
}

/** Returns those of our positions that are open still, by their tickets. */
async function listOpen(
  ctx: Ctx,
  { platform, server }: ConnectionRow,
  tickets: ReadonlySet<string>,
): Promise<OneSided[]> {
  const all = [...tickets]
  const open: OneSided[] = []
  for (let from = 0; from < all.length; from += PIECE) {
    const ticket = all.slice(from, from + PIECE)
    for (const row of ctx.db.list(positions, { platform, server, ticket, status: 'open' }))
      open.push({ ticket: row.ticket, login: row.accountNumber, openedAt: row.openedAt })
    await ctx.sleep(0)
  }
  return open
}

/** Returns the tickets of our open positions, and those whose prices are written next, which lie side by side. */
async function findKnown(ctx: Ctx, row: ConnectionRow, memory: PositionMemory) {
  const known = new Set<string>()
  const due = new Map<string, Price | null>()
  const most = (PRICES_A_SECOND * row.readEvery.positions) / Math.max(1, getLiveSessions(ctx).size)
  const before = ctx.now() - row.readEvery.prices * SECOND
  let last = ''
  for await (const part of eachOpen(ctx, row))
    for (const { id, ticket, updatedAt } of part) {
      known.add(ticket)
      if (due.size >= most || id <= memory.priced || updatedAt > before) continue
      due.set(ticket, null)
      last = id
    }
  // behind the last one it goes on with the first
  memory.priced = due.size < most ? '' : last
  return { known, due }
}

/** Writes the prices that were read of the positions that are due. */
async function writePrices(ctx: Ctx, row: ConnectionRow, due: ReadonlyMap<string, Price | null>): Promise<void> {
  const prices = [...due.values()].filter((price) => price !== null)
  for (let from = 0; from < prices.length; from += PRICES)
    await writePaced(ctx, function* (tx) {
      takePrices(tx, row, prices.slice(from, from + PRICES), row.readEvery.prices * SECOND)
      yield
    })
}

/**
 * Reads the list of open positions, writes prices that are due, and returns how many are known here, the tickets of
 * those that the terminal lacks, and which of its positions are not known.
 */
async function collect(ctx: Ctx, row: ConnectionRow, { terminal }: Session, memory: PositionMemory) {
  const { known: lacking, due } = await findKnown(ctx, row, memory)
  const known = lacking.size
  const unknown: OneSided[] = []
  let isMore = false
  for await (const piece of terminal.positions('all'))
    for (const { ticket, login, openedAt, currentPrice, profit, swap } of piece) {
      if (due.has(ticket)) due.set(ticket, { ticket, currentPrice, profit, swap })
      if (lacking.delete(ticket)) continue
      if (unknown.length < MOST_UNKNOWN) unknown.push({ ticket, login, openedAt })
      else isMore = true
    }
  // what is never found is not looked for without a rest
  Object.assign(memory, { hasMore: isMore && known > memory.known, known })
  await writePrices(ctx, row, due)
  return { known, lacking, unknown }
}

/** Reads the deals of the logins of positions since these were opened. */
async function readTheirDeals(ctx: Ctx, row: ConnectionRow, session: Session, of: readonly OneSided[]): Promise<void> {
  const logins = [...new Set(of.map(({ login }) => login))].filter((login) => login !== '')
  if (logins.length === 0) return
  await readWhole(ctx, row, session, logins, Math.min(...of.map(({ openedAt }) => openedAt)) - HOUR)
}

/**
 * Reads the open positions. Of one that is not known the deals of its login are read from its opening on; one that is
 * gone is closed by its deals alone, and without any it is a finding. Returns false if so many are gone at once that
 * nothing is believed.
 */
export async function readPositions(
  ctx: Ctx,
  row: ConnectionRow,
  session: Session,
  memory: PositionMemory,
): Promise<boolean> {
  const { known, lacking, unknown } = await collect(ctx, row, session, memory)
  for (const { ticket } of [...unknown]) {
    // the terminal lists it under another ticket since it opened it anew
    const own = findOwnTicket(ctx.db, row, ticket)
    if (own === undefined) continue
    lacking.delete(own)
    unknown.splice(
      unknown.findIndex((one) => one.ticket === ticket),
      1,
    )
  }
  await readTheirDeals(ctx, row, session, unknown)
  await readTheirDeals(ctx, row, session, await listOpen(ctx, row, lacking))
  const left = await listOpen(ctx, row, lacking)
  const isMassVanish = left.length >= LEAST_GONE && left.length > known * MOST_GONE
  if (isMassVanish && !isVanishAccepted(ctx, row)) return false
  await noteVanished(ctx, row, left, memory)
  return true
}

/** Notes open positions that the terminal has no more although no deal closed them, and heals those that came back. */
async function noteVanished(
  ctx: Ctx,
  row: ConnectionRow,
  left: readonly OneSided[],
  { missed }: PositionMemory,
): Promise<void> {
  const names = new Set(left.map(({ ticket }) => ticket))
  const healed = [...missed.keys()].filter((ticket) => !names.has(ticket))
  for (const ticket of healed) missed.delete(ticket)
  for (const ticket of names) missed.set(ticket, (missed.get(ticket) ?? 0) + 1)
  const vanished = left.filter(({ ticket }) => missed.get(ticket) === MISSED)
  if (healed.length === 0 && vanished.length === 0) return
  await ctx.write('terminals.read', (tx) => {
    const connectionId = row.id
    for (const subject of healed) healFinding(tx, { connectionId, kind: 'position_vanished', subject })
    for (const { ticket: subject, login } of vanished)
      noteFinding(tx, { connectionId, kind: 'position_vanished', subject }, { login })
    return null
  })
}
