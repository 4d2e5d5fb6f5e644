import { transferHooks } from '../../composition.ts'
import { accounts } from '../../modules/books/accounts/accounts.table.ts'
import { upsertRates } from '../../modules/books/fx/fx.service.ts'
import { createTransfer } from '../../modules/books/transfers/transfers.service.ts'
import { wallets } from '../../modules/books/wallets/wallets.table.ts'
import { loadList } from '../../modules/clients/sanctions/sanctions.service.ts'
import { traders } from '../../modules/clients/traders/traders.table.ts'
import { createApiKey } from '../../modules/firm/api-keys/api-keys.service.ts'
import { createSubscription } from '../../modules/firm/webhooks/webhooks.service.ts'
import { DAY, HOUR } from '../../platform/clock.ts'
import { formatAmount } from '../../platform/money.ts'
import type { Client, DeskSeed, Step } from './seed-step.ts'

const POOL = [
  { base: 'EUR', quote: 'USD', around: 1.0842, digits: 4 },
  { base: 'GBP', quote: 'USD', around: 1.2671, digits: 4 },
  { base: 'USD', quote: 'JPY', around: 149.35, digits: 2 },
  { base: 'USD', quote: 'AED', around: 3.6725, digits: 4 },
  { base: 'USD', quote: 'ZAR', around: 18.21, digits: 3 },
  { base: 'USD', quote: 'PLN', around: 3.949, digits: 4 },
  { base: 'EUR', quote: 'PLN', around: 4.2815, digits: 4 },
]

/** Adds rates of the global pool for every month, the last one this morning, and the firm's own for its main pair. */
export function seedRates({ random, start, end, as, desk }: DeskSeed): Step[] {
  const times = [start - 2 * DAY]
  for (let at = start + 30 * DAY; at < end - 2 * DAY; at += 30 * DAY) times.push(at)
  times.push(end - 4 * HOUR)
  return times.map((at) => {
    const rates = POOL.map(({ base, quote, around, digits }) => ({
      base,
      quote,
      rate: (around * (0.99 + random.next() * 0.02)).toFixed(digits),
      source: 'ECB reference',
    }))
    const own = (1.0815 * (0.99 + random.next() * 0.02)).toFixed(4)
    return {
      at,
      run: async () => {
        await upsertRates(as(desk.owner), { rates, global: true })
        await upsertRates(as(desk.admin), { rates: [{ base: 'EUR', quote: 'USD', rate: own, source: 'desk' }] })
      },
    }
  })
}

/** Adds clients who moved money from their wallet to a trading account, some of it in another currency. */
export const seedTransfers = ({ random, end, as }: DeskSeed, clients: readonly Client[]): Step[] =>
  clients
    .filter(() => random.chance(0.2))
    .map(({ made, joined, clerk }) => {
      const share = BigInt(random.between(10, 60))
      return {
        at: joined + 6 * DAY + Math.floor(random.next() * Math.max(0, end - joined - 6 * DAY)),
        run: async () => {
          const ctx = as(clerk)
          if (made.id === '') return
          const wallet = ctx.db.find(wallets, { traderId: made.id })
          const account = ctx.db.find(accounts, { traderId: made.id, isDemo: false })
          if (!wallet || !account || wallet.available < 100n) return
          const amount = formatAmount((wallet.available * share) / 100n, wallet.currency)
          await createTransfer(ctx, transferHooks, { fromWalletId: wallet.id, toAccountId: account.id, amount })
        },
      }
    })
    .filter(({ at }) => at < end)

/** Adds two API keys, and a receiver that has failed since this morning. */
export const seedMachines = ({ start, end, as, desk }: DeskSeed): Step[] => [
  {
    at: start + 20 * DAY,
    run: () => createApiKey(as(desk.admin), { label: 'Website lead form', scopes: ['leads:read', 'leads:write'] }),
  },
  {
    at: start + 90 * DAY,
    run: () =>
      createApiKey(as(desk.admin), {
        label: 'Reporting (read only)',
        scopes: ['traders:read', 'deposits:read', 'withdrawals:read', 'wallets:read'],
        allowedNetworks: ['10.20.0.0/16'],
      }),
  },
  {
    at: end - 20 * HOUR,
    run: () =>
      createSubscription(as(desk.admin), {
        url: 'http://127.0.0.1:9/newsletter',
        events: ['lead.converted', 'kyc.approved'],
      }),
  },
]

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
/** Returns `1984-07-02` as the list writes it. */
const listed = (date: string): string => {
  const [year = '', month = '1', day = ''] = date.split('-')
  return `${day} ${MONTHS[Number(month) - 1]} ${year}`
}
const OTHERS = ['ORVANE, Teodric', 'KESTRALL, Maudry', 'VANTHEIM, Osk', 'BELLACORTE, Ilvano', 'SARNOVEK, Drusilla']

/**
 * Adds an invented list in OFAC's format that two clients seem to be on: one with the same date of birth, one with the
 * year alone. The hits come with the first screening.
 */
export const seedSanctions = ({ end, as, desk }: DeskSeed, clients: readonly Client[]): Step[] => [
  {
    // this comes last, since money waits for the screening, which begins when the demo runs
    at: end,
    run: async () => {
      const ctx = as(desk.manager)
      const rest = ',-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,'
      const lines = OTHERS.map((name, index) => `${9001 + index},"${name}",individual,"DEMO"${rest}"-0- "`)
      for (const client of [clients[33], clients[77]]) {
        const trader = client?.made.id ? ctx.db.find(traders, { id: client.made.id }) : undefined
        if (!trader?.firstName || !trader.lastName || !trader.dateOfBirth) continue
        const name = `${trader.lastName.toUpperCase()}, ${trader.firstName}`
        const birth = client === clients[33] ? listed(trader.dateOfBirth) : trader.dateOfBirth.slice(0, 4)
        lines.push(`${9100 + lines.length},"${name}",individual,"DEMO"${rest}"DOB ${birth}."`)
      }
      const alt = `9001,1,"aka","${OTHERS[0]}",-0- \n`
      const add = '9001,1,-0- ,-0- ,-0- ,-0- \n'
      const files = { sdn: `${lines.join('\n')}\n`, alt, add }
      await loadList(ctx, { source: 'ofac_sdn', version: 'Invented for the demo', files })
    },
  },
]
