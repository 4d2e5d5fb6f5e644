import type { App } from '../src/app.ts'

/**
 * Every operation of the API by its id: where it is. A contract test holds this list to the OpenAPI document, so that
 * the types below are those of the right route.
 */
export const OPERATIONS = {
  'accounts.create': 'POST /v1/accounts',
  'accounts.delete': 'DELETE /v1/accounts/:id',
  'accounts.export': 'GET /v1/accounts/export.csv',
  'accounts.get': 'GET /v1/accounts/:id',
  'accounts.list': 'GET /v1/accounts',
  'accounts.sync': 'POST /v1/accounts/sync',
  'accounts.update': 'PATCH /v1/accounts/:id',
  'adjustments.approve': 'POST /v1/adjustments/:id/approve',
  'adjustments.create': 'POST /v1/adjustments',
  'adjustments.export': 'GET /v1/adjustments/export.csv',
  'adjustments.list': 'GET /v1/adjustments',
  'adjustments.reject': 'POST /v1/adjustments/:id/reject',
  'ads.backfill': 'POST /v1/ads/meta/leads/backfill',
  'ads.connections.create': 'POST /v1/ads/connections',
  'ads.connections.delete': 'DELETE /v1/ads/connections/:id',
  'ads.connections.get': 'GET /v1/ads/connections/:id',
  'ads.connections.list': 'GET /v1/ads/connections',
  'ads.connections.test': 'POST /v1/ads/connections/:id/test',
  'ads.connections.update': 'PATCH /v1/ads/connections/:id',
  'ads.handshake': 'GET /v1/ads/meta/webhook',
  'ads.notify': 'POST /v1/ads/meta/webhook',
  'affiliates.clicks.track': 'POST /v1/affiliates/clicks/track',
  'affiliates.clients': 'GET /v1/affiliates/:id/clients',
  'affiliates.create': 'POST /v1/affiliates',
  'affiliates.export': 'GET /v1/affiliates/export.csv',
  'affiliates.funnel': 'GET /v1/affiliates/funnel',
  'affiliates.get': 'GET /v1/affiliates/:id',
  'affiliates.list': 'GET /v1/affiliates',
  'affiliates.tree': 'GET /v1/affiliates/:id/tree',
  'affiliates.update': 'PATCH /v1/affiliates/:id',
  'apiKeys.create': 'POST /v1/api-keys',
  'apiKeys.list': 'GET /v1/api-keys',
  'apiKeys.revoke': 'DELETE /v1/api-keys/:id',
  'apiKeys.scopes': 'GET /v1/api-keys/scopes',
  'apiKeys.update': 'PATCH /v1/api-keys/:id',
  'approvalPolicies.get': 'GET /v1/approval-policies',
  'approvalPolicies.set': 'PUT /v1/approval-policies',
  'audit.export': 'GET /v1/audit/export.csv',
  'audit.facets': 'GET /v1/audit/facets',
  'audit.list': 'GET /v1/audit',
  'audit.verify': 'GET /v1/audit/verify',
  'auth.changePassword': 'POST /v1/auth/change-password',
  'auth.forgot': 'POST /v1/auth/forgot',
  'auth.login': 'POST /v1/auth/login',
  'auth.logout': 'POST /v1/auth/logout',
  'auth.me': 'GET /v1/auth/me',
  'auth.reauthenticate': 'POST /v1/auth/reauthenticate',
  'auth.rename': 'PATCH /v1/auth/me',
  'auth.reset': 'POST /v1/auth/reset',
  'auth.sessions.list': 'GET /v1/auth/sessions',
  'auth.sessions.revoke': 'DELETE /v1/auth/sessions/:id',
  'auth.sessions.revokeAll': 'POST /v1/auth/sessions/revoke-all',
  'auth.twoFactor.disable': 'POST /v1/auth/2fa/disable',
  'auth.twoFactor.enable': 'POST /v1/auth/2fa/enable',
  'auth.twoFactor.setup': 'POST /v1/auth/2fa/setup',
  'commissionPlans.calculate': 'POST /v1/commission-plans/calculate',
  'commissionPlans.create': 'POST /v1/commission-plans',
  'commissionPlans.list': 'GET /v1/commission-plans',
  'commissionPlans.update': 'PATCH /v1/commission-plans/:id',
  'commissions.bySymbol': 'GET /v1/affiliates/commissions/by-symbol',
  'commissions.explain': 'GET /v1/affiliates/commissions/:id/explain',
  'commissions.export': 'GET /v1/affiliates/commissions/export.csv',
  'commissions.list': 'GET /v1/affiliates/commissions',
  'commissions.runs.create': 'POST /v1/affiliates/commissions/runs',
  'commissions.runs.list': 'GET /v1/affiliates/commissions/runs',
  'deposits.cancel': 'POST /v1/deposits/:id/cancel',
  'deposits.create': 'POST /v1/deposits',
  'deposits.export': 'GET /v1/deposits/export.csv',
  'deposits.fail': 'POST /v1/deposits/:id/fail',
  'deposits.get': 'GET /v1/deposits/:id',
  'deposits.list': 'GET /v1/deposits',
  'deposits.partialSettle': 'POST /v1/admin/deposits/:id/partial-settle',
  'deposits.settle': 'POST /v1/deposits/:id/settle',
  'events.list': 'GET /v1/events',
  'files.get': 'GET /v1/files/:key',
  'files.upload': 'PUT /v1/files/:key',
  'fx.admin.list': 'GET /v1/admin/fx-rates',
  'fx.admin.set': 'POST /v1/admin/fx-rates',
  'fx.convert': 'GET /v1/fx/convert',
  'fx.rates.list': 'GET /v1/fx/rates',
  'fx.rates.remove': 'DELETE /v1/fx/rates/:id',
  'fx.rates.upsert': 'POST /v1/fx/rates/upsert',
  'keptRecords.list': 'GET /v1/kept-records',
  'keptRecords.open': 'POST /v1/kept-records/:id/open',
  'kyc.bulkApprove': 'POST /v1/admin/traders/bulk-approve-kyc',
  'kyc.bulkReject': 'POST /v1/admin/traders/bulk-reject-kyc',
  'kyc.documents.confirm': 'POST /v1/kyc/documents/confirm',
  'kyc.documents.file': 'GET /v1/kyc/documents/:id/file',
  'kyc.documents.get': 'GET /v1/kyc/documents/:id',
  'kyc.documents.upload': 'POST /v1/kyc/documents/upload',
  'kyc.rejectReasons.get': 'GET /v1/kyc/reject-reasons',
  'kyc.rejectReasons.set': 'PUT /v1/kyc/reject-reasons',
  'kyc.submissions.approve': 'POST /v1/kyc/submissions/:id/approve',
  'kyc.submissions.create': 'POST /v1/kyc/submissions',
  'kyc.submissions.export': 'GET /v1/kyc/submissions/export.csv',
  'kyc.submissions.get': 'GET /v1/kyc/submissions/:id',
  'kyc.submissions.list': 'GET /v1/kyc/submissions',
  'kyc.submissions.reject': 'POST /v1/kyc/submissions/:id/reject',
  'kyc.submissions.revoke': 'POST /v1/kyc/submissions/:id/revoke',
  'leads.bulkAssign': 'POST /v1/leads/bulk-assign',
  'leads.convert': 'POST /v1/leads/:id/convert',
  'leads.create': 'POST /v1/leads',
  'leads.delete': 'DELETE /v1/leads/:id',
  'leads.export': 'GET /v1/leads/export.csv',
  'leads.get': 'GET /v1/leads/:id',
  'leads.import': 'POST /v1/leads/import',
  'leads.list': 'GET /v1/leads',
  'leads.update': 'PATCH /v1/leads/:id',
  'ledger.entries': 'GET /v1/ledger/entries',
  'ledger.trialBalance': 'GET /v1/ledger/trial-balance',
  'mails.get': 'GET /v1/mails/:id',
  'mails.list': 'GET /v1/mails',
  'mails.send': 'POST /v1/mails/:id/send',
  'notifications.mine': 'GET /v1/admin/notifications/mine',
  'notifications.stream': 'GET /v1/stream',
  'notifications.summary': 'GET /v1/admin/notifications/summary',
  'payouts.approve': 'POST /v1/affiliates/payouts/:id/approve',
  'payouts.create': 'POST /v1/affiliates/payouts',
  'payouts.export': 'GET /v1/affiliates/payouts/export.csv',
  'payouts.list': 'GET /v1/affiliates/payouts',
  'payouts.reject': 'POST /v1/affiliates/payouts/:id/reject',
  'positions.export': 'GET /v1/positions/export.csv',
  'positions.get': 'GET /v1/positions/:id',
  'positions.heatmap': 'GET /v1/admin/position-heatmap',
  'positions.list': 'GET /v1/positions',
  'positions.sync': 'POST /v1/positions/sync',
  'psp.callback': 'POST /v1/psp/:connectionId/callback',
  'psp.create': 'POST /v1/psp/connections',
  'psp.delete': 'DELETE /v1/psp/connections/:id',
  'psp.exceptions.close': 'POST /v1/psp/exceptions/:id/close',
  'psp.exceptions.list': 'GET /v1/psp/exceptions',
  'psp.list': 'GET /v1/psp/connections',
  'psp.update': 'PATCH /v1/psp/connections/:id',
  'reporting.activity': 'GET /v1/admin/activity',
  'reporting.cohorts': 'GET /v1/admin/reporting/cohorts',
  'reporting.dashboard': 'GET /v1/admin/reporting/dashboard',
  'reporting.revenue': 'GET /v1/admin/reporting/revenue-breakdown',
  'reporting.tax': 'GET /v1/admin/tax-report',
  'sanctions.hits.clear': 'POST /v1/sanctions/hits/:id/clear',
  'sanctions.hits.confirm': 'POST /v1/sanctions/hits/:id/confirm',
  'sanctions.hits.export': 'GET /v1/sanctions/hits/export.csv',
  'sanctions.hits.get': 'GET /v1/sanctions/hits/:id',
  'sanctions.hits.list': 'GET /v1/sanctions/hits',
  'sanctions.lists.list': 'GET /v1/sanctions/lists',
  'sanctions.lists.load': 'POST /v1/sanctions/lists',
  'sandbox.query': 'POST /v1/admin/reports/sql',
  'sandbox.schema': 'GET /v1/admin/reports/sql/schema',
  'savedViews.create': 'POST /v1/saved-views',
  'savedViews.delete': 'DELETE /v1/saved-views/:id',
  'savedViews.list': 'GET /v1/saved-views',
  'savedViews.update': 'PATCH /v1/saved-views/:id',
  'search.all': 'GET /v1/search',
  'setup.progress': 'GET /v1/setup/progress',
  'setup.progress.set': 'PUT /v1/setup/progress',
  'setup.run': 'POST /v1/setup',
  'setup.status': 'GET /v1/setup',
  'support.messages.add': 'POST /v1/support/tickets/:id/messages',
  'support.overdue': 'GET /v1/admin/sla/overdue',
  'support.sla.get': 'GET /v1/support/sla-policies',
  'support.sla.set': 'PUT /v1/support/sla-policies',
  'support.tickets.close': 'POST /v1/support/tickets/:id/close',
  'support.tickets.create': 'POST /v1/support/tickets',
  'support.tickets.export': 'GET /v1/support/tickets/export.csv',
  'support.tickets.get': 'GET /v1/support/tickets/:id',
  'support.tickets.list': 'GET /v1/support/tickets',
  'support.tickets.reopen': 'POST /v1/support/tickets/:id/reopen',
  'support.tickets.update': 'PATCH /v1/support/tickets/:id',
  'system.backups': 'GET /v1/system/backups',
  'system.downloadBackup': 'GET /v1/system/backups/:id/download',
  'system.drill': 'POST /v1/system/drills',
  'system.jobs': 'GET /v1/system/jobs',
  'system.keepRecoveryKey': 'POST /v1/system/recovery-key/kept',
  'system.recoveryKey': 'GET /v1/system/recovery-key',
  'system.recoveryWords': 'POST /v1/system/recovery-key/words',
  'system.runJob': 'POST /v1/system/jobs/:name/run',
  'system.status': 'GET /v1/system/status',
  'system.takeBackup': 'POST /v1/system/backups',
  'tenants.create': 'POST /v1/tenants',
  'tenants.current': 'GET /v1/tenants/current',
  'tenants.get': 'GET /v1/tenants/:id',
  'tenants.list': 'GET /v1/tenants',
  'tenants.logoConfirm': 'POST /v1/tenants/current/logo-confirm',
  'tenants.logoUpload': 'POST /v1/tenants/current/logo-upload',
  'tenants.update': 'PATCH /v1/tenants/:id',
  'tenants.updateCurrent': 'PATCH /v1/tenants/current',
  'traders.bulkEdit': 'POST /v1/admin/traders/bulk-edit',
  'traders.bulkSegments': 'POST /v1/admin/traders/bulk-segments',
  'traders.create': 'POST /v1/traders',
  'traders.delete': 'DELETE /v1/traders/:id',
  'traders.export': 'GET /v1/traders/export.csv',
  'traders.full': 'GET /v1/admin/traders/:id/full',
  'traders.get': 'GET /v1/traders/:id',
  'traders.import': 'POST /v1/traders/import',
  'traders.imports.balances': 'GET /v1/traders/import/:id/balances.csv',
  'traders.imports.confirm': 'POST /v1/traders/import/:id/confirm',
  'traders.imports.errors': 'GET /v1/traders/import/:id/errors.csv',
  'traders.imports.get': 'GET /v1/traders/import/:id',
  'traders.imports.list': 'GET /v1/traders/import',
  'traders.imports.undo': 'POST /v1/traders/import/:id/undo',
  'traders.invite': 'POST /v1/traders/:id/invite',
  'traders.list': 'GET /v1/traders',
  'traders.merge': 'POST /v1/admin/traders/merge',
  'traders.notes.add': 'POST /v1/traders/:id/notes',
  'traders.notes.list': 'GET /v1/traders/:id/notes',
  'traders.overview': 'GET /v1/traders/:id/overview',
  'traders.privacyBundle': 'GET /v1/admin/traders/:id/pii-export',
  'traders.restore': 'POST /v1/traders/:id/restore',
  'traders.stats': 'GET /v1/admin/traders/stats',
  'traders.timeline': 'GET /v1/traders/:id/timeline',
  'traders.update': 'PATCH /v1/traders/:id',
  'transfers.acknowledge': 'POST /v1/transfers/:id/acknowledge',
  'transfers.create': 'POST /v1/transfers',
  'transfers.export': 'GET /v1/transfers/export.csv',
  'transfers.list': 'GET /v1/transfers',
  'users.acceptInvite': 'POST /v1/users/accept-invite',
  'users.delete': 'DELETE /v1/users/:id',
  'users.get': 'GET /v1/users/:id',
  'users.invite': 'POST /v1/users/invite',
  'users.leavesBehind': 'GET /v1/users/:id/leaves-behind',
  'users.list': 'GET /v1/users',
  'users.resendInvite': 'POST /v1/users/:id/resend-invite',
  'users.resetTwoFactor': 'POST /v1/users/:id/2fa/reset',
  'users.setRoles': 'PATCH /v1/users/:id/roles',
  'users.update': 'PATCH /v1/users/:id',
  'users.vouch': 'POST /v1/users/:id/vouch',
  'views.end': 'POST /v1/admin/impersonate/:id/end',
  'views.list': 'GET /v1/admin/impersonate',
  'views.start': 'POST /v1/admin/impersonate/start',
  'views.startAsUser': 'POST /v1/users/:id/impersonate',
  'wallets.entries': 'GET /v1/wallets/:id/entries',
  'wallets.export': 'GET /v1/wallets/export.csv',
  'wallets.list': 'GET /v1/wallets',
  'webhooks.deliveries.get': 'GET /v1/webhooks/deliveries/:id',
  'webhooks.deliveries.list': 'GET /v1/webhooks/subscriptions/:id/deliveries',
  'webhooks.deliveries.replay': 'POST /v1/webhooks/deliveries/:id/replay',
  'webhooks.events': 'GET /v1/webhooks/events',
  'webhooks.subscriptions.confirm': 'POST /v1/webhooks/subscriptions/:id/confirm',
  'webhooks.subscriptions.create': 'POST /v1/webhooks/subscriptions',
  'webhooks.subscriptions.delete': 'DELETE /v1/webhooks/subscriptions/:id',
  'webhooks.subscriptions.get': 'GET /v1/webhooks/subscriptions/:id',
  'webhooks.subscriptions.list': 'GET /v1/webhooks/subscriptions',
  'webhooks.subscriptions.recover': 'POST /v1/webhooks/subscriptions/:id/recover',
  'webhooks.subscriptions.rotateSecret': 'POST /v1/webhooks/subscriptions/:id/rotate-secret',
  'webhooks.subscriptions.test': 'POST /v1/webhooks/subscriptions/:id/test',
  'webhooks.subscriptions.update': 'PATCH /v1/webhooks/subscriptions/:id',
  'withdrawals.approve': 'POST /v1/withdrawals/:id/approve',
  'withdrawals.bulkApprove': 'POST /v1/withdrawals/bulk-approve',
  'withdrawals.cancel': 'POST /v1/withdrawals/:id/cancel',
  'withdrawals.create': 'POST /v1/withdrawals',
  'withdrawals.export': 'GET /v1/withdrawals/export.csv',
  'withdrawals.get': 'GET /v1/withdrawals/:id',
  'withdrawals.list': 'GET /v1/withdrawals',
  'withdrawals.pay': 'POST /v1/withdrawals/:id/pay',
  'withdrawals.reject': 'POST /v1/withdrawals/:id/reject',
  'withdrawals.reviews': 'GET /v1/withdrawals/reviews',
} as const

