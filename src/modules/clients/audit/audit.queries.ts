import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { formatAnchor } from '../../../platform/audit/audit.ts'
import { perTenant } from '../../../platform/capabilities.ts'
import { toIso } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { parseTime } from '../../../platform/http/lists/list-filters.ts'
import { type PageOf, type Query, readPage, type Where } from '../../../platform/http/lists/page.ts'
import { namesThen } from '../../firm/users/users.names.ts'
import { users } from '../../firm/users/users.table.ts'
import { countFitting, parseClear, readClearTexts } from './audit.details.ts'
import { type AuditOut, auditList, type FacetsOut, type VerifyOut, type VerifyQuery } from './audit.model.ts'
import { type AuditEntryRow, auditEntries as audit } from './audit.table.ts'

type Entry = Static<typeof AuditOut>
/** An entry whose clear text is still JSON, so that it can be written out without parsing. */
type Unread = Omit<Entry, 'before' | 'after'> & { before: string | null; after: string | null }

const PEOPLE = statement(
  sql`SELECT ${listed({ id: users.id, name: users.displayName })} FROM ${users} WHERE ${users.tenantId} = ?1`,
)

/** The clear text of these entities identifies a person or shows where their money goes. */
const ABOUT_PEOPLE: ReadonlySet<string> = new Set([
  'trader',
  'trader_alias',
  'trader_note',
  'lead',
  'payout_destination',
])

type About = Pick<AuditEntryRow, 'entity' | 'traderId'>

/**
 * Returns the clear text that a reader may see, and counts its client as read; a key that may not read clients gets no
 * text about them. RULES “Reading people”.
 */
function shown<T>({ scope }: Reader, entry: About, clear: T | undefined): T | undefined {
  if (clear === undefined || !ABOUT_PEOPLE.has(entry.entity)) return clear
  if (!scope.readsClients) return undefined
  if (entry.traderId !== null) scope.seen?.(entry.traderId)
  return clear
}

/** Adds to rows their clear text and the names that their actors had at the time, in three queries in all. */
export function withDetails(db: Reader, rows: readonly AuditEntryRow[]): Unread[] {
  const data = readClearTexts(db, rows)
  const nameThen = namesThen(
    db,
    rows.map(({ actorId }) => actorId),
  )
  return rows.map(({ tenantId: _, ...row }) => {
    const kept = data.get(row.seq)
    const clear = shown(db, row, kept)
    return {
      ...row,
      at: toIso(row.at),
      actorName: nameThen(row.actorId, row.at),
      before: clear?.before ?? null,
      after: clear?.after ?? null,
      erased: kept === undefined,
    }
  })
}

const AT = statement(
  sql`SELECT ${listed({ at: audit.at })} FROM ${audit} WHERE ${audit.tenantId} = ?1 AND ${audit.seq} = ?2`,
)
const HEAD = statement(sql`SELECT coalesce(max(${audit.seq}), 0) AS seq FROM ${audit} WHERE ${audit.tenantId} = ?1`)
const SINCE = statement(sql` AND ${audit.seq} >= ?`)
const UNTIL = statement(sql` AND ${audit.seq} < ?`)

/**
 * Returns the first entry at or after a time. Entries are in order of time, so a bisection finds it; a scan of a long
 * log would block other requests.
 */
