import type { ClockPeriod } from '../contract/terminal.ts'
import type { Random } from './simulator.random.ts'

// Money is a whole number of minor units, lots, prices and rates are whole numbers of 1e-8, moments are UTC.

export type Side = 0 | 1

export type Group = {
  name: string
  server: number
  currency: string
  digits: number
  /** 0 and 1 are netting, 2 is hedging. */
  marginMode: 0 | 1 | 2
  passwordLength: number
  /** Minor units for each lot, at opening and at closing. */
  commission: number
}

export type SymbolInfo = {
  name: string
  digits: number
  contract: number
  base: string
  /** The currency of its profit. */
  profit: string
  bid: number
  ask: number
  /** Minor units for each lot and night. */
  swapLong: number
  swapShort: number
}

export type Manager = {
  login: number
  password: string
  /** The numbers of the rights that it has. */
  rights: number[]
  masks: string[]
  /** The code with which a sign-in is refused, such as 1002; null if it is taken. */
  refusal: number | null
  /** CIDRs or addresses are only shown; who may sign in is decided by `refusal`. */
  addresses: { from: string; to: string }[]
}

export type Position = {
  /** The number of the order that opened it, which stays. */
  id: number
  /** What the client sees; a netting reversal changes it. */
  ticket: number
  login: number
  symbol: string
  side: Side
  lots: number
  priceOpen: number
  swap: number
  at: number
  updated: number
  reason: number
  comment: string
  flags: number
}

export type Order = {
  id: number
  login: number
  symbol: string
  /** 2 and 3 are limits, 4 and 5 stops. */
  type: number
  lots: number
  price: number
  at: number
  comment: string
}

export type Deal = {
  id: number
  login: number
  order: number
  position: number
  at: number
  action: number
  entry: number
  symbol: string
  lots: number
  lotsClosed: number
  price: number
  pricePosition: number
  profit: number
  swap: number
  commission: number
  fee: number
  reason: number
  comment: string
  flags: number
  dealer: number
  bid: number
  ask: number
}

export type Account = {
  login: number
  group: string
  rights: number
  leverage: number
  registered: number
  name: string
  email: string
  phone: string
  country: string
  comment: string
  /** Other texts of the platform, such as `City`, by their names there. */
  texts: Record<string, string>
  main: string
  investor: string
  balance: number
  credit: number
  /** The sum of the effects of deals that somebody added or edited without booking them. */
  notBooked: number
  positions: Map<number, Position>
  deals: Deal[]
  orders: Order[]
}

export type State = {
  build: number
  /** How far the clock of the server is wrong. */
  skew: number
  clock: ClockPeriod[]
  nextDeal: number
  nextOrder: number
  /** The logins that it gives by itself. */
  logins: { from: number; to: number; next: number }
  groups: Map<string, Group>
  symbols: Map<string, SymbolInfo>
  managers: Map<number, Manager>
  /** What one unit of a currency is worth in US dollars. */
  rates: Map<string, number>
  accounts: Map<number, Account>
  archive: Map<number, Account>
  positions: Map<number, Position>
  deals: Map<number, Deal>
  /** Until when a deal is not shown yet. */
  unseen: Map<number, number>
  /** The logins that traded since the server was started. */
  touched: Set<number>
}

/** The state of a server with its clock and its random numbers. */
export type Engine = {
  readonly state: State
  readonly random: Random
  /** The moment by the clock of the server, in UTC. */
  now(): number
  /** Grows with every change, so that only what changed is saved. */
  changes: number
}

/** What the platform refuses, with the number that it says. */
export class Refusal extends Error {
  override name = 'Refusal'
  constructor(readonly code: number) {
    super(`refused with ${code}`)
  }
}
