import { addAccount } from './simulator.accounts.ts'
import { addDeal, getGroup, takeOrder } from './simulator.engine.ts'
import { share, UNIT } from './simulator.numbers.ts'
import type { Account, Engine, Position, SymbolInfo } from './simulator.state.ts'
import { closeByOther, closeLots, fillOrder } from './simulator.trading.ts'

const STEP_LOTS = UNIT / 100

/** Moves the price of a symbol by a few of its smallest steps. */
function movePrice(engine: Engine, symbol: SymbolInfo): void {
  const by = (engine.random.below(21) - 10) * 10 ** (8 - symbol.digits)
  if (symbol.bid + by <= 0) return
  symbol.bid += by
  symbol.ask += by
}

const chooseLots = (engine: Engine): number => (1 + engine.random.below(50)) * STEP_LOTS

function openSome(engine: Engine, account: Account): void {
  const { random, state } = engine
  const symbol = random.pick([...state.symbols.values()])
  const order = takeOrder(engine)
  const side = random.below(2) === 0 ? 0 : 1
  const fills = random.below(5) === 0 ? 3 : 1
  for (let fill = 0; fill < fills; fill += 1)
    fillOrder(engine, account, { symbol: symbol.name, side, lots: chooseLots(engine), order, comment: 'web' })
}

function closeSome(engine: Engine, account: Account, position: Position): void {
  const steps = Math.floor(position.lots / STEP_LOTS)
  const isPart = steps > 1 && engine.random.below(3) === 0
  const lots = isPart ? (1 + engine.random.below(steps - 1)) * STEP_LOTS : position.lots
  closeLots(engine, account, position, { lots })
}

/** Closes two positions by one another, if the account has such. */
function closePair(engine: Engine, account: Account): boolean {
  if (getGroup(engine, account.group).marginMode !== 2) return false
  const list = [...account.positions.values()]
  for (const main of list) {
    const other = list.find(({ symbol, side }) => symbol === main.symbol && side !== main.side)
    if (other === undefined) continue
    closeByOther(engine, account, main, other)
    return true
  }
  return false
}

function reverseSome(engine: Engine, account: Account, position: Position): void {
  if (getGroup(engine, account.group).marginMode === 2) {
    closeSome(engine, account, position)
    return
  }
  const lots = position.lots + chooseLots(engine)
  const side = position.side === 0 ? 1 : 0
  fillOrder(engine, account, { symbol: position.symbol, side, lots, order: takeOrder(engine) })
}

function chargeNight(engine: Engine, account: Account): void {
  for (const position of account.positions.values()) {
    const symbol = engine.state.symbols.get(position.symbol)
    if (symbol === undefined) continue
    position.swap += share(position.side === 0 ? symbol.swapLong : symbol.swapShort, position.lots, UNIT)
  }
  engine.changes += 1
}

/** What one account does in a step. Accounts with many positions rather close some. */
function actSomehow(engine: Engine, account: Account): void {
  const { random } = engine
  const position = [...account.positions.values()][random.below(Math.max(1, account.positions.size))]
  const act = random.below(97)
  if (position === undefined || (act < 45 && account.positions.size < 12)) openSome(engine, account)
  else if (act < 75) closeSome(engine, account, position)
  else if (act < 83) reverseSome(engine, account, position)
  else if (act < 91) {
    if (!closePair(engine, account)) closeSome(engine, account, position)
  } else chargeNight(engine, account)
}

/**
 * A dealer books by hand at these steps only: each such booking is a finding that a person of the demo’s firm has to
 * explain, and one of them is to be there soon.
 */
const FIRST_BOOKING = 30
const BOOKING_EVERY = 1000

/** Books an amount by hand; returns false if there is none, or the account has too little. */
function bookSome(engine: Engine, account: Account): boolean {
  const amount = (engine.random.below(2000) - 500) * 10 ** getGroup(engine, account.group).digits
  if (amount === 0 || account.balance + amount < 0) return false
  addDeal(engine, account, { action: 2, profit: amount, comment: 'desk', reason: 2 })
  return true
}

/** Returns a function that does one random thing at each call: a price moves, and an account trades. */
export function makeTrader(engine: Engine): () => void {
  let logins: number[] = []
  let untilBooking = FIRST_BOOKING
  return () => {
    const { accounts, symbols } = engine.state
    if (logins.length !== accounts.size) logins = [...accounts.keys()]
    movePrice(engine, engine.random.pick([...symbols.values()]))
    if (logins.length === 0) return
    const account = accounts.get(engine.random.pick(logins))
    untilBooking -= 1
    if (account === undefined || account.group.startsWith('manager')) logins = []
    else if (untilBooking <= 0 && account.group.startsWith('real') && bookSome(engine, account))
      untilBooking = BOOKING_EVERY
    else actSomehow(engine, account)
  }
}

