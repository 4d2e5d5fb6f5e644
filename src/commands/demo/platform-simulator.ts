import { accounts } from '../../modules/books/accounts/accounts.table.ts'
import { syncPositions } from '../../modules/books/positions/positions.sync.ts'
import { type Ctx, systemCtx } from '../../platform/access/ctx.ts'
import { SECOND } from '../../platform/clock.ts'
import { formatAmount, parseAmount } from '../../platform/money.ts'
import type { Platform } from '../../platform/platform.ts'
import { createRandom, type Random } from './people.ts'

const SERVER = 'demo-live'
const OPEN = 400
const TICK = 4 * SECOND
/** Symbol, price, decimals, and value of a lot in the account's currency per point: roughly right for a demo. */
const MARKETS = [
  ['EURUSD', 1.0842, 5, 100_000],
  ['GBPUSD', 1.2671, 5, 100_000],
  ['USDJPY', 149.35, 3, 670],
  ['XAUUSD', 2031.5, 2, 100],
  ['US500', 5123.4, 1, 10],
  ['GER40', 17_940, 1, 10],
  ['BTCUSD', 61_250, 1, 1],
  ['USOIL', 78.4, 2, 1000],
] as const

type Holding = {
  ticket: string
  accountNumber: string
  currency: string
  market: number
  side: 'long' | 'short'
  lots: number
  openPrice: number
  openedAt: string
  closing: boolean
}

const LAST = `SELECT sequence FROM position_streams WHERE tenant_id = ?1 AND platform = 'terminal5' AND server = ?2`

/** Returns the prices of the markets, which move around their first values. */
function createPrices(random: Random): { of: (market: number) => number; move: () => void } {
  const prices = MARKETS.map(([, price]) => price as number)
  return {
    of: (market) => prices[market] ?? 1,
    move: () => {
      MARKETS.forEach(([, start], index) => {
        const drift = (random.next() - 0.5) * 0.0008 * start
        prices[index] = Math.max(start * 0.9, Math.min(start * 1.1, (prices[index] ?? start) + drift))
      })
    },
  }
}

/** Returns an open position as the platform reports it, at the present price. */
function report(holding: Holding, price: number) {
  const [symbol, , decimals, value] = MARKETS[holding.market] ?? MARKETS[0]
  const move = (price - holding.openPrice) * (holding.side === 'long' ? 1 : -1)
  return {
    ticket: holding.ticket,
    accountNumber: holding.accountNumber,
    symbol,
    side: holding.side,
    volume: holding.lots.toFixed(2),
    openPrice: holding.openPrice.toFixed(decimals),
    currentPrice: price.toFixed(decimals),
    profit: roundTo(move * value * holding.lots, holding.currency),
    openedAt: holding.openedAt,
    ...(holding.closing ? { closedAt: new Date().toISOString() } : {}),
  }
}

/** Returns a function that opens positions of a firm's live accounts; it returns null if there are none. */
function createOpening(ctx: Ctx, random: Random, getPrice: (market: number) => number): () => Holding | null {
  const live = ctx.db
    .list(accounts, { status: 'active', isDemo: false }, { orderBy: 'createdAt', limit: 300 })
    .filter((row) => row.accountNumber !== null)
  let tickets = Math.floor(Date.now() / 1000)
  return () => {
    const account = live[random.between(0, live.length - 1)]
    if (!account?.accountNumber) return null
    const market = random.between(0, MARKETS.length - 1)
    tickets += 1
    return {
      ticket: String(tickets),
      accountNumber: account.accountNumber,
      currency: account.currency,
      market,
      side: random.chance(0.5 + (market % 3) * 0.1) ? 'long' : 'short',
      lots: random.pick([0.01, 0.02, 0.05, 0.1, 0.1, 0.2, 0.5, 1, 2.5]),
      openPrice: getPrice(market),
      openedAt: new Date(Date.now() - random.between(0, 3 * 86_400) * SECOND).toISOString(),
      closing: false,
    }
  }
}

/**
 * Simulates a trading platform that opens, moves and closes positions of the demo's clients, so that the console
 * changes.
 */
export function startPlatformSimulator(platform: Platform, tenantId: string): { stop(): void } {
  const ctx = systemCtx(platform, tenantId, 'demo-platform')
  const random = createRandom(Date.now() & 0xffff)
  const prices = createPrices(random)
  const open = createOpening(ctx, random, prices.of)
  // a restarted demo continues the numbers of the reports, since these may not jump
  let sequence = ctx.db.query<{ sequence: number }>(LAST, [SERVER])[0]?.sequence ?? 0
  let holdings: Holding[] = []

  const sync = async (mode: 'snapshot' | 'delta', list: readonly Holding[]) => {
    sequence += 1
    const positions = list.map((holding) => report(holding, prices.of(holding.market)))
    await syncPositions(ctx, { platform: 'terminal5', server: SERVER, sequence, mode, positions })
  }

  const tick = async (): Promise<void> => {
    prices.move()
    for (const holding of holdings) if (random.chance(0.004)) holding.closing = true
    while (holdings.filter(({ closing }) => !closing).length < OPEN) {
      const holding = open()
      if (!holding) break
      holdings.push(holding)
    }
    await sync('delta', moved(random, holdings))
    holdings = holdings.filter(({ closing }) => !closing)
  }

  holdings = Array.from({ length: OPEN }, open).filter((holding) => holding !== null)
  // begins with a snapshot, which closes the positions that an earlier run left open
  let next = sync('snapshot', holdings).catch((error: unknown) =>
    platform.log.warn({ err: error }, 'the simulator could not start'),
  )
  const timer = setInterval(() => {
    next = next.then(tick).catch((error: unknown) => platform.log.warn({ err: error }, 'the simulator missed a tick'))
  }, TICK)
  return { stop: () => clearInterval(timer) }
}

/** Returns what the platform reports: some of the open positions each time, and all that close. */
const moved = (random: Random, holdings: readonly Holding[]): Holding[] =>
  holdings.filter(({ closing }) => closing || random.chance(0.3))

/** Returns a simulated profit as an amount of its currency. */
function roundTo(profit: number, currency: string): string {
  const text = profit.toFixed(2)
  return currency === 'JPY'
    ? profit.toFixed(0).replace('-0', '0')
    : formatAmount(parseAmount(text === '-0.00' ? '0.00' : text, currency), currency)
}
