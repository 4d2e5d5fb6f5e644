import { addDecimal } from '../../../lib/text/decimal.ts'

/** This amount could not be converted, for the firm had no rate on its day. */
export type Missing = { currency: string; day: string; amount: string }

/** Sums the missing rates of all pages by currency and day, since two pages may miss the same rate. */
export function gatherMissing(pages: readonly { missingRates: readonly Missing[] }[]): Missing[] {
  const found = new Map<string, Missing>()
  for (const one of pages.flatMap(({ missingRates }) => missingRates)) {
    const key = `${one.day} ${one.currency}`
    const before = found.get(key)
    found.set(key, before ? { ...before, amount: addDecimal(before.amount, one.amount) } : one)
  }
  return [...found.values()]
}
