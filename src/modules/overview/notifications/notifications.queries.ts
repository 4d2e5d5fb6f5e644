import { type Column, type SQL, sql } from 'drizzle-orm'
import { alias, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Need } from '../../../platform/access/catalogue.ts'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findRole, mayCall } from '../../../platform/access/principal.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { adjustments } from '../../books/adjustments/adjustments.table.ts'
import { deposits } from '../../books/deposits/deposits.table.ts'
import { fxGlobalRates, fxRates } from '../../books/fx/fx.table.ts'
import { pspExceptions } from '../../books/psp/psp.table.ts'
import { transfers } from '../../books/transfers/transfers.table.ts'
import { withdrawals } from '../../books/withdrawals/withdrawals.table.ts'
import { kycSubmissions } from '../../clients/kyc/kyc.table.ts'
import { READS_HITS } from '../../clients/sanctions/sanctions.access.ts'
import { sanctionsHits, sanctionsLists } from '../../clients/sanctions/sanctions.table.ts'
import { tickets } from '../../clients/support/support.table.ts'
import { leads } from '../../growth/leads/leads.table.ts'
import { affiliatePayouts } from '../../growth/payouts/payouts.table.ts'
import { READS_FINDINGS, terminalFindings } from '../../terminals/findings/findings.table.ts'
import { MOST_COUNTED, type Summary } from './notifications.model.ts'

/** Counting stops here: every change repeats it, and counting a million rows would block other requests. */
const most = sql.raw(String(MOST_COUNTED))
const newer = alias(sanctionsLists, 'newer')
/** Counts the firm's rows of one kind, up to the limit. */
const many = (table: SQLiteTable & { tenantId: Column }, where: SQL): SQL =>
  sql`(SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE ${table.tenantId} = ?1 AND ${where} LIMIT ${most}))`

const isOpenFinding = sql`${terminalFindings.state} = 'open'`
/** Each count, with who sees it: whoever may read its list; of payouts only those who decide about them. */
const QUEUES: Readonly<Record<keyof Summary, Need & { count: SQL }>> = {
  pendingKyc: {
    scope: 'kyc:read',
    role: 'viewer',
    count: many(kycSubmissions, sql`${kycSubmissions.status} = 'requested'`),
  },
  openSanctions: { ...READS_HITS, count: many(sanctionsHits, sql`${sanctionsHits.status} = 'open'`) },
  failedScreenings: {
    ...READS_HITS,
    count: many(
      sanctionsLists,
      sql`${sanctionsLists.status} = 'failed' AND NOT EXISTS
        (SELECT 1 FROM ${sanctionsLists} ${newer} WHERE ${newer.tenantId} = ?1
          AND ${newer.source} = ${sanctionsLists.source} AND ${newer.id} > ${sanctionsLists.id}
          AND ${newer.status} <> 'failed')`,
    ),
  },
  pendingDeposits: {
    scope: 'deposits:read',
    role: 'viewer',
    count: many(deposits, sql`${deposits.status} = 'pending'`),
  },
  requestedWithdrawals: {
    scope: 'withdrawals:read',
    role: 'viewer',
    count: many(withdrawals, sql`${withdrawals.status} = 'requested'`),
  },
  approvedWithdrawals: {
    scope: 'withdrawals:read',
    role: 'viewer',
    count: many(withdrawals, sql`${withdrawals.status} = 'approved'`),
  },
  openTickets: { scope: 'support:read', role: 'viewer', count: many(tickets, sql`${tickets.status} = 'open'`) },
  overdueTickets: { scope: 'support:read', role: 'viewer', count: many(tickets, sql`${tickets.dueOrder} <= ?2`) },
  newLeads: {
    scope: 'leads:read',
    role: 'viewer',
    count: many(leads, sql`${leads.status} = 'new' AND ${leads.deletedAt} IS NULL`),
  },
  requestedAdjustments: {
    scope: 'wallets:read',
    role: 'manager',
    count: many(adjustments, sql`${adjustments.status} = 'requested'`),
  },
  requestedPayouts: {
    scope: 'affiliates:read',
    role: 'manager',
    count: many(affiliatePayouts, sql`${affiliatePayouts.status} = 'requested'`),
  },
  pspExceptions: {
    scope: 'psp:read',
    role: 'manager',
    count: many(pspExceptions, sql`${pspExceptions.state} = 'open'`),
  },
  sentTransfers: { scope: 'wallets:read', role: 'viewer', count: many(transfers, sql`${transfers.state} = 'sent'`) },
  unconfirmedRates: {
    scope: 'fx:read',
    role: 'viewer',
    count: many(fxRates, sql`${fxRates.current} = 1 AND ${fxRates.unconfirmed} = 1`),
  },
  terminalFindings: { ...READS_FINDINGS, count: many(terminalFindings, isOpenFinding) },
  unresolvedTransfers: {
    ...READS_FINDINGS,
    count: many(terminalFindings, sql`${isOpenFinding} AND ${terminalFindings.kind} = 'transfer_unresolved'`),
  },
}

// each count reads one range of an index
const COUNTS = statement(
  sql`SELECT ${listed({
    ...Object.fromEntries(Object.entries(QUEUES).map(([name, { count }]) => [name, count])),
    unconfirmedPoolRates: sql`(SELECT count(*) FROM ${fxGlobalRates}
      WHERE ${fxGlobalRates.current} = 1 AND ${fxGlobalRates.unconfirmed} = 1)`,
  })}`,
)

type Counted = { [K in keyof Summary]: number } & { unconfirmedPoolRates: number }
/** The counts of one round by firm, so that all listeners of a firm get the same counts. */
export type Round = Map<string, Counted>

function getCounts(ctx: Ctx, round: Round): Counted {
  const counts = round.get(ctx.tenantId) ?? ctx.db.query<Counted>(COUNTS, [ctx.now()])[0]
  if (!counts) throw new Error('a count without a row')
  round.set(ctx.tenantId, counts)
  return counts
}

/** Returns the counts of waiting work that the viewer may see. RULES “Notifications”. */
export function readSummary(ctx: Ctx, round: Round = new Map()): Summary {
  const { principal } = ctx
  const { unconfirmedPoolRates, ...counts } = getCounts(ctx, round)
  const hidden = Object.entries(QUEUES).filter(([, need]) => !mayCall(principal, need))
  return {
    ...counts,
    // the platform administrator maintains the pool's rates
    unconfirmedRates: counts.unconfirmedRates + (findRole(principal) === 'platform_admin' ? unconfirmedPoolRates : 0),
    ...Object.fromEntries(hidden.map(([name]) => [name, null])),
  }
}