const FIRST = ['Ada', 'Ben', 'Cleo', 'Dario', 'Edda', 'Finn', 'Greta', 'Hugo', 'Ines', 'Jona', 'Kaya', 'Luca']
const LAST = ['Abel', 'Berg', 'Castro', 'Dahl', 'Evers', 'Falk', 'Gruber', 'Holm', 'Ibsen', 'Jansen', 'Klee', 'Lund']
const COUNTRIES = ['Germany', 'Austria', 'Spain', 'Cyprus', 'Italy']

function seedAccount(engine: Engine, groups: readonly string[], number: number): Account {
  const { random } = engine
  const [first, last] = [random.pick(FIRST), random.pick(LAST)]
  return addAccount(engine, {
    group: groups[number % groups.length] ?? '',
    name: `${first} ${last}`,
    leverage: random.pick([30, 100, 200]),
    email: `${first}.${last}.${number}@example.com`.toLowerCase(),
    phone: `+49000${String(number).padStart(7, '0')}`,
    country: random.pick(COUNTRIES),
    main: 'Main-pass1',
    investor: 'Invest-pass1',
  })
}

const YEAR = 365 * 86_400_000

export type Wanted = { accounts: number; positions: number; deals: number }

/** Opens a position where the account has none of its symbol, so that there is one more. */
function openOneMore(engine: Engine, accounts: readonly Account[], symbols: readonly string[]): void {
  const { random } = engine
  let account = random.pick(accounts)
  let symbol = random.pick(symbols)
  if (getGroup(engine, account.group).marginMode !== 2) {
    const taken = new Set([...account.positions.values()].map((position) => position.symbol))
    if (taken.has(symbol)) symbol = symbols.find((name) => !taken.has(name)) ?? ''
    // the first account is one of hedging, which may have any number of positions
    if (symbol === '') [account, symbol] = [accounts[0] ?? account, symbols[0] ?? '']
  }
  const side = random.below(2) === 0 ? 0 : 1
  fillOrder(engine, account, { symbol, side, lots: chooseLots(engine), order: takeOrder(engine) })
}

/** Fills an empty server with accounts, a past of one year, and open positions, as many of each as is asked for. */
export function seed(engine: Engine, wanted: Wanted): void {
  const { random, state } = engine
  const names = [...state.groups.keys()].filter((name) => name.startsWith('real'))
  const end = engine.now()
  let at = end - YEAR
  // the moments of the past are even, so that numbers of deals grow with them
  const pace = YEAR / (wanted.accounts + wanted.deals + wanted.positions + 1)
  const past: Engine = { state, random, now: () => Math.floor(at), changes: 0 }
  const accounts: Account[] = []
  for (let number = 0; number < wanted.accounts; number += 1, at += pace)
    accounts.push(seedAccount(past, names, number))
  if (accounts.length === 0) return
  const deposit = (account: Account): void => {
    const profit = (100 + random.below(20_000)) * 10 ** getGroup(engine, account.group).digits
    addDeal(past, account, { action: 2, profit, comment: 'first deposit', reason: 2 })
  }
  const countMissing = (): number => wanted.deals - state.deals.size - (wanted.positions - state.positions.size)
  for (const account of accounts) if (countMissing() > 0) deposit(account)
  const symbols = [...state.symbols.values()]
  const named = symbols.map(({ name }) => name)
  const open: Position[] = []
  const most = Math.max(1, Math.min(wanted.positions, 2000))
  for (; countMissing() > 1; at += pace) {
    movePrice(past, random.pick(symbols))
    if (state.positions.size < most) {
      openOneMore(past, accounts, named)
      const newest = state.positions.get(state.nextOrder - 1)
      if (newest !== undefined) open.push(newest)
      continue
    }
    const chosen = random.below(open.length)
    const position = open[chosen]
    const last = open.pop()
    if (position === undefined || last === undefined) break
    if (last !== position) open[chosen] = last
    const account = state.accounts.get(position.login)
    if (account !== undefined) closeLots(past, account, position, { lots: position.lots })
  }
  if (countMissing() === 1) deposit(random.pick(accounts))
  for (; state.positions.size < wanted.positions; at += pace) openOneMore(past, accounts, named)
  engine.changes += 1
}
