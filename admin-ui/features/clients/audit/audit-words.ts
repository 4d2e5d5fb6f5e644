import { AUDIT_ACTIONS, isAuditAction } from '../../../../src/words/audit-actions.ts'
import { ROLE_LABELS, type Role } from '../../../lib/api/session.ts'
import { countryName } from '../../../lib/text/countries.ts'
import { dayText } from '../../../lib/text/day-text.ts'
import { fieldName } from '../../../lib/text/field-name.ts'
import { humanize } from '../../../lib/text/format.ts'
import { languageName } from '../../../lib/text/languages.ts'
import { stateName } from '../../../lib/text/state-name.ts'
import type { AuditEntry } from './audit.api.ts'
import { isSentenceKey, say } from './words.ts'

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

/** Turns `psp_connection` into "Payment gateway". */
export const entityText = (entity: string): string => {
  const sentence = `audit.entity.${entity}`
  return isSentenceKey(sentence) ? say(sentence) : humanize(entity)
}

/** Turns `riskLevel` into "Risk", and `paidAt` into "Paid". */
export const fieldText = (field: string): string => {
  const sentence = `audit.field.${field}`
  return isSentenceKey(sentence) ? say(sentence) : fieldName(field)
}

/** Fields whose values are words of the interface and not of people. */
const WORDED = new Set(
  ['status', 'state', 'phase', 'kind', 'method', 'direction', 'kycStatus', 'riskLevel', 'priority', 'category'].concat([
    'platform',
    'mode',
    'purpose',
    'rateSource',
    'rejectionCode',
    'rejectionKind',
    'authorKind',
    'actorKind',
    'role',
  ]),
)
const isRole = (text: string): text is Role => Object.hasOwn(ROLE_LABELS, text)

/** Returns a value of a field in words: a country, a language, a state; null for what people wrote. */
export function valueText(field: string, value: string): string | null {
  if (field === 'country' || field === 'nationality') return countryName(value)
  if (field === 'language' || field === 'locale') return languageName(value)
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return dayText(value)
  if (!WORDED.has(field)) return null
  if (field === 'role') return isRole(value) ? ROLE_LABELS[value] : value
  const sentence = `audit.value.${value}`
  return isSentenceKey(sentence) ? say(sentence) : stateName(value)
}

/** Names the fields that an entry changed; null if it has no state before or after, or nothing differs. */
export function changedFields({ before, after }: Pick<AuditEntry, 'before' | 'after'>): string | null {
  if (before === null || after === null) return null
  const then: Record<string, unknown> = { ...before }
  const fields = Object.entries(after)
    .filter(([key, value]) => JSON.stringify(then[key]) !== JSON.stringify(value))
    .map(([key]) => key)
  return fields.length === 0 ? null : fields.map(fieldText).join(', ')
}
