import { sql } from 'drizzle-orm'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { payoutDestinations as destinations } from '../../books/withdrawals/withdrawals.table.ts'
import { traderAliases, traderMerges } from '../../clients/traders/merged.table.ts'
import type { Person } from '../../clients/traders/traders.hooks.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { affiliates, affiliateTerms, traderAffiliations } from '../affiliates/affiliates.table.ts'
import { areTheSame, asPerson } from '../affiliates/attribution.ts'
import { commissionPlanVersions, type PlanVersionRow } from '../affiliates/plans.table.ts'
import type { Trade } from './closed-trades.ts'
import type { Member, Terms } from './compute.ts'
import { chainAt, clientAt, type History, lastTermsAt, lastUntil, type Merge, type TermsRow } from './terms-history.ts'

/** What is known of a client: present and former addresses and phones, and destinations. */
type Known = { names: readonly Person[]; destinations: readonly string[] }

const ALL_TERMS = statement(
  sql`SELECT ${listed({
    affiliateId: affiliateTerms.affiliateId,
    parentId: affiliateTerms.parentId,
    planId: affiliateTerms.planId,
    status: affiliateTerms.status,
    validFrom: affiliateTerms.validFrom,
  })} FROM ${affiliateTerms} WHERE ${affiliateTerms.tenantId} = ?1 ORDER BY ${affiliateTerms.validFrom}, ${affiliateTerms.id}`,
)
const BEARERS = statement(
  sql`SELECT ${listed({ affiliateId: affiliates.id, traderId: affiliates.traderId })} FROM ${affiliates}
  WHERE ${affiliates.tenantId} = ?1`,
)
const PEOPLE = statement(
  sql`SELECT ${listed({ id: traders.id, email: traders.email, phone: traders.phone })} FROM ${traders}
  WHERE ${traders.tenantId} = ?1 AND ${traders.id} IN (SELECT value FROM json_each(?2))`,
)
// cards do not count, since many people have one with the same scheme and last four digits
const DESTINATIONS = statement(
  sql`SELECT ${listed({ traderId: destinations.traderId, fingerprint: destinations.fingerprint })} FROM ${destinations}
  WHERE ${destinations.tenantId} = ?1 AND ${destinations.traderId} IN (SELECT value FROM json_each(?2))
    AND ${destinations.kind} <> 'card'`,
)
const AFFILIATIONS = statement(
  sql`SELECT ${listed({
    traderId: traderAffiliations.traderId,
    affiliateId: traderAffiliations.affiliateId,
    validFrom: traderAffiliations.validFrom,
  })} FROM ${traderAffiliations} INDEXED BY trader_affiliations_trader
  WHERE ${traderAffiliations.tenantId} = ?1
    AND ${traderAffiliations.traderId} IN (SELECT value FROM json_each(?2))
  ORDER BY ${traderAffiliations.validFrom}, ${traderAffiliations.id}`,
)

type Alias = { traderId: string; kind: 'email' | 'phone'; value: string }
const ALIASES = statement(
  sql`SELECT ${listed({ traderId: traderAliases.traderId, kind: traderAliases.kind, value: traderAliases.value })}
  FROM ${traderAliases} WHERE ${traderAliases.tenantId} = ?1
    AND ${traderAliases.traderId} IN (SELECT value FROM json_each(?2))`,
)
const MERGES = statement(
  sql`SELECT ${listed({ id: traderMerges.secondaryId, target: traderMerges.primaryId, at: traderMerges.createdAt })}
  FROM ${traderMerges} WHERE ${traderMerges.tenantId} = ?1`,
)

/** Returns what is known of clients, by id. */
function peopleIn(db: Reader, ids: readonly string[]): Map<string, Known> {
  const list = JSON.stringify(ids)
  const paid = Map.groupBy(
    db.query<{ traderId: string; fingerprint: string }>(DESTINATIONS, [list]),
    (row) => row.traderId,
  )
  const rows = db.query<Person & { id: string }>(PEOPLE, [list])
  const aliases = Map.groupBy(db.query<Alias>(ALIASES, [list]), (row) => row.traderId)
  return new Map(
    rows.map((row) => [
      row.id,
      {
        names: [row, ...(aliases.get(row.id) ?? []).map((alias) => asPerson(row.id, alias))],
        destinations: (paid.get(row.id) ?? []).map((one) => one.fingerprint),
      },
    ]),
  )
}

