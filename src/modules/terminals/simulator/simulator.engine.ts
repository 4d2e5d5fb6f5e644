import type { ClockPeriod } from '../contract/terminal.ts'
import { makeGroups, makeManagers, makeRates, makeSymbols } from './simulator.defaults.ts'
import { makeRandom } from './simulator.random.ts'
import type { Account, Deal, Engine, Group, Manager, State, SymbolInfo } from './simulator.state.ts'

export type EngineOptions = {
  now: () => number
  seed?: number
  /** The periods of its clock; without them it is two hours ahead of UTC. */
  clock?: ClockPeriod[]
  groups?: readonly Group[]
  symbols?: readonly SymbolInfo[]
  managers?: readonly Manager[]
  logins?: { from: number; to: number }
  build?: number
}

const byName = <T extends { name: string }>(list: readonly T[]): Map<string, T> =>
  new Map(list.map((item) => [item.name, item]))

function makeState(options: EngineOptions): State {
  const { from, to } = options.logins ?? { from: 500_001, to: 9_999_999 }
  return {
    build: options.build ?? 4885,
    skew: 0,
    clock: options.clock ?? [{ from: 0, minutes: 120 }],
    nextDeal: 9_000_001,
    nextOrder: 8_000_001,
    logins: { from, to, next: from },
    groups: byName(options.groups ?? makeGroups()),
    symbols: byName(options.symbols ?? makeSymbols()),
    managers: new Map((options.managers ?? makeManagers()).map((manager) => [manager.login, manager])),
    rates: new Map(makeRates()),
    accounts: new Map(),
    archive: new Map(),
    positions: new Map(),
    deals: new Map(),
    unseen: new Map(),
    touched: new Set(),
  }
}

/** Makes a server without accounts, or one that continues a saved state. */
export function createEngine(options: EngineOptions, saved?: { state: State; seed: number }): Engine {
  const state = saved?.state ?? makeState(options)
  const random = makeRandom(saved?.seed ?? options.seed ?? 1)
  return { state, random, now: () => options.now() + state.skew, changes: 0 }
}

const found = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw new Error(`the simulator has no ${what}`)
  return value
}

/** Returns an account that is not in the archive; throws if there is none. */
export const getAccount = (engine: Engine, login: number): Account =>
  found(engine.state.accounts.get(login), `login ${login}`)
export const getGroup = (engine: Engine, name: string): Group => found(engine.state.groups.get(name), `group ${name}`)
export const getSymbol = (engine: Engine, name: string): SymbolInfo =>
  found(engine.state.symbols.get(name), `symbol ${name}`)
export const getDeal = (engine: Engine, id: number): Deal => found(engine.state.deals.get(id), `deal ${id}`)

/** The actions whose amount moves the credit and not the balance: credit, bonus, compensation of credit. */
const CREDIT_ACTIONS = new Set([3, 6, 20])

export const isCredit = (action: number): boolean => CREDIT_ACTIONS.has(action)

/** Returns by how much a deal moves the balance, or the credit. */
export const effect = ({ action, profit, swap, commission, fee }: Deal): number =>
  action <= 1 ? profit + swap + commission + fee : profit

/** Books an amount into the balance or the credit of an account. */
export function book(account: Account, action: number, amount: number): void {
  if (isCredit(action)) account.credit += amount
  else account.balance += amount
}

type NewDeal = Partial<Omit<Deal, 'id' | 'login'>> & { action: number }

/** Adds a deal without booking its amounts. */
export function noteDeal(engine: Engine, account: Account, given: NewDeal): Deal {
  const { state } = engine
  const deal: Deal = {
    id: state.nextDeal,
    login: account.login,
    order: given.order ?? 0,
    position: given.position ?? 0,
    at: given.at ?? engine.now(),
    action: given.action,
    entry: given.entry ?? 0,
    symbol: given.symbol ?? '',
    lots: given.lots ?? 0,
    lotsClosed: given.lotsClosed ?? 0,
    price: given.price ?? 0,
    pricePosition: given.pricePosition ?? 0,
    profit: given.profit ?? 0,
    swap: given.swap ?? 0,
    commission: given.commission ?? 0,
    fee: given.fee ?? 0,
    reason: given.reason ?? 0,
    comment: given.comment ?? '',
    flags: given.flags ?? 0,
    dealer: given.dealer ?? 0,
    bid: given.bid ?? 0,
    ask: given.ask ?? 0,
  }
  state.nextDeal += 1
  state.deals.set(deal.id, deal)
  account.deals.push(deal)
  state.touched.add(account.login)
  engine.changes += 1
  return deal
}

/** Adds a deal and books its amounts. */
export function addDeal(engine: Engine, account: Account, given: NewDeal): Deal {
  const deal = noteDeal(engine, account, given)
  book(account, deal.action, effect(deal))
  return deal
}

/** Returns the number of the next order. */
export function takeOrder(engine: Engine): number {
  const id = engine.state.nextOrder
  engine.state.nextOrder += 1
  return id
}
