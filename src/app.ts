import { Elysia } from 'elysia'
import { accountHooks, owners, recipients, staffHooks, tenantHooks, traderHooks } from './composition.ts'
import { accountRoutes } from './modules/accounts/accounts.routes.ts'
import { adjustmentRoutes } from './modules/adjustments/adjustments.routes.ts'
import { fetchAdLeads, forgetAdNotifications } from './modules/ads/ads.jobs.ts'
import { adsRoutes } from './modules/ads/ads.routes.ts'
import { takeClicks, trimClicks } from './modules/affiliates/affiliates.jobs.ts'
import { affiliateRoutes } from './modules/affiliates/affiliates.routes.ts'
import { apiKeyRoutes } from './modules/api-keys/api-keys.routes.ts'
import { approvalPolicyRoutes } from './modules/approval-policy/approval-policy.routes.ts'
import { anchorAudit } from './modules/audit/audit.jobs.ts'
import { auditRoutes } from './modules/audit/audit.routes.ts'
import { expireSessions } from './modules/auth/auth.jobs.ts'
import { authRoutes } from './modules/auth/auth.routes.ts'
import { backupsOf, drillBackups, takeSnapshots } from './modules/backups/backups.jobs.ts'
import { backupRoutes } from './modules/backups/backups.routes.ts'
import { clientRecordRoutes } from './modules/client-record/client-record.routes.ts'
import { clientFullRoutes } from './modules/client-record/full.routes.ts'
import { runCommissions } from './modules/commissions/commissions.jobs.ts'
import { commissionRoutes } from './modules/commissions/commissions.routes.ts'
import { depositRoutes } from './modules/deposits/deposits.routes.ts'
import { eventRoutes } from './modules/events/events.routes.ts'
import { purgeFiles } from './modules/files/files.jobs.ts'
import { fileRoutes } from './modules/files/files.routes.ts'
import { fxRoutes } from './modules/fx/fx.routes.ts'
import { guideRoutes } from './modules/guide/guide.routes.ts'
import { forgetImports, workImports } from './modules/imports/imports.jobs.ts'
import { importRoutes } from './modules/imports/imports.routes.ts'
import { settleIndependence } from './modules/independence/independence.jobs.ts'
import { kycRoutes } from './modules/kyc/kyc.routes.ts'
import { leadRoutes } from './modules/leads/leads.routes.ts'
import { purgeMails, sendMails } from './modules/mails/mails.jobs.ts'
import { mailRoutes } from './modules/mails/mails.routes.ts'
import { mergeRoutes } from './modules/merges/merges.routes.ts'
import { notificationRoutes } from './modules/notifications/notifications.routes.ts'
import { payoutRoutes } from './modules/payouts/payouts.routes.ts'
import { positionRoutes } from './modules/positions/positions.routes.ts'
import { purgeTraders } from './modules/privacy/erasure.jobs.ts'
import { purgeKeptRecords } from './modules/privacy/kept-records.jobs.ts'
import { keptRecordRoutes } from './modules/privacy/kept-records.routes.ts'
import { privacyRoutes } from './modules/privacy/privacy.routes.ts'
import { pspRoutes } from './modules/psp/psp.routes.ts'
import { countReaders } from './modules/reading/reading.jobs.ts'
import { reportingRoutes } from './modules/reporting/reporting.routes.ts'
import { screenTraders } from './modules/sanctions/sanctions.jobs.ts'
import { sanctionsRoutes } from './modules/sanctions/sanctions.routes.ts'
import { watchQueries } from './modules/sandbox/sandbox.jobs.ts'
import { sandboxRoutes } from './modules/sandbox/sandbox.routes.ts'
import { savedViewRoutes } from './modules/saved-views/saved-views.routes.ts'
import { searchRoutes } from './modules/search/search.routes.ts'
import { setupRoutes } from './modules/setup/setup.routes.ts'
import { leaverRoutes } from './modules/staff/leavers.routes.ts'
import { nameRoutes } from './modules/staff/names.routes.ts'
import { staffRoutes } from './modules/staff/staff.routes.ts'
import { watchSla } from './modules/support/support.jobs.ts'
import { supportRoutes } from './modules/support/support.routes.ts'
import { healthRoutes } from './modules/system/health.routes.ts'
import { metricsRoutes } from './modules/system/metrics.routes.ts'
import { statusOf, watchSystem } from './modules/system/status.jobs.ts'
import { systemRoutes } from './modules/system/system.routes.ts'
import { tenantRoutes } from './modules/tenants/tenants.routes.ts'
import { traderNoteRoutes } from './modules/traders/notes.routes.ts'
import { traderAdminRoutes } from './modules/traders/traders.admin.routes.ts'
import { traderRoutes } from './modules/traders/traders.routes.ts'
import { transferRoutes } from './modules/transfers/transfers.routes.ts'
import { viewRoutes } from './modules/views/views.routes.ts'
import { checkLedger } from './modules/wallets/wallets.jobs.ts'
import { walletRoutes } from './modules/wallets/wallets.routes.ts'
import { deliverWebhooks } from './modules/webhooks/webhooks.jobs.ts'
import { watchDeliveries } from './modules/webhooks/webhooks.metrics.ts'
import { webhookRoutes } from './modules/webhooks/webhooks.routes.ts'
import { trimWebhooks } from './modules/webhooks/webhooks.trim.ts'
import { lapseApprovals } from './modules/withdrawals/withdrawals.jobs.ts'
import { withdrawalRoutes } from './modules/withdrawals/withdrawals.routes.ts'
import { consoleRoutes } from './platform/http/console.ts'
import { createFront } from './platform/http/front.ts'
import { createGuard } from './platform/http/guard.ts'
import { createInputs } from './platform/http/inputs.ts'
import { createDocument, statusesOf } from './platform/http/openapi.ts'
import { type Packed, pack, sendPacked } from './platform/http/packed.ts'
import type { RouteList } from './platform/http/routes.ts'
import { forgetOldRows } from './platform/jobs/housekeeping.ts'
import type { Job } from './platform/jobs/job.ts'
import type { Scheduler } from './platform/jobs/scheduler.ts'
import type { Platform } from './platform/platform.ts'

