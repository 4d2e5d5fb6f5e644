import { type Static, Type } from '@sinclair/typebox'
import { Currency, Time } from '../../platform/http/fields.ts'
import { named } from '../../platform/http/named.ts'
import { ConvertedSum, Count, Day, frame, MissingRates, Sum as Text } from './reporting.model.ts'

const Sum = named('DashboardSum', Type.Object({ count: Count, amount: Text }))
const Moved = { deposits: Sum, withdrawals: Sum, net: Type.String({ description: 'deposits less withdrawals' }) }
const Converted = { deposits: ConvertedSum, withdrawals: ConvertedSum, net: ConvertedSum }

export const DashboardOut = named(
  'Dashboard',
  Type.Object({
    ...frame,
    today: Day,
    days: Type.Array(
      Type.Object({
        day: Day,
        startsAt: Time,
        endsAt: Time,
        registrations: Count,
        firstDeposits: Type.Integer({ minimum: 0, description: 'clients whose first deposit was credited' }),
      }),
    ),
    money: Type.Array(
      Type.Object({
        currency: Currency,
        ...Moved,
        days: Type.Array(Type.Object({ day: Day, ...Moved }), { description: 'days on which money moved' }),
      }),
      {
        description:
          'the busiest currency first; deposits by when they were credited, withdrawals by when they were paid',
      },
    ),
    waiting: Type.Array(
      Type.Object({ currency: Currency, deposits: Sum, requestedWithdrawals: Sum, approvedWithdrawals: Sum }),
      { description: 'what waits now, whatever the period' },
    ),
    converted: Type.Optional(
      Type.Object(
        {
          currency: Currency,
          ...Converted,
          days: Type.Array(Type.Object({ day: Day, ...Converted })),
          missingRates: MissingRates,
        },
        { description: 'all currencies together, where `currency` is asked for' },
      ),
    ),
  }),
)
export type Dashboard = Static<typeof DashboardOut>
