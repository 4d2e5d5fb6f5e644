import { humanize } from '../../lib/format.ts'

const ACTIONS: Record<string, string> = {
  'trader.create': 'Trader added',
  'trader.update': 'Trader changed',
  'trader.delete': 'Trader deleted',
  'trader.restore': 'Trader restored',
  'trader.invite': 'Trader invited to sign in',
  'trader.note': 'Note added',
  'trader.purge': 'Personal data erased',
  'kyc.approve': 'Identity approved',
  'kyc.reject': 'Identity rejected',
  'account.create': 'Account added',
  'account.update': 'Account changed',
  'account.delete': 'Account deleted',
  'deposit.create': 'Deposit announced',
  'deposit.settle': 'Deposit settled',
  'deposit.partial_settle': 'Deposit settled in part',
  'deposit.fail': 'Deposit failed',
  'deposit.export': 'Deposits exported',
  'withdrawal.request': 'Withdrawal asked for',
  'withdrawal.approve': 'Withdrawal approved',
  'withdrawal.approve_first': 'First approval of a withdrawal',
  'withdrawal.reject': 'Withdrawal rejected',
  'withdrawal.pay': 'Withdrawal paid',
  'withdrawal.cancel': 'Withdrawal cancelled',
  'withdrawal.export': 'Withdrawals exported',
  'approval_policy.set': 'Approval policy changed',
  'transfer.create': 'Money transferred',
  'adjustment.request': 'Adjustment asked for',
  'adjustment.approve': 'Adjustment approved',
  'adjustment.reject': 'Adjustment turned down',
  'lead.create': 'Lead added',
  'lead.update': 'Lead changed',
  'lead.delete': 'Lead removed',
  'lead.convert': 'Lead became a trader',
  'lead.import': 'Leads imported',
  'lead.assign': 'Lead assigned',
  'ticket.open': 'Ticket opened',
  'ticket.update': 'Ticket changed',
  'ticket.reply': 'Ticket answered',
  'ticket.message': 'Message added',
  'ticket.close': 'Ticket resolved',
  'ticket.reopen': 'Ticket opened again',
  'sla_policies.set': 'Service levels changed',
  'user.invite': 'User invited',
  'user.update': 'User changed',
  'user.set_roles': 'Roles changed',
  'user.resend_invite': 'Invitation sent again',
  'user.delete': 'User deleted',
  'api_key.create': 'API key created',
  'api_key.update': 'API key changed',
  'api_key.revoke': 'API key revoked',
  'webhook.create': 'Webhook added',
  'webhook.update': 'Webhook changed',
  'webhook.delete': 'Webhook removed',
  'webhook.rotate_secret': 'Webhook secret replaced',
  'webhook.test': 'Webhook tested',
  'webhook.replay': 'Delivery sent again',
  'webhook.deliver': 'Webhook state changed',
  'psp.create': 'Gateway added',
  'psp.update': 'Gateway changed',
  'psp.delete': 'Gateway removed',
  'tenant.found': 'Firm founded',
  'tenant.create': 'Firm founded',
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
  'session.revoke': 'Session ended',
  'session.revoke_all': 'All sessions ended',
  'audit.export': 'Audit log exported',
  'demo.receiver': 'Demo receiver connected',
  'ledger.fault': 'Ledger fault found',
}

const ACTORS: Record<string, string> = {
  user: 'User',
  api_key: 'API key',
  trader: 'Trader',
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
  psp_connection: 'Payment gateway',
  api_key: 'API key',
  webhook_subscription: 'Webhook',
  webhook_delivery: 'Webhook delivery',
  tenant: 'Firm',
  ledger_entry: 'Ledger entry',
  trader_note: 'Note',
}

/** `psp_connection` → "Payment gateway". */
export const entityText = (entity: string): string => ENTITIES[entity] ?? humanize(entity)
