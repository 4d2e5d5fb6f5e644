import { choices } from '../../../lib/text/choices.ts'
import type { Trader } from './traders.api.ts'
import { say } from './words.ts'

export const KYC_LABELS: Record<Trader['kycStatus'], string> = {
  none: say('client.kyc.none'),
  requested: say('client.kyc.requested'),
  approved: say('client.approved'),
  rejected: say('common.rejected'),
}

export const STATES = choices<Trader['status']>({
  active: say('client.active'),
  suspended: say('client.suspended'),
  closed: say('common.closed'),
})
export const RISKS = choices<Trader['riskLevel']>({
  low: say('client.low'),
  medium: say('client.medium'),
  high: say('client.high'),
})
export const KYC_OPTIONS = choices(KYC_LABELS)
