import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { createFields, patchFields, wireFields, wireMapper } from '../../../platform/db/wire-form.ts'
import { Countries } from '../../../platform/http/lists/comma-filters.ts'
import {
  anyId,
  assignedTo,
  equals,
  equalsAny,
  filter,
  flagFilter,
  TimeParam,
} from '../../../platform/http/lists/list-filters.ts'
import { defineList } from '../../../platform/http/lists/page.ts'
import { Email, Id, Nullable, OneOf, Prose, QueryInt, Strict } from '../../../platform/wire/fields.ts'
import { nameSchema, worded } from '../../../platform/wire/schema-name.ts'
import { referral } from './referral.model.ts'
import { CLIENTS_FOUND, contactIn, personParams } from './traders.search.ts'
import { Label, TRADER_STATUS, type TraderRow, traderNotes, traders } from './traders.table.ts'

const profile = { ...createFields(traders), ...referral }
export const TraderIn = nameSchema('TraderIn', Strict({ email: Email, ...profile }))
/** A client from a file, who may have no address and then cannot sign in. */
export const BroughtTrader = Strict({ email: Type.Optional(Email), ...profile })
export const TraderPatch = nameSchema(
  'TraderPatch',
  Strict({
    email: Type.Optional(Email),
    status: Type.Optional(OneOf(TRADER_STATUS)),
    affiliateId: Type.Optional(Nullable(worded(Id, 'who earns from now on; needs the role manager'))),
    legalHold: Type.Optional(Type.Boolean({ description: 'stops erasure and money out; needs the role manager' })),
    ...patchFields(traders),
  }),
)

export const TraderOut = nameSchema(
  'Trader',
  Type.Object({
    ...wireFields(traders),
    mergedInto: Type.Union([Id, Type.Null()], { description: 'the client who has what was this one’s' }),
  }),
)
export type Trader = Static<typeof TraderOut>
export const toTrader = wireMapper(traders)

/** Returns the payload of the client events. It has no personal data: a receiver reads the client by the id. */
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

/** A list can be filtered by at most this many ids. */
const MOST_IDS = 200

export const traderList = defineList({
  name: 'traders',
  table: traders,
  sorts: { createdAt: 'createdAt', lastActiveAt: 'lastActiveAt', name: 'nameOrder', risk: 'riskOrder' },
  elsewhere: {
    activeFrom: TimeParam(
      'moved money or traded on a live account, not before this time; a key needs `deposits:read`, `withdrawals:read` and `positions:read`',
    ),
    activeTo: TimeParam('and before this time'),
    firstDepositFrom: TimeParam('whose first deposit was credited not before this time; a key needs `deposits:read`'),
    firstDepositTo: TimeParam('whose first deposit was credited before this time'),
    depositedFrom: TimeParam('with a deposit credited not before this time; a key needs `deposits:read`'),
    depositedTo: TimeParam('and before this time'),
  },
  filters: {
    ids: anyId(traders.id, MOST_IDS, 'ids'),
    status: equals(traders.status),
    kycStatus: equals(traders.kycStatus),
    kycLevel: equals(traders.kycLevel, QueryInt(0, 3), Number),
    riskLevel: equals(traders.riskLevel),
    country: equalsAny(traders.country, Countries),
    affiliateId: equals(traders.affiliateId, Id),
    referred: flagFilter(sql`${traders.affiliateId} IS NOT NULL`, 'only clients whom an affiliate brought'),
    assignedTo: assignedTo(traders.assignedTo),
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

export const TraderNoteIn = nameSchema('TraderNoteIn', Strict({ body: Prose() }))
export const TraderNoteOut = nameSchema('TraderNote', Type.Object(wireFields(traderNotes)))
export const toTraderNote = wireMapper(traderNotes)
export const traderNoteList = defineList({ name: 'trader_notes', table: traderNotes, filters: {} })
