import { type Static, Type } from '@sinclair/typebox'
import { toIso } from '../../platform/clock.ts'
import { Id, Line, Strict, Time, Version } from '../../platform/http/fields.ts'
import { named } from '../../platform/http/named.ts'
import type { SavedViewRow } from './saved-views.table.ts'

const MOST_FILTERS = 30
const MOST_COLUMNS = 60

/** The console's word for a list: `deposits`, `saved-views`. */
const ListName = Type.String({ pattern: '^[a-z][a-z-]{0,39}$', examples: ['deposits'] })
const ColumnKey = Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_.-]{0,59}$' })
const ColumnKeys = Type.Array(ColumnKey, { maxItems: MOST_COLUMNS, uniqueItems: true })
const Filters = Type.Record(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9]{0,39}$' }), Type.String({ maxLength: 500 }), {
  additionalProperties: false,
  maxProperties: MOST_FILTERS,
  description: 'parameters of the list as its address has them, with `sort`; never `q`, which is what one person typed',
  examples: [{ status: 'pending', currency: 'EUR,USD', sort: 'createdAt' }],
})
const Look = named(
  'ListLook',
  Strict({
    hidden: ColumnKeys,
    order: ColumnKeys,
    widths: Type.Record(
      Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_.-]{0,59}$' }),
      Type.Integer({ minimum: 16, maximum: 4000 }),
      { additionalProperties: false, maxProperties: MOST_COLUMNS, description: 'pixels', examples: [{ amount: 140 }] },
    ),
    dense: Type.Boolean(),
  }),
)
const Shared = Type.Boolean({ description: 'everybody of the firm has it; needs a manager' })
const IsDefault = Type.Boolean({
  description: 'the list opens with it: for its owner, and where it is shared for everybody without one of their own',
})

export const SavedViewIn = named(
  'SavedViewIn',
  Strict({
    list: ListName,
    name: Line(60),
    filters: Filters,
    look: Look,
    shared: Type.Optional(Shared),
    isDefault: Type.Optional(IsDefault),
  }),
)
export const SavedViewPatch = named(
  'SavedViewPatch',
  Strict({
    name: Type.Optional(Line(60)),
    filters: Type.Optional(Filters),
    look: Type.Optional(Look),
    shared: Type.Optional(Shared),
    isDefault: Type.Optional(IsDefault),
  }),
)
export const SavedViewQuery = Strict({ list: ListName })

export const SavedViewOut = named(
  'SavedView',
  Type.Object({
    id: Id,
    list: Type.String(),
    name: Type.String(),
    filters: Type.Record(Type.String(), Type.String()),
    look: Look,
    shared: Type.Boolean(),
    isDefault: Type.Boolean(),
    ownerId: Id,
    ownerName: Type.String(),
    version: Version,
    createdAt: Time,
    updatedAt: Time,
  }),
)
export type SavedView = Static<typeof SavedViewOut>
export const SavedViewsOut = named(
  'SavedViews',
  Type.Object({ data: Type.Array(SavedViewOut), nextCursor: Type.Null() }),
)

/** The wire form of a view; `ownerName` is whose it is. */
export const toSavedView = (row: SavedViewRow, ownerName: string): SavedView => ({
  id: row.id,
  list: row.list,
  name: row.name,
  filters: { ...row.filters },
  look: { ...row.look },
  shared: row.shared,
  isDefault: row.isDefault,
  ownerId: row.userId,
  ownerName,
  version: row.version,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})
