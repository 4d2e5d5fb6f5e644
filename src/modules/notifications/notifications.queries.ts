import { atLeast } from '../../platform/access/catalogue.ts'
import type { Ctx } from '../../platform/access/ctx.ts'
import { roleOf } from '../../platform/access/principal.ts'
import type { Summary } from './notifications.model.ts'

// Each count is one range of an index.
const COUNTS = `SELECT
  (SELECT count(*) FROM kyc_submissions WHERE tenant_id = ?1 AND status = 'requested') AS pendingKyc,
  (SELECT count(*) FROM sanctions_hits WHERE tenant_id = ?1 AND status = 'open') AS openSanctions,
  (SELECT count(*) FROM sanctions_lists l WHERE tenant_id = ?1 AND status = 'failed' AND NOT EXISTS
    (SELECT 1 FROM sanctions_lists n WHERE n.tenant_id = ?1 AND n.source = l.source AND n.id > l.id AND n.status <> 'failed')) AS failedScreenings,
  (SELECT count(*) FROM deposits WHERE tenant_id = ?1 AND status = 'pending') AS pendingDeposits,
  (SELECT count(*) FROM withdrawals WHERE tenant_id = ?1 AND status = 'requested') AS requestedWithdrawals,
  (SELECT count(*) FROM withdrawals WHERE tenant_id = ?1 AND status = 'approved') AS approvedWithdrawals,
  (SELECT count(*) FROM tickets WHERE tenant_id = ?1 AND status = 'open') AS openTickets,
  (SELECT count(*) FROM tickets WHERE tenant_id = ?1 AND due_order <= ?2) AS overdueTickets,
  (SELECT count(*) FROM leads WHERE tenant_id = ?1 AND status = 'new' AND deleted_at IS NULL) AS newLeads,
  (SELECT count(*) FROM adjustments WHERE tenant_id = ?1 AND status = 'requested') AS requestedAdjustments,
  (SELECT count(*) FROM psp_exceptions WHERE tenant_id = ?1 AND state = 'open') AS pspExceptions,
  (SELECT count(*) FROM transfers WHERE tenant_id = ?1 AND state = 'sent') AS sentTransfers,
  (SELECT count(*) FROM fx_rates WHERE tenant_id = ?1 AND current = 1 AND unconfirmed = 1) AS unconfirmedRates,
  (SELECT count(*) FROM fx_global_rates WHERE current = 1 AND unconfirmed = 1) AS unconfirmedPoolRates`

type Counted = { [K in keyof Summary]: number } & { unconfirmedPoolRates: number }
/** What was counted in one round, by firm: everybody of a firm who listens is told of the same moment. */
export type Round = Map<string, Counted>

function countOf(ctx: Ctx, round: Round): Counted {
  const counts = round.get(ctx.tenantId) ?? ctx.db.query<Counted>(COUNTS, [ctx.now()])[0]
  if (!counts) throw new Error('a count without a row')
  round.set(ctx.tenantId, counts)
  return counts
}

/** What waits for staff, and no more of it than the viewer may see. Interface §4. */
export function readSummary(ctx: Ctx, round: Round = new Map()): Summary {
  const { unconfirmedPoolRates, ...counts } = countOf(ctx, round)
  const role = roleOf(ctx.principal)
  const manages = role !== null && atLeast(role, 'manager')
  return {
    ...counts,
    openSanctions: manages ? counts.openSanctions : null,
    failedScreenings: manages ? counts.failedScreenings : null,
    requestedAdjustments: manages ? counts.requestedAdjustments : null,
    pspExceptions: manages ? counts.pspExceptions : null,
    // the pool is the platform administrator's to look after
    unconfirmedRates: counts.unconfirmedRates + (role === 'platform_admin' ? unconfirmedPoolRates : 0),
  }
}
