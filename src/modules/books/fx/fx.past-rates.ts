import { type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findStaffId } from '../../../platform/access/principal.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { bare, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { defineErrors, invalid, notFound } from '../../../platform/problem.ts'
import { addDays, startOfDay, toDay } from '../../../platform/zone.ts'
import { say } from '../../../words/say.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import { quoteAt } from './fx.quote-at.ts'
import { PIVOT } from './fx.quotes.ts'
import { fxRates, type PastRateRow, fxPastRates as past, fxGlobalRates as pool } from './fx.table.ts'

const pastErrors = defineErrors('', () => ({ past_rate_behind: [409, say('fx.error.past_rate_behind')] }))

/** A firm has at most this many rates for past days, since one list shows them all. */
const MOST_PAST = 2000

/** Returns the rates for past days, newest day first. */
export const pastRates = (db: Reader): PastRateRow[] =>
  db.list(past, { removedAt: null }, { orderBy: 'sinceAt', descending: true, limit: MOST_PAST })

type PastRate = { base: string; quote: string; rate: string; source: string; since: string }

const LEGS = sql`json_each(?2) AS pair`
const beganIn = (rates: typeof fxRates | typeof pool): SQL => {
  const ofFirm = rates === fxRates ? sql`${fxRates.tenantId} = ?1 AND` : sql``
  return sql`SELECT ${bare(rates.createdAt)} AS at FROM ${LEGS} CROSS JOIN ${rates} WHERE ${ofFirm} ${rates.unconfirmed} = 0
    AND ${rates.base} = pair.value ->> 0 AND ${rates.quote} = pair.value ->> 1
    AND ${rates.createdAt} >= ?3 AND ${rates.createdAt} < ?4`
}
// no index begins with the time, but each pair's times of one day are together in one
const BEGAN = statement(sql`${beganIn(fxRates)} UNION ${beganIn(pool)}`)

/** Returns whether a pair had a price at any moment of a day, however briefly. */
function wasValued(db: Reader, { base, quote }: Pick<PastRate, 'base' | 'quote'>, from: number, to: number): boolean {
  const codes = [base, quote, PIVOT]
  const legs = codes.flatMap((one) => codes.filter((other) => other !== one).map((other) => [one, other]))
  const began = db.query<{ at: number }>(BEGAN, [JSON.stringify(legs), from, to]).map(({ at }) => at)
  return [from, ...began, to - 1].some((at) => quoteAt(db, base, quote, at) !== undefined)
}

/**
 * Enters a rate from a past day on. The day must be over and must have had no rate, neither direct nor through another
 * currency, so that amounts computed earlier do not change; otherwise it is a 422.
 */
export function setPastRate(tx: Tx, ctx: Ctx, { since, ...rate }: PastRate, path: string): PastRateRow {
  const { timeZone } = readFirmSettings(tx)
  if (since < '1990') throw invalid(path, 'range', say('fx.field.too_early'))
  if (since >= toDay(tx.now, timeZone)) throw invalid(path, 'range', say('fx.field.not_over'))
  const [sinceAt, endsAt] = [startOfDay(since, timeZone), startOfDay(addDays(since, 1), timeZone)]
  if (wasValued(tx, rate, sinceAt, endsAt)) throw invalid(path, 'range', say('fx.field.day_has_rate'))
  if (tx.count(past, { removedAt: null }) >= MOST_PAST)
    throw invalid(path, 'too_many', say('fx.field.too_many_past', { most: MOST_PAST }))
  return tx.insert(past, { ...rate, since, sinceAt, createdBy: findStaffId(ctx.principal) }, 'fx.enter_past')
}

/**
 * Removes a rate for past days; amounts computed with it stay until their source changes. 409 if another entered rate,
 * unused so far, would replace it.
 */
export function removePastRate(tx: Tx, ctx: Ctx, { id, base, quote, sinceAt, removedAt }: PastRateRow): null {
  if (removedAt !== null) throw notFound()
  tx.update(past, id, { removedAt: tx.now, removedBy: findStaffId(ctx.principal) })
  const { timeZone } = readFirmSettings(tx)
  const endsAt = startOfDay(addDays(toDay(sinceAt, timeZone), 1), timeZone)
  if (quoteAt(tx, base, quote, endsAt - 1)) throw pastErrors.past_rate_behind()
  return null
}
