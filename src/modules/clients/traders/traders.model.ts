import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { toIso } from '../../../platform/clock.ts'
import { Colleagues, Countries } from '../../../platform/http/lists/comma-filters.ts'
import { equals, equalsAny, filter } from '../../../platform/http/lists/list-filters.ts'
import { defineList } from '../../../platform/http/lists/page.ts'
import {
  Country,
  Email,
  Id,
  Language,
  Line,
  Metadata,
  Nullable,
  OneOf,
  Phone,
  Prose,
  QueryInt,
  Strict,
  Time,
  Version,
} from '../../../platform/wire/fields.ts'
import { named, worded } from '../../../platform/wire/named.ts'
import { MOST_LABELS } from '../../../words/rule-figures.ts'
import { referral } from './referral.model.ts'
import { CLIENTS_FOUND, contactIn, personParams } from './traders.search.ts'
import {
  KYC_STATUS,
  RISK_LEVEL,
  TRADER_STATUS,
  type TraderNoteRow,
  type TraderRow,
  traderNotes,
  traders,
} from './traders.table.ts'

const DateOnly = Type.String({ format: 'date', description: 'YYYY-MM-DD' })
// no `\p{L}` here: the validator compiles patterns without the unicode flag
const Label = Type.String({
  pattern: `^[^\\s,"'<>][^,"'<>\\n\\r\\t]{0,49}$`,
  description: 'up to 50 characters, no comma, quote, bracket or line break',
})
export const Labels = Type.Array(Label, { maxItems: MOST_LABELS, uniqueItems: true })
const AddressIn = named(
  'AddressIn',
  Strict({
    street: Type.Optional(Line()),
    city: Type.Optional(Line(100)),
    region: Type.Optional(Line(100)),
    postalCode: Type.Optional(Line(20)),
  }),
)

const profile = {
  phone: Type.Optional(Nullable(Phone)),
  firstName: Type.Optional(Nullable(Line(100))),
  lastName: Type.Optional(Nullable(Line(100))),
  country: Type.Optional(Nullable(Country)),
  language: Type.Optional(Nullable(Language)),
  dateOfBirth: Type.Optional(Nullable(DateOnly)),
  address: Type.Optional(Nullable(AddressIn)),
  riskLevel: Type.Optional(OneOf(RISK_LEVEL)),
  segments: Type.Optional(Labels),
  tags: Type.Optional(Labels),
  assignedTo: Type.Optional(Nullable(Id)),
  source: Type.Optional(Nullable(Line(100))),
  metadata: Type.Optional(Metadata),
}
export const TraderIn = named('TraderIn', Strict({ email: Email, ...profile, ...referral }))
export const TraderPatch = named(
  'TraderPatch',
  Strict({
    email: Type.Optional(Email),
    status: Type.Optional(OneOf(TRADER_STATUS)),
    affiliateId: Type.Optional(Nullable(worded(Id, 'who earns from now on; needs the role manager'))),
    legalHold: Type.Optional(Type.Boolean({ description: 'stops erasure and money out; needs the role manager' })),
    ...profile,
  }),
)

export const TraderOut = named(
  'Trader',
  Type.Object({
    id: Id,
    email: Nullable(Type.String()),
    phone: Nullable(Type.String()),
    firstName: Nullable(Type.String()),
    lastName: Nullable(Type.String()),
    country: Nullable(Type.String()),
    language: Nullable(Type.String()),
    dateOfBirth: Nullable(Type.String()),
    address: Nullable(AddressIn),
    status: OneOf(TRADER_STATUS),
    kycLevel: Type.Integer({ minimum: 0, maximum: 3 }),
    kycStatus: OneOf(KYC_STATUS),
    riskLevel: OneOf(RISK_LEVEL),
    segments: Type.Array(Type.String()),
    tags: Type.Array(Type.String()),
    assignedTo: Nullable(Id),
    affiliateId: Nullable(Id),
    leadId: Nullable(Id),
    source: Nullable(Type.String()),
    metadata: Type.Object({}, { additionalProperties: true }),
    legalHold: Type.Boolean(),
    mergedInto: Type.Union([Id, Type.Null()], { description: 'the client who has what was this one’s' }),
    version: Version,
    createdAt: Time,
    updatedAt: Time,
    deletedAt: Nullable(Time),
  }),
)
export type Trader = Static<typeof TraderOut>

