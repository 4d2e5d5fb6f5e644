/** A lot has eight places; the older field of a volume has four. */
const PLACES = 8
const OLD_TO_NEW = 10_000n
/** Amounts and prices have at most twelve places. */
const MOST_PLACES = 12

const toUnits = (decimal: string, places: number): bigint => {
  const [whole = '0', part = ''] = decimal.replace('-', '').split('.')
  const units = BigInt(whole + part.padEnd(places, '0').slice(0, places))
  return decimal.startsWith('-') ? -units : units
}

const writeUnits = (units: bigint, places: number): string => {
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0')
  const part = digits.slice(-places).replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -places)}${part === '' ? '' : `.${part}`}`
}

/**
 * Returns the lots of a volume: of the newer field, or of the older one where the newer is missing, or zero although
 * the older is not. Undefined if there is neither.
 */
export function readLots(newer: string | undefined, older: string | undefined): string | undefined {
  if (newer !== undefined && (BigInt(newer) !== 0n || older === undefined)) return writeUnits(BigInt(newer), PLACES)
  return older === undefined ? undefined : writeUnits(BigInt(older) * OLD_TO_NEW, PLACES)
}

type Opening = {
  price: string
  bid: string | undefined
  ask: string | undefined
  lots: string
  lotsClosed: string | null
  contract: string | undefined
  rate: string | undefined
}

const absolute = (value: bigint): bigint => (value < 0n ? -value : value)

const divideHalfEven = (value: bigint, by: bigint): bigint => {
  const whole = value / by
  const twice = (value % by) * 2n
  return twice > by || (twice === by && whole % 2n === 1n) ? whole + 1n : whole
}

/**
 * Returns what the spread cost whoever opened: the distance of the price from the middle of the market × the lots that
 * were opened × the size of a contract × the rate of profit. Null if any of these is not known.
 */
export function computeSpread({ price, bid, ask, lots, lotsClosed, contract, rate }: Opening): string | null {
  if (bid === undefined || ask === undefined || contract === undefined || rate === undefined) return null
  const [below, above, size, factor] = [bid, ask, contract, rate].map((text) => toUnits(text, MOST_PLACES))
  if (below === undefined || above === undefined || size === undefined || factor === undefined) return null
  if (below <= 0n || above <= 0n || size <= 0n || factor <= 0n) return null
  const opened = toUnits(lots, PLACES) - toUnits(lotsClosed ?? '0', PLACES)
  const twice = absolute(2n * toUnits(price, MOST_PLACES) - below - above)
  const scale = 10n ** BigInt(3 * MOST_PLACES)
  const text = writeUnits(divideHalfEven(twice * absolute(opened) * size * factor, 2n * scale), PLACES)
  return /^[0-9]{1,24}(\.|$)/.test(text) ? text : null
}
