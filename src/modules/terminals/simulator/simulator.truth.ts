import { getGroup } from './simulator.engine.ts'
import { findStanding } from './simulator.money.ts'
import { PLACES, writeDecimal } from './simulator.numbers.ts'
import type { Account, Engine } from './simulator.state.ts'

/** Returns how an account truly stands, whatever its calls say. */
function tellAccount(engine: Engine, account: Account) {
  const { digits, currency } = getGroup(engine, account.group)
  const { equity, free } = findStanding(engine, account)
  return {
    login: account.login,
    group: account.group,
    currency,
    balance: writeDecimal(account.balance, digits),
    credit: writeDecimal(account.credit, digits),
    equity: writeDecimal(equity, digits),
    marginFree: writeDecimal(free, digits),
    deals: account.deals.length,
    positions: [...account.positions.values()].map(({ id, ticket, symbol, side, lots, at }) => ({
      position: id,
      ticket,
      symbol,
      side: side === 0 ? 'long' : 'short',
      lots: writeDecimal(lots, PLACES),
      openedAt: at,
    })),
  }
}

/** Returns how one account or all of them stand. */
export function tellTruth(engine: Engine, login: number | null): ReturnType<typeof tellAccount>[] {
  const { accounts } = engine.state
  const asked = login === null ? [...accounts.values()] : [accounts.get(login)]
  return asked.flatMap((account) => (account === undefined ? [] : [tellAccount(engine, account)]))
}
