import {
  addAccount,
  archiveAccount,
  cleanDemo,
  deleteAccount,
  moveGroup,
  restoreAccount,
  reuseLogin,
} from './simulator.accounts.ts'
import { backdateDeal, cancelDeal, dealerAddLoose, deleteDeal, editProfit } from './simulator.dealer.ts'
import { addDeal, getAccount, getGroup, getSymbol, takeOrder } from './simulator.engine.ts'
import { bookMoney } from './simulator.money.ts'
import { mustReadDecimal, PLACES, share, UNIT } from './simulator.numbers.ts'
import type { Account, Deal, Engine, Position, Side } from './simulator.state.ts'
import { closeByOther, closeLots, fillOrder, quote, reopen } from './simulator.trading.ts'

const toSide = (side: 'long' | 'short'): Side => (side === 'long' ? 0 : 1)

type OpenOrder = {
  login: number
  symbol: string
  side: 'long' | 'short'
  lots: string
  /** The price at which the market is then; without it the present one. */
  price?: string
  /** The lots of each fill; together they are `lots`. */
  fills?: readonly string[]
  comment?: string
  reason?: number
}

const readPrice = (price: string | undefined): { price: number } | Record<string, never> =>
  price === undefined ? {} : { price: mustReadDecimal(price, PLACES) }

/** Fills an order and returns its deals. In netting this opens, adds to, reduces or turns the position. */
function open(engine: Engine, order: OpenOrder): Deal[] {
  const account = getAccount(engine, order.login)
  const fills = (order.fills ?? [order.lots]).map((lots) => mustReadDecimal(lots, PLACES))
  if (fills.reduce((sum, lots) => sum + lots, 0) !== mustReadDecimal(order.lots, PLACES))
    throw new Error('the fills are not the lots of the order')
  const number = takeOrder(engine)
  const { symbol, comment = '', reason = 0 } = order
  const parts = { symbol, side: toSide(order.side), comment, reason, order: number, ...readPrice(order.price) }
  return fills.map((lots) => fillOrder(engine, account, { ...parts, lots }))
}

function findPosition(engine: Engine, id: number): { account: Account; position: Position } {
  const position = engine.state.positions.get(id)
  if (position === undefined) throw new Error(`the simulator has no position ${id}`)
  return { account: getAccount(engine, position.login), position }
}

type OfPosition = { position: number; lots: string; price?: string }

/** Adds lots to a position: in hedging by a later fill of its order, in netting by another order. */
function add(engine: Engine, given: OfPosition): Deal {
  const { account, position } = findPosition(engine, given.position)
  const isNetting = getGroup(engine, account.group).marginMode !== 2
  const order = isNetting ? takeOrder(engine) : position.id
  const { symbol, side } = position
  const lots = mustReadDecimal(given.lots, PLACES)
  return fillOrder(engine, account, { symbol, side, lots, order, ...readPrice(given.price) })
}

function partial(engine: Engine, given: OfPosition & { comment?: string }): Deal {
  const { account, position } = findPosition(engine, given.position)
  const lots = mustReadDecimal(given.lots, PLACES)
  return closeLots(engine, account, position, { lots, comment: given.comment ?? '', ...readPrice(given.price) })
}

function close(engine: Engine, given: { position: number; price?: string; reason?: number }): Deal {
  const { account, position } = findPosition(engine, given.position)
  const { reason = 0 } = given
  return closeLots(engine, account, position, { lots: position.lots, reason, ...readPrice(given.price) })
}

function closeBy(engine: Engine, given: { position: number; other: number }): [Deal, Deal] {
  const { account, position } = findPosition(engine, given.position)
  return closeByOther(engine, account, position, findPosition(engine, given.other).position)
}

/** Turns a netting position: as many lots as it has, and these on the other side. */
function reverse(engine: Engine, given: OfPosition): Deal {
  const { account, position } = findPosition(engine, given.position)
  const lots = position.lots + mustReadDecimal(given.lots, PLACES)
  const side = position.side === 0 ? 1 : 0
  const fill = { symbol: position.symbol, side, lots, order: takeOrder(engine) } as const
  return fillOrder(engine, account, { ...fill, ...readPrice(given.price) })
}

/** Charges the nightly swap of every open position, or of one login. */
function swap(engine: Engine, given: { login?: number } = {}): void {
  for (const position of engine.state.positions.values()) {
    if (given.login !== undefined && position.login !== given.login) continue
    const { swapLong, swapShort } = getSymbol(engine, position.symbol)
    position.swap += share(position.side === 0 ? swapLong : swapShort, position.lots, UNIT)
  }
  engine.changes += 1
}

