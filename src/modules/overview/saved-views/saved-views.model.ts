import { type Static, Type } from '@sinclair/typebox'
import { toIso } from '../../../platform/clock.ts'
import { OnePage } from '../../../platform/http/lists/page.ts'
import { Id, Line, OneOf, Strict, Time, Version } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { keptFilters, listKept } from './saved-views.filters.ts'
import { isListName, LIST_NAMES, type ListName } from './saved-views.lists.ts'
import type { SavedViewRow } from './saved-views.table.ts'

const MOST_FILTERS = 30
const MOST_COLUMNS = 60

/** A filter's value may have this many characters; twenty ids of colleagues have 719. */
const LONGEST_VALUE = 1300

const ListWord = nameSchema('ListName', OneOf(LIST_NAMES, { description: 'the console’s word for a list' }))
const ColumnKey = Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_.-]{0,59}$' })
const ColumnKeys = Type.Array(ColumnKey, { maxItems: MOST_COLUMNS, uniqueItems: true })
const Filters = Type.Record(
  Type.String({ pattern: '^[A-Za-z][A-Za-z0-9]{0,39}$' }),
  Type.String({ maxLength: LONGEST_VALUE }),
  {
    additionalProperties: false,
    maxProperties: MOST_FILTERS,
    description:
      'parameters of the list as its address has them, with `sort`, at most 4 KiB; none that may name a person, such as `q`',
    examples: [{ status: 'pending', currency: 'EUR,USD', sort: 'createdAt' }],
  },
)
const Look = nameSchema(
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
  description: 'the list opens with it for its owner; if shared, also for everybody who has no default view',
})

export const SavedViewIn = nameSchema(
  'SavedViewIn',
  Strict({
    list: ListWord,
    name: Line(60),
    filters: Filters,
    look: Look,
    shared: Type.Optional(Shared),
    isDefault: Type.Optional(IsDefault),
  }),
)
export const SavedViewPatch = nameSchema(
  'SavedViewPatch',
  Strict({
    name: Type.Optional(Line(60)),
    filters: Type.Optional(Filters),
    look: Type.Optional(Look),
    shared: Type.Optional(Shared),
    isDefault: Type.Optional(IsDefault),
  }),
)
export const SavedViewQuery = Strict({ list: ListWord })

export const SavedViewOut = nameSchema(
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
export const SavedViewsOut = nameSchema(
  'SavedViews',
  Type.Object({
    data: Type.Array(SavedViewOut),
    nextCursor: OnePage,
    keeps: Type.Array(Type.String(), {
      description: 'the parameters of the list that a view may keep; others may name a person',
    }),
  }),
)
export const toSavedViews = (list: ListName, data: SavedView[]): Static<typeof SavedViewsOut> => ({
  data,
  nextCursor: null,
  keeps: listKept(list),
})

/** Returns the wire form of a view with its owner's name. */
export const toSavedView = (row: SavedViewRow, ownerName: string): SavedView => ({
  id: row.id,
  list: row.list,
  name: row.name,
  filters: isListName(row.list) ? keptFilters(row.list, row.filters) : {},
  look: { ...row.look },
  shared: row.shared,
  isDefault: row.isDefault,
  ownerId: row.userId,
  ownerName,
  version: row.version,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})
