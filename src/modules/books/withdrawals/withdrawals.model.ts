import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { toIso } from '../../../platform/clock.ts'
import { byReference, listSpellings } from '../../../platform/db/references.ts'
import { fileColumns, ownMapper, wireFields, wireMapper } from '../../../platform/db/wire-form.ts'
import { BulkResults } from '../../../platform/http/answers/bulk-results.ts'
import { Currencies } from '../../../platform/http/lists/comma-filters.ts'
import { equals, equalsAny, timeFilter } from '../../../platform/http/lists/list-filters.ts'
import { defineList, OnePage } from '../../../platform/http/lists/page.ts'
import { formatAmount } from '../../../platform/money.ts'
import { Amount, Currency, Id, Nullable, OneOf, Prose, Reference, Strict, Time } from '../../../platform/wire/fields.ts'
import { nameSchema, worded } from '../../../platform/wire/schema-name.ts'
import { buildRowSchema, rowSearch } from '../../clients/traders/traders.rows.ts'
import { PAY_WITHIN } from './withdrawals.states.ts'
import {
  DESTINATION_KINDS,
  payoutDestinations,
  WITHDRAWAL_STATUS,
  type WithdrawalRow,
  withdrawals,
} from './withdrawals.table.ts'

const DestinationIn = Strict({
  kind: OneOf(DESTINATION_KINDS),
  reference: worded(Reference(100), 'of a card its scheme and last four digits, such as Visa 4242'),
  holder: Type.Optional(Reference(100)),
})
export const WithdrawalIn = nameSchema(
  'WithdrawalIn',
  Strict({
    traderId: Type.Optional(Id),
    currency: Currency,
    amount: Amount,
    destination: DestinationIn,
    note: Type.Optional(Prose(1000)),
  }),
)
const NothingSent = Type.Boolean({
  description: 'no money left: asked for where an approval lapsed before it was paid',
})
export const ApproveIn = nameSchema('WithdrawalApproveIn', Strict({ note: Type.Optional(Prose(1000)) }))
export const RejectIn = nameSchema(
  'WithdrawalRejectIn',
  Strict({
    detail: Prose(500),
    note: Type.Optional(Prose(1000)),
    nothingSent: Type.Optional(NothingSent),
  }),
)
export const CancelIn = nameSchema('WithdrawalCancelIn', Strict({ nothingSent: Type.Optional(NothingSent) }))
export const PayIn = nameSchema('WithdrawalPayIn', Strict({ paymentReference: Reference(100) }))
export const BulkApproveIn = nameSchema(
  'WithdrawalBulkApproveIn',
  Strict({
    ids: Type.Array(Id, { minItems: 1, maxItems: 200, uniqueItems: true }),
    note: Type.Optional(Prose(1000)),
  }),
)
export const BulkResult = nameSchema(
  'WithdrawalBulkResult',
  BulkResults({ status: Type.Optional(OneOf(WITHDRAWAL_STATUS)) }),
)

const payBefore = Nullable(worded(Time, 'when the approval lapses'))
const withdrawal = wireFields(withdrawals, 'lapsedAt', { payBefore })
export const WithdrawalOut = nameSchema('Withdrawal', Type.Object(withdrawal))
export type Withdrawal = Static<typeof WithdrawalOut>
export const WithdrawalRowOut = buildRowSchema(WithdrawalOut)

const calculatePayBefore = ({ status, approvedAt }: WithdrawalRow): string | null =>
  status === 'approved' && approvedAt !== null ? toIso(approvedAt + PAY_WITHIN) : null

const toFields = wireMapper(withdrawals)
export const toWithdrawal = (row: WithdrawalRow): Withdrawal => ({
  ...toFields(row),
  payBefore: calculatePayBefore(row),
})

/** The columns of the file of withdrawals. */
export const WITHDRAWAL_FILE = fileColumns(withdrawals, { approvedAt: ['payBefore'] })

const toOwnFields = ownMapper(withdrawals)
/** The client's form of a withdrawal, without a note of staff. */
export const toOwnWithdrawal = (row: WithdrawalRow): Withdrawal => ({
  ...toOwnFields(row),
  payBefore: calculatePayBefore(row),
})

