import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { toIso } from '../../../platform/clock.ts'
import type { Scope } from '../../../platform/db/reader-scope.ts'
import { beginning, holds } from '../../../platform/db/search.ts'
import { equals, filter } from '../../../platform/http/lists/list-filters.ts'
import { defineList } from '../../../platform/http/lists/page.ts'
import type { SqlValue } from '../../../platform/sqlite.ts'
import { Amount, Currency, Id, Nullable, OneOf, Strict, Time, Version } from '../../../platform/wire/fields.ts'
import { nameSchema, worded } from '../../../platform/wire/schema-name.ts'
import { AffiliateCode } from '../../clients/traders/referral.model.ts'
import { clientParams } from '../../clients/traders/traders.rows.ts'
import { CLIENTS_FOUND } from '../../clients/traders/traders.search.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { AFFILIATE_STATUS, type AffiliateRow, affiliates } from './affiliates.table.ts'

export const AffiliateIn = nameSchema(
  'AffiliateIn',
  Strict({ traderId: Id, code: AffiliateCode, parentId: Type.Optional(Nullable(Id)) }),
)
export const AffiliatePatch = nameSchema(
  'AffiliatePatch',
  Strict({
    code: Type.Optional(AffiliateCode),
    parentId: Type.Optional(Nullable(Id)),
    planId: Type.Optional(Nullable(Id)),
    status: Type.Optional(OneOf(AFFILIATE_STATUS)),
  }),
)

export const AffiliateOut = nameSchema(
  'Affiliate',
  Type.Object({
    id: Id,
    traderId: Nullable(Id),
    name: Nullable(
      Type.String({ description: 'of the client; shortened for introducing brokers, null without traders:read' }),
    ),
    code: Type.String(),
    parentId: Nullable(Id),
    planId: Nullable(Id),
    status: OneOf(AFFILIATE_STATUS),
    version: Version,
    createdAt: Time,
    updatedAt: Time,
  }),
)
export type Affiliate = Static<typeof AffiliateOut>

const Balance = nameSchema(
  'AffiliateBalance',
  Type.Object({
    currency: Currency,
    earned: worded(Amount, 'in closed runs'),
    asked: worded(Amount, 'in an open request'),
    paid: Amount,
    available: worded(Amount, 'what may be asked for'),
  }),
)
/** An affiliate in the list, with the clients it brought and the money it is owed. */
export const AffiliateRowOut = nameSchema(
  'AffiliateRow',
  Type.Intersect([
    AffiliateOut,
    Type.Object({
      clients: Type.Integer({ description: 'of the own code' }),
      balances: Nullable(Type.Array(Balance, { description: 'null for affiliates below an introducing broker' })),
    }),
  ]),
)
export type AffiliateListed = Static<typeof AffiliateRowOut>
export const AffiliateWithStats = nameSchema(
  'AffiliateWithStats',
  Type.Object({
    ...AffiliateOut.properties,
    stats: Type.Object({
      clients: Type.Integer(),
      below: Type.Integer({ description: 'affiliates of all lower levels' }),
      clientsBelow: Type.Integer(),
      clicks: Type.Integer({ description: 'of 30 days' }),
      balances: Type.Array(Balance),
    }),
  }),
)

export const TreeOut = nameSchema(
  'AffiliateTree',
  Type.Object({
    data: Type.Array(
      Type.Object({
        id: Id,
        parentId: Nullable(Id),
        code: Type.String(),
        name: Nullable(Type.String()),
        status: OneOf(AFFILIATE_STATUS),
        depth: Type.Integer({ description: '0 is the affiliate asked for' }),
        clients: Type.Integer(),
      }),
      { description: 'from the top down, at most 2,000' },
    ),
    truncated: Type.Boolean(),
  }),
)

export const ClientOut = nameSchema(
  'AffiliateClient',
  Type.Object({
    id: Id,
    firstName: Nullable(Type.String()),
    lastName: Nullable(Type.String()),
    email: Nullable(
      Type.String({ description: 'masked for introducing brokers and without traders:read, as are names and phone' }),
    ),
    phone: Nullable(Type.String()),
    country: Nullable(Type.String()),
    kycApproved: Type.Boolean(),
    deposited: Type.Boolean({ description: 'a first deposit was credited' }),
    createdAt: Time,
  }),
)