export type OperationId = keyof typeof OPERATIONS

/** The routes as one object; tsc is slow at what Elysia makes, which is one object a route, all of them intersected. */
type Flat<T> = { [K in keyof T]: T[K] }
type Tree = { v1: Flat<App['~Routes']['v1']> }

/** What lies at a path of nested objects. */
type At<Tree, Path extends string> = Path extends `${infer Head}/${infer Rest}`
  ? Head extends keyof Tree
    ? At<Tree[Head], Rest>
    : never
  : Path extends keyof Tree
    ? Tree[Path]
    : never

/** What Elysia knows of a route: `body`, `params`, `query` and `response`, whose 200 is any success (see `op`). */
type RouteOf<Id extends OperationId> = (typeof OPERATIONS)[Id] extends `${infer Method} /${infer Path}`
  ? At<Tree, `${Path}/${Lowercase<Method>}`>
  : never

/** What an answer is as JSON; what comes as a file only stays a `Response`. */
type Json<T> = [Exclude<T, Response>] extends [never] ? T : Exclude<T, Response>
/** What an operation answers; a file is a `Response`. */
export type Answer<Id extends OperationId> = Json<RouteOf<Id>['response'][200]>
/** One row of what a list answers. */
export type Row<Id extends OperationId> = Answer<Id> extends { data: (infer R)[] } ? R : never
export type Body<Id extends OperationId> = RouteOf<Id>['body']

