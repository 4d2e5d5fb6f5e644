import { Elysia } from 'elysia'
import {
  accountHooks,
  owners,
  recipients,
  staffHooks,
  tenantHooks,
  traderHooks,
  transferHooks,
  walletHooks,
} from './composition.ts'
import { eventRoutes } from './modules/base/events/events.routes.ts'
import { purgeFiles } from './modules/base/files/files.jobs.ts'
import { fileRoutes } from './modules/base/files/files.routes.ts'
import { purgeMails, sendMails } from './modules/base/mails/mails.jobs.ts'
import { mailRoutes } from './modules/base/mails/mails.routes.ts'
import { workbookRoutes } from './modules/base/workbooks/workbooks.routes.ts'
import { accountRoutes } from './modules/books/accounts/accounts.routes.ts'
import { adjustmentRoutes } from './modules/books/adjustments/adjustments.routes.ts'
import { approvalPolicyRoutes } from './modules/books/approval-policy/approval-policy.routes.ts'
import { depositRoutes } from './modules/books/deposits/deposits.routes.ts'
import { fxRoutes } from './modules/books/fx/fx.routes.ts'
import { positionRoutes } from './modules/books/positions/positions.routes.ts'
import { pspRoutes } from './modules/books/psp/psp.routes.ts'
import { transferRoutes } from './modules/books/transfers/transfers.routes.ts'
import { checkLedger } from './modules/books/wallets/wallets.jobs.ts'
import { walletRoutes } from './modules/books/wallets/wallets.routes.ts'
import { lapseApprovals } from './modules/books/withdrawals/withdrawals.jobs.ts'
import { withdrawalRoutes } from './modules/books/withdrawals/withdrawals.routes.ts'
import { drillBackups, getBackups, takeSnapshots } from './modules/box/backups/backups.jobs.ts'
import { backupRoutes } from './modules/box/backups/backups.routes.ts'
import { BOXES } from './modules/box/boxes/boxes.model.ts'
import { boxRoutes } from './modules/box/boxes/boxes.routes.ts'
import { type BoxParts, describeSelf } from './modules/box/boxes/boxes.service.ts'
import { peerRoutes } from './modules/box/boxes/peer.routes.ts'
import { guideRoutes } from './modules/box/guide/guide.routes.ts'
import { setupRoutes } from './modules/box/setup/setup.routes.ts'
import { healthRoutes } from './modules/box/system/health.routes.ts'
import { metricsRoutes } from './modules/box/system/metrics.routes.ts'
import { createStatusParts, watchSystem } from './modules/box/system/status.jobs.ts'
import { systemRoutes } from './modules/box/system/system.routes.ts'
import { anchorAudit } from './modules/clients/audit/audit.jobs.ts'
import { auditRoutes } from './modules/clients/audit/audit.routes.ts'
import { kycRoutes } from './modules/clients/kyc/kyc.routes.ts'
import { countReaders } from './modules/clients/reading/reading.jobs.ts'
import { screenTraders } from './modules/clients/sanctions/sanctions.jobs.ts'
import { sanctionsRoutes } from './modules/clients/sanctions/sanctions.routes.ts'
import { watchSla } from './modules/clients/support/support.jobs.ts'
import { supportRoutes } from './modules/clients/support/support.routes.ts'
import { traderNoteRoutes } from './modules/clients/traders/notes.routes.ts'
import { traderAdminRoutes } from './modules/clients/traders/traders.admin.routes.ts'
import { traderRoutes } from './modules/clients/traders/traders.routes.ts'
import { viewRoutes } from './modules/clients/views/views.routes.ts'
import { apiKeyRoutes } from './modules/firm/api-keys/api-keys.routes.ts'
import { expireSessions } from './modules/firm/auth/auth.jobs.ts'
import { authRoutes } from './modules/firm/auth/auth.routes.ts'
import { settleIndependence } from './modules/firm/independence/independence.jobs.ts'
import { nameRoutes } from './modules/firm/staff/names.routes.ts'
import { staffRoutes } from './modules/firm/staff/staff.routes.ts'
import { tenantRoutes } from './modules/firm/tenants/tenants.routes.ts'
import { deliverWebhooks } from './modules/firm/webhooks/webhooks.jobs.ts'
import { watchDeliveries } from './modules/firm/webhooks/webhooks.metrics.ts'
import { webhookRoutes } from './modules/firm/webhooks/webhooks.routes.ts'
import { trimWebhooks } from './modules/firm/webhooks/webhooks.trim.ts'
import { fetchAdLeads, forgetAdNotifications } from './modules/growth/ads/ads.jobs.ts'
import { adsRoutes } from './modules/growth/ads/ads.routes.ts'
import { takeClicks, trimClicks } from './modules/growth/affiliates/affiliates.jobs.ts'
import { affiliateRoutes } from './modules/growth/affiliates/affiliates.routes.ts'
import { runCommissions } from './modules/growth/commissions/commissions.jobs.ts'
import { commissionRoutes } from './modules/growth/commissions/commissions.routes.ts'
import { leadRoutes } from './modules/growth/leads/leads.routes.ts'
import { payoutRoutes } from './modules/growth/payouts/payouts.routes.ts'
import { clientRecordRoutes } from './modules/overview/client-record/client-record.routes.ts'
import { clientFullRoutes } from './modules/overview/client-record/trader-full.routes.ts'
import { forgetImports, workImports } from './modules/overview/imports/imports.jobs.ts'
import { importRoutes } from './modules/overview/imports/imports.routes.ts'
import { terminalImportRoutes } from './modules/overview/imports/imports.terminal.routes.ts'
import { leaverRoutes } from './modules/overview/leavers/leavers.routes.ts'
import { mergeRoutes } from './modules/overview/merges/merges.routes.ts'
import { notificationRoutes } from './modules/overview/notifications/notifications.routes.ts'
import { makeNights } from './modules/overview/parquet/parquet.jobs.ts'
import { purgeTraders } from './modules/overview/privacy/erasure.jobs.ts'
import { purgeKeptRecords } from './modules/overview/privacy/kept-records.jobs.ts'
import { keptRecordRoutes } from './modules/overview/privacy/kept-records.routes.ts'
import { privacyRoutes } from './modules/overview/privacy/privacy.routes.ts'
import { reportingRoutes } from './modules/overview/reporting/reporting.routes.ts'
import { watchQueries } from './modules/overview/sandbox/sandbox.jobs.ts'
import { sandboxRoutes } from './modules/overview/sandbox/sandbox.routes.ts'
import { savedViewRoutes } from './modules/overview/saved-views/saved-views.routes.ts'
import { searchRoutes } from './modules/overview/search/search.routes.ts'
import { forgetLapsedPasswords } from './modules/terminals/accounts/passwords.jobs.ts'
import { terminalAccountRoutes } from './modules/terminals/accounts/terminal-account.routes.ts'
import { connectionRoutes } from './modules/terminals/connections/connections.routes.ts'
import { tellTerminalDays } from './modules/terminals/days/days.jobs.ts'
import { dayRoutes } from './modules/terminals/days/days.routes.ts'
import { dealRoutes } from './modules/terminals/deals/deals.routes.ts'
import { instructionRoutes } from './modules/terminals/instructions/instructions.routes.ts'
import { loginRoutes } from './modules/terminals/logins/logins.routes.ts'
import { findingRoutes } from './modules/terminals/movements/findings.routes.ts'
import { watchTerminals } from './modules/terminals/reading/fares.ts'
import { readTerminals } from './modules/terminals/reading/reading.jobs.ts'
import { instructTerminals } from './modules/terminals/sending/instruct.jobs.ts'
import { noteFact, readFact } from './platform/db/box-facts.ts'
import { migrations } from './platform/db/migrations.ts'
import { build } from './platform/embedded.ts'
import { type Packed, pack, sendPacked } from './platform/http/answers/compressed-text.ts'
import { createInputs } from './platform/http/body/unknown-fields.ts'
import { consoleRoutes } from './platform/http/front/console.ts'
import { createFront } from './platform/http/front/front.ts'
import { createGuard } from './platform/http/front/guard.ts'
import { isProbe } from './platform/http/front/probes.ts'
import type { RouteList } from './platform/http/front/routes.ts'
import { createDocument, listStatuses } from './platform/http/openapi/openapi.ts'
import { forgetOldRows } from './platform/jobs/housekeeping.ts'
import type { Job } from './platform/jobs/job.ts'
import type { Scheduler } from './platform/jobs/scheduler.ts'
import { createCallCheck } from './platform/peer/peer-signature.ts'
import { createPeerEgress, type Platform } from './platform/platform.ts'
import type { Sight } from './platform/standby/sight.ts'
import { pickLanguage } from './words/language.ts'
import { inLanguage, languageNow } from './words/say.ts'

