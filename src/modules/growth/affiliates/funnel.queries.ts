import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { DAY, toIso } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { report } from '../../../platform/http/answers/report-in-child.ts'
import { deposits } from '../../books/deposits/deposits.table.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { FunnelOut } from './affiliates.model.ts'
import { affiliates, affiliateClicks as clicks } from './affiliates.table.ts'

/** The funnel covers this many days. RULES “Reports”. */
const FUNNEL_DAYS = 90

const FIRST_OF = sql`(SELECT min(${deposits.settledAt}) FROM ${deposits} WHERE ${deposits.tenantId} = ?1
  AND ${deposits.traderId} = t.id)`
const DEPOSITED = sql`coalesce(${FIRST_OF} BETWEEN ?2 AND ?3 - 1, 0)`
const FUNNEL = statement(
  sql`SELECT t.affiliate_id AS id, count(*) AS registrations, sum(t.kyc_status = 'approved') AS kycApproved,
    sum(${DEPOSITED}) AS firstDeposits, sum(t.kyc_status = 'approved' AND ${DEPOSITED}) AS approvedWithDeposit
  FROM ${traders} t WHERE t.tenant_id = ?1 AND t.affiliate_id IS NOT NULL AND t.deleted_at IS NULL
    AND t.created_at >= ?2 AND t.created_at < ?3
  GROUP BY t.affiliate_id`,
)
const CLICKED = statement(
  sql`SELECT ${clicks.affiliateId} AS id, count(*) AS n FROM ${clicks}
  WHERE ${clicks.tenantId} = ?1 AND ${clicks.createdAt} >= ?2 AND ${clicks.createdAt} < ?3 GROUP BY ${clicks.affiliateId}`,
)
const CODES = statement(
  sql`SELECT ${listed({ id: affiliates.id, code: affiliates.code })} FROM ${affiliates} WHERE ${affiliates.tenantId} = ?1
  AND ${affiliates.id} IN (SELECT value FROM json_each(?2))`,
)

type Counted = {
  id: string
  registrations: number
  kycApproved: number
  firstDeposits: number
  approvedWithDeposit: number
}

const LARGE = [
  statement(sql`SELECT 1 AS n FROM ${traders} WHERE ${traders.tenantId} = ?1 LIMIT 1 OFFSET 5000`),
  statement(sql`SELECT 1 AS n FROM ${clicks} WHERE ${clicks.tenantId} = ?1 LIMIT 1 OFFSET 20000`),
]

/** Answers clicks, registrations, approvals and first deposits of 90 days; in a large firm up to a minute old. */
export async function funnel(ctx: Ctx): Promise<Static<typeof FunnelOut>> {
  if (LARGE.some((sql) => ctx.db.query(sql).length > 0)) return report(ctx, 'affiliates.funnel', {}, FunnelOut)
  return readFunnel(ctx.db, { now: ctx.now() })
}

export const FunnelParams = Type.Object({ now: Type.Integer() })
/** Computes the funnel of the 90 days before a moment, by affiliate. */
export function readFunnel(db: Reader, { now: to }: Static<typeof FunnelParams>): Static<typeof FunnelOut> {
  const from = to - FUNNEL_DAYS * DAY
  const counted = new Map(db.query<Counted>(FUNNEL, [from, to]).map((row) => [row.id, row]))
  const clicked = new Map(db.query<{ id: string; n: number }>(CLICKED, [from, to]).map((row) => [row.id, row.n]))
  const all = [...new Set([...counted.keys(), ...clicked.keys()])].map((id) => {
    const none = { registrations: 0, kycApproved: 0, firstDeposits: 0, approvedWithDeposit: 0 }
    const { id: _, ...counts } = { ...none, ...counted.get(id) }
    return { affiliateId: id, clicks: clicked.get(id) ?? 0, ...counts }
  })
  const total = (key: 'clicks' | Exclude<keyof Counted, 'id'>) => all.reduce((sum, row) => sum + row[key], 0)
  const top = all
    .sort(
      (a, b) => b.registrations - a.registrations || b.clicks - a.clicks || (a.affiliateId < b.affiliateId ? -1 : 1),
    )
    .slice(0, 200)
  const codes = new Map(
    db
      .query<{ id: string; code: string }>(CODES, [JSON.stringify(top.map(({ affiliateId }) => affiliateId))])
      .map(({ id, code }) => [id, code]),
  )
  return {
    from: toIso(from),
    to: toIso(to),
    clicks: total('clicks'),
    registrations: total('registrations'),
    kycApproved: total('kycApproved'),
    firstDeposits: total('firstDeposits'),
    approvedWithDeposit: total('approvedWithDeposit'),
    byAffiliate: top.map((row) => ({ ...row, code: codes.get(row.affiliateId) ?? '' })),
  }
}
