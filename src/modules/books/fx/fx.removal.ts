import type { Ctx } from '../../../platform/access/ctx.ts'
import { staffIdOf } from '../../../platform/access/principal.ts'
import type { Ratio } from '../../../platform/money.ts'
import { defineErrors, notFound } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import { isFar, jumps, pastOf } from './fx.history.ts'
import { currentRates } from './fx.lookup.ts'
import { removePastRate } from './fx.past-rates.ts'
import { crossOf, lookUp, PIVOT, priceOf, type Rates, type StoredRate } from './fx.quotes.ts'
import { fxPastRates, fxRates } from './fx.table.ts'

const fxErrors = defineErrors('', () => ({
  second_person_needed: [409, say('fx.error.second_person_needed')],
}))

type Pair = { base: string; quote: string }

/**
 * Removes a rate of the firm; the global one, if any, holds again. Nobody puts another price in its place that way:
 * where what would hold then is far from that of the day before, or from what holds now, it stays. A rate of the global
 * pool is nobody's to remove here: 404. One for days that are over may be removed, and entered anew.
 */
export function removeRate(ctx: Ctx, id: string): Promise<null> {
  return ctx.write('fx.remove', (tx) => {
    const entered = tx.find(fxPastRates, { id })
    if (entered) return removePastRate(tx, ctx, entered)
    const { base, quote, current, unconfirmed } = tx.get(fxRates, id)
    if (!current) throw notFound()
    const before = currentRates(tx)
    tx.update(fxRates, id, { current: false, endedAt: tx.now, endedBy: staffIdOf(ctx.principal) })
    if (unconfirmed) return null
    const [was, is] = [tableOf(before), tableOf(currentRates(tx))]
    const past = pastOf(tx, 'tenant', tx.now)
    const then = [lookUp(is, base, quote), crossOf(is, base, quote)]
    if (
      then.some((price) => price && jumps(past, { base, quote }, price.ratio)) ||
      pairsOf(before, { base, quote }).some((pair) => moves(was, is, pair))
    )
      throw fxErrors.second_person_needed()
    return null
  })
}

const tableOf = (rates: readonly StoredRate[]): Rates => {
  const byPair = Map.groupBy(rates, ({ base, quote }) => `${base}/${quote}`)
  return { of: (base, quote) => byPair.get(`${base}/${quote}`) ?? [] }
}

/**
 * The pairs whose price a rate is looked at for, in both directions: its own, and where it is a mid those of its
 * currency, which it keeps from a better price.
 */
const pairsOf = (rates: readonly StoredRate[], { base, quote }: Pair): Pair[] =>
  rates
    .filter((rate) => [rate.base, rate.quote].some((code) => code !== PIVOT && (code === base || code === quote)))
    .flatMap((rate) => [
      { base: rate.base, quote: rate.quote },
      { base: rate.quote, quote: rate.base },
    ])

/** Whether conversions or comparisons of a pair go by a price that is far from the one before. */
const moves = (was: Rates, is: Rates, pair: Pair): boolean =>
  [lookUp, priceOf].some((find) => {
    const [from, to]: (Ratio | undefined)[] = [was, is].map((rates) => find(rates, pair.base, pair.quote)?.ratio)
    return from !== undefined && to !== undefined && isFar(pair, to, from)
  })
