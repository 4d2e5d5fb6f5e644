import { sql } from 'drizzle-orm'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { sanctionsErrors } from './sanctions.errors.ts'
import { sanctionsDue as due, sanctionsHits as hits, sanctionsLists as lists } from './sanctions.table.ts'

// The two parts use one index each: a list being screened holds back all clients, a change only its client.
const PENDING = statement(
  sql`SELECT EXISTS (SELECT 1 FROM ${lists} WHERE ${lists.tenantId} = ?1 AND ${lists.status} = 'screening')
  OR (EXISTS (SELECT 1 FROM ${due} WHERE ${due.tenantId} = ?1 AND ${due.traderId} = ?2)
    AND EXISTS (SELECT 1 FROM ${lists} WHERE ${lists.tenantId} = ?1 AND ${lists.status} = 'screened')) AS pending`,
)
const HITS = statement(
  sql`SELECT ${listed({
    openHits: sql`count(*) FILTER (WHERE ${hits.status} = 'open')`,
    confirmedHits: sql`count(*) FILTER (WHERE ${hits.status} = 'confirmed')`,
  })}
  FROM ${hits} WHERE ${hits.tenantId} = ?1 AND ${hits.traderId} = ?2 AND ${hits.status} IN ('open', 'confirmed')`,
)
const LISTS = statement(
  sql`SELECT count(*) AS lists, max(${lists.createdAt}) AS newestListAt FROM ${lists}
  WHERE ${lists.tenantId} = ?1 AND ${lists.current} = 1`,
)

type Hits = { openHits: number; confirmedHits: number }

/**
 * Returns whether a client, as they are now, was not yet compared with every current list; until then their money
 * neither leaves nor moves to another client. False in a firm without lists. `db` must see the whole firm. RULES
 * “Sanctions”.
 */
export const isPending = (db: Reader, traderId: string): boolean =>
  db.query<{ pending: number }>(PENDING, [traderId])[0]?.pending !== 0

const countHits = (db: Reader, traderId: string): Hits =>
  db.query<Hits>(HITS, [traderId])[0] ?? { openHits: 0, confirmedHits: 0 }

/** Returns the state of a client's screening; with `lists: 0` nothing was checked. `db` must see the whole firm. */
export function screeningState(
  db: Reader,
  traderId: string,
): Hits & { lists: number; newestListAt: number | null; pending: boolean } {
  const [found] = db.query<{ lists: number; newestListAt: number | null }>(LISTS)
  return {
    lists: found?.lists ?? 0,
    newestListAt: found?.newestListAt ?? null,
    pending: isPending(db, traderId),
    ...countHits(db, traderId),
  }
}

/**
 * Throws the 409 that stops transfers and credits to a client with an open or confirmed hit. `db` must see the whole
 * firm. RULES “Sanctions”.
 */
export function refuseCreditTo(db: Reader, traderId: string): void {
  const { openHits, confirmedHits } = countHits(db, traderId)
  if (openHits + confirmedHits > 0) throw sanctionsErrors.credit_blocked()
}

/** Throws the 409 that keeps money from places where a client could withdraw it, until their screening is complete. */
export function refusePending(db: Reader, traderId: string): void {
  if (isPending(db, traderId)) throw sanctionsErrors.screening_pending()
}

/** Throws the 409 that stops money to a client with a hit or an incomplete screening. */
export function refuseMoveTo(db: Reader, traderId: string): void {
  refuseCreditTo(db, traderId)
  refusePending(db, traderId)
}
