import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { DAY, MINUTE, SECOND, toIso } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { readInChild } from '../../../platform/query-runner/in-child.ts'
import { Time } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { KYC_STATUS, RISK_LEVEL, TRADER_STATUS, traders } from './traders.table.ts'

const Counts = (words: readonly string[]) =>
  Type.Object(Object.fromEntries(words.map((word) => [word, Type.Integer()])))
export const TraderStats = nameSchema(
  'TraderStats',
  Type.Object({
    total: Type.Integer(),
    byStatus: Counts(TRADER_STATUS),
    byKycStatus: Counts(KYC_STATUS),
    byKycLevel: Counts(['0', '1', '2', '3']),
    byRiskLevel: Counts(RISK_LEVEL),
    newIn7Days: Type.Integer(),
    newIn30Days: Type.Integer(),
    asOf: Time,
  }),
)
type Stats = Static<typeof TraderStats>

const COUNTED = statement(
  sql`SELECT ${listed({
    status: traders.status,
    kycStatus: traders.kycStatus,
    kycLevel: traders.kycLevel,
    riskLevel: traders.riskLevel,
    n: sql`count(*)`,
  })} FROM ${traders} INDEXED BY traders_counted
  WHERE ${traders.tenantId} = ?1 AND ${traders.deletedAt} IS NULL
  GROUP BY ${traders.status}, ${traders.kycStatus}, ${traders.kycLevel}, ${traders.riskLevel}`,
)
const NEW_SINCE = statement(
  sql`SELECT count(*) AS n FROM ${traders} INDEXED BY traders_live
  WHERE ${traders.tenantId} = ?1 AND ${traders.deletedAt} IS NULL AND ${traders.createdAt} >= ?2`,
)
/** More clients than this are counted in a child; counting 20,000 here takes about a millisecond. */
const LARGE = statement(
  sql`SELECT 1 AS n FROM ${traders} INDEXED BY traders_live
  WHERE ${traders.tenantId} = ?1 AND ${traders.deletedAt} IS NULL LIMIT 1 OFFSET 20000`,
)

type Counted = { status: string; kycStatus: string; kycLevel: number; riskLevel: string; n: number }

function countTraders(db: Reader, now: number): Stats {
  const groups = db.query<Counted>(COUNTED)
  const by = (words: readonly string[], pickWord: (group: Counted) => string) =>
    Object.fromEntries(
      words.map((word) => [word, groups.reduce((sum, group) => sum + (pickWord(group) === word ? group.n : 0), 0)]),
    )
  const since = (days: number): number => db.query<{ n: number }>(NEW_SINCE, [now - days * DAY])[0]?.n ?? 0
  return {
    total: groups.reduce((sum, { n }) => sum + n, 0),
    byStatus: by(TRADER_STATUS, ({ status }) => status),
    byKycStatus: by(KYC_STATUS, ({ kycStatus }) => kycStatus),
    byKycLevel: by(['0', '1', '2', '3'], ({ kycLevel }) => String(kycLevel)),
    byRiskLevel: by(RISK_LEVEL, ({ riskLevel }) => riskLevel),
    newIn7Days: since(7),
    newIn30Days: since(30),
    asOf: toIso(now),
  }
}

const AsOf = Type.Object({ now: Type.Integer() })
/** Counts the clients of a large firm in a child. */
export const traderStatsTask = (input: unknown): Stats => {
  const { now } = Value.Decode(AsOf, Value.Clean(AsOf, structuredClone(input)))
  return readInChild(input, (db) => countTraders(db, now))
}

const REMEMBERED = MINUTE
/** The counts of at most this many firms are cached. */
const MOST_FIRMS = 100

/**
 * Returns a reader of how many clients there are for each of the list's filters: exact for few clients, up to a minute
 * old for many.
 */
export function createTraderStats(): (ctx: Ctx) => Promise<Stats> {
  const known = new Map<string, { at: number; stats: Promise<Stats> }>()
  return (ctx) => {
    const now = ctx.now()
    if (ctx.db.query(LARGE).length === 0) return Promise.resolve(countTraders(ctx.db, now))
    const last = known.get(ctx.tenantId)
    if (last && now - last.at < REMEMBERED && now >= last.at) return last.stats
    const stats = ctx
      .runTask('traders.stats', { now }, { deadlineMs: 30 * SECOND })
      .then((answer) => Value.Decode(TraderStats, answer))
    stats.catch(() => known.delete(ctx.tenantId))
    const [oldest] = known.keys()
    if (oldest !== undefined && known.size >= MOST_FIRMS) known.delete(oldest)
    known.set(ctx.tenantId, { at: now, stats })
    return stats
  }
}
