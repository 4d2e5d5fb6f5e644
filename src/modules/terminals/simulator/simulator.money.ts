import { addDeal, getGroup, getSymbol } from './simulator.engine.ts'
import { readDecimal, share, UNIT, valueMove } from './simulator.numbers.ts'
import { type Account, type Deal, type Engine, type Group, type Position, Refusal } from './simulator.state.ts'

/** Returns by what an amount of one currency is multiplied to be one of another. */
export function findRate(engine: Engine, from: string, to: string): number {
  if (from === to) return UNIT
  const { rates } = engine.state
  return Math.round(((rates.get(from) ?? UNIT) / (rates.get(to) ?? UNIT)) * UNIT)
}

/** Returns what lots gain between two prices, in minor units of the group’s currency. */
export function countProfit(
  engine: Engine,
  group: Group,
  move: { symbol: string; side: 0 | 1; lots: number; from: number; to: number },
): number {
  const symbol = getSymbol(engine, move.symbol)
  return valueMove({
    difference: move.side === 0 ? move.to - move.from : move.from - move.to,
    lots: move.lots,
    contract: symbol.contract,
    rate: findRate(engine, symbol.profit, group.currency),
    digits: group.digits,
  })
}

/** Returns the price at which a position could be closed now. */
export const findPrice = (engine: Engine, position: Position): number => {
  const { bid, ask } = getSymbol(engine, position.symbol)
  return position.side === 0 ? bid : ask
}

/** Returns the profit of an open position at the present price, without its swap. */
export const countFloating = (engine: Engine, group: Group, position: Position): number =>
  countProfit(engine, group, {
    symbol: position.symbol,
    side: position.side,
    lots: position.lots,
    from: position.priceOpen,
    to: findPrice(engine, position),
  })

type Standing = { profit: number; swap: number; floating: number; equity: number; margin: number; free: number }

/** Returns how an account stands: its equity, and how much of it is not bound by open positions. */
export function findStanding(engine: Engine, account: Account): Standing {
  const group = getGroup(engine, account.group)
  let [profit, swap, margin] = [0, 0, 0]
  for (const position of account.positions.values()) {
    const symbol = getSymbol(engine, position.symbol)
    profit += countFloating(engine, group, position)
    swap += position.swap
    const worth = valueMove({
      difference: Math.abs(position.priceOpen),
      lots: position.lots,
      contract: symbol.contract,
      rate: findRate(engine, symbol.profit, group.currency),
      digits: group.digits,
    })
    margin += share(worth, 1, Math.max(1, account.leverage))
  }
  const equity = account.balance + account.credit + profit + swap
  return { profit, swap, floating: profit + swap, equity, margin, free: equity - margin }
}

/** The largest amount that is booked at once, in whole units of the currency. */
const MOST = 1_000_000_000
/** A comment is cut after so many characters, without a word. */
const COMMENT_LENGTH = 31

type Booking = { login: number; type: number; amount: string; comment: string; checkMargin: boolean }

function refuseUncovered(engine: Engine, account: Account, type: number, amount: number, checkMargin: boolean): void {
  if (amount > 0 || type === 5) return
  if (type === 3 || type === 6) {
    if (-amount > account.credit) throw new Refusal(10019)
    return
  }
  if (!checkMargin) return
  if (-amount > account.balance || -amount > findStanding(engine, account).free) throw new Refusal(10019)
}

/** Books money as the platform does: types 2 to 6, in the currency of the group. */
export function bookMoney(engine: Engine, booking: Booking): Deal {
  const account = engine.state.accounts.get(booking.login)
  if (account === undefined) throw new Refusal(13)
  const { digits } = getGroup(engine, account.group)
  if (![2, 3, 4, 5, 6].includes(booking.type)) throw new Refusal(3)
  if (/^-?\d{11,}/.test(booking.amount)) throw new Refusal(4005)
  const amount = readDecimal(booking.amount, digits)
  if (amount === null || amount === 0) throw new Refusal(3)
  if (Math.abs(amount) > MOST * 10 ** digits) throw new Refusal(4005)
  refuseUncovered(engine, account, booking.type, amount, booking.checkMargin)
  const comment = booking.comment.slice(0, COMMENT_LENGTH)
  return addDeal(engine, account, { action: booking.type, profit: amount, comment, reason: 2 })
}