/** Everything that runs by itself. src/README “Jobs”. */
export const jobs: readonly Job[] = [
  deliverWebhooks,
  trimWebhooks,
  expireSessions,
  sendMails,
  purgeMails,
  purgeFiles,
  purgeTraders,
  purgeKeptRecords,
  settleIndependence,
  lapseApprovals,
  checkLedger,
  anchorAudit,
  countReaders,
  watchSla,
  takeClicks,
  trimClicks,
  runCommissions,
  screenTraders,
  fetchAdLeads,
  forgetAdNotifications,
  workImports,
  forgetImports,
  watchQueries,
  takeSnapshots,
  drillBackups,
  watchSystem(backupsOf),
  forgetOldRows,
]

/**
 * Every Elysia route that is not declared with `access` would
 * be open to all: the application refuses to exist with one.
 */
function refuseUndeclared(routes: readonly { method: string; path: string; hooks: { detail?: object } }[]): void {
  for (const { method, path, hooks } of routes) {
    if (path.startsWith('/v1') && !(hooks.detail && 'x-role' in hooks.detail)) {
      throw new Error(`${method} ${path} declares no access`)
    }
  }
}

/** The routes of all modules but those that need the server itself. Some remember, so each application has its own. */
const routesOfModules = (): readonly RouteList[] => [
  authRoutes(owners),
  staffRoutes(owners, staffHooks),
  leaverRoutes,
  nameRoutes,
  viewRoutes,
  tenantRoutes(tenantHooks),
  fileRoutes,
  apiKeyRoutes,
  mailRoutes(recipients),
  searchRoutes,
  savedViewRoutes,
  notificationRoutes,
  auditRoutes,
  webhookRoutes,
  eventRoutes,
  traderRoutes(traderHooks),
  clientRecordRoutes,
  traderNoteRoutes,
  traderAdminRoutes(),
  clientFullRoutes,
  mergeRoutes(traderHooks),
  privacyRoutes,
  keptRecordRoutes,
  accountRoutes(accountHooks),
  walletRoutes,
  depositRoutes,
  withdrawalRoutes,
  approvalPolicyRoutes,
  transferRoutes,
  adjustmentRoutes,
  importRoutes,
  fxRoutes,
  pspRoutes,
  leadRoutes,
  adsRoutes,
  affiliateRoutes,
  commissionRoutes,
  payoutRoutes,
  positionRoutes,
  supportRoutes,
  kycRoutes,
  sanctionsRoutes,
  reportingRoutes,
  sandboxRoutes,
]

/**
 * The whole HTTP application over a platform; `setupToken` opens the first run. Never listens. src/README “The
 * program”.
 */
export function createApp(platform: Platform, { setupToken, scheduler }: { setupToken: string; scheduler: Scheduler }) {
  const front = createFront(platform)
  const inputs = createInputs()
  watchDeliveries(platform.metrics, platform.reader, platform.clock)
  const app = new Elysia({ normalize: false })
    .onStart(front.serveBy)
    .onRequest(front.enter)
    .onError(front.fail)
    .mapResponse(front.answered)
    .use(consoleRoutes(platform))
    .use(createGuard(platform, front, inputs))
  const ofServer = [
    setupRoutes(setupToken),
    healthRoutes(platform),
    systemRoutes({
      recoveryKey: platform.recoveryKey,
      scheduler,
      status: statusOf(platform, scheduler, backupsOf(platform)),
    }),
    backupRoutes(backupsOf(platform)),
    metricsRoutes({ ...front, metrics: platform.metrics, token: platform.config.metricsToken }),
  ]
  for (const { routes } of [...ofServer, ...routesOfModules()]) for (const add of routes) add(app)
  refuseUndeclared(app.routes)
  inputs.learn(app.routes)
  // made once, and only where somebody reads it: it takes a moment
  let document: ReturnType<typeof createDocument> | undefined
  const documentOf = () => {
    document ??= createDocument(app)
    return document
  }
  let printed: Promise<Packed> | undefined
  const { publicUrl, rateLimits } = platform.config
  const whole = app.use(guideRoutes(() => ({ publicUrl, rateLimits, operations: statusesOf(documentOf()) }))).get(
    '/docs/json',
    async ({ request }) => {
      printed ??= pack('application/json', JSON.stringify(documentOf()))
      return sendPacked(request, await printed)
    },
    { detail: { hide: true } },
  )
  front.learn(whole.routes)
  return whole
}
