import { StatusBadge, type Tone } from '../../../components/show/status-badge.tsx'
import { groupDigits } from '../../../lib/text/format.ts'
import type { Affiliate, Line, Payout, Rule, Run } from './affiliates.api.ts'
import { say } from './words.ts'

export const AFFILIATE_STATES: Record<Affiliate['status'], string> = {
  pending: say('affiliates.status.pending'),
  active: say('affiliates.status.active'),
  suspended: say('affiliates.status.suspended'),
  closed: say('affiliates.status.closed'),
}
export const PAYOUT_STATES: Record<Payout['status'], string> = {
  requested: say('affiliates.payout_status.requested'),
  approved: say('affiliates.payout_status.approved'),
  rejected: say('affiliates.payout_status.rejected'),
}
const RUN_STATES: Record<Run['status'], string> = {
  computing: say('affiliates.run_status.computing'),
  closed: say('affiliates.run_status.closed'),
  failed: say('affiliates.run_status.failed'),
  done: say('affiliates.run_status.done'),
}
const RUN_TONES: Record<Run['status'], Tone> = { computing: 'wait', closed: 'good', done: 'info', failed: 'bad' }
export const MODEL_LABELS: Record<Rule['model'], string> = {
  lot: say('affiliates.model.lot'),
  spread: say('affiliates.model.spread'),
  commission: say('affiliates.model.commission'),
  cpa: say('affiliates.model.cpa'),
  revenue: say('affiliates.model.revenue'),
}
export const SOURCE_LABELS: Record<Line['sourceType'], string> = {
  trade: say('affiliates.source.trade'),
  deposit: say('affiliates.source.deposit'),
  revenue: say('affiliates.source.revenue'),
  override: say('affiliates.source.override'),
  correction: say('affiliates.source.correction'),
}
export const NOTE_LABELS: Record<NonNullable<Line['note']>, string> = {
  cut: say('affiliates.note.cut'),
  no_spread: say('affiliates.note.no_spread'),
}

export const AffiliateStatus = ({ status }: Pick<Affiliate, 'status'>) => (
  <StatusBadge status={status} label={AFFILIATE_STATES[status]} />
)
export const PayoutStatus = ({ status }: Pick<Payout, 'status'>) => (
  <StatusBadge status={status} label={PAYOUT_STATES[status]} />
)
export const RunStatus = ({ status }: Pick<Run, 'status'>) => (
  <StatusBadge status={status} label={RUN_STATES[status]} tone={RUN_TONES[status]} />
)

/** Returns the name of an affiliate: the client's name, or else the code. */
export const affiliateName = ({ name, code }: Pick<Affiliate, 'name' | 'code'>): string => name ?? code

/** Returns whether a rate is an amount of money, and not a share. */
export const isMoneyRate = (model: Rule['model']): boolean => model === 'lot' || model === 'cpa'

/** Returns a rate in words: `5.00 EUR a lot`, `25 %`. */
export function rateText({ model, rate }: Pick<Rule, 'model' | 'rate'>, currency: string): string {
  if (model === 'lot') return say('affiliates.rate.lot', { rate: groupDigits(rate), currency })
  if (model === 'cpa') return say('affiliates.rate.cpa', { rate: groupDigits(rate), currency })
  return say('affiliates.rate.share', { percent: groupDigits(toPercent(rate)) })
}

/** Returns a share in per cent without rounding: `0.255` is `25.5`. */
export function toPercent(share: string): string {
  const [whole = '0', decimals = ''] = share.split('.')
  const digits = `${whole}${decimals.padEnd(2, '0')}`
  const at = whole.length + 2
  const integer = digits.slice(0, at).replace(/^0+(?=\d)/, '')
  const rest = digits.slice(at).replace(/0+$/, '')
  return rest === '' ? integer : `${integer}.${rest}`
}

/** Returns typed per cent as a share: `25.5` is `0.255`. A text that is no number is returned unchanged. */
export function toShare(percent: string): string {
  const text = percent.trim().replace(',', '.').replace(/\s*%$/, '')
  if (!/^\d{1,3}(\.\d{1,4})?$/.test(text)) return text
  const [whole = '0', decimals = ''] = text.split('.')
  const digits = `${whole.padStart(3, '0')}${decimals}`
  const integer = digits.slice(0, -2 - decimals.length).replace(/^0+(?=\d)/, '')
  const rest = digits.slice(-2 - decimals.length).replace(/0+$/, '')
  return rest === '' ? integer : `${integer}.${rest}`
}