const isSame = (one: Known, other: Known): boolean =>
  areTheSame(one.names, other.names) || one.destinations.some((place) => other.destinations.includes(place))

/** Returns the terms of a firm's affiliates at any moment; they are read once for a run or for one line. */
export function readTermsBook(db: Reader) {
  const terms = Map.groupBy(db.query<TermsRow & { affiliateId: string }>(ALL_TERMS), (row) => row.affiliateId)
  const bearers = new Map(
    db.query<{ affiliateId: string; traderId: string }>(BEARERS).map((row) => [row.affiliateId, row.traderId]),
  )
  const plans = Map.groupBy(
    db.list(commissionPlanVersions, {}, { orderBy: 'number' }).toSorted((a, b) => a.validFrom - b.validFrom),
    (row: PlanVersionRow) => row.planId,
  )
  const versions = new Map([...plans.values()].flat().map((row) => [row.id, row]))
  const merges = new Map(db.query<Merge & { id: string }>(MERGES).map(({ id, ...merge }) => [id, merge]))
  let affiliatePeople: Map<string, Known> | undefined

  const history: History = { terms, plans }

  return {
    versions,
    ids: [...bearers.keys()],
    /** Returns whether any plan has or had a rule of this model. */
    knows: (model: string): boolean =>
      [...versions.values()].some(({ rules }) => rules.some((rule) => rule.model === model)),
    /**
     * Returns the affiliates above a client at a moment, from the client's broker upwards. One that was inactive then,
     * or is the client (`same`), earns nothing.
     */
    chainAt: (affiliateId: string, at: number, same: (affiliateId: string) => boolean): Member[] =>
      chainAt(history, affiliateId, at, same),
    /** Returns when an affiliate first had terms; earlier sources earn it nothing. */
    findFirstTerms: (affiliateId: string): number | undefined => terms.get(affiliateId)?.[0]?.validFrom,
    /** Returns the terms of an affiliate at a moment: those of its plan, or of its last plan before. */
    lastTermsAt: (affiliateId: string, at: number): Terms | null => lastTermsAt(history, affiliateId, at),
    /** Returns a test of whether an affiliate is one of these clients, by what is known today. */
    sameAs(traderIds: readonly string[]): (traderId: string, affiliateId: string) => boolean {
      affiliatePeople ??= peopleIn(db, [...new Set(bearers.values())])
      const people = peopleIn(db, traderIds)
      return (traderId, affiliateId) => {
        const one = people.get(traderId)
        const other = affiliatePeople?.get(bearers.get(affiliateId) ?? '')
        return one !== undefined && other !== undefined && isSame(one, other)
      }
    },
    /** Returns the client into whom an owner was merged by a moment; later merges change nothing. */
    clientAt: (owner: string, at: number): string => clientAt(merges, owner, at),
    /** Returns a reader of who had brought each of these clients at a moment. */
    broughtBy(traderIds: readonly string[]): (traderId: string, at: number) => string | null {
      type Row = { traderId: string; affiliateId: string | null; validFrom: number }
      const rows = Map.groupBy(db.query<Row>(AFFILIATIONS, [JSON.stringify(traderIds)]), (row) => row.traderId)
      return (traderId, at) => lastUntil(rows.get(traderId) ?? [], at)?.affiliateId ?? null
    },
  }
}
export type TermsBook = ReturnType<typeof readTermsBook>

/** Returns a reader of who had brought the client of each of these trades when it closed. */
export function broughtTrades(book: TermsBook, trades: readonly Pick<Trade, 'owner' | 'closedAt'>[]) {
  const findClient = ({ owner, closedAt }: Pick<Trade, 'owner' | 'closedAt'>): string | null =>
    owner === null ? null : book.clientAt(owner, closedAt)
  const brought = book.broughtBy([...new Set(trades.flatMap((trade) => findClient(trade) ?? []))])
  return (trade: Pick<Trade, 'owner' | 'closedAt'>): string | null => {
    const client = findClient(trade)
    return client === null ? null : brought(client, trade.closedAt)
  }
}
