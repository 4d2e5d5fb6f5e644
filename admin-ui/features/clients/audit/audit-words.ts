import { AUDIT_ACTIONS, isAuditAction } from '../../../../src/words/audit-actions.ts'
import { humanize } from '../../../lib/text/format.ts'
import type { AuditEntry } from './audit.api.ts'
import { say } from './words.ts'

const ACTORS: Record<string, string> = {
  user: say('audit.colleague'),
  api_key: say('audit.api_key'),
  trader: say('common.client'),
  system: say('audit.actor.system'),
  gateway: say('audit.gateway'),
  anonymous: say('audit.actor.anonymous'),
}

/** Turns `deposit.partial_settle` into "Deposit settled in part". */
export const actionText = (action: string): string =>
  isAuditAction(action) ? say(AUDIT_ACTIONS[action]) : humanize(action)

/** Names the colleague or the API key that did it, else says what kind of caller it was. */
export const actorText = ({ actorKind, actorName }: { actorKind: string; actorName: string | null }): string => {
  const kind = ACTORS[actorKind] ?? humanize(actorKind)
  if (!actorName) return kind
  return actorKind === 'api_key' ? say('audit.actor.api_key', { actorName }) : actorName
}

const ENTITIES: Record<string, string> = {
  saved_view: say('audit.entity.saved_view'),
  sql_query: say('audit.entity.sql_query'),
  psp_connection: say('audit.gateway'),
  ad_connection: say('audit.ads.connection'),
  ad_backfill: say('audit.ads.backfill.title'),
  api_key: say('audit.api_key'),
  webhook_subscription: say('audit.entity.webhook'),
  webhook_delivery: say('audit.entity.webhook_delivery'),
  tenant: say('common.firm'),
  ledger_entry: say('audit.entity.ledger_entry'),
  trader_note: say('common.note'),
  kyc_submission: say('audit.entity.kyc_submission'),
  kyc_document: say('audit.entity.document'),
  sanctions_hit: say('audit.entity.sanctions_hit'),
  sanctions_list: say('audit.entity.sanctions_list'),
  payout_destination: say('audit.entity.payout_destination'),
  fx_rate: say('audit.entity.fx_rate'),
  ticket_message: say('audit.entity.message'),
}

/** Turns `psp_connection` into "Payment gateway". */
export const entityText = (entity: string): string => ENTITIES[entity] ?? humanize(entity)

/** Names the fields that an entry changed; null if it has no state before or after, or nothing differs. */
export function changedFields({ before, after }: Pick<AuditEntry, 'before' | 'after'>): string | null {
  if (before === null || after === null) return null
  const then: Record<string, unknown> = { ...before }
  const fields = Object.entries(after)
    .filter(([key, value]) => JSON.stringify(then[key]) !== JSON.stringify(value))
    .map(([key]) => key)
  return fields.length === 0 ? null : fields.map(humanizeField).join(', ')
}

/** Turns `riskLevel` into "risk level". */
const humanizeField = (field: string): string => field.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