/** Operations that a link, a stream or `apiFetch` reads by its address. */
export type ReadId = { [Id in OperationId]: (typeof OPERATIONS)[Id] extends `GET ${string}` ? Id : never }[OperationId]
/** Operations of files: what goes in or comes out of them is not JSON. */
export type FileId = {
  [Id in OperationId]: Answer<Id> extends Response ? Id : Body<Id> extends Uint8Array ? Id : never
}[OperationId]
/** Operations of JSON, which `call` calls. */
export type CallId = Exclude<OperationId, FileId>

/** A parameter of a query as code has it: what is written as a number or as yes and no may be one. */
type Sent<T> =
  | T
  | (string extends T ? never : `${number}` extends T ? number : T extends 'true' | 'false' ? boolean : never)
type SentAll<Q> = { [K in keyof Q]: object extends Pick<Q, K> ? Sent<Q[K]> | null | undefined : Sent<Q[K]> }
/** The query of an operation; a parameter that may be absent may be empty, and is then left out. */
export type QueryOf<Id extends OperationId> = SentAll<RouteOf<Id>['query']>

/** A part of a call: absent where the operation takes none, optional where nothing of it is required. */
type Part<Name extends string, T> = keyof T extends never
  ? unknown
  : object extends T
    ? { [N in Name]?: T }
    : { [N in Name]: T }

/** What a call takes besides the id. `ifMatch` is the version of the row that was shown; a newer row answers 412. */
export type Input<Id extends OperationId> = Part<'params', RouteOf<Id>['params']> &
  Part<'query', QueryOf<Id>> &
  Part<'body', Body<Id>> &
  ((typeof OPERATIONS)[Id] extends `GET ${string}` ? unknown : { ifMatch?: number | undefined })