/** All jobs of the application. src/README “Jobs”. */
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
  readTerminals,
  instructTerminals,
  tellTerminalDays,
  forgetLapsedPasswords,
  workImports,
  forgetImports,
  watchQueries,
  takeSnapshots,
  drillBackups,
  makeNights,
  watchSystem(getBackups),
  forgetOldRows,
]

/** Refuses an application with a `/v1` route that declares no `access`, since Elysia would open it to all. */
function refuseUndeclared(routes: readonly { method: string; path: string; hooks: { detail?: object } }[]): void {
  for (const { method, path, hooks } of routes) {
    if (path.startsWith('/v1') && !(hooks.detail && 'x-role' in hooks.detail)) {
      throw new Error(`${method} ${path} declares no access`)
    }
  }
}

/** Returns what the list of boxes is made of. Other boxes are reached by https, or as the operator allows. */
export function createBoxParts(platform: Platform): BoxParts {
  const { config, clock, secrets, roles, standby, replication, away, directory, reader, connection } = platform
  return {
    dataDir: config.dataDir,
    clock,
    secrets,
    egress: createPeerEgress(platform),
    roles,
    standby,
    replication,
    backups: getBackups(platform),
    away,
    program: build(),
    schema: migrations.length,
    firms: directory.tenants,
    read: () => readFact(reader, BOXES)?.value ?? { boxes: [], version: 0 },
    note: (boxes, now) => noteFact(connection, BOXES, boxes, now),
  }
}

