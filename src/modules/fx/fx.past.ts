import type { Ctx } from '../../platform/access/ctx.ts'
import { staffIdOf } from '../../platform/access/principal.ts'
import type { Reader } from '../../platform/db/reader.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { invalid, notFound } from '../../platform/http/problem.ts'
import { addDays, dayOf, startOfDay } from '../../platform/zone.ts'
import { say } from '../../words/say.ts'
import { readFirmSettings } from '../tenants/firm-settings.ts'
import { quoteAt } from './fx.at.ts'
import { type PastRateRow, fxPastRates as past } from './fx.table.ts'

/** Rates for days that are over, of a firm: the list of them shows them all. */
const MOST_PAST = 2000

/** The rates that were entered for days that were over, newest day first. */
export const pastRates = (db: Reader): PastRateRow[] =>
  db.list(past, { removedAt: null }, { orderBy: 'sinceAt', descending: true, limit: MOST_PAST })

type PastRate = { base: string; quote: string; rate: string; source: string; since: string }

/**
 * Enters what a pair was worth from a day on that is over and had no rate. What was worked out by a rate before stays
 * as it is: 422 where the day has one, be it through another currency, and where it is not over.
 */
export function setPastRate(tx: Tx, ctx: Ctx, { since, ...rate }: PastRate, path: string): PastRateRow {
  const { timeZone } = readFirmSettings(tx)
  if (since < '1990') throw invalid(path, 'range', say('fx.field.too_early'))
  if (since >= dayOf(tx.now, timeZone)) throw invalid(path, 'range', say('fx.field.not_over'))
  const endsAt = startOfDay(addDays(since, 1), timeZone) - 1
  if (quoteAt(tx, rate.base, rate.quote, endsAt)) throw invalid(path, 'range', say('fx.field.has_rate'))
  if (tx.count(past, { removedAt: null }) >= MOST_PAST)
    throw invalid(path, 'too_many', say('fx.field.too_many_past', { most: MOST_PAST }))
  const sinceAt = startOfDay(since, timeZone)
  return tx.insert(past, { ...rate, since, sinceAt, createdBy: staffIdOf(ctx.principal) }, 'fx.enter_past')
}

/** Removes a rate that was entered for days that are over; what was made by it stays until its source changes. */
export function removePastRate(tx: Tx, ctx: Ctx, { id, removedAt }: PastRateRow): null {
  if (removedAt !== null) throw notFound()
  tx.update(past, id, { removedAt: tx.now, removedBy: staffIdOf(ctx.principal) })
  return null
}
