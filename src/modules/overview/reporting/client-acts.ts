import { type Column, type SQL, sql } from 'drizzle-orm'
import type { Scope } from '../../../platform/access/catalogue.ts'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { requireScope } from '../../../platform/access/principal.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { statement } from '../../../platform/db/statement.ts'
import { parseTime } from '../../../platform/http/lists/list-filters.ts'
import type { Query, Where } from '../../../platform/http/lists/page.ts'
import { deposits } from '../../books/deposits/deposits.table.ts'
import { isLive } from '../../books/positions/positions.model.ts'
import { positions } from '../../books/positions/positions.table.ts'
import { withdrawals } from '../../books/withdrawals/withdrawals.table.ts'
import { traders } from '../../clients/traders/traders.table.ts'

const within = (of: typeof deposits | typeof withdrawals | typeof positions, at: Column): SQL =>
  sql`SELECT ${of.traderId} FROM ${of} WHERE ${of.tenantId} = ? AND ${at} >= ? AND ${at} < ?`
const IS_LIVE = isLive(sql`${positions.tenantId}`)
const FIRST = sql`(SELECT min(${deposits.settledAt}) FROM ${deposits} WHERE ${deposits.tenantId} = ?
  AND ${deposits.traderId} = ${traders.id} AND ${deposits.settledAt} IS NOT NULL)`

/** `scopes` are those of the rows that it looks at, which a key needs too. */
type Act = {
  scopes: readonly Scope[]
  sql: string
  params: (tenantId: string, from: number, to: number) => (string | number)[]
}

/** What a client did in a period, from `<name>From` on and before `<name>To`. RULES “Reports”. */
const ACTS: Readonly<Record<'active' | 'firstDeposit' | 'deposited', Act>> = {
  active: {
    scopes: ['deposits:read', 'withdrawals:read', 'positions:read'],
    sql: statement(sql`${traders.id} IN (${within(deposits, deposits.settledAt)}
      UNION ALL ${within(withdrawals, withdrawals.paidAt)}
      UNION ALL ${within(positions, positions.openedAt)} AND ${IS_LIVE}
      UNION ALL ${within(positions, positions.closedAt)} AND ${IS_LIVE})`),
    params: (...period) => [...period, ...period, ...period, ...period],
  },
  firstDeposit: {
    scopes: ['deposits:read'],
    sql: statement(sql`${FIRST} >= ? AND ${FIRST} < ?`),
    params: (tenantId, from, to) => [tenantId, from, tenantId, to],
  },
  deposited: {
    scopes: ['deposits:read'],
    sql: statement(sql`EXISTS (SELECT 1 FROM ${deposits} WHERE ${deposits.tenantId} = ?
      AND ${deposits.traderId} = ${traders.id} AND ${deposits.settledAt} >= ? AND ${deposits.settledAt} < ?)`),
    params: (...period) => period,
  },
}

/**
 * Returns the predicates of a list of clients for what they did in the periods that its query names. 403 if a key may
 * not read the rows that tell it.
 */
export function whereActed(query: Query, ctx: Ctx): Where {
  const where: Where = { sql: '', params: [] }
  for (const [name, act] of Object.entries(ACTS)) {
    const edge = (key: string): number | undefined =>
      typeof query[key] === 'string' ? parseTime(key, query[key]) : undefined
    const [from, to] = [edge(`${name}From`), edge(`${name}To`)]
    if (from === undefined && to === undefined) continue
    for (const scope of act.scopes) requireScope(ctx, scope)
    where.sql += ` AND ${act.sql}`
    where.params.push(...act.params(ctx.tenantId, from ?? 0, to ?? Number.MAX_SAFE_INTEGER))
  }
  return where
}

/** Counts the clients who paid in, were paid, or opened or closed a position in a period. RULES “Reports”. */
export function countActive(db: Reader, from: number, to: number): number {
  const { sql: active, params } = ACTS.active
  return db.total(traders, ` AND ${active}`, params(db.scope.tenantId, from, to))
}