export const SelfQuery = {
  self: Type.Optional(OneOf(['0', '1'], { description: '1: only the caller’s own, whoever asks' })),
}

export const AffiliateSearch = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'start of the code, or words of the client (needs traders:read); staff only',
})
/**
 * Finds affiliates by their code or their client. The match of clients is joined with the few who are affiliates before
 * any row is read; the plus keeps SQLite from searching again for each of them.
 */
export const AFFILIATES_FOUND = sql`(${holds(affiliates.code, sql`?`)} OR ${affiliates.traderId} IN (SELECT ${traders.id}
  FROM ${traders} WHERE ${traders.tenantId} = ? AND traders.rid IN (SELECT * FROM (${CLIENTS_FOUND})
    WHERE +rowid IN (SELECT bearer.rid FROM ${affiliates} one JOIN ${traders} bearer
      ON bearer.tenant_id = one.tenant_id AND bearer.id = one.trader_id WHERE one.tenant_id = ?))))`
export const affiliateParams = (text: string, scope: Scope): SqlValue[] => [
  beginning(text),
  scope.tenantId,
  ...clientParams(text, scope),
]

export const affiliateList = defineList({
  name: 'affiliates',
  table: affiliates,
  sorts: { createdAt: 'createdAt', code: 'code' },
  filters: {
    status: equals(affiliates.status),
    parentId: equals(affiliates.parentId, Id),
    planId: equals(affiliates.planId, Id),
    traderId: equals(affiliates.traderId, Id),
    q: filter(AffiliateSearch, AFFILIATES_FOUND, affiliateParams),
  },
})

export const FunnelOut = nameSchema(
  'AffiliateFunnel',
  Type.Object({
    from: Time,
    to: Time,
    clicks: Type.Integer(),
    registrations: Type.Integer(),
    kycApproved: Type.Integer(),
    firstDeposits: Type.Integer(),
    approvedWithDeposit: Type.Integer({ description: 'of kycApproved, those with a first deposit' }),
    byAffiliate: Type.Array(
      Type.Object({
        affiliateId: Id,
        code: Type.String(),
        clicks: Type.Integer(),
        registrations: Type.Integer(),
        kycApproved: Type.Integer(),
        firstDeposits: Type.Integer(),
        approvedWithDeposit: Type.Integer(),
      }),
      { description: 'the 200 with most registrations' },
    ),
  }),
)

/** Returns a name as an introducing broker reads it: `J. D.` */
export const shortName = (first: string | null, last: string | null): string | null => {
  const initial = last ? `${[...last][0] ?? ''}.` : ''
  return [first ? `${[...first][0] ?? ''}.` : '', initial].filter((part) => part !== '').join(' ') || null
}

/** Returns a name as staff read it: first and last name, or the one that is known. */
export const longName = (first: string | null, last: string | null): string | null =>
  [first, last].filter((part) => part !== null && part !== '').join(' ') || null

/** The client who is an affiliate; undefined if the name is not shown. */
export type Bearer = { firstName: string | null; lastName: string | null } | undefined

/** Returns the wire form of an affiliate; an introducing broker sees initials, and no client's id but their own. */
export function toAffiliate(row: AffiliateRow, bearer: Bearer, viewer: { own: boolean; masked: boolean }): Affiliate {
  const { firstName = null, lastName = null } = bearer ?? {}
  const hidden = viewer.masked && !viewer.own
  return {
    id: row.id,
    traderId: hidden ? null : row.traderId,
    name: hidden ? shortName(firstName, lastName) : longName(firstName, lastName),
    code: row.code,
    parentId: row.parentId,
    planId: viewer.masked ? null : row.planId,
    status: row.status,
    version: row.version,
    createdAt: toIso(row.createdAt),
    updatedAt: toIso(row.updatedAt),
  }
}
