import type { Reader } from '../../../platform/db/reader.ts'
import { divHalfEven, formatAmount, getScale } from '../../../platform/money.ts'
import { addDays, startOfDay } from '../../../platform/zone.ts'
import { quoteAt } from '../../books/fx/fx.quote-at.ts'
import type { Quote } from '../../books/fx/fx.quotes.ts'
import type { MissingRate } from './reporting.model.ts'

/** Converts amounts of any size, unlike `convertByRatio`, since a sum in a report may exceed the largest amount. */
export const convertBy = (minor: bigint, from: string, to: string, { ratio }: Quote): bigint =>
  divHalfEven(minor * ratio.n * 10n ** BigInt(getScale(to)), ratio.d * 10n ** BigInt(getScale(from)))

type Missing = { currency: string; day: string; minor: bigint }
const size = (minor: bigint): bigint => (minor < 0n ? -minor : minor)

/**
 * Converts the movements of a report at the firm's rate at the end of each day (for today: now), rounding once, half to
 * even. A movement without a rate becomes null and is listed as missing; no rate is guessed. RULES “Reports”.
 */
export function createConversion(db: Reader, into: { currency: string; timeZone: string; now: number }) {
  const quotes = new Map<string, Quote | null>()
  const missing = new Map<string, Missing>()
  const ever = new Map<string, Missing>()
  const note = (of: Map<string, Missing>, { currency, day, minor }: Missing): void => {
    const key = `${day} ${currency}`
    of.set(key, { currency, day, minor: (of.get(key)?.minor ?? 0n) + minor })
  }
  const shown = (of: ReadonlyMap<string, Missing>): MissingRate[] =>
    [...of.entries()]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { currency, day, minor }]) => ({ currency, day, amount: formatAmount(minor, currency) }))
  const findDayQuote = (currency: string, day: string): Quote | null => {
    const key = `${currency} ${day}`
    const known = quotes.get(key)
    if (known !== undefined) return known
    const end = startOfDay(addDays(day, 1), into.timeZone) - 1
    const quote = quoteAt(db, currency, into.currency, Math.min(end, into.now)) ?? null
    quotes.set(key, quote)
    return quote
  }
  return {
    /**
     * Returns `count` movements of this amount on this day in minor units of the report’s currency; null without a
     * rate.
     */
    convert: (minor: bigint, currency: string, day: string, count = 1): bigint | null => {
      const quote = findDayQuote(currency, day)
      const times = BigInt(count)
      if (quote) return convertBy(minor, currency, into.currency, quote) * times
      note(missing, { currency, day, minor: size(minor) * times })
      return null
    },
    /** Lists an amount for which the caller itself found no rate. */
    noteMissing: (minor: bigint, currency: string, day: string): void =>
      note(missing, { currency, day, minor: size(minor) }),
    /** Returns what has lacked a rate since the last call, by day and currency: the amount in either direction. */
    takeMissing: (): MissingRate[] => {
      const found = shown(missing)
      for (const one of missing.values()) note(ever, one)
      missing.clear()
      return found
    },
    /** Returns all that `takeMissing` has ever returned. */
    allMissing: (): MissingRate[] => shown(ever),
  }
}
export type Conversion = ReturnType<typeof createConversion>

/** Returns the sum of converted amounts; null if one of them is null. */
export const addConverted = (sum: bigint | null, one: bigint | null): bigint | null =>
  sum === null || one === null ? null : sum + one

/** Returns converted minor units in the form of an answer. */
export const amountOut = (minor: bigint | null, currency: string): string | null =>
  minor === null ? null : formatAmount(minor, currency)
