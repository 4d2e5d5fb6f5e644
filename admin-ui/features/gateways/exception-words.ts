import { groupDigits } from '../../lib/format.ts'
import type { Exception } from './gateways.api.ts'

export const STATES: Record<Exception['state'], string> = { open: 'To close', closed: 'Closed' }

/** Why nothing was booked. */
export const REASONS: Record<Exception['reason'], string> = {
  amount: 'Another amount than announced',
  currency: 'Another currency than announced',
  after_partial: 'Settled in part by hand before',
  contradiction: 'The books say the opposite',
  unannounced: 'Nobody announced it',
  reference_used: 'The reference was credited before',
}

/** What the gateway said, in words. */
export const saidOf = ({ status, repeats }: Pick<Exception, 'status' | 'repeats'>): string =>
  `${status === 'success' ? 'It was paid' : 'It failed'}${repeats > 0 ? `, ${repeats + 1} times` : ''}`

/** The amount as the gateway wrote it; it may be of no known form. */
export const amountOf = ({ amount, currency }: Pick<Exception, 'amount' | 'currency'>): string | null =>
  amount === null ? null : [groupDigits(amount), currency].filter(Boolean).join(' ')
