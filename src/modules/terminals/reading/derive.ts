import { sql } from 'drizzle-orm'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { getScale } from '../../../platform/money.ts'
import { openSource, takeDerived } from '../../books/positions/positions.derived.ts'
import type { ConnectionRow } from '../connections/connections.table.ts'
import { toDeal } from '../deals/deals.store.ts'
import { type DealRow, terminalDeals } from '../deals/deals.table.ts'
import { healFinding, noteFinding } from '../findings/findings.service.ts'
import { terminalFindings } from '../findings/findings.table.ts'
import { foldPosition, listTickets } from '../fold/fold.ts'
import { findEarlierNumbers } from '../fold/renumbered.ts'
import { terminalLogins } from '../logins/logins.table.ts'

/** A position of more deals is not derived, since that would keep everybody waiting. */
const MOST_DEALS = 2000

// the words `state = 'open'` stand in the text, since only then SQLite looks into the index of open findings
const IMPOSSIBLE = statement(
  sql`SELECT ${listed({ subject: terminalFindings.subject })} FROM json_each(?3) AS one
  CROSS JOIN ${terminalFindings} ON ${terminalFindings.tenantId} = ?1 AND ${terminalFindings.connectionId} = ?2
    AND ${terminalFindings.kind} = 'position_impossible' AND ${terminalFindings.subject} = one.value
    AND ${terminalFindings.state} = 'open'`,
)
/** Returns which positions could not be derived before. */
const listImpossible = (db: Reader, { id }: ConnectionRow, numbers: Iterable<string>): Set<string> =>
  new Set(db.query<{ subject: string }>(IMPOSSIBLE, [id, JSON.stringify([...numbers])]).map(({ subject }) => subject))

// the words `technical = 1` stand in the text, since only then SQLite looks into the index of technical deals
const TECHNICAL = statement(
  sql`SELECT ${listed({ id: terminalDeals.id })} FROM ${terminalDeals}
  WHERE ${terminalDeals.tenantId} = ?1 AND ${terminalDeals.connectionId} = ?2 AND ${terminalDeals.login} = ?3
    AND ${terminalDeals.technical} = 1 AND ${terminalDeals.state} <> 'gone'`,
)
/** Returns the technical deals of a login, of which nearly none has any. */
function listTechnical(db: Reader, { id: connectionId }: ConnectionRow, login: string): DealRow[] {
  const ids = db.query<{ id: string }>(TECHNICAL, [connectionId, login]).map(({ id }) => id)
  return ids.length === 0 ? [] : db.list(terminalDeals, { id: ids })
}

/**
 * Returns the deals of a position under all its numbers: technical deals close a position under one number and open it
 * under the next.
 */
function listDeals(db: Reader, row: ConnectionRow, position: string, own: DealRow[]): DealRow[] {
  const connectionId = row.id
  const [first] = own
  if (first === undefined) return own
  const technical = listTechnical(db, row, first.login)
  if (technical.length === 0) return own
  const earlier = findEarlierNumbers(technical.map(toDeal))
  const number = earlier.get(position) ?? position
  const later = [...earlier].filter(([, one]) => one === number).map(([one]) => one)
  return db.list(terminalDeals, { connectionId, position: [number, ...later] })
}
const isThere = ({ state }: DealRow): boolean => state !== 'gone'

/** Returns the ticket here of a position that a terminal lists under another one since it was opened anew. */
export function findOwnTicket(db: Reader, row: ConnectionRow, ticket: string): string | undefined {
  const deals = listDeals(db, row, ticket, db.list(terminalDeals, { connectionId: row.id, position: ticket }))
  const [first] = deals
  if (first === undefined) return undefined
  const { legs } = foldPosition(deals.filter(isThere).map(toDeal), getScale(first.currency))
  return legs.find((leg) => leg.otherTickets.includes(ticket))?.ticket
}

/** Derives a position anew from its deals, of which there is at least one; returns whether it could be. */
function deriveOne(tx: Tx, source: ReturnType<typeof openSource>, deals: readonly DealRow[]): boolean {
  const [first] = deals
  if (first === undefined) return false
  const { login, currency } = first
  const there = deals.filter(isThere)
  const folded = there.length > MOST_DEALS ? null : foldPosition(there.map(toDeal), getScale(currency))
  // what was closed and paid stays as it was until it is known better
  if (folded === null || folded.impossible) return false
  const tickets = listTickets(deals.map(toDeal))
  const place = { accountNumber: login, tickets, currency, decimals: getScale(currency), live: null }
  takeDerived(tx, source, { ...place, ...folded })
  return true
}

/** So many positions are derived in one step. */
const STEP = 20

/** Derives positions anew in the write that stores their deals, in steps between which others read. */
export function* derivePositions(tx: Tx, row: ConnectionRow, numbers: ReadonlySet<string>): Generator<void, void> {
  if (numbers.size === 0) return
  const connectionId = row.id
  const source = openSource(tx, row)
  const impossible = listImpossible(tx, row, numbers)
  const all = [...numbers]
  for (let at = 0; at < all.length; at += STEP) {
    const some = all.slice(at, at + STEP)
    const own = Map.groupBy(tx.list(terminalDeals, { connectionId, position: some }), ({ position }) => position)
    for (const [subject, theirs] of own) {
      if (subject === null) continue
      const about = { connectionId, kind: 'position_impossible', subject } as const
      if (!deriveOne(tx, source, listDeals(tx, row, subject, theirs)))
        noteFinding(tx, about, { login: theirs[0]?.login ?? '' })
      else if (impossible.has(subject)) healFinding(tx, about)
    }
    yield
  }
}

/** Adds to logins what deals changed of their balance, in the write that stores these. */
export function explainBalances(
  tx: Tx,
  { id: connectionId }: ConnectionRow,
  explained: ReadonlyMap<string, bigint>,
): void {
  for (const [login, change] of explained) {
    if (change === 0n) continue
    const row = tx.find(terminalLogins, { connectionId, login })
    if (row) tx.update(terminalLogins, row.id, { explained: row.explained + change })
  }
}
