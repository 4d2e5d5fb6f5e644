import { type Static, Type } from '@sinclair/typebox'
import { Currency, Time } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { ConvertedSum, Count, Day, frame, frameExample, MissingRates, Sum as Text } from './reporting.model.ts'

const Sum = nameSchema('DashboardSum', Type.Object({ count: Count, amount: Text }))
const Moved = { deposits: Sum, withdrawals: Sum, net: Text }
const Converted = { deposits: ConvertedSum, withdrawals: ConvertedSum, net: ConvertedSum }

export const DashboardOut = nameSchema(
  'Dashboard',
  Type.Object(
    {
      ...frame,
      today: Day,
      days: Type.Array(
        Type.Object({
          day: Day,
          startsAt: Time,
          endsAt: Time,
          registrations: Count,
          firstDeposits: Type.Integer({ description: 'clients whose first deposit was credited' }),
        }),
      ),
      money: Type.Array(
        Type.Object({
          currency: Currency,
          ...Moved,
          days: Type.Array(Type.Object({ day: Day, ...Moved })),
        }),
        {
          description: 'the busiest currency first; by when it was credited or paid',
        },
      ),
      waiting: Type.Array(
        Type.Object({ currency: Currency, deposits: Sum, requestedWithdrawals: Sum, approvedWithdrawals: Sum }),
        { description: 'what waits now' },
      ),
      converted: Type.Optional(
        Type.Object(
          {
            currency: Currency,
            ...Converted,
            days: Type.Array(Type.Object({ day: Day, ...Converted })),
            missingRates: MissingRates,
          },
          { description: 'all together, where `currency` is asked for' },
        ),
      ),
    },
    { examples: [{ ...frameExample, today: '2026-01-31', days: [], money: [], waiting: [] }] },
  ),
)
export type Dashboard = Static<typeof DashboardOut>
