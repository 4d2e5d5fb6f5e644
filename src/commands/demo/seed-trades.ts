import { accounts } from '../../modules/books/accounts/accounts.table.ts'
import { recordClosing } from '../../modules/books/positions/closings.ts'
import { positions } from '../../modules/books/positions/positions.table.ts'
import { DAY, HOUR } from '../../platform/clock.ts'
import type { DeskSeed, Step } from './seed-step.ts'

const SYMBOLS = ['EURUSD', 'GBPUSD', 'XAUUSD', 'US500', 'GER40'] as const
const DAYS = 60
/** This many positions close each day. */
const A_DAY = 6

/** Adds positions that live accounts closed in the last two months, with their costs, for reports of revenue. */
export function seedTrades({ random, end, as, desk }: DeskSeed): Step[] {
  const ctx = as(desk.admin)
  return Array.from({ length: DAYS }, (_, index) => {
    const at = end - (DAYS - index) * DAY
    const run = () =>
      ctx.write('position.sync', (tx) => {
        const live = tx
          .list(accounts, { isDemo: false }, { orderBy: 'createdAt', limit: 200 })
          .filter(({ accountNumber }) => accountNumber !== null)
        for (let number = 0; number < A_DAY; number += 1) {
          const account = live[random.between(0, live.length - 1)]
          if (!account?.accountNumber) continue
          const lots = random.between(1, 40)
          const row = tx.insert(positions, {
            platform: account.platform,
            server: 'demo-history',
            ticket: `H${index * A_DAY + number}`,
            accountNumber: account.accountNumber,
            accountId: account.id,
            traderId: account.traderId,
            symbol: random.pick(SYMBOLS),
            side: random.chance(0.5) ? 'long' : 'short',
            volume: BigInt(lots) * 10_000_000n,
            openedVolume: BigInt(lots) * 10_000_000n,
            closedVolume: BigInt(lots) * 10_000_000n,
            openPrice: '1.0842',
            currentPrice: '1.0851',
            currency: account.currency,
            profit: BigInt(random.between(-9000, 9500)),
            commission: BigInt(-70 * lots),
            spread: BigInt(90 * lots),
            status: 'closed',
            openedAt: at - random.between(1, 20) * HOUR,
            closedAt: at,
            createdAt: at,
            updatedAt: at,
          })
          recordClosing(tx, row, at, false)
        }
        return null
      })
    return { at, run }
  })
}
