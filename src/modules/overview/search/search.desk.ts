import { sql } from 'drizzle-orm'
import type { Reader } from '../../../platform/db/reader.ts'
import { containing, holds } from '../../../platform/db/search.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { tickets } from '../../clients/support/support.table.ts'
import { fullName } from '../../clients/traders/client-name.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { users } from '../../firm/users/users.table.ts'
import { affiliates } from '../../growth/affiliates/affiliates.table.ts'
import { buildHit, type Hit, MOST_HITS } from './search.model.ts'

const limit = sql.raw(String(MOST_HITS))
/** Where there is no index of words, only this many of the newest rows are searched. */
const newest = sql.raw('1000')
const name = fullName(traders)

const TICKETS = statement(
  sql`WITH hits (id, place) AS (
    SELECT ${tickets.id}, 0 FROM ${tickets} WHERE ${tickets.tenantId} = ?1 AND ${tickets.id} = ?2
    UNION ALL SELECT id, 1 FROM (SELECT ${tickets.id} AS id, ${tickets.subject} AS subject FROM ${tickets}
      WHERE ${tickets.tenantId} = ?1 ORDER BY ${tickets.createdAt} DESC, ${tickets.id} DESC LIMIT ${newest})
      WHERE ${holds(sql`subject`, sql`?3`)})
  SELECT ${listed({
    id: tickets.id,
    traderId: tickets.traderId,
    subject: tickets.subject,
    status: tickets.status,
    priority: tickets.priority,
    name,
  })}
  FROM hits JOIN ${tickets} ON ${tickets.tenantId} = ?1 AND ${tickets.id} = hits.id
    LEFT JOIN ${traders} ON ${traders.tenantId} = ${tickets.tenantId} AND ${traders.id} = ${tickets.traderId}
  ORDER BY hits.place, ${tickets.createdAt} DESC LIMIT ${limit}`,
)
const AFFILIATES = statement(
  sql`SELECT ${listed({
    id: affiliates.id,
    traderId: affiliates.traderId,
    code: affiliates.code,
    status: affiliates.status,
    name,
  })}
  FROM (SELECT ${affiliates.id} AS newest_id FROM ${affiliates} WHERE ${affiliates.tenantId} = ?1
    ORDER BY ${affiliates.createdAt} DESC, ${affiliates.id} DESC LIMIT ${newest})
    JOIN ${affiliates} ON ${affiliates.tenantId} = ?1 AND ${affiliates.id} = newest_id
    LEFT JOIN ${traders} ON ${traders.tenantId} = ${affiliates.tenantId} AND ${traders.id} = ${affiliates.traderId}
  WHERE ${affiliates.id} = ?2 OR ${holds(affiliates.code, sql`?3`)} OR ${holds(name, sql`?3`)}
  ORDER BY lower(${affiliates.code}) <> lower(?2), ${affiliates.createdAt} DESC LIMIT ${limit}`,
)
const USERS = statement(
  sql`SELECT ${listed({ id: users.id, name: users.displayName, email: users.email })} FROM ${users}
  WHERE ${users.tenantId} = ?1 AND ${users.deletedAt} IS NULL
    AND (${users.id} = ?2 OR ${holds(users.displayName, sql`?3`)} OR ${holds(users.email, sql`?3`)})
  ORDER BY ${users.email} <> lower(?2), ${users.displayName}, ${users.id} LIMIT ${limit}`,
)

type TicketRow = {
  id: string
  traderId: string | null
  subject: string
  status: string
  priority: string
  name: string | null
}
type AffiliateHit = { id: string; traderId: string; code: string; status: string; name: string | null }
type UserHit = { id: string; name: string; email: string }

/** Finds tickets by id, and among the newest thousand by any part of their subject. */
export const findTickets = (db: Reader, text: string): Hit[] =>
  db.query<TicketRow>(TICKETS, [text, containing(text)]).map((row) =>
    buildHit({
      kind: 'ticket',
      id: row.id,
      title: row.subject,
      facts: { text: row.name, status: row.status, priority: row.priority },
      traderId: row.traderId,
    }),
  )

/** Finds affiliates among the newest thousand by id or any part of code or name; an exact code comes first. */
export const findAffiliates = (db: Reader, text: string): Hit[] =>
  db.query<AffiliateHit>(AFFILIATES, [text, containing(text)]).map((row) =>
    buildHit({
      kind: 'affiliate',
      id: row.id,
      title: row.code,
      facts: { text: row.name, status: row.status },
      traderId: row.traderId,
    }),
  )

/** Finds staff by any part of name or e-mail. */
export const findUsers = (db: Reader, text: string): Hit[] =>
  db
    .query<UserHit>(USERS, [text, containing(text)])
    .map((row) => buildHit({ kind: 'user', id: row.id, title: row.name, facts: { text: row.email }, traderId: null }))
