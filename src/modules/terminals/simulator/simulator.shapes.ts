import { toLocal } from '../contract/terminal-clock.ts'
import { getGroup, getSymbol } from './simulator.engine.ts'
import type { Conditions } from './simulator.faults.ts'
import { countFloating, findPrice, findRate, findStanding } from './simulator.money.ts'
import { writeDecimal, writePrice } from './simulator.numbers.ts'
import type { Account, Deal, Engine, Group, Manager, Order, Position, SymbolInfo } from './simulator.state.ts'

/** A row of an answer: all numbers are texts too. */
export type Row = { [name: string]: string | readonly string[] | readonly Row[] | Row }

/** Names whose value is a text even if it looks like a number. */
const TEXTS = new Set(
  (
    'Group Name FirstName MiddleName LastName Company Language Country City State ZIPCode Address Phone Email ID Status ' +
    'Comment LeadSource LeadCampaign MQID Symbol Path CurrencyBase CurrencyProfit CurrencyMargin Currency ExternalID ' +
    'Mailbox From To Owner TimeServer Gateway Account time Time_'
  ).split(' '),
)

/** Writes a row as JSON, in the way of the build that the conditions ask for. */
export function writeRow(row: Row, conditions: Conditions): string {
  const text = conditions.extra ? { ...row, FutureField: '7', FutureList: ['1'] } : row
  if (!conditions.unquoted) return JSON.stringify(text)
  const parts = Object.entries(text).map(([name, value]) => {
    const isNumber = typeof value === 'string' && !TEXTS.has(name) && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(value)
    return `${JSON.stringify(name)}:${isNumber ? value : JSON.stringify(value)}`
  })
  return `{${parts.join(',')}}`
}

const seconds = (engine: Engine, at: number): string => String(Math.floor(toLocal(engine.state.clock, at) / 1000))
const milliseconds = (engine: Engine, at: number): string => String(toLocal(engine.state.clock, at))
/** Volumes of the old form are ten thousandths of a lot, which cut smaller parts. */
const volume = (lots: number): string => String(Math.floor(lots / 10_000))

const PERSONAL = [26, 76, 77, 78, 79, 80, 81]

/** Writes a login. People’s data is empty without a right to see it. */
export function shapeUser(engine: Engine, account: Account, manager: Manager): Row {
  const { digits } = getGroup(engine, account.group)
  const isShown = manager.rights.some((right) => PERSONAL.includes(right))
  const show = (text: string): string => (isShown ? text : '')
  const [first = '', ...rest] = account.name.split(' ')
  const registered = seconds(engine, account.registered)
  const texts = Object.fromEntries(Object.entries(account.texts).map(([name, text]) => [name, show(text)]))
  return {
    Login: String(account.login),
    Group: account.group,
    CertSerialNumber: '0',
    Rights: String(account.rights),
    Registration: registered,
    LastAccess: registered,
    LastPassChange: registered,
    Name: show(account.name),
    FirstName: show(first),
    LastName: show(rest.join(' ')),
    MiddleName: '',
    Company: '',
    Account: '',
    Country: show(account.country),
    City: '',
    State: '',
    ZIPCode: '',
    Address: '',
    Phone: show(account.phone),
    Email: show(account.email),
    ID: '',
    Status: '',
    ...texts,
    Comment: account.comment,
    Color: '4278190080',
    Leverage: String(account.leverage),
    Agent: '0',
    Balance: writeDecimal(account.balance, digits),
    Credit: writeDecimal(account.credit, digits),
    InterestRate: writeDecimal(0, digits),
    LimitOrders: '0',
    LimitPositions: '0',
    ApiData: [],
  }
}

