import { divHalfEven } from '../../../platform/money.ts'
import { parseDecimal } from './amounts.ts'

/** An average is rounded to this many places. */
const PLACES = 10
/** The places of prices of a terminal are at most this many. */
const EXACT = 12

/** The average of prices by their lots, exact until it is read. */
export class AveragePrice {
  #sum = 0n
  #lots = 0n

  /** Adds a price for some lots; one that is not known counts for nothing. */
  add(price: string | null, lots: bigint): void {
    if (price === null) return
    const { n, places } = parseDecimal(price)
    this.#sum += n * 10n ** BigInt(EXACT - places) * lots
    this.#lots += lots
  }

  /** Returns the average as a decimal without zeros at its end; `0` without any price. */
  read(): string {
    if (this.#lots === 0n) return '0'
    const rounded = divHalfEven(this.#sum, this.#lots * 10n ** BigInt(EXACT - PLACES))
    const digits = (rounded < 0n ? -rounded : rounded).toString().padStart(PLACES + 1, '0')
    const fraction = digits.slice(-PLACES).replace(/0+$/, '')
    const whole = `${rounded < 0n ? '-' : ''}${digits.slice(0, -PLACES)}`
    return fraction === '' ? whole : `${whole}.${fraction}`
  }
}
