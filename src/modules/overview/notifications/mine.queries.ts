import { type Column, type SQL, sql } from 'drizzle-orm'
import type { Need } from '../../../platform/access/catalogue.ts'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findStaffId, mayCall } from '../../../platform/access/principal.ts'
import { toIso } from '../../../platform/clock.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { formatAmount } from '../../../platform/money.ts'
import { APPROVAL_LIFE } from '../../books/approval-policy/approval-policy.ts'
import { withdrawalDecisions, withdrawals } from '../../books/withdrawals/withdrawals.table.ts'
import { kycSubmissions } from '../../clients/kyc/kyc.table.ts'
import { tickets } from '../../clients/support/support.table.ts'
import { shownName } from '../../clients/traders/client-name.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { leads } from '../../growth/leads/leads.table.ts'
import { type Mine, MOST_OF_KIND, type MyWork } from './mine.model.ts'

// the newest rows of each kind, and one more than is shown, which says whether there are more
const limit = sql.raw(String(MOST_OF_KIND + 1))
const called = (of: Parameters<typeof shownName>[0]): SQL => sql`coalesce(${shownName(of)}, '')`
const client = (of: { tenantId: Column; traderId: Column }): SQL =>
  sql`${traders} ON ${traders.tenantId} = ${of.tenantId} AND ${traders.id} = ${of.traderId}`
const NOTHING = sql`NULL`

type Columns = { id: Column; title: SQL | Column; name?: SQL; amount?: Column; currency?: Column; at: Column }
const row = ({ id, title, name = NOTHING, amount, currency, at }: Columns): SQL =>
  listed({ id, title, name, amount: amount ?? NOTHING, currency: currency ?? NOTHING, at })

// there are few open tickets, but one person may have had many: “+” keeps SQLite from using the index of assignees
const TICKETS = statement(
  sql`SELECT ${row({ id: tickets.id, title: tickets.subject, name: called(traders), at: tickets.lastMessageAt })}
  FROM ${tickets} LEFT JOIN ${client(tickets)}
  WHERE ${tickets.tenantId} = ?1 AND ${tickets.status} = 'open' AND +${tickets.assignedTo} = ?2
  ORDER BY ${tickets.lastMessageAt} DESC, ${tickets.id} DESC LIMIT ${limit}`,
)
// a vote that expired must be given again
const WITHDRAWALS = statement(
  sql`SELECT ${row({
    id: withdrawals.id,
    title: called(traders),
    amount: withdrawals.amount,
    currency: withdrawals.currency,
    at: withdrawals.createdAt,
  })}
  FROM ${withdrawals} LEFT JOIN ${client(withdrawals)}
  WHERE ${withdrawals.tenantId} = ?1 AND ${withdrawals.status} = 'requested' AND ${withdrawals.requestedBy} IS NOT ?2
    AND NOT EXISTS (SELECT 1 FROM ${withdrawalDecisions} WHERE ${withdrawalDecisions.tenantId} = ?1
      AND ${withdrawalDecisions.withdrawalId} = ${withdrawals.id} AND ${withdrawalDecisions.userId} = ?2
      AND ${withdrawalDecisions.void} = 0 AND ${withdrawalDecisions.createdAt} > ?3)
  ORDER BY ${withdrawals.createdAt} DESC, ${withdrawals.id} DESC LIMIT ${limit}`,
)
const SUBMISSIONS = statement(
  sql`SELECT ${row({ id: kycSubmissions.id, title: called(traders), at: kycSubmissions.createdAt })}
  FROM ${kycSubmissions} JOIN ${client(kycSubmissions)}
  WHERE ${kycSubmissions.tenantId} = ?1 AND ${kycSubmissions.status} = 'requested' AND +${traders.assignedTo} = ?2
  ORDER BY ${kycSubmissions.createdAt} DESC, ${kycSubmissions.id} DESC LIMIT ${limit}`,
)
const LEADS = statement(
  sql`SELECT ${row({ id: leads.id, title: called(leads), at: leads.createdAt })} FROM ${leads}
  WHERE ${leads.tenantId} = ?1 AND ${leads.assignedTo} = ?2 AND +${leads.status} = 'new' AND ${leads.deletedAt} IS NULL
  ORDER BY ${leads.createdAt} DESC, ${leads.id} DESC LIMIT ${limit}`,
)

type Kind = Need & { kind: MyWork['kind']; sql: string }
/** The kinds in order of urgency, each with the lowest role that can act on it, and the scope that keys need. */
const KINDS: readonly Kind[] = [
  { kind: 'ticket', scope: 'support:read', role: 'operator', sql: TICKETS },
  { kind: 'withdrawal', scope: 'withdrawals:read', role: 'manager', sql: WITHDRAWALS },
  { kind: 'kyc', scope: 'kyc:read', role: 'manager', sql: SUBMISSIONS },
  { kind: 'lead', scope: 'leads:read', role: 'operator', sql: LEADS },
]
type Row = {
  id: string
  title: string
  name: string | null
  amount: number | null
  currency: string | null
  at: number
}

/** Answers the work that waits for the caller; for a key, that of its maker, of the kinds that the key may read. */
export function readMine(ctx: Ctx): Mine {
  const { principal, db } = ctx
  const userId = findStaffId(principal)
  if (userId === null) return { data: [], isMore: false }
  const params = [userId, ctx.now() - APPROVAL_LIFE]
  const found = KINDS.filter((kind) => mayCall(principal, kind)).map(({ kind, sql: text }) => ({
    kind,
    rows: db.query<Row>(text, text === WITHDRAWALS ? params : params.slice(0, 1)),
  }))
  return {
    data: found.flatMap(({ kind, rows }) => rows.slice(0, MOST_OF_KIND).map((one) => toWork(kind, one))),
    isMore: found.some(({ rows }) => rows.length > MOST_OF_KIND),
  }
}

const toWork = (kind: MyWork['kind'], { id, title, name, amount, currency, at }: Row): MyWork => ({
  kind,
  id,
  title,
  name,
  amount: amount === null || currency === null ? null : formatAmount(BigInt(amount), currency),
  currency,
  at: toIso(at),
})
