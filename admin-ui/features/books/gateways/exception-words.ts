import { groupDigits } from '../../../lib/text/format.ts'
import type { Exception } from './gateways.api.ts'
import { say } from './words.ts'

export const STATES: Record<Exception['state'], string> = {
  open: say('gateways.to_close'),
  closed: say('common.closed'),
}

/** Why nothing was booked. */
export const REASONS: Record<Exception['reason'], string> = {
  amount: say('gateways.another_amount_than_announced'),
  currency: say('gateways.another_currency_than'),
  after_partial: say('gateways.settled_in_part_by'),
  contradiction: say('gateways.books_say_opposite'),
  unannounced: say('gateways.nobody_announced_it'),
  reference_used: say('gateways.reference_was_credited_before'),
  secret_left: say('gateways.who_entered_secret_left'),
}

/** What the gateway said, in words. */
export const saidOf = ({ status, repeats }: Pick<Exception, 'status' | 'repeats'>): string =>
  `${status === 'success' ? say('gateways.it_was_paid') : say('gateways.it_failed')}${repeats > 0 ? say('gateways.times', { repeats: repeats + 1 }) : ''}`

/** The amount as the gateway wrote it; it may be of no known form. */
export const amountOf = ({ amount, currency }: Pick<Exception, 'amount' | 'currency'>): string | null =>
  amount === null ? null : [groupDigits(amount), currency].filter(Boolean).join(' ')
