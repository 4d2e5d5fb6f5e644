import { Type } from '@sinclair/typebox'
import { ROLES } from '../../../platform/access/catalogue.ts'
import { Amount, Currency, Id, Nullable, OneOf, Strict } from '../../../platform/wire/fields.ts'
import { nameSchema, worded } from '../../../platform/wire/schema-name.ts'

/** The firm's own settings; that two people decide large amounts cannot be changed. */
export const ApprovalPolicy = nameSchema(
  'WithdrawalPolicyIn',
  Strict({
    currency: Currency,
    threshold: Amount,
    minKycLevel: Type.Integer({ minimum: 0, maximum: 3, description: 'money goes out from this level on' }),
  }),
)

/** The kinds of things that colleagues decide about. RULES “Who approves what”. */
const DECISION_KINDS = [
  'withdrawal',
  'payout',
  'deposit',
  'client_deposit',
  'transfer',
  'account_transfer',
  'adjustment',
] as const
export type DecisionKind = (typeof DECISION_KINDS)[number]

export const PolicyQuery = Strict({
  amount: Type.Optional(Amount),
  currency: Type.Optional(Currency),
  kind: Type.Optional(worded(OneOf(DECISION_KINDS), 'what is decided about; a withdrawal by default')),
  by: Type.Optional(worded(Id, 'the colleague who created it, or linked the account; without one, the client')),
})

/** Whether a colleague may approve the simulated amount, and if not, why. */
export const Approver = Type.Object({
  userId: Id,
  name: Type.String(),
  role: OneOf(ROLES),
  may: worded(OneOf(['alone', 'together', 'second', 'no']), 'second: beside somebody who had no part in it'),
  why: Nullable(OneOf(['impossible', 'role', 'password', 'account', 'creator'])),
})

export const PolicyOut = nameSchema(
  'WithdrawalPolicy',
  Type.Object({
    ...ApprovalPolicy.properties,
    ownMoneyLimit: worded(Amount, 'in 24 hours nobody approves more alone for clients to whom they brought money'),
    version: Type.Integer(),
    simulation: Nullable(
      Type.Object({
        amount: Amount,
        currency: Currency,
        kind: OneOf(DECISION_KINDS),
        comparedAmount: Nullable(Amount),
        approvals: worded(Type.Integer(), 'how many people it takes; 0 where it is not possible'),
        adminNeeded: Type.Boolean(),
        reason: Type.String(),
        people: Type.Array(Approver),
      }),
    ),
  }),
)
