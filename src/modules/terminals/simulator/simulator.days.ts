import { DAY } from '../../../platform/clock.ts'
import { toLocal } from '../contract/terminal-clock.ts'
import { effect, getGroup, isCredit } from './simulator.engine.ts'
import { writeDecimal } from './simulator.numbers.ts'
import type { Row } from './simulator.shapes.ts'
import type { Account, Engine } from './simulator.state.ts'

/** The milliseconds from the year 1601, with which some times of the platform begin, to 1970. */
const SINCE_1601 = 11_644_473_600_000n

/** Iterates over the ends of an account’s days with deals, with its balance then. */
export function* listDays(engine: Engine, account: Account, isInside: (at: number) => boolean): Iterable<Row> {
  const { currency, digits } = getGroup(engine, account.group)
  const { clock } = engine.state
  const toDay = (at: number): number => Math.floor(toLocal(clock, at) / DAY)
  const deals = account.deals.toSorted((a, b) => a.at - b.at)
  let [balance, credit] = [0, 0]
  for (const [place, deal] of deals.entries()) {
    if (isCredit(deal.action)) credit += deal.profit
    else balance += effect(deal)
    const next = deals[place + 1]
    if ((next !== undefined && toDay(next.at) === toDay(deal.at)) || !isInside(deal.at)) continue
    const end = (toDay(deal.at) + 1) * DAY - 1000
    yield {
      Datetime: String(end / 1000),
      Timestamp: String((BigInt(end) + SINCE_1601) * 10_000n),
      Login: String(account.login),
      Group: account.group,
      Currency: currency,
      CurrencyDigits: String(digits),
      Balance: writeDecimal(balance, digits),
      Credit: writeDecimal(credit, digits),
    }
  }
}
