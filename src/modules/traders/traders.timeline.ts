import { type Static, Type } from '@sinclair/typebox'
import type { Ctx } from '../../platform/access/ctx.ts'
import { toIso } from '../../platform/clock.ts'
import type { SqlValue } from '../../platform/db/client.ts'
import { Id, Nullable, QueryInt, Strict, Time } from '../../platform/http/fields.ts'
import { Page } from '../../platform/http/page.ts'
import { invalid } from '../../platform/http/problem.ts'
import { traders } from './traders.table.ts'

export const TimelineQuery = Strict({
  limit: Type.Optional(QueryInt(1, 200)),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
})
export const TimelineItem = Type.Object({
  id: Id,
  at: Time,
  action: Type.String(),
  entity: Type.String(),
  entityId: Nullable(Id),
  actorKind: Type.String(),
  actorId: Nullable(Id),
  actorName: Nullable(Type.String()),
  before: Nullable(Type.Object({}, { additionalProperties: true })),
  after: Nullable(Type.Object({}, { additionalProperties: true })),
})
export const TimelinePage = Page(TimelineItem)

type Entry = {
  seq: number
  id: string
  at: number
  action: string
  entity: string
  entityId: string | null
  actorKind: string
  actorId: string | null
  actorName: string | null
  before: string | null
  after: string | null
}

// Every audit entry names the trader it is about, so the audit is the timeline: nothing can be missing from it.
const SELECT = `SELECT a.seq, a.id, a.at, a.action, a.entity, a.entity_id AS entityId, a.actor_kind AS actorKind, a.actor_id AS actorId,
  u.display_name AS actorName, d.before, d.after
  FROM audit a LEFT JOIN audit_data d ON d.tenant_id = a.tenant_id AND d.seq = a.seq
  LEFT JOIN users u ON u.tenant_id = a.tenant_id AND u.id = a.actor_id
  WHERE a.tenant_id = ?1 AND a.trader_id = ?2 AND a.seq < ?3 ORDER BY a.seq DESC LIMIT ?4`

const parsed = (text: string | null): Record<string, unknown> | null => (text === null ? null : JSON.parse(text))

/** Everything about a trader, newest first: the audit entries that name it, money and papers included. */
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
  const params: SqlValue[] = [traderId, before, limit + 1]
  const rows = ctx.db.query<Entry>(SELECT, params)
  const more = rows.length > limit
  if (more) rows.pop()
  const last = rows.at(-1)
  return {
    data: rows.map(({ seq: _, ...row }) => ({
      ...row,
      at: toIso(row.at),
      before: parsed(row.before),
      after: parsed(row.after),
    })),
    nextCursor: more && last ? `${last.seq}.${ctx.secrets.sign('cursor', `${last.seq}\n${bound}`)}` : null,
  }
}
