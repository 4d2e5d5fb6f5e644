import { type Static, Type } from '@sinclair/typebox'
import { MIB } from '../../../platform/bytes.ts'
import { toIso } from '../../../platform/clock.ts'
import { fileColumns, wireFields, wireMapper } from '../../../platform/db/wire-form.ts'
import { equals } from '../../../platform/http/lists/list-filters.ts'
import { defineList, OnePage } from '../../../platform/http/lists/page.ts'
import { Id, Line, Nullable, OneOf, Prose, Strict, Time } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { buildRowSchema, rowSearch } from '../traders/traders.rows.ts'
import { LIST_SOURCES } from './list-sources.ts'
import { type HitRow, LIST_STATUS, type ListRow, sanctionsHits } from './sanctions.table.ts'

/** A list's body may be this large: official lists have some 30 MB, and more as text in JSON. */
export const LIST_BYTES = 64 * MIB
// the body's limit in bytes is reached first
const ListText = (description: string) => Type.String({ minLength: 1, maxLength: LIST_BYTES, description })
export const ListIn = nameSchema(
  'SanctionsListIn',
  Strict(
    {
      source: OneOf(LIST_SOURCES),
      version: Line(100),
      content: Type.Optional(
        ListText('the official file’s text: OFAC’s sdn.xml, the EU’s or the UN’s consolidated XML'),
      ),
      files: Type.Optional(
        Strict({
          sdn: ListText('OFAC’s SDN.CSV, instead of `content`'),
          alt: ListText('ALT.CSV of the same day'),
          add: ListText('ADD.CSV of the same day'),
        }),
      ),
      force: Type.Optional(Type.Boolean({ description: 'take a list that looks incomplete' })),
    },
    { examples: [{ source: LIST_SOURCES[0], version: '2026-01-31', content: '<sdnList>…</sdnList>' }] },
  ),
)
export const DecisionIn = nameSchema('SanctionsDecisionIn', Strict({ reason: Prose(1000) }))

export const ListOut = nameSchema(
  'SanctionsList',
  Type.Object({
    id: Id,
    source: OneOf(LIST_SOURCES),
    version: Type.String({ description: 'as the source calls it' }),
    hash: Type.String({
      description: 'SHA-256 of the file; of the three files’ fingerprints, each on a line, in the order sdn, alt, add',
    }),
    entries: Type.Integer(),
    current: Type.Boolean(),
    status: OneOf(LIST_STATUS),
    failure: Nullable(Type.String({ description: 'why its screening failed' })),
    screenedAt: Nullable(Time),
    createdAt: Time,
  }),
)

export const toList = (row: ListRow): Static<typeof ListOut> => ({
  id: row.id,
  source: row.source,
  version: row.listVersion,
  hash: row.hash,
  entries: row.entries,
  current: row.current,
  status: row.status,
  failure: row.failure,
  screenedAt: row.screenedAt === null ? null : toIso(row.screenedAt),
  createdAt: toIso(row.createdAt),
})
export const ListsOut = nameSchema('SanctionsLists', Type.Object({ data: Type.Array(ListOut), nextCursor: OnePage }))

const firstWord = Nullable(
  Type.Object({ by: Id, at: Time }, { description: 'the first approval to clear a confirmed match' }),
)
export const HitOut = nameSchema('SanctionsHit', Type.Object(wireFields(sanctionsHits, 'decidedAt', { firstWord })))
export const HitRowOut = buildRowSchema(HitOut)
export const HitDetail = nameSchema(
  'SanctionsHitDetail',
  Type.Object({
    ...HitOut.properties,
    client: Type.Union(
      [
        Type.Object({
          name: Nullable(Type.String()),
          dateOfBirth: Nullable(Type.String()),
          country: Nullable(Type.String()),
          city: Nullable(Type.String()),
        }),
        Type.Null(),
      ],
      { description: 'what the firm knows of the client; null without traders:read' },
    ),
    entry: Type.Union(
      [
        Type.Object({
          kind: Type.String(),
          name: Type.String(),
          aliases: Type.Array(Type.String()),
          births: Type.Array(Type.String({ description: 'a date, or a year' })),
          countries: Type.Array(Type.String()),
          programme: Nullable(Type.String()),
        }),
        Type.Null(),
      ],
      { description: 'as the current list has it; null where it does not any more' },
    ),
  }),
)

const toFields = wireMapper(sanctionsHits)
export const toHit = (row: HitRow): Static<typeof HitOut> => ({
  ...toFields(row),
  firstWord:
    row.firstWordBy === null || row.firstWordAt === null ? null : { by: row.firstWordBy, at: toIso(row.firstWordAt) },
})

/** The columns of the file of matches; of the comparison it has what says whether birth and country agree. */
export const HIT_FILE = fileColumns(sanctionsHits, { score: ['birth', 'country'] })
export const toHitLine = (row: HitRow) => {
  const { explanation, ...hit } = toHit(row)
  return { ...hit, birth: explanation.birth, country: explanation.country }
}

export const hitList = defineList({
  name: 'sanctions_hits',
  table: sanctionsHits,
  sorts: { createdAt: 'createdAt', score: 'score' },
  filters: {
    status: equals(sanctionsHits.status),
    source: equals(sanctionsHits.source),
    traderId: equals(sanctionsHits.traderId, Id),
    q: rowSearch(sanctionsHits, { description: 'the id' }),
  },
})
