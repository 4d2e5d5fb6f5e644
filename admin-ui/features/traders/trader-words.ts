import { choices } from '../../lib/choices.ts'
import type { Trader } from './traders.api.ts'

/** What the states of an identity check are called. */
export const KYC_LABELS: Record<Trader['kycStatus'], string> = {
  none: 'Not started',
  requested: 'Waiting for review',
  approved: 'Approved',
  rejected: 'Rejected',
}

export const STATES = choices<Trader['status']>({ active: 'Active', suspended: 'Suspended', closed: 'Closed' })
export const RISKS = choices<Trader['riskLevel']>({ low: 'Low', medium: 'Medium', high: 'High' })
export const KYC_OPTIONS = choices(KYC_LABELS)