/** Closes a position at the present price and opens it again at that price under a new number. */
function rollover(engine: Engine, given: { position: number }): Position {
  const { account, position } = findPosition(engine, given.position)
  const { bid, ask } = getSymbol(engine, position.symbol)
  const price = position.side === 0 ? bid : ask
  const { lots } = position
  return reopen(engine, account, position, { reason: 6, lots, price })
}

/** Splits a symbol: of each position the lots are multiplied, and its price divided. */
function split(engine: Engine, given: { symbol: string; ratio: number }): Position[] {
  const symbol = getSymbol(engine, given.symbol)
  const affected = [...engine.state.positions.values()].filter(({ symbol: name }) => name === symbol.name)
  const { bid } = symbol
  const reopened = affected.map((position) =>
    reopen(engine, getAccount(engine, position.login), position, {
      reason: 18,
      lots: position.lots * given.ratio,
      price: Math.round(position.priceOpen / given.ratio),
    }),
  )
  quote(symbol, 1, Math.round(bid / given.ratio))
  return reopened
}

/** Closes all positions of a login for lack of margin, and makes good what its balance is below zero. */
function stopOut(engine: Engine, given: { login: number }): Deal[] {
  const account = getAccount(engine, given.login)
  const deals = [...account.positions.values()].map((position) =>
    closeLots(engine, account, position, { lots: position.lots, reason: 5, comment: 'so 0.00%' }),
  )
  if (account.balance < 0)
    deals.push(addDeal(engine, account, { action: 19, profit: -account.balance, comment: 'so comp' }))
  return deals
}

type Booked = { login: number; amount: string; comment?: string }

/** Books a deposit, or with a negative amount a withdrawal, by the hand of a dealer. */
const manualDeposit = (engine: Engine, { login, amount, comment = '' }: Booked): Deal =>
  bookMoney(engine, { login, amount, comment, type: 2, checkMargin: false })

const credit = (engine: Engine, { login, amount, comment = '' }: Booked): Deal =>
  bookMoney(engine, { login, amount, comment, type: 3, checkMargin: true })

/** Books any other kind of deal, such as a commission of the day (8) or an interest (12). */
function otherDeal(engine: Engine, given: Booked & { action: number }): Deal {
  const account = getAccount(engine, given.login)
  const profit = mustReadDecimal(given.amount, getGroup(engine, account.group).digits)
  return addDeal(engine, account, { action: given.action, profit, comment: given.comment ?? '' })
}

/** Moves the price of a symbol. */
function price(engine: Engine, given: { symbol: string; bid: string }): void {
  quote(getSymbol(engine, given.symbol), 1, mustReadDecimal(given.bid, PLACES))
  engine.changes += 1
}

/** Leaves a pending order. */
function place(
  engine: Engine,
  given: { login: number; symbol: string; type: number; lots: string; price: string },
): number {
  const account = getAccount(engine, given.login)
  const id = takeOrder(engine)
  const [lots, at] = [mustReadDecimal(given.lots, PLACES), engine.now()]
  const { login, symbol, type } = given
  account.orders.push({ id, login, symbol, type, lots, price: mustReadDecimal(given.price, PLACES), at, comment: '' })
  engine.changes += 1
  return id
}

/** Starts the server anew: it knows the state of an account only after its next trade, or while it has positions. */
const restart = (engine: Engine): void => engine.state.touched.clear()

/** Hides a deal until some time has passed. */
function hide(engine: Engine, given: { deal: number; forMs: number }): void {
  engine.state.unseen.set(given.deal, engine.now() + given.forMs)
  engine.changes += 1
}

/** All that traders, dealers and the server itself do, by name. Amounts, lots and prices are decimal texts. */
export const ACTS = {
  open,
  add,
  partial,
  close,
  closeBy,
  reverse,
  swap,
  rollover,
  split,
  stopOut,
  manualDeposit,
  credit,
  otherDeal,
  price,
  place,
  restart,
  hide,
  cancelDeal,
  deleteDeal,
  backdateDeal,
  editProfit,
  dealerAddLoose,
  addAccount,
  moveGroup,
  archive: archiveAccount,
  restoreUser: restoreAccount,
  deleteUser: deleteAccount,
  reuseLogin,
  cleanDemo,
}
