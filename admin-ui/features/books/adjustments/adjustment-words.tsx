import { StatusBadge } from '../../../components/show/status-badge.tsx'
import type { Adjustment } from './adjustments.api.ts'
import { say } from './words.ts'

export const DIRECTION_LABELS: Record<Adjustment['direction'], string> = {
  credit: say('adjustments.credit'),
  debit: say('adjustments.debit'),
}

export const ADJUSTMENT_STATES: Record<Adjustment['status'], string> = {
  requested: say('adjustments.status.requested'),
  approved: say('adjustments.status.posted'),
  rejected: say('common.rejected'),
}

export const AdjustmentStatus = ({ status }: { status: Adjustment['status'] }) => (
  <StatusBadge status={status} label={ADJUSTMENT_STATES[status]} />
)
