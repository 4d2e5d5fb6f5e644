import { choices } from '../../lib/choices.ts'
import type { Trader } from './traders.api.ts'

/** What the states of an identity check are called. */
export const KYC_LABELS: Record<Trader['kycStatus'], string> = {
  none: 'Not started',
  requested: 'Waiting for review',
  approved: 'Approved',
  rejected: 'Rejected',
}

export const STATES = choices(['active', 'suspended', 'closed'] satisfies Trader['status'][])
export const RISKS = choices(['low', 'medium', 'high'] satisfies Trader['riskLevel'][])
export const KYC_OPTIONS = Object.entries(KYC_LABELS).map(([value, label]) => ({ value, label }))