/** Writes how the money of a login stands. */
export function shapeAccount(engine: Engine, account: Account): Row {
  const { digits } = getGroup(engine, account.group)
  const standing = findStanding(engine, account)
  const money = (value: number): string => writeDecimal(value, digits)
  const level = standing.margin === 0 ? 0 : Math.round((standing.equity / standing.margin) * 10_000)
  return {
    Login: String(account.login),
    CurrencyDigits: String(digits),
    Balance: money(account.balance),
    Credit: money(account.credit),
    Margin: money(standing.margin),
    MarginFree: money(standing.free),
    MarginLevel: writeDecimal(level, 2),
    MarginLeverage: String(account.leverage),
    Profit: money(standing.profit),
    Storage: money(standing.swap),
    Floating: money(standing.floating),
    Equity: money(standing.equity),
    SOActivation: '0',
    BlockedCommission: money(0),
    BlockedProfit: money(0),
    Assets: money(0),
    Liabilities: money(0),
  }
}

/** Writes an open position. */
export function shapePosition(engine: Engine, position: Position, conditions: Conditions): Row {
  const account = engine.state.accounts.get(position.login)
  const group: Group = getGroup(engine, account?.group ?? '')
  const symbol = getSymbol(engine, position.symbol)
  return {
    Position: String(position.ticket),
    ExternalID: '',
    Login: String(position.login),
    Dealer: '0',
    Symbol: position.symbol,
    Action: String(position.side),
    Digits: String(symbol.digits),
    DigitsCurrency: String(group.digits),
    Reason: String(position.reason),
    ContractSize: writeDecimal(symbol.contract * 100, 2),
    TimeCreate: seconds(engine, position.at),
    TimeUpdate: seconds(engine, position.updated),
    TimeCreateMsc: milliseconds(engine, position.at),
    TimeUpdateMsc: milliseconds(engine, position.updated),
    ModificationFlags: String(position.flags),
    PriceOpen: writePrice(position.priceOpen, symbol.digits),
    PriceCurrent: writePrice(findPrice(engine, position), symbol.digits),
    PriceSL: writeDecimal(0, symbol.digits),
    PriceTP: writeDecimal(0, symbol.digits),
    Volume: volume(position.lots),
    ...(conditions.old ? {} : { VolumeExt: String(position.lots) }),
    Profit: writeDecimal(countFloating(engine, group, position), group.digits),
    Storage: writeDecimal(position.swap, group.digits),
    RateProfit: writeDecimal(findRate(engine, symbol.profit, group.currency), 8),
    RateMargin: writeDecimal(findRate(engine, symbol.base, group.currency), 8),
    ExpertID: '0',
    ExpertPositionID: String(position.id),
    Comment: position.comment,
    ActivationMode: '0',
    ApiData: [],
  }
}

/** Writes a deal. */
export function shapeDeal(engine: Engine, deal: Deal, conditions: Conditions): Row {
  const account = engine.state.accounts.get(deal.login)
  const group = getGroup(engine, account?.group ?? '')
  const symbol = deal.symbol === '' ? undefined : getSymbol(engine, deal.symbol)
  const digits = symbol?.digits ?? 0
  const money = (value: number): string => writeDecimal(value, group.digits)
  const price = (value: number): string => writePrice(value, digits)
  const market = { MarketBid: price(deal.bid), MarketAsk: price(deal.ask), MarketLast: price(0) }
  return {
    Deal: String(deal.id),
    ExternalID: '',
    Login: String(deal.login),
    Dealer: String(deal.dealer),
    Order: String(deal.order),
    Action: String(deal.action),
    Entry: String(deal.entry),
    Reason: String(deal.reason),
    Digits: String(digits),
    DigitsCurrency: String(group.digits),
    ContractSize: writeDecimal((symbol?.contract ?? 0) * 100, 2),
    Time: seconds(engine, deal.at),
    TimeMsc: milliseconds(engine, deal.at),
    Symbol: deal.symbol,
    Price: price(deal.price),
    Volume: volume(deal.lots),
    ...(conditions.old ? {} : { VolumeExt: String(deal.lots) }),
    Profit: money(deal.profit),
    Value: money(0),
    Storage: money(deal.swap),
    Commission: money(deal.commission),
    ...(conditions.old ? {} : { Fee: money(deal.fee) }),
    RateProfit: writeDecimal(symbol ? findRate(engine, symbol.profit, group.currency) : 0, 8),
    RateMargin: writeDecimal(symbol ? findRate(engine, symbol.base, group.currency) : 0, 8),
    ExpertID: '0',
    PositionID: String(deal.position),
    Comment: deal.comment,
    ProfitRaw: money(deal.profit),
    PricePosition: price(deal.pricePosition),
    PriceSL: price(0),
    PriceTP: price(0),
    VolumeClosed: volume(deal.lotsClosed),
    ...(conditions.old ? {} : { VolumeClosedExt: String(deal.lotsClosed) }),
    TickValue: '0',
    TickSize: '0',
    Gateway: '',
    PriceGateway: price(0),
    ...(conditions.old ? {} : market),
    ModificationFlags: String(deal.flags),
    ApiData: [],
  }
}

