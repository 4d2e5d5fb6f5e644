import { type Static, Type } from '@sinclair/typebox'
import { Currency, Strict, Time } from '../../platform/http/fields.ts'
import { named } from '../../platform/http/named.ts'

const Day = Type.String({ format: 'date', description: 'a day of the firm’s time zone', examples: ['2026-01-31'] })

export const DashboardQuery = Strict({
  from: Type.Optional(
    Type.String({ format: 'date', maxLength: 10, description: 'first day, of the firm’s zone; default 30 days' }),
  ),
  to: Type.Optional(
    Type.String({ format: 'date', maxLength: 10, description: 'the day after the last one; default tomorrow' }),
  ),
})

const Sum = named(
  'DashboardSum',
  Type.Object({
    count: Type.Integer({ minimum: 0 }),
    amount: Type.String({ description: 'exact decimal sum in the currency' }),
  }),
)
const Moved = { deposits: Sum, withdrawals: Sum, net: Type.String({ description: 'deposits less withdrawals' }) }

export const DashboardOut = named(
  'Dashboard',
  Type.Object({
    from: Day,
    to: Day,
    today: Day,
    timeZone: Type.String({ description: 'of the firm; every day here is one of it' }),
    asOf: Time,
    days: Type.Array(
      Type.Object({
        day: Day,
        startsAt: Time,
        endsAt: Time,
        registrations: Type.Integer({ minimum: 0 }),
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
  }),
)
export type Dashboard = Static<typeof DashboardOut>
