import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { toIso } from '../../../platform/clock.ts'
import { byReference, listSpellings } from '../../../platform/db/references.ts'
import { fileColumns, ownMapper, wireFields, wireMapper } from '../../../platform/db/wire-form.ts'
import { Currencies } from '../../../platform/http/lists/comma-filters.ts'
import { equals, equalsAny, timeFilter } from '../../../platform/http/lists/list-filters.ts'
import { defineList } from '../../../platform/http/lists/page.ts'
import { formatAmount } from '../../../platform/money.ts'
import { Amount, Currency, Id, Nullable, OneOf, Prose, Reference, Strict, Time } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { buildRowSchema, rowSearch } from '../../clients/traders/traders.rows.ts'
import { DEPOSIT_METHODS, type DepositRow, deposits } from './deposits.table.ts'

export const DepositIn = nameSchema(
  'DepositIn',
  Strict({
    traderId: Type.Optional(Id),
    currency: Currency,
    amount: Amount,
    method: OneOf(DEPOSIT_METHODS),
    pspConnectionId: Type.Optional(Id),
    providerReference: Type.Optional(Reference(100)),
    note: Type.Optional(Prose(1000)),
    repeatOf: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          'the deposit credited with the same reference before, where this is another payment; staff only, with a note',
      }),
    ),
  }),
)
export const PartialSettleIn = nameSchema(
  'DepositPartialSettleIn',
  Strict({ settledAmount: Amount, notes: Type.Optional(Prose(1000)) }),
)
export const FailIn = nameSchema('DepositFailIn', Strict({ reason: Prose(500) }))

const FirstWord = Nullable(
  Type.Object({ by: Id, at: Time, settledAmount: Amount }, { description: 'the first approval' }),
)
export const DepositOut = nameSchema(
  'Deposit',
  Type.Object(wireFields(deposits, 'settledBy', { firstWord: FirstWord })),
)
export type Deposit = Static<typeof DepositOut>
export const DepositRowOut = buildRowSchema(DepositOut)

const toFields = wireMapper(deposits)
export const toDeposit = (row: DepositRow): Deposit => ({ ...toFields(row), firstWord: toFirstApproval(row) })

/** Returns the first of two approvals while the second one is awaited. The interface calls it `firstWord`. */
const toFirstApproval = (row: DepositRow): Deposit['firstWord'] =>
  row.status !== 'pending' || row.firstWordBy === null || row.firstWordAt === null || row.firstWordAmount === null
    ? null
    : {
        by: row.firstWordBy,
        at: toIso(row.firstWordAt),
        settledAmount: formatAmount(row.firstWordAmount, row.currency),
      }

/** The columns of the file of deposits; the first of two approvals has three. */
export const DEPOSIT_FILE = fileColumns(deposits, {
  settledBy: ['firstApprovalBy', 'firstApprovalAt', 'firstApprovalAmount'],
})
export const toDepositLine = (row: DepositRow) => {
  const { firstWord, ...deposit } = toDeposit(row)
  const { by = null, at = null, settledAmount = null } = firstWord ?? {}
  return { ...deposit, firstApprovalBy: by, firstApprovalAt: at, firstApprovalAmount: settledAmount }
}

const toOwnFields = ownMapper(deposits)
/** The client's form of a deposit, without notes and names of staff. */
export const toOwnDeposit = (row: DepositRow): Deposit => ({ ...toOwnFields(row), firstWord: null })

/** Returns the payload of the deposit events. */
export const depositPayload = (row: DepositRow) => ({
  depositId: row.id,
  traderId: row.traderId,
  status: row.status,
  method: row.method,
  currency: row.currency,
  amount: formatAmount(row.amount, row.currency),
  settledAmount: row.settledAmount === null ? null : formatAmount(row.settledAmount, row.currency),
  providerReference: row.providerReference,
})

const referred = alias(deposits, 'referred')
export const depositList = defineList({
  name: 'deposits',
  table: deposits,
  money: { amount: 'amount', currency: 'currency' },
  sorts: { createdAt: 'createdAt', settledAt: 'settledAt' },
  filters: {
    status: equals(deposits.status),
    method: equals(deposits.method),
    currency: equalsAny(deposits.currency, Currencies),
    traderId: equals(deposits.traderId, Id),
    pspConnectionId: equals(deposits.pspConnectionId, Id),
    settledFrom: timeFilter('settledFrom', sql`${deposits.settledAt} >= ?`, 'not settled before this time'),
    settledTo: timeFilter('settledTo', sql`${deposits.settledAt} < ?`, 'settled before this time'),
    q: rowSearch(deposits, {
      description: 'the id, or the beginning of the reference (its first six letters in any case)',
      ids: byReference(deposits, referred, referred.providerReference),
      params: (text) => [listSpellings(text)],
    }),
  },
})
