import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { toIso } from '../../../platform/clock.ts'
import { ownMapper, wireFields, wireMapper } from '../../../platform/db/wire-form.ts'
import { Currencies } from '../../../platform/http/lists/comma-filters.ts'
import { equals, equalsAny, filter } from '../../../platform/http/lists/list-filters.ts'
import { defineList } from '../../../platform/http/lists/page.ts'
import { Amount, Currency, Id, Nullable, Prose, Strict, Time } from '../../../platform/wire/fields.ts'
import { nameSchema, worded } from '../../../platform/wire/schema-name.ts'
import { AFFILIATES_FOUND, AffiliateSearch, affiliateParams } from '../affiliates/affiliates.model.ts'
import { affiliates } from '../affiliates/affiliates.table.ts'
import { affiliatePayouts, type PayoutRow } from './payouts.table.ts'

export const PayoutIn = nameSchema(
  'AffiliatePayoutIn',
  Strict({
    affiliateId: Type.Optional(worded(Id, 'an introducing broker asks for themselves')),
    currency: Currency,
    amount: Amount,
  }),
)
export const PayoutApproveIn = nameSchema('AffiliatePayoutApproveIn', Strict({ note: Type.Optional(Prose(1000)) }))
export const PayoutRejectIn = nameSchema('AffiliatePayoutRejectIn', Strict({ reason: Prose(500) }))
const votes = Type.Array(Type.Object({ by: Id, at: Time, note: Nullable(Type.String()) }), {
  description: 'approvals so far; from the threshold on two people approve',
})
export const PayoutOut = nameSchema('AffiliatePayout', Type.Object(wireFields(affiliatePayouts, 'reason', { votes })))
export type Payout = Static<typeof PayoutOut>

const toFields = wireMapper(affiliatePayouts)
const toOwnFields = ownMapper(affiliatePayouts)
/** Returns the wire form of a payout; an introducing broker does not see the colleagues who decided. */
export const toPayout = (row: PayoutRow, masked = false): Payout =>
  masked
    ? { ...toOwnFields(row), votes: [] }
    : { ...toFields(row), votes: row.votes.map(({ userId, at, note }) => ({ by: userId, at: toIso(at), note })) }

export const payoutList = defineList({
  name: 'affiliate-payouts',
  table: affiliatePayouts,
  money: { amount: 'amount', currency: 'currency' },
  filters: {
    status: equals(affiliatePayouts.status),
    affiliateId: equals(affiliatePayouts.affiliateId, Id),
    currency: equalsAny(affiliatePayouts.currency, Currencies),
    q: filter(
      AffiliateSearch,
      sql`${affiliatePayouts.affiliateId} IN (SELECT ${affiliates.id} FROM ${affiliates}
        WHERE ${affiliates.tenantId} = ? AND ${AFFILIATES_FOUND})`,
      (text, scope) => [scope.tenantId, ...affiliateParams(text, scope)],
    ),
  },
})
