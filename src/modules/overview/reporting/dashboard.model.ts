import { type Static, Type } from '@sinclair/typebox'
import { Currency, Id, Nullable, Time } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { ConvertedSum, Count, Day, frame, frameExample, MissingRates, Sum as Text } from './reporting.model.ts'

const Sum = nameSchema('DashboardSum', Type.Object({ count: Count, amount: Text }))
const Moved = { deposits: Sum, withdrawals: Sum, net: Text }
const Converted = { deposits: ConvertedSum, withdrawals: ConvertedSum, net: ConvertedSum }

const Clients = {
  registrations: Count,
  firstDeposits: Count,
  active: Type.Integer({ description: 'clients who moved money or traded' }),
}
const FirmOut = Type.Object(
  {
    ...Clients,
    before: Type.Object(
      { from: Day, to: Day, ...Converted, ...Clients, missingRates: MissingRates },
      { description: 'as many days, just before' },
    ),
    held: Type.Object(
      {
        total: ConvertedSum,
        currencies: Type.Array(
          Type.Object({
            currency: Currency,
            wallets: Count,
            amount: Text,
            converted: ConvertedSum,
          }),
        ),
      },
      { description: 'in wallets, by the rates of now' },
    ),
    open: Type.Object(
      { positions: Count, traders: Count, profit: ConvertedSum },
      { description: 'of live accounts; what clients win' },
    ),
    largest: Type.Optional(
      Type.Array(
        Type.Object({
          traderId: Id,
          name: Nullable(Type.String()),
          balance: Text,
        }),
        { description: 'whose wallets hold most; for managers' },
      ),
    ),
    missingRates: MissingRates,
  },
  { description: 'where `currency` is asked for' },
)
export type DashboardFirm = Static<typeof FirmOut>

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
      firm: Type.Optional(FirmOut),
    },
    { examples: [{ ...frameExample, today: '2026-01-31', days: [], money: [], waiting: [] }] },
  ),
)
export type Dashboard = Static<typeof DashboardOut>