/** Writes an order, pending or filled by these deals. */
export function shapeOrder(engine: Engine, order: Order, deals: readonly Deal[], conditions: Conditions): Row {
  const { digits } = getSymbol(engine, order.symbol)
  const [last] = deals.slice(-1)
  const rest = last === undefined ? order.lots : 0
  return {
    Order: String(order.id),
    ExternalID: '',
    Login: String(order.login),
    Symbol: order.symbol,
    Digits: String(digits),
    Type: String(order.type),
    State: last === undefined ? '1' : '4',
    Reason: String(last?.reason ?? 0),
    TimeSetup: seconds(engine, order.at),
    TimeSetupMsc: milliseconds(engine, order.at),
    TimeDone: last === undefined ? '0' : seconds(engine, last.at),
    PriceOrder: writePrice(order.price, digits),
    VolumeInitial: volume(order.lots),
    VolumeCurrent: volume(rest),
    ...(conditions.old ? {} : { VolumeInitialExt: String(order.lots), VolumeCurrentExt: String(rest) }),
    PositionID: String(last?.position ?? 0),
    PositionByID: last?.entry === 3 ? String(deals[1]?.position ?? 0) : '0',
    Comment: order.comment,
    ApiData: [],
  }
}

/** Writes a group. */
export const shapeGroup = (group: Group): Row => ({
  Group: group.name,
  Server: String(group.server),
  PermissionsFlags: '2',
  AuthMode: '0',
  AuthPasswordMin: String(group.passwordLength),
  Company: 'Simulated Markets',
  Currency: group.currency,
  CurrencyDigits: String(group.digits),
  MarginMode: String(group.marginMode),
  TradeFlags: '79',
  DemoLeverage: '0',
  DemoDeposit: '0',
  LimitHistory: '0',
  LimitOrders: '0',
  LimitSymbols: '0',
  LimitPositions: '0',
  Commissions: [],
  Symbols: [],
})

/** Writes a symbol. */
export const shapeSymbol = (symbol: SymbolInfo): Row => ({
  Symbol: symbol.name,
  Path: `Forex\\${symbol.name}`,
  CurrencyBase: symbol.base,
  CurrencyProfit: symbol.profit,
  CurrencyMargin: symbol.base,
  Digits: String(symbol.digits),
  ContractSize: writeDecimal(symbol.contract * 100, 2),
  TickSize: '0',
  TickValue: '0',
  VolumeMin: '100',
  VolumeMinExt: '1000000',
  VolumeMax: '10000000',
  VolumeMaxExt: '100000000000',
  VolumeStep: '100',
  VolumeStepExt: '1000000',
  SwapMode: '1',
  TradeMode: '4',
})

const RIGHTS_COUNT = 100

/** Writes a manager, with its rights as a list of 0 and 1. */
export const shapeManager = (manager: Manager): Row => ({
  Login: String(manager.login),
  Name: 'Manager of the simulator',
  Mailbox: '',
  Server: '1',
  LimitLogs: '0',
  LimitReports: '0',
  Right: Array.from({ length: RIGHTS_COUNT }, (_, right) => (manager.rights.includes(right) ? '1' : '0')),
  Groups: [...manager.masks],
  Access: manager.addresses.map(({ from, to }) => ({ From: from, To: to })),
  Reports: [],
})
