import {
  type Call,
  countReply,
  cutPage,
  isAmong,
  isShown,
  isVisible,
  listAccounts,
  needAccount,
  needInteger,
  needRight,
  needText,
  type Reply,
  type Rows,
  readAsked,
  readInteger,
  readList,
  readNumbers,
  readText,
  readWindow,
} from './simulator.calls.ts'
import { getSymbol } from './simulator.engine.ts'
import { shapeDeal, shapeOrder, shapePosition } from './simulator.shapes.ts'
import { type Account, type Deal, type Order, type Position, Refusal } from './simulator.state.ts'

const TRADES = 29

function* map<T>(list: Iterable<T | null>, shape: (item: T) => ReturnType<typeof shapeDeal>): Rows {
  for (const item of list) yield item === null ? null : shape(item)
}

/** Refuses a batch that does not have exactly one of login, group and ticket, before its first row is written. */
function needOneKey(call: Call, isTimed: boolean): void {
  const given = ['login', 'group', 'ticket'].filter((name) => readList(call, name) !== null)
  if (given.length !== 1) throw new Refusal(3)
  if (readNumbers(call, 'ticket') !== null) return
  readAsked(call)
  if (isTimed) readWindow(call)
}

const findOwner = (call: Call, login: number): Account | undefined => {
  const account = call.engine.state.accounts.get(login)
  return account !== undefined && isVisible(call, account) ? account : undefined
}

function* pickDeals(call: Call): Iterable<Deal | null> {
  const { state } = call.engine
  const tickets = readNumbers(call, 'ticket')
  if (tickets !== null) {
    for (const ticket of tickets) {
      const deal = state.deals.get(ticket)
      if (deal !== undefined && findOwner(call, deal.login) && isShown(call.engine, deal)) yield deal
    }
    return
  }
  const isInside = readWindow(call)
  const symbols = readList(call, 'symbol')
  const isWanted = (deal: Deal): boolean =>
    isInside(deal.at) && (symbols === null || isAmong(deal.symbol, symbols)) && isShown(call.engine, deal)
  let looked = 0
  for (const account of listAccounts(call, readAsked(call))) {
    if (account === null) {
      yield null
      continue
    }
    for (const deal of account.deals) {
      looked += 1
      if (looked % 20_000 === 0) yield null
      if (isWanted(deal)) yield deal
    }
  }
}

const listDeals = (call: Call): Deal[] => {
  const isInside = readWindow(call)
  return needAccount(call).deals.filter((deal) => isInside(deal.at) && isShown(call.engine, deal))
}

const shapeOne = (call: Call) => (deal: Deal) => shapeDeal(call.engine, deal, call.conditions)

function getOneDeal(call: Call): Reply {
  const deal = call.engine.state.deals.get(needInteger(call, 'ticket'))
  if (deal === undefined || !findOwner(call, deal.login) || !isShown(call.engine, deal)) throw new Refusal(13)
  return { retcode: 0, answer: shapeOne(call)(deal) }
}

function batchDeals(call: Call): Reply {
  needOneKey(call, true)
  return { retcode: 0, rows: map(pickDeals(call), shapeOne(call)) }
}

function* pickPositions(call: Call): Iterable<Position | null> {
  const tickets = readNumbers(call, 'ticket')
  if (tickets !== null) {
    const wanted = new Set(tickets)
    for (const position of call.engine.state.positions.values())
      if (wanted.has(position.ticket) && findOwner(call, position.login)) yield position
    return
  }
  const symbols = readList(call, 'symbol')
  for (const account of listAccounts(call, readAsked(call))) {
    if (account === null) {
      yield null
      continue
    }
    for (const position of account.positions.values())
      if (symbols === null || isAmong(position.symbol, symbols)) yield position
  }
}

const shapeOpen = (call: Call) => (position: Position) => shapePosition(call.engine, position, call.conditions)

function getPosition(call: Call): Reply {
  const account = needAccount(call)
  const symbol = readText(call, 'symbol')
  const ticket = readInteger(call, 'ticket')
  const found = [...account.positions.values()].find(
    (position) => (symbol !== null && position.symbol === symbol) || (ticket !== null && position.ticket === ticket),
  )
  if (found === undefined) throw new Refusal(13)
  return { retcode: 0, answer: shapeOpen(call)(found) }
}

function batchPositions(call: Call): Reply {
  needOneKey(call, false)
  return { retcode: 0, rows: map(pickPositions(call), shapeOpen(call)) }
}

/** An order with the deals that filled it; a pending one has none. */
type Filled = { order: Order; deals: Deal[] }

