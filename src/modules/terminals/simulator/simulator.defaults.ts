import { mustReadDecimal, PLACES } from './simulator.numbers.ts'
import type { Group, Manager, SymbolInfo } from './simulator.state.ts'

const group = (name: string, currency: string, digits: number, marginMode: 0 | 2): Group => ({
  name,
  server: 1,
  currency,
  digits,
  marginMode,
  passwordLength: 8,
  commission: 2 * 10 ** digits,
})

/** Returns the groups of a new server. */
export const makeGroups = (): Group[] => [
  group('real\\hedging-usd', 'USD', 2, 2),
  group('real\\netting-usd', 'USD', 2, 0),
  group('real\\hedging-eur', 'EUR', 2, 2),
  group('real\\netting-jpy', 'JPY', 0, 0),
  group('real\\hedging-btc', 'BTC', 8, 2),
  group('demo\\forex', 'USD', 2, 2),
  group('managers\\api', 'USD', 2, 2),
]

const MARKETS: readonly (readonly [name: string, digits: number, contract: number, pair: string, bid: string])[] = [
  ['EURUSD', 5, 100_000, 'EUR/USD', '1.08420'],
  ['EURUSD.m!', 5, 100_000, 'EUR/USD', '1.08421'],
  ['GBPUSD', 5, 100_000, 'GBP/USD', '1.26310'],
  ['USDJPY', 3, 100_000, 'USD/JPY', '149.120'],
  ['EURGBP', 5, 100_000, 'EUR/GBP', '0.85790'],
  ['XAUUSD', 2, 100, 'USD/USD', '2040.15'],
  ['WTI.f', 2, 1000, 'USD/USD', '71.32'],
  ['BTCUSD', 2, 1, 'BTC/USD', '61250.00'],
]

/** Returns the markets of a new server. The spread of each is twelve of its smallest steps. */
export const makeSymbols = (): SymbolInfo[] =>
  MARKETS.map(([name, digits, contract, pair, first]) => {
    const [base = 'USD', profit = 'USD'] = pair.split('/')
    const bid = mustReadDecimal(first, PLACES)
    return {
      name,
      digits,
      contract,
      base,
      profit,
      bid,
      ask: bid + 12 * 10 ** (PLACES - digits),
      swapLong: -650,
      swapShort: 210,
    }
  })

/** Returns what a unit of each currency is worth in US dollars. */
export const makeRates = (): [string, number][] =>
  [
    ['USD', '1'],
    ['EUR', '1.0842'],
    ['GBP', '1.2631'],
    ['JPY', '0.00670601'],
    ['BTC', '61250'],
  ].map(([currency = '', worth = '']) => [currency, mustReadDecimal(worth, PLACES)])

/** The rights that are of use: to connect, read logins, their people and trades, book money and change logins. */
const USEFUL_RIGHTS: readonly number[] = [1, 24, 25, 26, 27, 29, 70, 76, 77, 78, 79, 80, 81]

export const MANAGER_LOGIN = 1001
export const MANAGER_PASSWORD = 'Simul8-Desk!'

/** Returns the one manager of a new server. */
export const makeManagers = (): Manager[] => [
  {
    login: MANAGER_LOGIN,
    password: MANAGER_PASSWORD,
    rights: [...USEFUL_RIGHTS],
    masks: ['*'],
    refusal: null,
    addresses: [{ from: '127.0.0.1', to: '127.0.0.1' }],
  },
]
