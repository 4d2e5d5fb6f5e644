import { say } from '../../../src/words/say.ts'
import { humanize } from '../../lib/format.ts'
import type { AuditEntry } from './audit.api.ts'

const ACTIONS: Record<string, string> = {
  'trader.create': 'Client added',
  'trader.update': 'Client changed',
  'trader.delete': 'Client deleted',
  'trader.restore': 'Client restored',
  'trader.invite': 'Client invited to sign in',
  'trader.note': 'Note added',
  'trader.purge': 'Personal data erased',
  'kyc.approve': 'Identity approved',
  'kyc.reject': 'Identity rejected',
  'account.create': 'Account added',
  'account.update': 'Account changed',
  'account.delete': 'Account deleted',
  'deposit.create': 'Deposit created',
  'deposit.settle': 'Deposit settled',
  'deposit.partial_settle': 'Deposit settled in part',
  'deposit.fail': 'Deposit failed',
  'deposit.export': 'Deposits exported',
  'report.export': 'Report exported',
  'sandbox.query': 'SQL query run',
  'withdrawal.request': 'Withdrawal asked for',
  'withdrawal.approve': 'Withdrawal approved',
  'withdrawal.approve_first': 'First approval of a withdrawal',
  'withdrawal.reject': 'Withdrawal rejected',
  'withdrawal.pay': 'Withdrawal paid',
  'withdrawal.cancel': 'Withdrawal cancelled',
  'withdrawal.export': 'Withdrawals exported',
  'approval_policy.set': 'Approval policy changed',
  'payout_destination.create': 'Payout destination added',
  'transfer.create': 'Money transferred',
  'adjustment.request': 'Adjustment asked for',
  'adjustment.approve': 'Adjustment approved',
  'adjustment.reject': 'Adjustment rejected',
  'kyc.submit': 'Documents uploaded',
  'kyc.document_upload': 'Upload of a document started',
  'kyc.document_confirm': 'Document uploaded',
  'kyc.document_view': 'Document viewed',
  'kyc_reject_reasons.set': 'Reasons to reject changed',
  'sanctions.hit': 'Sanctions match found',
  'sanctions.supersede': 'Sanctions list replaced',
  'fx.upsert': 'Exchange rates set',
  'fx.upsert_global': 'Common exchange rates set',
  'fx.propose': 'Unusual exchange rate sent, waits for a second person',
  'fx.propose_global': 'Unusual common exchange rate sent, waits for a second person',
  'fx.confirm': 'Unusual exchange rate confirmed',
  'fx.confirm_global': 'Unusual common exchange rate confirmed',
  'fx.supersede': 'Exchange rate replaced',
  'fx.remove': 'Exchange rate removed',
  'ticket.sla': 'Deadline watched',
  'ticket.sla_warning': 'Ticket is due soon',
  'ticket.sla_breached': 'Ticket is overdue',
  'lead.create': 'Lead added',
  'lead.update': 'Lead changed',
  'lead.delete': 'Lead removed',
  'lead.convert': 'Lead became a client',
  'lead.import': 'Leads imported',
  'lead.assign': 'Lead assigned',
  'ticket.open': 'Ticket opened',
  'ticket.update': 'Ticket changed',
  'ticket.reply': 'Ticket answered',
  'ticket.message': 'Message added',
  'ticket.close': 'Ticket resolved',
  'ticket.reopen': 'Ticket opened again',
  'sla_policies.set': 'Service levels changed',
  'user.invite': 'Colleague invited',
  'user.update': 'Colleague changed',
  'user.set_roles': 'Roles changed',
  'user.resend_invite': 'Invitation sent again',
  'user.delete': 'Colleague deleted',
  'api_key.create': 'API key created',
  'api_key.update': 'API key changed',
  'api_key.revoke': 'API key revoked',
  'webhook.create': 'Webhook added',
  'webhook.update': 'Webhook changed',
  'webhook.delete': 'Webhook removed',
  'webhook.rotate_secret': 'Webhook secret replaced',
  'webhook.recover': 'Missed events sent again',
  'webhook.test': 'Webhook tested',
  'webhook.replay': 'Delivery sent again',
  'webhook.deliver': 'Webhook state changed',
  'psp.create': 'Gateway added',
  'psp.update': 'Gateway changed',
  'psp.delete': 'Gateway removed',
  'ads.create': say('ads.audit.create'),
  'ads.update': say('ads.audit.update'),
  'ads.delete': say('ads.audit.delete'),
  'ads.test': say('ads.audit.test'),
  'ads.refused': say('ads.audit.refused'),
  'ads.lead': say('ads.audit.lead'),
  'ads.backfill': say('ads.audit.backfill'),
  'ads.backfill_done': say('ads.audit.backfillDone'),
  'ads.backfill_failed': say('ads.audit.backfillFailed'),
  'affiliate.create': say('affiliates.audit.create'),
  'affiliate.update': say('affiliates.audit.update'),
  'affiliate_payout.request': say('affiliates.audit.ask'),
  'affiliate_payout.approve': say('affiliates.audit.pay'),
  'affiliate_payout.reject': say('affiliates.audit.reject'),
  'commission_plan.create': say('affiliates.audit.plan'),
  'commission_plan.update': say('affiliates.audit.planVersion'),
  'commissions.run': say('affiliates.audit.run'),
  'commissions.close': say('affiliates.audit.close'),
  'commissions.failed': say('affiliates.audit.failed'),
  'trader.merge': say('merges.audit.merge'),
  'view.start': say('views.audit.start'),
  'view.end': say('views.audit.end'),
  'tenant.found': 'Firm created',
  'tenant.create': 'Firm created',
  'tenant.update': 'Settings changed',
  'tenant.logo_upload': 'Logo upload started',
  'tenant.logo_confirm': 'Logo changed',
  'auth.login': 'Signed in',
  'auth.login_failed': 'Sign-in refused',
  'auth.logout': 'Signed out',
  'auth.change_password': 'Password changed',
  'auth.two_factor_setup': 'Two-step sign-in started',
  'auth.two_factor_enable': 'Two-step sign-in turned on',
  'auth.two_factor_disable': 'Two-step sign-in turned off',
  'sanctions.reopen': 'Sanctions match opened again',
  'user.reset_two_factor': 'Two-step sign-in reset for a colleague',
  'session.revoke': 'Session ended',
  'session.revoke_all': 'All sessions ended',
  'audit.export': 'Audit log exported',
  'demo.receiver': 'Demo receiver connected',
  'ledger.fault': 'Ledger fault found',
  'ledger.unchecked': 'Ledger could not be checked',
}

