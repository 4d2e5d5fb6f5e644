import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { atLeast, type Role, type Scope } from '../../platform/access/catalogue.ts'
import type { Ctx } from '../../platform/access/ctx.ts'
import { type Principal, roleOf } from '../../platform/access/principal.ts'
import { ACTOR_KINDS } from '../../platform/audit/audit.ts'
import { toIso } from '../../platform/clock.ts'
import type { SqlValue } from '../../platform/db/client.ts'
import { listed, statement } from '../../platform/db/statement.ts'
import { Id, Nullable, OneOf, QueryInt, Strict, Time } from '../../platform/http/fields.ts'
import { named } from '../../platform/http/named.ts'
import { Page } from '../../platform/http/page.ts'
import { invalid } from '../../platform/http/problem.ts'
import { clearTextsOf, parseClear, reachOf } from '../audit/audit.details.ts'
import { auditEntries as audit } from '../audit/audit.table.ts'
import { users } from '../users/users.table.ts'
import { rowsOfPerson } from './person-rows.ts'
import { traders } from './traders.table.ts'

export const TimelineQuery = Strict({
  limit: Type.Optional(QueryInt(1, 200)),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
})
export const TimelineItem = named(
  'TimelineItem',
  Type.Object({
    id: Id,
    at: Time,
    action: Type.String(),
    entity: Type.String(),
    entityId: Nullable(Id),
    actorKind: OneOf(ACTOR_KINDS),
    actorId: Nullable(Id),
    actorName: Nullable(Type.String()),
    before: Nullable(Type.Object({}, { additionalProperties: true })),
    after: Nullable(Type.Object({}, { additionalProperties: true })),
  }),
)
export const TimelinePage = Page(TimelineItem)

type Entry = {
  seq: number
  id: string
  at: number
  action: string
  entity: string
  entityId: string | null
  actorKind: (typeof ACTOR_KINDS)[number]
  actorId: string | null
  actorName: string | null
}

/** Who reads what about a trader: as the routes of each kind say. What is not here is for nobody. */
const READERS: Readonly<Record<string, { scope: Scope; role: Role }>> = {
  trader: { scope: 'traders:read', role: 'viewer' },
  trader_note: { scope: 'traders:read', role: 'viewer' },
  credential: { scope: 'traders:read', role: 'viewer' },
  session: { scope: 'traders:read', role: 'viewer' },
  account: { scope: 'accounts:read', role: 'viewer' },
  wallet: { scope: 'wallets:read', role: 'viewer' },
  transfer: { scope: 'wallets:read', role: 'viewer' },
  adjustment: { scope: 'wallets:read', role: 'manager' },
  deposit: { scope: 'deposits:read', role: 'viewer' },
  withdrawal: { scope: 'withdrawals:read', role: 'viewer' },
  payout_destination: { scope: 'withdrawals:read', role: 'viewer' },
  kyc_submission: { scope: 'kyc:read', role: 'viewer' },
  kyc_document: { scope: 'kyc:read', role: 'viewer' },
  file: { scope: 'kyc:read', role: 'viewer' },
  sanctions_hit: { scope: 'kyc:read', role: 'manager' },
  ticket: { scope: 'support:read', role: 'viewer' },
  ticket_message: { scope: 'support:read', role: 'viewer' },
  lead: { scope: 'leads:read', role: 'viewer' },
  mail: { scope: 'mails:read', role: 'admin' },
}

/** Whether a caller may see entries, and rows, of a kind. */
export function mayRead(principal: Principal, entity: string): boolean {
  const have = roleOf(principal)
  const reader = READERS[entity]
  if (!reader || have === null || !atLeast(have, reader.role)) return false
  return principal.kind !== 'api_key' || principal.scopes.has(reader.scope)
}

/** The kinds of entries that a caller may see. */
const readableBy = (principal: Principal): string[] =>
  Object.keys(READERS).filter((entity) => mayRead(principal, entity))

// Every audit entry names the trader it is about, so the audit is the timeline: nothing can be missing from it. The
// index is named: without statistics SQLite would walk the whole audit of the firm.
const SELECT = statement(
  sql`SELECT ${listed({
    seq: audit.seq,
    id: audit.id,
    at: audit.at,
    action: audit.action,
    entity: audit.entity,
    entityId: audit.entityId,
    actorKind: audit.actorKind,
    actorId: audit.actorId,
    actorName: users.displayName,
  })}
  FROM ${audit} INDEXED BY audit_trader
  LEFT JOIN ${users} ON ${users.tenantId} = ${audit.tenantId} AND ${users.id} = ${audit.actorId}
  WHERE ${audit.tenantId} = ?1 AND ${audit.traderId} = ?2 AND ${audit.seq} < ?3
    AND ${audit.entity} IN (SELECT value FROM json_each(?5)) ORDER BY ${audit.seq} DESC LIMIT ?4`,
)

const COUNT = statement(
  sql`SELECT count(*) AS n FROM ${audit} INDEXED BY audit_trader
  WHERE ${audit.tenantId} = ?1 AND ${audit.traderId} = ?2 AND ${audit.entity} IN (SELECT value FROM json_each(?3))`,
)
/** How many entries a timeline has for its caller. */
export const countTimeline = (ctx: Ctx, traderId: string): number =>
  rowsOfPerson(ctx.db, traderId).reduce(
    (sum, id) => sum + (ctx.db.query<{ n: number }>(COUNT, [id, JSON.stringify(readableBy(ctx.principal))])[0]?.n ?? 0),
    0,
  )

/**
 * Everything about a trader that the caller may see, newest first: the audit entries that
 * name it, money and papers included, as far as a page has room for their clear text.
 */
export function readTimeline(
  ctx: Ctx,
  traderId: string,
  query: Static<typeof TimelineQuery>,
): Static<typeof TimelinePage> {
  ctx.db.get(traders, traderId, { withDeleted: true })
  const limit = Number(query.limit ?? 50)
  const bound = `timeline\n${ctx.tenantId}\n${traderId}`
  let before = Number.MAX_SAFE_INTEGER
  if (query.cursor !== undefined) {
    const [seq = '', signature = ''] = query.cursor.split('.')
    if (!ctx.secrets.verify('cursor', `${seq}\n${bound}`, signature))
      throw invalid('query.cursor', 'cursor', 'is not a cursor of this list')
    before = Number(seq)
  }
  const params: SqlValue[] = [before, limit + 1, JSON.stringify(readableBy(ctx.principal))]
  const rows = rowsOfPerson(ctx.db, traderId)
    .flatMap((id) => ctx.db.query<Entry>(SELECT, [id, ...params]))
    .toSorted((a, b) => b.seq - a.seq)
    .slice(0, limit + 1)
  const found = rows.length
  rows.length = Math.min(found, limit)
  rows.length = reachOf(ctx.db, rows)
  const more = rows.length < found
  const last = rows.at(-1)
  const texts = clearTextsOf(ctx.db, rows)
  return {
    data: rows.map(({ seq, ...row }) => ({
      ...row,
      at: toIso(row.at),
      before: parseClear(texts.get(seq)?.before),
      after: parseClear(texts.get(seq)?.after),
    })),
    nextCursor: more && last ? `${last.seq}.${ctx.secrets.sign('cursor', `${last.seq}\n${bound}`)}` : null,
  }
}
