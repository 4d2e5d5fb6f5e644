import { SECOND } from '../../../platform/clock.ts'
import { TerminalFault } from '../contract/fault.ts'
import type { Group, OpenPosition, Person, State } from '../contract/terminal.ts'
import {
  findDecimal,
  findInteger,
  findNumber,
  type Row,
  readDecimal,
  readInteger,
  readNumber,
  readText,
} from './terminal5.answers.ts'
import { readLots } from './terminal5.lots.ts'

/** Returns the moment of a local time of the terminal, both in milliseconds. */
export type ToMoment = (local: number) => number

const LATEST = 8_640_000_000_000_000

/** Reads a time, with its milliseconds where there are any. */
export function readMoment(row: Row, name: string, toMoment: ToMoment): number {
  const exact = findInteger(row, `${name}Msc`) ?? 0
  const local = exact > 0 ? exact : readInteger(row, name, LATEST / SECOND) * SECOND
  const at = Math.max(0, toMoment(local))
  if (at > LATEST) throw new TerminalFault('not_an_answer', { reason: 'field', field: name }, true)
  return at
}

const HEDGING = 2
const MOST_SYMBOL = 64

/** Reads a group of logins. */
export const readGroup = (row: Row): Group => ({
  name: readText(row, 'Group'),
  currency: readText(row, 'Currency', 10),
  digits: readInteger(row, 'CurrencyDigits', 8),
  marginMode: readInteger(row, 'MarginMode', 255) === HEDGING ? 'hedging' : 'netting',
  passwordLength: Math.max(1, Math.min(64, findInteger(row, 'AuthPasswordMin') ?? 8)),
})

/** Reads an open position. */
export function readPosition(row: Row, toMoment: ToMoment): OpenPosition {
  const ticket = readNumber(row, 'Position')
  const lots = readLots(findNumber(row, 'VolumeExt'), findNumber(row, 'Volume'))
  const symbol = readText(row, 'Symbol', MOST_SYMBOL)
  if (lots === undefined || symbol === '')
    throw new TerminalFault('not_an_answer', { reason: 'missing', position: ticket }, true)
  return {
    ticket,
    login: readNumber(row, 'Login'),
    symbol,
    side: readInteger(row, 'Action', 1) === 0 ? 'long' : 'short',
    lots,
    openPrice: readDecimal(row, 'PriceOpen'),
    currentPrice: readDecimal(row, 'PriceCurrent'),
    profit: readDecimal(row, 'Profit'),
    swap: readDecimal(row, 'Storage'),
    openedAt: readMoment(row, 'TimeCreate', toMoment),
  }
}

/** The bits of a login's rights that are of use. */
export const MAY_SIGN_IN = 0x1n
export const MAY_NOT_TRADE = 0x4n

/** Returns the rights of a login as their bits. */
export const readRightBits = (row: Row): bigint => BigInt(readNumber(row, 'Rights'))

const isZero = (decimal: string | undefined): boolean => decimal === undefined || /^-?[0.]+$/.test(decimal)

/**
 * Returns whether a trade state says anything. Of an account that has not traded since it started, a terminal may send
 * zeros, which would say that a client with a balance has lost it.
 */
const isEmpty = (account: Row, { balance, credit }: { balance: string; credit: string }): boolean =>
  !(isZero(balance) && isZero(credit)) &&
  ['Balance', 'Credit', 'Equity', 'MarginFree'].every((name) => isZero(findDecimal(account, name)))

/** Reads a login with its money. `account` is its trade state, which a terminal has of those that trade only. */
export function readState(user: Row, account: Row | undefined, toMoment: ToMoment): State {
  const rights = readRightBits(user)
  const money = { balance: readDecimal(user, 'Balance'), credit: readDecimal(user, 'Credit') }
  const known = account === undefined || isEmpty(account, money) ? {} : account
  return {
    login: readNumber(user, 'Login'),
    group: readText(user, 'Group'),
    leverage: readInteger(user, 'Leverage', 1_000_000),
    mayTrade: (rights & MAY_NOT_TRADE) === 0n,
    maySignIn: (rights & MAY_SIGN_IN) !== 0n,
    registeredAt: readMoment(user, 'Registration', toMoment),
    comment: readText(user, 'Comment'),
    ...money,
    equity: findDecimal(known, 'Equity') ?? null,
    marginFree: findDecimal(known, 'MarginFree') ?? null,
  }
}

/** Reads whom a login belongs to; what our rights do not show is empty. */
export function readPerson(row: Row): Person {
  const parts = ['FirstName', 'MiddleName', 'LastName'].map((name) => readText(row, name, 100))
  const joined = parts.filter((part) => part !== '').join(' ')
  return {
    login: readNumber(row, 'Login'),
    name: joined === '' ? readText(row, 'Name') : joined.slice(0, 300),
    email: readText(row, 'Email'),
    phone: readText(row, 'Phone'),
    country: readText(row, 'Country'),
  }
}