/** Returns the filled orders of an account. They are not kept, since their deals tell all of them. */
function listHistory(call: Call, account: Account): Filled[] {
  const byOrder = new Map<number, Deal[]>()
  for (const deal of account.deals) {
    if (deal.order === 0 || !isShown(call.engine, deal)) continue
    const list = byOrder.get(deal.order)
    if (list === undefined) byOrder.set(deal.order, [deal])
    else list.push(deal)
  }
  return [...byOrder].flatMap(([id, deals]) => {
    const [first] = deals
    if (first === undefined) return []
    const { login, symbol, at, comment, price, action, entry } = first
    const lots = entry === 3 ? first.lots : deals.reduce((sum, deal) => sum + deal.lots, 0)
    const type = entry === 3 ? 8 : action % 13
    return [{ order: { id, login, symbol, type, lots, price, at, comment }, deals }]
  })
}

const listPending = (account: Account): Filled[] => account.orders.map((order) => ({ order, deals: [] }))

const shapeFilled =
  (call: Call) =>
  ({ order, deals }: Filled) =>
    shapeOrder(call.engine, order, deals, call.conditions)

/** Makes the calls for orders that are pending, or that were filled in a time. */
function makeOrderCalls(list: (call: Call, account: Account) => Filled[], isTimed: boolean) {
  const choose = (call: Call, account: Account): Filled[] => {
    if (!isTimed) return list(call, account)
    const isInside = readWindow(call)
    return list(call, account).filter(({ order, deals }) => isInside(deals[0]?.at ?? order.at))
  }
  function* pick(call: Call): Iterable<Filled | null> {
    const tickets = readNumbers(call, 'ticket')
    const asked = tickets === null ? readAsked(call) : { masks: ['*'] }
    for (const account of listAccounts(call, asked)) {
      if (account === null) yield null
      else if (tickets === null) yield* choose(call, account)
      else yield* list(call, account).filter(({ order }) => tickets.includes(order.id))
    }
  }
  return {
    get: (call: Call): Reply => {
      const ticket = needInteger(call, 'ticket')
      for (const account of call.engine.state.accounts.values()) {
        if (!isVisible(call, account)) continue
        const found = list(call, account).find(({ order }) => order.id === ticket)
        if (found !== undefined) return { retcode: 0, answer: shapeFilled(call)(found) }
      }
      throw new Refusal(13)
    },
    total: (call: Call): Reply => countReply(call, choose(call, needAccount(call)).length),
    page: (call: Call): Reply => ({
      retcode: 0,
      rows: map(cutPage(call, choose(call, needAccount(call))), shapeFilled(call)),
    }),
    batch: (call: Call): Reply => {
      needOneKey(call, isTimed)
      return { retcode: 0, rows: map(pick(call), shapeFilled(call)) }
    },
  }
}

const pending = makeOrderCalls((_, account) => listPending(account), false)
const history = makeOrderCalls(listHistory, true)

function checkMargin(call: Call): Reply {
  const symbol = getSymbol(call.engine, needText(call, 'symbol'))
  return { retcode: 0, answer: { Symbol: symbol.name, Margin: '0.00' } }
}

const withRight =
  (read: (call: Call) => Reply) =>
  (call: Call): Reply => {
    needRight(call, TRADES)
    return read(call)
  }

/** The calls that read trades. */
export const READING = Object.fromEntries(
  Object.entries({
    '/api/deal/get': getOneDeal,
    '/api/deal/get_total': (call: Call) => countReply(call, listDeals(call).length),
    '/api/deal/get_page': (call: Call) => ({ retcode: 0, rows: map(cutPage(call, listDeals(call)), shapeOne(call)) }),
    '/api/deal/get_batch': batchDeals,
    '/api/position/get': getPosition,
    '/api/position/get_total': (call: Call) => countReply(call, needAccount(call).positions.size),
    '/api/position/get_page': (call: Call) => ({
      retcode: 0,
      rows: map(cutPage(call, [...needAccount(call).positions.values()]), shapeOpen(call)),
    }),
    '/api/position/get_batch': batchPositions,
    '/api/order/get': pending.get,
    '/api/order/get_total': pending.total,
    '/api/order/get_page': pending.page,
    '/api/order/get_batch': pending.batch,
    '/api/history/get': history.get,
    '/api/history/get_total': history.total,
    '/api/history/get_page': history.page,
    '/api/history/get_batch': history.batch,
    '/api/trade/check_margin': checkMargin,
  }).map(([path, read]): [string, (call: Call) => Reply] => [path, withRight(read)]),
)
