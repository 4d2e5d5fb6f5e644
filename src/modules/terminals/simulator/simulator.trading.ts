import { addDeal, getGroup, getSymbol, takeOrder } from './simulator.engine.ts'
import { countProfit, findPrice } from './simulator.money.ts'
import { averagePrice, share, UNIT } from './simulator.numbers.ts'
import type { Account, Deal, Engine, Group, Position, Side, SymbolInfo } from './simulator.state.ts'

const flip = (side: Side): Side => (side === 0 ? 1 : 0)

/** One order that is filled: by a price of its own, or by the market. */
type Fill = {
  symbol: string
  side: Side
  lots: number
  price?: number
  /** The market does not move to its price. */
  isStill?: boolean
  reason?: number
  comment?: string
  order: number
}

/** Moves the market of a symbol so that a buy, or a sell, has this price. */
export function quote(symbol: SymbolInfo, side: Side, price: number): void {
  const spread = symbol.ask - symbol.bid
  symbol.bid = side === 0 ? price - spread : price
  symbol.ask = symbol.bid + spread
}

function findFillPrice(engine: Engine, fill: Fill): number {
  const symbol = getSymbol(engine, fill.symbol)
  if (fill.price !== undefined) {
    if (fill.isStill) return fill.price
    quote(symbol, fill.side, fill.price)
  }
  return fill.side === 0 ? symbol.ask : symbol.bid
}

const countCommission = (group: Group, lots: number): number => -share(group.commission, lots, UNIT) + 0

const isTechnical = (reason: number | undefined): boolean => reason === 6 || reason === 18

const describe = (engine: Engine, fill: Fill, price: number) => {
  const { bid, ask } = getSymbol(engine, fill.symbol)
  return {
    order: fill.order,
    symbol: fill.symbol,
    action: fill.side,
    lots: fill.lots,
    price,
    reason: fill.reason ?? 0,
    comment: fill.comment ?? '',
    bid,
    ask,
  }
}

/** Removes a position that has no lots any more. */
export function removePosition(engine: Engine, account: Account, position: Position): void {
  account.positions.delete(position.id)
  engine.state.positions.delete(position.id)
  engine.changes += 1
}

/** Adds a position to the books. */
export function keepPosition(engine: Engine, account: Account, position: Position): void {
  account.positions.set(position.id, position)
  engine.state.positions.set(position.id, position)
  engine.changes += 1
}

/** Opens a position by a fill, under the number of its order. */
function openNew(engine: Engine, account: Account, fill: Fill): Deal {
  const price = findFillPrice(engine, fill)
  const at = engine.now()
  const { order: id, symbol, side, lots, reason = 0, comment = '' } = fill
  const position: Position = {
    id,
    ticket: id,
    login: account.login,
    symbol,
    side,
    lots,
    priceOpen: price,
    swap: 0,
    at,
    updated: at,
    reason,
    comment,
    flags: 0,
  }
  keepPosition(engine, account, position)
  const commission = isTechnical(reason) ? 0 : countCommission(getGroup(engine, account.group), lots)
  return addDeal(engine, account, { ...describe(engine, fill, price), entry: 0, position: id, commission })
}

/** Adds a fill to a position of the same side. */
function addTo(engine: Engine, account: Account, position: Position, fill: Fill): Deal {
  const price = findFillPrice(engine, fill)
  position.priceOpen = averagePrice({ price: position.priceOpen, lots: position.lots }, { price, lots: fill.lots })
  position.lots += fill.lots
  position.updated = engine.now()
  const commission = countCommission(getGroup(engine, account.group), fill.lots)
  return addDeal(engine, account, { ...describe(engine, fill, price), entry: 0, position: position.id, commission })
}

/** Takes the part of a position’s swap that belongs to these of its lots. */
function takeSwap(position: Position, lots: number): number {
  const swap = share(position.swap, lots, position.lots)
  position.swap -= swap
  return swap
}

/** Reduces or closes a position by a fill of the other side. */
function reduce(engine: Engine, account: Account, position: Position, fill: Fill): Deal {
  const group = getGroup(engine, account.group)
  const price = findFillPrice(engine, fill)
  const { lots } = fill
  const profit = countProfit(engine, group, {
    symbol: position.symbol,
    side: position.side,
    lots,
    from: position.priceOpen,
    to: price,
  })
  const swap = takeSwap(position, lots)
  position.lots -= lots
  position.updated = engine.now()
  if (position.lots === 0) removePosition(engine, account, position)
  return addDeal(engine, account, {
    ...describe(engine, fill, price),
    entry: 1,
    position: position.id,
    lotsClosed: lots,
    pricePosition: position.priceOpen,
    profit,
    swap,
    commission: isTechnical(fill.reason) ? 0 : countCommission(group, lots),
  })
}

