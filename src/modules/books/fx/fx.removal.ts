import type { Ctx } from '../../../platform/access/ctx.ts'
import { findStaffId } from '../../../platform/access/principal.ts'
import type { Ratio } from '../../../platform/money.ts'
import { defineErrors, notFound } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import { createPastPrices, isFar, jumps } from './fx.history.ts'
import { currentRates } from './fx.lookup.ts'
import { removePastRate } from './fx.past-rates.ts'
import { findCross, findPrice, lookUp, PIVOT, type Rates, type StoredRate } from './fx.quotes.ts'
import { fxPastRates, fxRates } from './fx.table.ts'

const fxErrors = defineErrors('', () => ({
  second_person_needed: [409, say('fx.error.second_person_needed')],
}))

type Pair = { base: string; quote: string }

/**
 * Removes a rate of the firm; the pool's rate applies again, if there is one. Refused if the next price would be far
 * from yesterday's or from the present one, so that a removal cannot replace a confirmation. A rate of the pool is a
 * 404 here. A rate for past days may be removed and entered again.
 */
export function removeRate(ctx: Ctx, id: string): Promise<null> {
  return ctx.write('fx.remove', (tx) => {
    const entered = tx.find(fxPastRates, { id })
    if (entered) return removePastRate(tx, ctx, entered)
    const { base, quote, current, unconfirmed } = tx.get(fxRates, id)
    if (!current) throw notFound()
    const before = currentRates(tx)
    tx.update(fxRates, id, { current: false, endedAt: tx.now, endedBy: findStaffId(ctx.principal) })
    if (unconfirmed) return null
    const [was, is] = [indexRates(before), indexRates(currentRates(tx))]
    const past = createPastPrices(tx, 'tenant', tx.now)
    const then = [lookUp(is, base, quote), findCross(is, base, quote)]
    if (
      then.some((price) => price && jumps(past, { base, quote }, price.ratio)) ||
      listAffectedPairs(before, { base, quote }).some((pair) => moves(was, is, pair))
    )
      throw fxErrors.second_person_needed()
    return null
  })
}

const indexRates = (rates: readonly StoredRate[]): Rates => {
  const byPair = Map.groupBy(rates, ({ base, quote }) => `${base}/${quote}`)
  return { of: (base, quote) => byPair.get(`${base}/${quote}`) ?? [] }
}

/**
 * Returns the pairs whose price a rate affects, in both directions: its own, and for a mid also all pairs of its
 * currency, since the mid limits their prices.
 */
const listAffectedPairs = (rates: readonly StoredRate[], { base, quote }: Pair): Pair[] =>
  rates
    .filter((rate) => [rate.base, rate.quote].some((code) => code !== PIVOT && (code === base || code === quote)))
    .flatMap((rate) => [
      { base: rate.base, quote: rate.quote },
      { base: rate.quote, quote: rate.base },
    ])

/** Returns whether conversions or comparisons of a pair would get a price far from the former one. */
const moves = (was: Rates, is: Rates, pair: Pair): boolean =>
  [lookUp, findPrice].some((find) => {
    const [from, to]: (Ratio | undefined)[] = [was, is].map((rates) => find(rates, pair.base, pair.quote)?.ratio)
    return from !== undefined && to !== undefined && isFar(pair, to, from)
  })
