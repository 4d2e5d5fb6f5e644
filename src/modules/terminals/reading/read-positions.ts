import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { HOUR, SECOND } from '../../../platform/clock.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { takePrices } from '../../books/positions/positions.prices.ts'
import { positions } from '../../books/positions/positions.table.ts'
import type { ConnectionRow } from '../connections/connections.table.ts'
import type { OpenPosition } from '../contract/terminal.ts'
import { healFinding, isVanishAccepted, noteFinding } from '../findings/findings.service.ts'
import { findOwnTicket } from './derive.ts'
import { readWhole } from './read-deals.ts'
import type { Session } from './session.ts'

/** Over this part of the open positions, and this many, gone in one reading, nothing is believed. */
const MOST_GONE = 0.05
const LEAST_GONE = 10
/** An open position that two whole readings lack, and that no deal closed, is a finding. */
const MISSED = 2
/** Open positions are looked through in pieces of this many, so that others are served in between. */
const PIECE = 5000

/** What is remembered of positions between two readings of a connection. */
export type PositionMemory = { missed: Map<string, number> }
/** So many positions that are not known are looked for in one reading, and the others in the next ones. */
const MOST_UNKNOWN = 20_000
type Unknown = Pick<OpenPosition, 'ticket' | 'login' | 'openedAt'>
type Open = { id: string; ticket: string; login: string; openedAt: number }

const OPEN = statement(
  sql`SELECT ${listed({
    id: positions.id,
    ticket: positions.ticket,
    login: positions.accountNumber,
    openedAt: positions.openedAt,
  })} FROM ${positions}
  WHERE ${positions.tenantId} = ?1 AND ${positions.status} = 'open' AND ${positions.id} > ?4
    AND ${positions.platform} = ?2 AND ${positions.server} = ?3 ORDER BY ${positions.id} LIMIT ?5`,
)

/** Returns our open positions that are not among these tickets, and how many are open. */
async function findGone(ctx: Ctx, { platform, server }: ConnectionRow, there: ReadonlySet<string>) {
  const gone: Open[] = []
  let count = 0
  for (let after = ''; ; ) {
    const part = ctx.db.query<Open>(OPEN, [platform, server, after, PIECE])
    count += part.length
    gone.push(...part.filter(({ ticket }) => !there.has(ticket)))
    const last = part.at(-1)
    if (last === undefined || part.length < PIECE) return { gone, count }
    after = last.id
    await ctx.sleep(0)
  }
}

/**
 * Reads the list of open positions, writes their prices, and returns all tickets, and which positions are not known to
 * be open here.
 */
async function collect(ctx: Ctx, row: ConnectionRow, { terminal }: Session) {
  const tickets = new Set<string>()
  const unknown: Unknown[] = []
  for await (const piece of terminal.positions('all')) {
    for (const { ticket } of piece) tickets.add(ticket)
    const not = await ctx.write('terminals.read', (tx) => takePrices(tx, row, piece, row.readEvery.prices * SECOND))
    const names = new Set(not)
    for (const { ticket, login, openedAt } of piece)
      if (names.has(ticket) && unknown.length < MOST_UNKNOWN) unknown.push({ ticket, login, openedAt })
  }
  return { tickets, unknown }
}

/** Reads the deals of the logins of positions since these were opened. */
async function readTheirDeals(
  ctx: Ctx,
  row: ConnectionRow,
  session: Session,
  of: readonly { login: string; openedAt: number }[],
): Promise<void> {
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
  const { tickets, unknown } = await collect(ctx, row, session)
  for (const { ticket } of [...unknown]) {
    // the terminal lists it under another ticket since it opened it anew
    const own = findOwnTicket(ctx.db, row, ticket)
    if (own === undefined) continue
    tickets.add(own)
    unknown.splice(
      unknown.findIndex((one) => one.ticket === ticket),
      1,
    )
  }
  await readTheirDeals(ctx, row, session, unknown)
  const { gone, count } = await findGone(ctx, row, tickets)
  if (gone.length > 0) await readTheirDeals(ctx, row, session, gone)
  const { gone: left } = gone.length > 0 ? await findGone(ctx, row, tickets) : { gone }
  const isMassVanish = left.length >= LEAST_GONE && left.length > count * MOST_GONE
  if (isMassVanish && !isVanishAccepted(ctx, row)) return false
  await noteVanished(ctx, row, left, memory)
  return true
}

/** Notes open positions that the terminal has no more although no deal closed them, and heals those that came back. */
async function noteVanished(
  ctx: Ctx,
  row: ConnectionRow,
  left: readonly Open[],
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