/** Turns a position of netting: closes all its lots and opens the rest on the other side. */
function turn(engine: Engine, account: Account, position: Position, fill: Fill): Deal {
  const group = getGroup(engine, account.group)
  const price = findFillPrice(engine, fill)
  const { lots: closed, priceOpen: from, side, symbol, swap } = position
  const profit = countProfit(engine, group, { symbol, side, lots: closed, from, to: price })
  const at = engine.now()
  Object.assign(position, {
    side: flip(side),
    lots: fill.lots - closed,
    priceOpen: price,
    swap: 0,
    ticket: fill.order,
    at,
    updated: at,
  } satisfies Partial<Position>)
  return addDeal(engine, account, {
    ...describe(engine, fill, price),
    entry: 2,
    position: position.id,
    lotsClosed: closed,
    pricePosition: from,
    profit,
    swap,
    commission: countCommission(group, fill.lots),
  })
}

const isNetting = (engine: Engine, account: Account): boolean => getGroup(engine, account.group).marginMode !== 2

const findBySymbol = (account: Account, symbol: string): Position | undefined => {
  for (const position of account.positions.values()) if (position.symbol === symbol) return position
  return undefined
}

/** Fills an order: netting adds to, reduces or turns the position of the symbol, hedging opens one for each order. */
export function fillOrder(engine: Engine, account: Account, fill: Fill): Deal {
  if (fill.lots <= 0) throw new Error('an order has no lots')
  const position = isNetting(engine, account) ? findBySymbol(account, fill.symbol) : account.positions.get(fill.order)
  if (position === undefined) return openNew(engine, account, fill)
  if (position.side === fill.side) return addTo(engine, account, position, fill)
  if (fill.lots <= position.lots) return reduce(engine, account, position, fill)
  return turn(engine, account, position, fill)
}

/** Closes lots of a position by an order of its own. */
export function closeLots(
  engine: Engine,
  account: Account,
  position: Position,
  given: { lots: number; price?: number; isStill?: boolean; reason?: number; comment?: string },
): Deal {
  if (given.lots <= 0 || given.lots > position.lots) throw new Error('a position has fewer lots than are to be closed')
  const order = takeOrder(engine)
  return reduce(engine, account, position, { ...given, symbol: position.symbol, side: flip(position.side), order })
}

/** Closes two positions of opposite sides by one another. Profit and commission of both are in the first deal. */
export function closeByOther(engine: Engine, account: Account, main: Position, other: Position): [Deal, Deal] {
  if (isNetting(engine, account)) throw new Error('a netting account has no positions that close one another')
  if (main.symbol !== other.symbol || main.side === other.side) throw new Error('the positions are not opposite')
  const group = getGroup(engine, account.group)
  const lots = Math.min(main.lots, other.lots)
  const order = takeOrder(engine)
  const profit = countProfit(engine, group, {
    symbol: main.symbol,
    side: main.side,
    lots,
    from: main.priceOpen,
    to: other.priceOpen,
  })
  const close = (position: Position, price: number, money: { profit: number; commission: number }): Deal => {
    const swap = takeSwap(position, lots)
    position.lots -= lots
    position.updated = engine.now()
    if (position.lots === 0) removePosition(engine, account, position)
    const fill: Fill = { symbol: position.symbol, side: flip(position.side), lots, order, comment: 'close by' }
    const parts = { ...describe(engine, fill, price), entry: 3, position: position.id, swap }
    return addDeal(engine, account, { ...parts, ...money, pricePosition: position.priceOpen })
  }
  return [
    close(main, other.priceOpen, { profit, commission: countCommission(group, 2 * lots) }),
    close(other, main.priceOpen, { profit: 0, commission: 0 }),
  ]
}

/** Closes a position and opens it again under a new number, as rollovers and splits do. */
export function reopen(
  engine: Engine,
  account: Account,
  position: Position,
  given: { reason: 6 | 18; lots: number; price: number },
): Position {
  const { symbol, side, lots, priceOpen } = position
  const at = given.reason === 18 ? priceOpen : findPrice(engine, position)
  closeLots(engine, account, position, { lots, price: at, isStill: true, reason: given.reason })
  const order = takeOrder(engine)
  openNew(engine, account, { ...given, symbol, side, isStill: true, order })
  const opened = account.positions.get(order)
  if (opened === undefined) throw new Error('a position was not opened again')
  return opened
}
