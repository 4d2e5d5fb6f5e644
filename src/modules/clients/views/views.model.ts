import { type Static, Type } from '@sinclair/typebox'
import { toIso } from '../../../platform/clock.ts'
import { equals } from '../../../platform/http/lists/list-filters.ts'
import { defineList } from '../../../platform/http/lists/page.ts'
import { Id, Nullable, Prose, Strict, Time } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { type ViewRow, views } from './views.table.ts'

export const ViewIn = nameSchema('ViewIn', Strict({ traderId: Id, reason: Prose(500) }))
export const ViewStarted = nameSchema(
  'ViewStarted',
  Type.Object({
    id: Id,
    token: Type.String({ description: 'sent in X-Crm-View; shown once' }),
    traderId: Nullable(Id),
    userId: Nullable(Id),
    expiresAt: Time,
  }),
)
export const ViewOut = nameSchema(
  'View',
  Type.Object({
    id: Id,
    impersonatorId: Id,
    traderId: Nullable(Id),
    userId: Nullable(Id),
    reason: Nullable(Type.String()),
    createdAt: Time,
    expiresAt: Time,
    endedAt: Nullable(Time),
    active: Type.Boolean(),
  }),
)
export type View = Static<typeof ViewOut>

/** Returns whether a view may still read, judged by its own row alone. */
export const isOpen = (row: ViewRow, now: number): boolean => row.endedAt === null && row.expiresAt > now

/** Returns the wire form of a view; `alive` says whether its session exists. */
export const toView = (row: ViewRow, now: number, alive: boolean): View => ({
  id: row.id,
  impersonatorId: row.userId,
  traderId: row.traderId,
  userId: row.asUserId,
  reason: row.reason,
  createdAt: toIso(row.createdAt),
  expiresAt: toIso(row.expiresAt),
  endedAt: row.endedAt === null ? null : toIso(row.endedAt),
  active: isOpen(row, now) && alive,
})

export const viewList = defineList({
  name: 'views',
  table: views,
  filters: {
    impersonatorId: equals(views.userId, Id),
    traderId: equals(views.traderId, Id),
    userId: equals(views.asUserId, Id),
  },
})
