import type { Reader } from '../../../platform/db/reader.ts'
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

/** Returns which positions could not be derived before. */
const listImpossible = (db: Reader, { id: connectionId }: ConnectionRow, subject: string[]): Set<string> =>
  new Set(
    db
      .list(terminalFindings, { connectionId, kind: 'position_impossible', state: 'open', subject })
      .map((finding) => finding.subject),
  )

/**
 * Returns the deals of a position under all its numbers: technical deals close a position under one number and open it
 * under the next.
 */
function listDeals(
  db: Reader,
  { id: connectionId }: ConnectionRow,
  position: string,
  own: readonly DealRow[],
): readonly DealRow[] {
  const [first] = own
  if (first === undefined) return own
  const technical = db.list(terminalDeals, { connectionId, login: first.login, technical: true }).filter(isThere)
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
  const all = [...numbers]
  const impossible = listImpossible(tx, row, all)
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