/** The wire form of a trader. */
export const toTrader = (row: TraderRow): Trader => ({
  id: row.id,
  email: row.email,
  phone: row.phone,
  firstName: row.firstName,
  lastName: row.lastName,
  country: row.country,
  language: row.language,
  dateOfBirth: row.dateOfBirth,
  address: row.address,
  status: row.status,
  kycLevel: row.kycLevel,
  kycStatus: row.kycStatus,
  riskLevel: row.riskLevel,
  segments: row.segments,
  tags: row.tags,
  assignedTo: row.assignedTo,
  affiliateId: row.affiliateId,
  leadId: row.leadId,
  source: row.source,
  metadata: row.metadata,
  legalHold: row.legalHold,
  mergedInto: row.mergedInto,
  version: row.version,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
  deletedAt: row.deletedAt === null ? null : toIso(row.deletedAt),
})

/** What the trader events carry: no personal data, a receiver reads what it may by id. */
export const traderPayload = (row: TraderRow) => ({
  traderId: row.id,
  status: row.status,
  kycLevel: row.kycLevel,
  version: row.version,
})

const labelFilter = (kind: 'segment' | 'tag') =>
  filter(
    Label,
    sql`traders.rid IN (SELECT trader_rid FROM trader_labels WHERE tenant_id = ? AND kind = '${sql.raw(kind)}' AND value = ?)`,
    (text, { tenantId }) => [tenantId, text],
    'traders.rid',
  )

/** Ids that a list of clients is asked for at once. */
const MOST_IDS = 200

export const traderList = defineList({
  name: 'traders',
  table: traders,
  filters: {
    ids: filter(
      Type.String({
        maxLength: 8000,
        pattern: `^[^,]{1,64}(,[^,]{1,64}){0,${MOST_IDS - 1}}$`,
        description: `up to ${MOST_IDS} ids, comma-separated: to name the traders of another list`,
      }),
      sql`${traders.id} IN (SELECT value FROM json_each(?))`,
      (text) => [JSON.stringify(text.split(','))],
    ),
    status: equals(traders.status),
    kycStatus: equals(traders.kycStatus),
    kycLevel: equals(traders.kycLevel, QueryInt(0, 3), Number),
    riskLevel: equals(traders.riskLevel),
    country: equalsAny(traders.country, Countries),
    assignedTo: equalsAny(traders.assignedTo, Colleagues),
    segment: labelFilter('segment'),
    tag: labelFilter('tag'),
    q: filter(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          'words of name or e-mail, four or more digits of the phone, or the id; or an address of somebody merged into them',
      }),
      sql`traders.rid IN (${CLIENTS_FOUND}
        UNION SELECT kept.rid FROM trader_aliases JOIN traders AS kept
          ON kept.tenant_id = trader_aliases.tenant_id AND kept.id = trader_aliases.trader_id
        WHERE trader_aliases.tenant_id = ? AND trader_aliases.value = ?)`,
      (text, scope) => [...personParams(scope, text), scope.tenantId, contactIn(scope, text)],
      'traders.rid',
    ),
  },
})

export const TraderNoteIn = named('TraderNoteIn', Strict({ body: Prose() }))
export const TraderNoteOut = named(
  'TraderNote',
  Type.Object({
    id: Id,
    traderId: Id,
    authorId: Nullable(Id),
    body: Type.String(),
    createdAt: Time,
  }),
)
export const toTraderNote = (row: TraderNoteRow): Static<typeof TraderNoteOut> => ({
  id: row.id,
  traderId: row.traderId,
  authorId: row.authorId,
  body: row.body,
  createdAt: toIso(row.createdAt),
})
export const traderNoteList = defineList({ name: 'trader_notes', table: traderNotes, filters: {} })
