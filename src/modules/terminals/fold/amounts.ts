import { divHalfEven } from '../../../platform/money.ts'
import { type Amounts, addAmounts } from '../../books/positions/derived.model.ts'
import type { Deal } from '../contract/terminal.ts'

export const NOTHING: Amounts = { profit: 0n, swap: 0n, commission: 0n, spread: 0n }

/** Reads a decimal as a whole number of units of which `places` decimals make one, and the number of its decimals. */
export function parseDecimal(text: string): { n: bigint; places: number } {
  const [whole = '0', fraction = ''] = text.split('.')
  return { n: BigInt(whole + fraction), places: fraction.length }
}

/** Returns the sum of decimals in minor units, rounded half to even once. */
function sumToMinor(texts: readonly string[], decimals: number): bigint {
  const parsed = texts.map(parseDecimal)
  const places = Math.max(decimals, ...parsed.map((one) => one.places))
  const sum = parsed.reduce((all, one) => all + one.n * 10n ** BigInt(places - one.places), 0n)
  return divHalfEven(sum, 10n ** BigInt(places - decimals))
}

/** Returns the amounts of a deal in minor units. Commission and fee are one amount, which is rounded once. */
export const readAmounts = (deal: Deal, decimals: number): Amounts => ({
  profit: sumToMinor([deal.profit], decimals),
  swap: sumToMinor([deal.swap], decimals),
  commission: sumToMinor([deal.commission, deal.fee], decimals),
  spread: deal.spread === null ? null : sumToMinor([deal.spread], decimals),
})

/** Makes of each amount another one, of an unknown spread an unknown one. */
const mapAmounts = (one: Amounts, change: (amount: bigint) => bigint): Amounts => ({
  profit: change(one.profit),
  swap: change(one.swap),
  commission: change(one.commission),
  spread: one.spread === null ? null : change(one.spread),
})

/** Returns the part of amounts that `lots` of `all` lots have, rounded toward zero. */
export const takeShare = (one: Amounts, lots: bigint, all: bigint): Amounts =>
  mapAmounts(one, (amount) => (amount * lots) / all)

const subtract = (one: Amounts, other: Amounts): Amounts =>
  addAmounts(
    one,
    mapAmounts(other, (amount) => -amount),
  )

/** Amounts that are shared by lots, part after part: each is rounded toward zero, and the last one gets the rest. */
export class Pool {
  readonly #all: Amounts
  readonly #lots: bigint
  #left: Amounts
  constructor(all: Amounts, lots: bigint) {
    this.#all = all
    this.#lots = lots
    this.#left = all
  }
  /** What was not taken yet. */
  get left(): Amounts {
    return this.#left
  }
  /** Takes the share of some lots; of the last ones all that is left. */
  take(lots: bigint, isLast: boolean): Amounts {
    const share = isLast ? this.#left : takeShare(this.#all, lots, this.#lots)
    this.#left = subtract(this.#left, share)
    return share
  }
}
