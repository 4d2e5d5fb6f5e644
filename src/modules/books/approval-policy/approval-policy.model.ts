import { Type } from '@sinclair/typebox'
import { Amount, Currency, Nullable, Strict } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'

/** The settings of a firm; that two people decide large amounts is fixed. */
export const ApprovalPolicy = nameSchema(
  'WithdrawalPolicyIn',
  Strict({
    currency: Currency,
    threshold: Amount,
    minKycLevel: Type.Integer({ minimum: 0, maximum: 3, description: 'money goes out from this level on' }),
  }),
)

export const PolicyQuery = Strict({ amount: Type.Optional(Amount), currency: Type.Optional(Currency) })
export const PolicyOut = nameSchema(
  'WithdrawalPolicy',
  Type.Object({
    ...ApprovalPolicy.properties,
    version: Type.Integer(),
    simulation: Nullable(
      Type.Object({
        amount: Amount,
        currency: Currency,
        comparedAmount: Nullable(Amount),
        approvals: Type.Integer(),
        adminNeeded: Type.Boolean(),
        reason: Type.String(),
      }),
    ),
  }),
)
