import { groupDigits } from '../../../lib/text/format.ts'
import type { Exception } from './gateways.api.ts'
import { say } from './words.ts'

export const STATES: Record<Exception['state'], string> = {
  open: say('gateways.exception.open'),
  closed: say('common.closed'),
}

/** Says why nothing was booked. */
export const REASONS: Record<Exception['reason'], string> = {
  amount: say('gateways.reason.amount'),
  currency: say('gateways.reason.currency'),
  after_partial: say('gateways.reason.after_partial'),
  contradiction: say('gateways.reason.contradiction'),
  unannounced: say('gateways.reason.unannounced'),
  reference_used: say('gateways.reason.reference_used'),
  secret_left: say('gateways.reason.secret_left'),
}

/** Says what the gateway reported, and how often. */
export const describeCallback = ({ status, repeats }: Pick<Exception, 'status' | 'repeats'>): string =>
  `${status === 'success' ? say('gateways.said.success') : say('gateways.said.failed')}${repeats > 0 ? say('gateways.said.times', { repeats: repeats + 1 }) : ''}`

/** Formats the amount as the gateway wrote it, which may be in an unknown format. */
export const formatReportedAmount = ({ amount, currency }: Pick<Exception, 'amount' | 'currency'>): string | null =>
  amount === null ? null : [groupDigits(amount), currency].filter(Boolean).join(' ')