/** Returns the routes of modules that do not need the server; some have state, so each application makes its own. */
const listModuleRoutes = (): readonly RouteList[] => [
  authRoutes(owners),
  staffRoutes(owners, staffHooks),
  leaverRoutes,
  nameRoutes,
  viewRoutes,
  tenantRoutes(tenantHooks),
  fileRoutes,
  workbookRoutes,
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
  walletRoutes(walletHooks),
  depositRoutes,
  withdrawalRoutes,
  approvalPolicyRoutes,
  transferRoutes(transferHooks),
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
  connectionRoutes,
  loginRoutes,
  dealRoutes,
  findingRoutes,
  instructionRoutes,
  dayRoutes,
  terminalAccountRoutes,
  terminalImportRoutes,
  supportRoutes,
  kycRoutes,
  sanctionsRoutes,
  reportingRoutes,
  sandboxRoutes,
]

/** Has a newer copy made for a request. Who asks whether the server lives does not wait for it. */
async function freshenFor(standby: Sight, request: Request): Promise<void> {
  const fresh = standby.freshen()
  if (!isProbe(request)) await fresh
}

/** Runs a handler in the language that its request prefers. */
const speakTheirs = (handle: (...input: unknown[]) => unknown, { headers }: Request) => {
  const language = pickLanguage(headers.get('accept-language'))
  return language === languageNow() ? handle : (...input: unknown[]) => inLanguage(language, () => handle(...input))
}

/**
 * Creates the whole HTTP application over a platform without listening; whoever has `setupToken` may create the first
 * firm. src/README “The program”.
 */
export function createApp(platform: Platform, { setupToken, scheduler }: { setupToken: string; scheduler: Scheduler }) {
  const front = createFront(platform)
  const inputs = createInputs()
  watchDeliveries(platform.metrics, platform.reader, platform.clock)
  watchTerminals(platform.metrics, platform.reader, platform.clock)
  const entrance = new Elysia({ normalize: false }).wrap(speakTheirs).onStart(front.serveBy)
  const { standby } = platform
  // no request of another server waits here
  if (standby) entrance.onRequest(({ request }) => freshenFor(standby, request))
  const app = entrance
    .onRequest(front.enter)
    .onError(front.fail)
    .mapResponse(front.answered)
    .use(consoleRoutes(platform))
    .use(createGuard(platform, front, inputs))
  const boxes = createBoxParts(platform)
  const ofServer = [
    setupRoutes(setupToken),
    healthRoutes(platform),
    systemRoutes({
      recoveryKey: platform.recoveryKey,
      scheduler,
      status: createStatusParts(platform, scheduler, getBackups(platform)),
    }),
    backupRoutes(getBackups(platform)),
    boxRoutes(boxes),
    metricsRoutes({ ...front, metrics: platform.metrics, token: platform.config.metricsToken }),
  ]
  for (const { routes } of [...ofServer, ...listModuleRoutes()]) for (const add of routes) add(app)
  refuseUndeclared(app.routes)
  inputs.learn(app.routes)
  // made for its first reader and kept, since it takes a moment
  let document: ReturnType<typeof createDocument> | undefined
  const getDocument = () => {
    document ??= createDocument(app)
    return document
  }
  let printed: Promise<Packed> | undefined
  const { publicUrl, rateLimits } = platform.config
  app.use(
    peerRoutes({
      isCall: createCallCheck(platform.secrets, platform.clock.now),
      secrets: platform.secrets,
      describeSelf: () => describeSelf(boxes),
      standby,
      schema: migrations.length,
    }),
  )
  const whole = app.use(guideRoutes(() => ({ publicUrl, rateLimits, operations: listStatuses(getDocument()) }))).get(
    '/docs/json',
    async ({ request }) => {
      printed ??= pack('application/json', JSON.stringify(getDocument()))
      return sendPacked(request, await printed)
    },
    { detail: { hide: true } },
  )
  front.learn(whole.routes)
  return whole
}
