import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { DAY, MINUTE } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import type { ConnectionRow } from '../connections/connections.table.ts'
import { noteLastDeal } from '../connections/health.ts'
import { TerminalFault } from '../contract/fault.ts'
import type { Deal, DealQuery } from '../contract/terminal.ts'
import { markGone, storeDeals, type Touched, touchNothing } from '../deals/deals.store.ts'
import { terminalDeals } from '../deals/deals.table.ts'
import { judgeChanges } from '../movements/judge-changes.ts'
import { judgeMovements } from '../movements/judge-movements.ts'
import type { Session } from '../sessions/session.ts'
import { currencyByLogin } from './currencies.ts'
import { derivePositions, explainBalances } from './derive.ts'
import { writePaced } from './paced.ts'

/** Deals are read again from this long before the end of the last reading, since some are committed late. */
export const OVERLAP = 10 * MINUTE
/** So many deals are committed together, with what follows from them, and so many are one step of that. */
export const PIECE = 100
const STEP = 20
/** A reading has at most this many deals; one that would have more is divided. */
const MOST_DEALS = 20_000
/** A deal that was missing in this many whole readings, and by its number, is gone. */
const MISSED = 2
/** What is read at once is never shorter than this. */
const SHORTEST = MINUTE

/** Which deals are read: those of a time. */
type Asked = Extract<DealQuery, { from: number }>

/** Reads deals whole, or answers null if there are more than one reading has. */
async function collect({ terminal }: Session, query: DealQuery): Promise<Deal[] | null> {
  const deals: Deal[] = []
  for await (const piece of terminal.deals(query)) {
    deals.push(...piece)
    if (deals.length > MOST_DEALS) return null
  }
  return deals
}

/** Does what follows from stored deals in the same write, so that no end of the program falls between. */
function* follow(tx: Tx, ctx: Ctx, row: ConnectionRow, touched: Touched): Generator<void, void> {
  explainBalances(tx, row, touched.explained)
  yield* derivePositions(tx, row, touched.positions)
  judgeMovements(tx, ctx, row, [...touched.movements.values()])
  judgeChanges(tx, row, touched.changes)
  if (touched.lastAt > 0) noteLastDeal(tx, row.id, touched.lastAt)
}

/**
 * Puts the deals of a login side by side, and of these those of a position, so that what follows from them is written
 * once and not once for each.
 */
const arrange = (deals: readonly Deal[]): Deal[] =>
  [...Map.groupBy(deals, ({ login }) => login).values()].flatMap((some) =>
    [...Map.groupBy(some, ({ position, id }) => position ?? id).values()].flat(),
  )

/** Stores deals in pieces, each with what follows from it. */
async function publish(ctx: Ctx, row: ConnectionRow, deals: readonly Deal[]): Promise<void> {
  for (let from = 0; from < deals.length; from += PIECE) {
    const piece = deals.slice(from, from + PIECE)
    await writePaced(ctx, function* (tx) {
      const touched = touchNothing()
      const currencies = currencyByLogin(tx, row, piece)
      for (let at = 0; at < piece.length; at += STEP)
        yield storeDeals(tx, row, piece.slice(at, at + STEP), currencies, touched)
      yield* follow(tx, ctx, row, touched)
    })
  }
}

const NUMBER = listed({ number: terminalDeals.number })
const IN_TIME = sql`${terminalDeals.tenantId} = ?1 AND ${terminalDeals.at} >= ?3 AND ${terminalDeals.at} < ?4
  AND ${terminalDeals.connectionId} = ?2 AND ${terminalDeals.state} <> 'gone'`
const STORED = statement(sql`SELECT ${NUMBER} FROM ${terminalDeals} WHERE ${IN_TIME}`)
const STORED_OF_LOGINS = statement(
  sql`SELECT ${NUMBER} FROM json_each(?5) AS one CROSS JOIN ${terminalDeals} ON ${terminalDeals.login} = one.value
    AND ${IN_TIME}`,
)

/** Returns the deals that are stored of a time: of all logins, or of some. */
const listStored = (db: Reader, connectionId: string, { from, to, logins }: Asked) =>
  logins === 'all'
    ? db.query<{ number: string }>(STORED, [connectionId, from, to])
    : db.query<{ number: string }>(STORED_OF_LOGINS, [connectionId, from, to, JSON.stringify(logins)])

/**
 * Looks for stored deals that a whole reading of their time lacks. One that was missing before, and is by its number
 * too, is gone.
 */
async function lookForMissing(
  ctx: Ctx,
  row: ConnectionRow,
  session: Session,
  deals: readonly Deal[],
  asked: Asked,
): Promise<void> {
  const there = new Set(deals.map(({ id }) => id))
  const missing = listStored(ctx.db, row.id, asked)
    .filter(({ number }) => !there.has(number))
    .map(({ number }) => number)
  for (let first = 0; first < missing.length; first += PIECE) {
    const some = missing.slice(first, first + PIECE)
    const byNumber = (await collect(session, { ids: some })) ?? []
    const found = new Set(byNumber.map(({ id }) => id))
    await writePaced(ctx, function* (tx) {
      const touched = touchNothing()
      // it has another time, or another login, than it had
      storeDeals(tx, row, byNumber, currencyByLogin(tx, row, byNumber), touched)
      const absent = some.filter((number) => !found.has(number))
      for (const deal of tx.list(terminalDeals, { connectionId: row.id, number: absent }))
        if (deal.missing + 1 < MISSED) tx.update(terminalDeals, deal.id, { missing: deal.missing + 1 })
        else markGone(tx, deal, row.since, touched)
      yield* follow(tx, ctx, row, touched)
    })
  }
}

/**
 * Reads the deals of a time whole, stores them, and derives the positions that they touch. Returns the end of what was
 * read: earlier than asked for where there were too many deals.
 */
export async function readDeals(ctx: Ctx, row: ConnectionRow, session: Session, asked: Asked): Promise<number> {
  const query = { ...asked }
  let deals = await collect(session, query)
  while (deals === null) {
    if (query.to - query.from <= SHORTEST) throw new TerminalFault('too_large')
    query.to = query.from + Math.floor((query.to - query.from) / 2)
    deals = await collect(session, query)
  }
  await publish(ctx, row, arrange(deals))
  await lookForMissing(ctx, row, session, deals, query)
  return query.to
}

/** Reads the deals of a time, in windows that a reading has room for. */
export async function readWindows(ctx: Ctx, row: ConnectionRow, session: Session, asked: Asked): Promise<void> {
  const { logins, to } = asked
  let size = to - asked.from
  for (let from = asked.from; from < to; ) {
    const end = await readDeals(ctx, row, session, { logins, from, to: Math.min(from + size, to) })
    // the next window has room for about as many
    size = (end - from) * 2
    from = end
  }
}

/** So many logins are read at once; what was read of them is kept if the next ones fail. */
export const LOGINS = 100

/** Reads the whole of logins since a moment, some at a time. */
export async function readWhole(
  ctx: Ctx,
  row: ConnectionRow,
  session: Session,
  logins: readonly string[],
  since: number,
): Promise<void> {
  const to = ctx.now() + DAY
  for (let first = 0; first < logins.length; first += LOGINS)
    await readWindows(ctx, row, session, { logins: logins.slice(first, first + LOGINS), from: since, to })
}
