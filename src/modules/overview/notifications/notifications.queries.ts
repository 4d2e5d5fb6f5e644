import { type Column, type SQL, sql } from 'drizzle-orm'
import { alias, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { atLeast, type Scope } from '../../../platform/access/catalogue.ts'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findRole } from '../../../platform/access/principal.ts'
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
import { MOST_COUNTED, type Summary } from './notifications.model.ts'

/** Every change repeats each count, so counting a million rows would block other requests. */
const most = sql.raw(String(MOST_COUNTED))
const newer = alias(sanctionsLists, 'newer')
/** Counts the firm's rows of one kind up to the limit. */
const many = (table: SQLiteTable & { tenantId: Column }, where: SQL): SQL =>
  sql`(SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE ${table.tenantId} = ?1 AND ${where} LIMIT ${most}))`

// each count is one range of an index
const COUNTS = statement(
  sql`SELECT ${listed({
    pendingKyc: many(kycSubmissions, sql`${kycSubmissions.status} = 'requested'`),
    openSanctions: many(sanctionsHits, sql`${sanctionsHits.status} = 'open'`),
    failedScreenings: many(
      sanctionsLists,
      sql`${sanctionsLists.status} = 'failed' AND NOT EXISTS
        (SELECT 1 FROM ${sanctionsLists} ${newer} WHERE ${newer.tenantId} = ?1
          AND ${newer.source} = ${sanctionsLists.source} AND ${newer.id} > ${sanctionsLists.id}
          AND ${newer.status} <> 'failed')`,
    ),
    pendingDeposits: many(deposits, sql`${deposits.status} = 'pending'`),
    requestedWithdrawals: many(withdrawals, sql`${withdrawals.status} = 'requested'`),
    approvedWithdrawals: many(withdrawals, sql`${withdrawals.status} = 'approved'`),
    openTickets: many(tickets, sql`${tickets.status} = 'open'`),
    overdueTickets: many(tickets, sql`${tickets.dueOrder} <= ?2`),
    newLeads: many(leads, sql`${leads.status} = 'new' AND ${leads.deletedAt} IS NULL`),
    requestedAdjustments: many(adjustments, sql`${adjustments.status} = 'requested'`),
    requestedPayouts: many(affiliatePayouts, sql`${affiliatePayouts.status} = 'requested'`),
    pspExceptions: many(pspExceptions, sql`${pspExceptions.state} = 'open'`),
    sentTransfers: many(transfers, sql`${transfers.state} = 'sent'`),
    unconfirmedRates: many(fxRates, sql`${fxRates.current} = 1 AND ${fxRates.unconfirmed} = 1`),
    unconfirmedPoolRates: sql`(SELECT count(*) FROM ${fxGlobalRates}
      WHERE ${fxGlobalRates.current} = 1 AND ${fxGlobalRates.unconfirmed} = 1)`,
  })}`,
)

/** A key needs this scope to see a count. */
const SCOPE_OF: Readonly<Record<keyof Summary, Scope>> = {
  pendingKyc: 'kyc:read',
  openSanctions: 'kyc:read',
  failedScreenings: 'kyc:read',
  pendingDeposits: 'deposits:read',
  requestedWithdrawals: 'withdrawals:read',
  approvedWithdrawals: 'withdrawals:read',
  openTickets: 'support:read',
  overdueTickets: 'support:read',
  newLeads: 'leads:read',
  requestedAdjustments: 'wallets:read',
  requestedPayouts: 'affiliates:read',
  pspExceptions: 'psp:read',
  sentTransfers: 'wallets:read',
  unconfirmedRates: 'fx:read',
}
/** Returns the counts without those that a key may not read. */
function asRead({ principal }: Ctx, summary: Summary): Summary {
  if (principal.kind !== 'api_key') return summary
  const closed = Object.entries(SCOPE_OF).filter(([, scope]) => !principal.scopes.has(scope))
  return { ...summary, ...Object.fromEntries(closed.map(([name]) => [name, null])) }
}

type Counted = { [K in keyof Summary]: number } & { unconfirmedPoolRates: number }
/** The counts of one round by firm, so that all listeners of a firm get the same ones. */
export type Round = Map<string, Counted>

function getCounts(ctx: Ctx, round: Round): Counted {
  const counts = round.get(ctx.tenantId) ?? ctx.db.query<Counted>(COUNTS, [ctx.now()])[0]
  if (!counts) throw new Error('a count without a row')
  round.set(ctx.tenantId, counts)
  return counts
}

/** Returns the counts of waiting work that the viewer may see. RULES “Notifications”. */
export function readSummary(ctx: Ctx, round: Round = new Map()): Summary {
  const { unconfirmedPoolRates, ...counts } = getCounts(ctx, round)
  const role = findRole(ctx.principal)
  const manages = role !== null && atLeast(role, 'manager')
  return asRead(ctx, {
    ...counts,
    openSanctions: role !== null && atLeast(role, READS_HITS.role) ? counts.openSanctions : null,
    failedScreenings: manages ? counts.failedScreenings : null,
    requestedAdjustments: manages ? counts.requestedAdjustments : null,
    requestedPayouts: manages ? counts.requestedPayouts : null,
    pspExceptions: manages ? counts.pspExceptions : null,
    // the platform administrator maintains the pool
    unconfirmedRates: counts.unconfirmedRates + (role === 'platform_admin' ? unconfirmedPoolRates : 0),
  })
}
