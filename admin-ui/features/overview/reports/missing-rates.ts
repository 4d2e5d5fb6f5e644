import { addDecimal } from '../../../lib/text/decimal.ts'

/** An amount that no rate was held for on its day. */
export type Missing = { currency: string; day: string; amount: string }

/** What the pages of a list miss, each currency and day once: two pages may have clients of the same one. */
export function gatherMissing(pages: readonly { missingRates: readonly Missing[] }[]): Missing[] {
  const found = new Map<string, Missing>()
  for (const one of pages.flatMap(({ missingRates }) => missingRates)) {
    const key = `${one.day} ${one.currency}`
    const before = found.get(key)
    found.set(key, before ? { ...before, amount: addDecimal(before.amount, one.amount) } : one)
  }
  return [...found.values()]
}