export function firstSeqAt(db: Reader, time: number): number {
  let low = 1
  let high = (db.query<{ seq: number }>(HEAD)[0]?.seq ?? 0) + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const at = db.query<{ at: number }>(AT, [middle])[0]?.at ?? 0
    if (at < time) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns `from` and `to` as a range of the chain's numbers. */
export function timeRange(db: Reader, query: Query): Where {
  const where: Where = { sql: '', params: [] }
  const bound = (name: 'from' | 'to', predicate: string) => {
    const text = query[name]
    if (typeof text !== 'string') return
    where.sql += predicate
    where.params.push(firstSeqAt(db, parseTime(name, text)))
  }
  bound('from', SINCE)
  bound('to', UNTIL)
  return where
}

/** Lists the audit log, newest first; a page ends early if its clear text becomes too long. RULES “Audit log”. */
export function listAudit(ctx: Ctx, query: Query): PageOf<Entry> {
  const reach = (rows: readonly AuditEntryRow[]): number => countFitting(ctx.db, rows)
  const page = readPage(ctx, auditList, query, (row) => row, {}, timeRange(ctx.db, query), reach)
  const data = withDetails(ctx.db, page.data).map((entry) => ({
    ...entry,
    before: parseClear(entry.before),
    after: parseClear(entry.after),
  }))
  return { ...page, data }
}

/** Verifies the caller's log, and whether it still contains an earlier head. */
export async function verifyAudit(ctx: Ctx, { anchor }: Static<typeof VerifyQuery>): Promise<Static<typeof VerifyOut>> {
  const [seq, hash] = anchor?.split(':') ?? []
  const known = seq !== undefined && hash !== undefined ? { seq: Number(seq), hash } : null
  const found = await ctx.verifyAudit(known)
  return { ...found, head: found.head === null ? null : formatAnchor(found.head) }
}

type Counted = { seq: number; action: string; entity: string; actorKind: string; actorId: string | null }
const AFTER = statement(
  sql`SELECT ${listed({
    seq: audit.seq,
    action: audit.action,
    entity: audit.entity,
    actorKind: audit.actorKind,
    actorId: audit.actorId,
  })} FROM ${audit} WHERE ${audit.tenantId} = ?1 AND ${audit.seq} > ?2 ORDER BY ${audit.seq} LIMIT 2000`,
)
type Counts = { seq: number; actions: Map<string, number>; entities: Map<string, number>; actors: Map<string, number> }
const getCounts = perTenant((): Counts => ({ seq: 0, actions: new Map(), entities: new Map(), actors: new Map() }))

const add = (counts: Map<string, number>, value: string) => counts.set(value, (counts.get(value) ?? 0) + 1)

/** A facet has at most this many values, since a menu could not offer a hundred thousand clients. */
const MOST_VALUES = 1000

/** Returns the most frequent values up to the limit, first those with a name: the firm's own people. */
export function pickMostCounted(
  of: ReadonlyMap<string, number>,
  names: ReadonlyMap<string, string>,
  most = MOST_VALUES,
): [string, number][] {
  if (of.size <= most) return [...of]
  const named = [...of].filter(([value]) => names.has(value)).slice(0, most)
  const room = most - named.length
  // sorting numbers takes a tenth of the time of sorting entries
  const least = Uint32Array.from(of.values()).sort().at(-room) ?? 0
  const others = [...of].filter(([value, count]) => count >= least && !names.has(value))
  return [...named, ...others.sort(([, a], [, b]) => b - a).slice(0, room)]
}

/**
 * Returns actions, actors and entities with their counts over the whole log. Entries never change, so the counts stay
 * in memory and only new entries are read. A long log is first counted in batches, so that other requests run in
 * between.
 */
export async function readFacets(ctx: Ctx): Promise<Static<typeof FacetsOut>> {
  const counts = getCounts(ctx)
  for (;;) {
    const rows = ctx.db.query<Counted>(AFTER, [counts.seq])
    for (const row of rows) {
      counts.seq = row.seq
      add(counts.actions, row.action)
      add(counts.entities, row.entity)
      add(counts.actors, row.actorId ?? row.actorKind)
    }
    if (rows.length < 2000) break
    await Bun.sleep(0)
  }
  const people = ctx.db.query<{ id: string; name: string }>(PEOPLE)
  const names = new Map(people.map(({ id, name }) => [id, name]))
  const facet = (of: Map<string, number>) =>
    pickMostCounted(of, names)
      .map(([value, count]) => ({ value, label: names.get(value) ?? value, count }))
      .sort((a, b) => b.count - a.count || (a.label < b.label ? -1 : 1))
  return { actions: facet(counts.actions), actors: facet(counts.actors), entities: facet(counts.entities) }
}
