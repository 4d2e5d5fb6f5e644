import type { Deal as ContractDeal, Group as ContractGroup, OpenPosition, RIGHTS, State } from '../contract/terminal.ts'
import { ENABLED, TRADE_DISABLED } from './simulator.accounts.ts'
import { getGroup, getSymbol } from './simulator.engine.ts'
import { countFloating, countProfit, findPrice, findStanding } from './simulator.money.ts'
import { PLACES, writeDecimal, writePrice } from './simulator.numbers.ts'
import type { Account, Deal, Engine, Group, Manager, Position } from './simulator.state.ts'

// How the books of the simulator look to what stands above a driver.

type Right = (typeof RIGHTS)[number]

/** Which number of the platform is which right. */
const RIGHT_NUMBERS: readonly (readonly [right: Right, number: number])[] = [
  ['connect', 1],
  ['accounts', 25],
  ['trades', 29],
  ['money', 24],
  ['change', 27],
  ['personal', 26],
  ['technical', 70],
  ['administrator', 0],
  ['delete', 47],
  ['edit_trades', 30],
]

/** Returns what a manager may do. */
export const tellRights = ({ rights }: Manager): Right[] =>
  RIGHT_NUMBERS.filter(([, number]) => rights.includes(number)).map(([right]) => right)

/** Returns a group in the words of the contract. */
export const tellGroup = (group: Group): ContractGroup => ({
  name: group.name,
  currency: group.currency,
  digits: group.digits,
  marginMode: group.marginMode === 2 ? 'hedging' : 'netting',
  passwordLength: group.passwordLength,
})

/** Returns a login with its money. */
export function tellState(engine: Engine, account: Account): State {
  const { digits } = getGroup(engine, account.group)
  const { equity, free } = findStanding(engine, account)
  return {
    login: String(account.login),
    group: account.group,
    leverage: account.leverage,
    mayTrade: (account.rights & TRADE_DISABLED) === 0,
    maySignIn: (account.rights & ENABLED) !== 0,
    registeredAt: account.registered,
    comment: account.comment,
    balance: writeDecimal(account.balance, digits),
    credit: writeDecimal(account.credit, digits),
    equity: writeDecimal(equity, digits),
    marginFree: writeDecimal(free, digits),
  }
}

type Kind = ContractDeal['kind']

const KINDS: Readonly<Record<number, Kind>> = {
  0: 'trade',
  1: 'trade',
  2: 'balance',
  3: 'credit',
  4: 'charge',
  5: 'correction',
  6: 'bonus',
  10: 'agent',
  11: 'agent',
  13: 'trade',
  14: 'trade',
  18: 'agent',
  19: 'compensation',
  20: 'credit_compensation',
}
const ENTRIES = ['in', 'out', 'turn', 'by'] as const
const REASONS: Readonly<Record<number, string>> = {
  0: 'client',
  2: 'dealer',
  5: 'stop-out',
  6: 'rollover',
  18: 'split',
}
const TECHNICAL = new Set([6, 8, 12, 13, 14, 15, 18, 19])
const FLAGS: readonly (readonly [bit: number, name: string])[] = [
  [1, 'administrator'],
  [2, 'manager'],
  [4, 'position'],
  [8, 'restored'],
]

/** Returns what the spread cost: the lots times the way from the middle of the market to the price. */
function countSpread(engine: Engine, group: Group, deal: Deal): string | null {
  if (deal.bid === 0 || deal.ask === 0 || deal.entry !== 0) return null
  const middle = Math.round((deal.bid + deal.ask) / 2)
  const { symbol, lots, price } = deal
  const cost = countProfit(engine, group, { symbol, side: 0, lots, from: middle, to: price })
  return writeDecimal(Math.abs(cost), group.digits)
}

const orNull = (number: number): string | null => (number === 0 ? null : String(number))

/** Returns what is said of a trade and of nothing else. */
function tellTrade(engine: Engine, group: Group, deal: Deal) {
  const symbol = getSymbol(engine, deal.symbol)
  return {
    entry: ENTRIES[deal.entry] ?? null,
    symbol: deal.symbol,
    side: deal.action % 13 === 0 ? ('long' as const) : ('short' as const),
    lotsClosed: deal.entry === 2 ? writeDecimal(deal.lotsClosed, PLACES) : null,
    price: writePrice(deal.price, symbol.digits),
    spread: countSpread(engine, group, deal),
  }
}

const NO_TRADE = { entry: null, symbol: null, side: null, lotsClosed: null, price: null, spread: null }

/** Returns a deal. */
export function tellDeal(engine: Engine, account: Account, deal: Deal): ContractDeal {
  const group = getGroup(engine, account.group)
  const money = (value: number): string => writeDecimal(value, group.digits)
  const kind = KINDS[deal.action] ?? 'cost'
  return {
    id: String(deal.id),
    login: String(deal.login),
    at: deal.at,
    kind,
    action: deal.action,
    position: orNull(deal.position),
    order: orNull(deal.order),
    ...(kind === 'trade' ? tellTrade(engine, group, deal) : NO_TRADE),
    lots: writeDecimal(deal.lots, PLACES),
    profit: money(deal.profit),
    swap: money(deal.swap),
    commission: money(deal.commission),
    fee: money(deal.fee),
    technical: kind === 'trade' && TECHNICAL.has(deal.reason),
    reason: REASONS[deal.reason] ?? String(deal.reason),
    comment: deal.comment,
    flags: FLAGS.filter(([bit]) => (deal.flags & bit) !== 0).map(([, name]) => name),
    cancelled: deal.action === 13 || deal.action === 14,
  }
}

/** Returns an open position. */
export function tellPosition(engine: Engine, account: Account, position: Position): OpenPosition {
  const group = getGroup(engine, account.group)
  const { digits } = getSymbol(engine, position.symbol)
  return {
    ticket: String(position.ticket),
    login: String(position.login),
    symbol: position.symbol,
    side: position.side === 0 ? 'long' : 'short',
    lots: writeDecimal(position.lots, PLACES),
    openPrice: writePrice(position.priceOpen, digits),
    currentPrice: writePrice(findPrice(engine, position), digits),
    profit: writeDecimal(countFloating(engine, group, position), group.digits),
    swap: writeDecimal(position.swap, group.digits),
    openedAt: position.at,
  }
}
