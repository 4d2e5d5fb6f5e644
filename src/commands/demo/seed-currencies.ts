import { transferHooks } from '../../composition.ts'
import { createDeposit, settleDeposit } from '../../modules/books/deposits/deposits.service.ts'
import { createTransfer } from '../../modules/books/transfers/transfers.service.ts'
import { wallets } from '../../modules/books/wallets/wallets.table.ts'
import { DAY, HOUR } from '../../platform/clock.ts'
import { formatAmount } from '../../platform/money.ts'
import type { Client, DeskSeed, Step } from './seed-step.ts'

const AS_IT_IS = { expect: undefined, accepted: () => {} }

/** Adds clients who pay in a second currency and convert some of it, and a few who send money to a relative. */
export function seedCurrencies({ end, as }: DeskSeed, clients: readonly Client[]): Step[] {
  return clients
    .filter((_, index) => index % 40 === 11)
    .flatMap(({ made, joined, currency, clerk, manager }, index): Step[] => {
      const second = currency === 'USD' ? 'EUR' : 'USD'
      const paidIn = joined + (12 + index) * DAY
      const purse = (of: string) => as(clerk).db.find(wallets, { traderId: made.id, currency: of })
      const relative = clients.at((index + 1) * 17)
      return [
        {
          at: paidIn,
          run: async () => {
            const money = {
              traderId: made.id,
              currency: second,
              amount: `${400 + 60 * (index % 9)}`,
              method: 'bank',
            } as const
            const deposit = await createDeposit(as(clerk), money)
            await settleDeposit(as(manager), deposit.id, AS_IT_IS)
          },
        },
        {
          at: paidIn + 30 * HOUR,
          run: async () => {
            const [from, to] = [purse(second), purse(currency)]
            if (!from || !to) return
            const amount = formatAmount(from.available / BigInt(2 + (index % 3)), second)
            await createTransfer(as(clerk), transferHooks, { fromWalletId: from.id, toWalletId: to.id, amount })
          },
        },
        {
          at: paidIn + 9 * DAY,
          run: async () => {
            const from = purse(second)
            const to = as(manager).db.find(wallets, { traderId: relative?.made.id ?? '' })
            if (index % 4 !== 0 || !from || !to) return
            const note = 'To a brother; both came by with their papers.'
            await createTransfer(as(manager), transferHooks, {
              fromWalletId: from.id,
              toWalletId: to.id,
              amount: '40',
              note,
            })
          },
        },
      ]
    })
    .filter(({ at }) => at < end)
}