const ACTORS: Record<string, string> = {
  user: 'Colleague',
  api_key: 'API key',
  trader: 'Client',
  system: 'Brokerbase',
  gateway: 'Payment gateway',
  anonymous: 'Not signed in',
}

/** `deposit.partial_settle` → "Deposit settled in part". */
export const actionText = (action: string): string => ACTIONS[action] ?? humanize(action)

/** Who did it: a colleague's name, or what kind of caller it was. */
export const actorText = ({ actorKind, actorName }: { actorKind: string; actorName: string | null }): string => {
  const kind = ACTORS[actorKind] ?? humanize(actorKind)
  if (!actorName) return kind
  return actorKind === 'api_key' ? `${actorName} (API key)` : actorName
}

const ENTITIES: Record<string, string> = {
  sql_query: 'SQL query',
  psp_connection: 'Payment gateway',
  ad_connection: say('ads.audit.connection'),
  ad_backfill: say('ads.backfill.title'),
  api_key: 'API key',
  webhook_subscription: 'Webhook',
  webhook_delivery: 'Webhook delivery',
  tenant: 'Firm',
  ledger_entry: 'Ledger entry',
  trader_note: 'Note',
  kyc_submission: 'Identity check',
  kyc_document: 'Document',
  sanctions_hit: 'Sanctions match',
  sanctions_list: 'Sanctions list',
  payout_destination: 'Payout destination',
  fx_rate: 'Exchange rate',
  ticket_message: 'Message',
}

/** `psp_connection` → "Payment gateway". */
export const entityText = (entity: string): string => ENTITIES[entity] ?? humanize(entity)

/** The fields that an entry changed, as people call them; null where it has no before, or its words are erased. */
export function changedFields({ before, after }: Pick<AuditEntry, 'before' | 'after'>): string | null {
  if (before === null || after === null) return null
  const then: Record<string, unknown> = { ...before }
  const fields = Object.entries(after)
    .filter(([key, value]) => JSON.stringify(then[key]) !== JSON.stringify(value))
    .map(([key]) => key)
  return fields.length === 0 ? null : fields.map(humanizeField).join(', ')
}

/** `riskLevel` → "risk level". */
const humanizeField = (field: string): string => field.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
