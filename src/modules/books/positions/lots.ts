const PLACES = 8
/** One lot in units of 0.00000001 lot. */
export const LOT = 10n ** BigInt(PLACES)

/** Parses lots to units of 0.00000001 lot. */
export function parseLots(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole) * LOT + BigInt(fraction.padEnd(PLACES, '0'))
}

/** Writes units of 0.00000001 lot as lots, with at least two places: `1.50`, `0.00012`. */
export function formatLots(units: bigint): string {
  const sign = units < 0n ? '-' : ''
  const digits = (units < 0n ? -units : units).toString().padStart(PLACES + 1, '0')
  const fraction = digits.slice(-PLACES).replace(/0+$/, '').padEnd(2, '0')
  return `${sign}${digits.slice(0, -PLACES)}.${fraction}`
}