const DestinationOut = nameSchema('Destination', Type.Object(wireFields(payoutDestinations)))
export const toDestination = wireMapper(payoutDestinations)

/** `not_checked` means that the check could not be made. */
const CHECK_STATES = ['fine', 'look_closer', 'not_checked', 'blocks'] as const
/** A check that staff look at before they decide: whether it is fine, and why. */
export const Check = nameSchema(
  'WithdrawalCheck',
  Type.Object({
    name: Type.String(),
    state: OneOf(CHECK_STATES),
    ok: Type.Boolean(),
    blocks: Type.Boolean(),
    text: Type.String(),
  }),
)
export const WithdrawalDetail = nameSchema(
  'WithdrawalDetail',
  Type.Object({
    ...withdrawal,
    destination: DestinationOut,
    requestedBy: Nullable(Id),
    rejectionNote: Nullable(Type.String()),
    review: Nullable(
      Type.Object({
        approvalsNeeded: Type.Integer({
          description: 'how many approvals it takes as it stands, with those that it has; the same for every reader',
        }),
        adminNeeded: Type.Boolean(),
        reason: Type.String(),
        decisions: Type.Array(
          Type.Object({
            userId: Id,
            name: Type.String(),
            role: Type.String(),
            decision: OneOf(['approve', 'reject']),
            note: Nullable(Type.String()),
            lapsed: Type.Boolean(),
            createdAt: Time,
          }),
        ),
        helpers: Nullable(
          Type.Array(
            Type.Object({
              userId: Id,
              name: Type.String(),
              role: Type.String(),
              enough: Type.Boolean({ description: 'whether it needs nobody else once this person approved' }),
            }),
            { description: 'who may approve it now; null once it is decided, and where several are asked for' },
          ),
        ),
        checks: Type.Array(Check),
        viewer: Type.Object({
          mayApprove: Type.Boolean(),
          why: Nullable(Type.String()),
          needsSecond: Nullable(
            worded(
              Type.String(),
              'why an approval of the viewer takes another person’s beside it, unlike that of others',
            ),
          ),
          noteOn: Type.Array(Type.String(), {
            description: 'what an approval by the viewer needs a note on, in words; empty where it needs none',
          }),
        }),
      }),
    ),
  }),
)

/** One request may ask for the checks of this many withdrawals. */
const MOST_REVIEWS = 30
export const ReviewsQuery = Strict({
  ids: Type.String({
    pattern: `^[^,]{1,64}(,[^,]{1,64}){0,${MOST_REVIEWS - 1}}$`,
    description: `up to ${MOST_REVIEWS} ids, comma-separated; those that are not there are left out`,
  }),
})
export const ReviewsOut = nameSchema(
  'WithdrawalReviews',
  Type.Object({ data: Type.Array(WithdrawalDetail), nextCursor: OnePage }),
)

/** Returns the payload of the withdrawal events. */
export const withdrawalPayload = (row: WithdrawalRow) => ({
  withdrawalId: row.id,
  traderId: row.traderId,
  status: row.status,
  currency: row.currency,
  amount: formatAmount(row.amount, row.currency),
})

const referred = alias(withdrawals, 'referred')
export const withdrawalList = defineList({
  name: 'withdrawals',
  table: withdrawals,
  money: { amount: 'amount', currency: 'currency' },
  sorts: { createdAt: 'createdAt', paidAt: 'paidAt' },
  filters: {
    status: equals(withdrawals.status),
    currency: equalsAny(withdrawals.currency, Currencies),
    traderId: equals(withdrawals.traderId, Id),
    paidFrom: timeFilter('paidFrom', sql`${withdrawals.paidAt} >= ?`, 'not paid before this time'),
    paidTo: timeFilter('paidTo', sql`${withdrawals.paidAt} < ?`, 'paid before this time'),
    q: rowSearch(withdrawals, {
      description: 'the id, or the beginning of the payment’s reference (its first six letters in any case)',
      ids: byReference(withdrawals, referred, referred.paymentReference),
      params: (text) => [listSpellings(text)],
    }),
  },
})
