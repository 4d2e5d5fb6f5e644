import { sql } from 'drizzle-orm'
import type { Reader } from '../../platform/db/reader.ts'
import { statement } from '../../platform/db/statement.ts'
import { addDays, dayOf, startOfDay } from '../../platform/zone.ts'
import { commissionLines } from './commissions.table.ts'
import { type Convert, type Member, ruleOfTrade, type Terms } from './compute.ts'
import { OF_FAILED } from './differences.ts'
import { converted, type Fraction, isZero, minorOf, plus, whole, ZERO } from './fraction.ts'
import { type DayRates, revenueOf, type Stretch, tradesFrom, type Wanted, wantedOfMonth, whyNot } from './sources.ts'
import { broughtTrades, type TermsBook } from './terms.ts'

/** The month of a day, and the instant at which one begins. */
export const monthOf = (at: number, timeZone: string): string => dayOf(at, timeZone).slice(0, 7)
export const nextMonth = (month: string): string => addDays(`${month}-01`, 31).slice(0, 7)
export const beginOf = (month: string, timeZone: string): number => startOfDay(`${month}-01`, timeZone)
const previousMonth = (month: string): string => addDays(`${month}-01`, -1).slice(0, 7)

/** Revenue of a month by affiliate, apart for each chain that stood above the client when a trade was closed. */
type Revenue = Map<string, Map<string, { members: Omit<Member, 'terms'>[]; revenue: Fraction }>>
type Period = { month: string; from: number; to: number }

const STORED = statement(
  sql`SELECT max(${commissionLines.occurredAt}) AS last FROM ${commissionLines}
  WHERE ${commissionLines.tenantId} = ?1 AND ${commissionLines.source} IN (SELECT value FROM json_each(?2))
    AND NOT ${OF_FAILED}`,
)

/**
 * A month of the firm's zone. Where months were booked before the firm took another zone, theirs is the border: nothing
 * is in two months, nor in none.
 */
export function periodOf(db: Reader, { ids }: TermsBook, month: string, timeZone: string): Period {
  const endOf = (name: string): number => {
    const sources = ids.map((id) => `revenue:${id}:${name}`)
    const last = db.query<{ last: number | null }>(STORED, [JSON.stringify(sources)])[0]?.last ?? null
    return last === null ? beginOf(nextMonth(name), timeZone) : last + 1
  }
  return { month, from: endOf(previousMonth(month)), to: endOf(month) }
}

/** What an affiliate has by way of terms at a moment: those of their plan. */
const termsAt = (book: TermsBook, affiliateId: string, at: number): Terms | null =>
  book.chainAt(affiliateId, at, () => false)[0]?.terms ?? null

/**
 * Revenue of a month by affiliate, in the currency of the plan that holds at its end. Whoever is moved, suspended or
 * made active in its course has a part in what was closed while they stood there and earned; nobody in their own
 * trades. `add` runs what may throw `MissingRate`.
 */
export function revenueOfMonth(
  db: Reader,
  book: TermsBook,
  rates: DayRates,
  period: Period,
  only: string | null,
  add: (affiliateId: string, run: () => void) => void,
): Revenue {
  const found: Revenue = new Map()
  for (let place: [number, string] = [period.from, '']; ; ) {
    const trades = tradesFrom(db, place, period.to, 5000)
    const traderIds = [...new Set(trades.flatMap(({ traderId }) => traderId ?? []))]
    const brought = broughtTrades(book, trades)
    const isSame = book.sameAs(traderIds)
    for (const trade of trades) {
      const { traderId, closedAt, symbol, currency } = trade
      const affiliateId = brought(trade)
      if (affiliateId === null || traderId === null || currency === null || whyNot(trade) !== null) continue
      if (isSame(traderId, affiliateId)) continue
      if (only !== null && affiliateId !== only) continue
      const chain = book.chainAt(affiliateId, closedAt, (id) => isSame(traderId, id))
      const then = chain[0]?.terms
      if (!then || ruleOfTrade(then, symbol, closedAt)?.model !== 'revenue') continue
      add(affiliateId, () => {
        const into = book.lastTermsAt(affiliateId, period.to - 1)?.currency ?? then.currency
        const minor = converted(whole(revenueOf(trade)), currency, into, rates.at(closedAt)(currency, into))
        const members = chain.map(({ affiliateId: id, earns }) => ({ affiliateId: id, earns }))
        const stretches = found.get(affiliateId) ?? new Map()
        const key = members.map(({ affiliateId: id, earns }) => `${id} ${earns}`).join()
        stretches.set(key, { members, revenue: plus(stretches.get(key)?.revenue ?? ZERO, minor) })
        found.set(affiliateId, stretches)
      })
    }
    const last = trades.at(-1)
    if (trades.length < 5000 || !last) return found
    place = [last.closedAt, last.id]
  }
}

const CARRIED = statement(
  sql`SELECT ${commissionLines.detail} ->> 'carried' AS carried, ${commissionLines.contra} AS contra,
    ${commissionLines.currency} AS currency FROM ${commissionLines}
  WHERE ${commissionLines.tenantId} = ?1 AND ${commissionLines.source} = ?2 AND ${commissionLines.level} = 1
    AND NOT ${OF_FAILED}
  ORDER BY ${commissionLines.revision} DESC, ${commissionLines.contra} DESC LIMIT 1`,
)
/** What the month before left below zero, in minor units of the plan's currency by the rate of this month's end. */
function carriedInto(db: Reader, affiliateId: string, month: string, into: string, convert: Convert): Fraction {
  const source = `revenue:${affiliateId}:${previousMonth(month)}`
  const [row] = db.query<{ carried: string | null; contra: number; currency: string }>(CARRIED, [source])
  if (row?.contra !== 0 || row.carried === null) return ZERO
  const carried = minorOf(row.carried, row.currency)
  if (isZero(carried) || row.currency === into) return carried
  return converted(carried, row.currency, into, convert(row.currency, into))
}

/** What a month brings one affiliate and those above. Throws `MissingRate`. */
export function wantedOfAffiliate(
  db: Reader,
  book: TermsBook,
  rates: DayRates,
  { month, to }: Period,
  affiliateId: string,
  revenue: Revenue,
  tell?: Parameters<typeof wantedOfMonth>[2],
): Wanted[] {
  const endsAt = to - 1
  const terms = book.lastTermsAt(affiliateId, endsAt)
  if (!terms) return []
  const stretches: Stretch[] = [...(revenue.get(affiliateId)?.values() ?? [])].map((stretch) => ({
    chain: stretch.members.map((member) => ({ ...member, terms: termsAt(book, member.affiliateId, endsAt) })),
    revenue: stretch.revenue,
  }))
  const carried = carriedInto(db, affiliateId, month, terms.currency, rates.at(endsAt))
  if (stretches.every((stretch) => isZero(stretch.revenue)) && isZero(carried)) return []
  const hasPlan = termsAt(book, affiliateId, endsAt) !== null
  return wantedOfMonth({ affiliateId, month, endsAt, terms, hasPlan, stretches, carried }, rates.at(endsAt), tell)
}
