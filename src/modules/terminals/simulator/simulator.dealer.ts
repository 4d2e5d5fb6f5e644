import { addDeal, book, effect, getAccount, getDeal, getGroup, isCredit, noteDeal } from './simulator.engine.ts'
import { averagePrice, mustReadDecimal } from './simulator.numbers.ts'
import type { Account, Deal, Engine, Position } from './simulator.state.ts'
import { keepPosition, removePosition } from './simulator.trading.ts'

// What dealers do to deals that are there already. A balance stays the sum of its deals unless `books` is false.

/** The bit of a deal that a manager changed. */
const BY_MANAGER = 2

/** Makes the open lots of a position what its deals say, after one of them was changed. */
function deriveAnew(engine: Engine, account: Account, id: number): void {
  const own = account.deals.filter((deal) => deal.position === id && deal.action <= 1)
  const signed = own.reduce((sum, { action, lots }) => sum + (action === 0 ? lots : -lots), 0)
  const present = account.positions.get(id)
  const first = own.find(({ entry }) => entry === 0)
  const isNetting = getGroup(engine, account.group).marginMode !== 2
  const isImpossible = first === undefined || (!isNetting && signed !== 0 && (first.action === 0) !== signed > 0)
  if (signed === 0 || isImpossible) {
    if (present !== undefined) removePosition(engine, account, present)
    return
  }
  const side = signed > 0 ? 0 : 1
  if (present !== undefined) {
    Object.assign(present, { lots: Math.abs(signed), side } satisfies Partial<Position>)
    engine.changes += 1
    return
  }
  const entries = own.filter(({ entry, action }) => entry === 0 && action === side)
  const together = entries.reduce(
    (sum, { price, lots }) => ({ price: averagePrice(sum, { price, lots }), lots: sum.lots + lots }),
    {
      price: first.price,
      lots: 0,
    },
  )
  keepPosition(engine, account, {
    id,
    ticket: id,
    login: account.login,
    symbol: first.symbol,
    side,
    lots: Math.abs(signed),
    priceOpen: together.price,
    swap: 0,
    at: first.at,
    updated: engine.now(),
    reason: first.reason,
    comment: first.comment,
    flags: BY_MANAGER,
  })
}

function setAmounts(account: Account, deal: Deal, change: () => void, books: boolean): void {
  const before = effect(deal)
  change()
  const by = effect(deal) - before
  if (books) book(account, deal.action, by)
  else if (!isCredit(deal.action)) account.notBooked += by
}

/** Cancels a trade in place: its amounts become nothing, and its lots count no more. */
export function cancelDeal(engine: Engine, given: { deal: number; compensation?: string }): Deal {
  const deal = getDeal(engine, given.deal)
  if (deal.action > 1) throw new Error('only a trade can be cancelled')
  const account = getAccount(engine, deal.login)
  setAmounts(account, deal, () => Object.assign(deal, { profit: 0, swap: 0, commission: 0, fee: 0 }), true)
  deal.action += 13
  deal.flags |= BY_MANAGER
  engine.changes += 1
  deriveAnew(engine, account, deal.position)
  if (given.compensation !== undefined) {
    const profit = mustReadDecimal(given.compensation, getGroup(engine, account.group).digits)
    addDeal(engine, account, { action: 2, profit, comment: `cancelled ${deal.id}`, reason: 2 })
  }
  return deal
}

/** Deletes a deal. With `books: false` the balance keeps its amount, as careless dealers leave it. */
export function deleteDeal(engine: Engine, given: { deal: number; books?: boolean }): void {
  const deal = getDeal(engine, given.deal)
  const account = getAccount(engine, deal.login)
  if (given.books ?? true) book(account, deal.action, -effect(deal))
  else if (!isCredit(deal.action)) account.notBooked -= effect(deal)
  account.deals.splice(account.deals.indexOf(deal), 1)
  engine.state.deals.delete(deal.id)
  engine.changes += 1
  if (deal.action <= 1) deriveAnew(engine, account, deal.position)
}

/** Sets the time of a deal back. */
export function backdateDeal(engine: Engine, given: { deal: number; byMs: number }): Deal {
  const deal = getDeal(engine, given.deal)
  deal.at -= given.byMs
  deal.flags |= BY_MANAGER
  engine.changes += 1
  return deal
}

/** Changes the profit of a deal, and the balance with it unless `books` is false. */
export function editProfit(engine: Engine, given: { deal: number; profit: string; books?: boolean }): Deal {
  const deal = getDeal(engine, given.deal)
  const account = getAccount(engine, deal.login)
  const profit = mustReadDecimal(given.profit, getGroup(engine, account.group).digits)
  setAmounts(account, deal, () => Object.assign(deal, { profit }), given.books ?? true)
  deal.flags |= BY_MANAGER
  engine.changes += 1
  return deal
}

/** Adds a trade that touches neither a position nor the balance, as a dealer’s manual entry does. */
export function dealerAddLoose(
  engine: Engine,
  given: { login: number; symbol: string; side: 'long' | 'short'; lots: string; price: string; profit?: string },
): Deal {
  const account = getAccount(engine, given.login)
  const { digits } = getGroup(engine, account.group)
  const deal = noteDeal(engine, account, {
    action: given.side === 'long' ? 0 : 1,
    symbol: given.symbol,
    lots: mustReadDecimal(given.lots, 8),
    price: mustReadDecimal(given.price, 8),
    profit: mustReadDecimal(given.profit ?? '0', digits),
    reason: 2,
    dealer: 1,
    flags: BY_MANAGER,
  })
  account.notBooked += effect(deal)
  return deal
}
