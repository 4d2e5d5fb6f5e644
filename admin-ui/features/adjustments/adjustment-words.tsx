import { StatusBadge } from '../../components/status-badge.tsx'
import type { Adjustment } from './adjustments.api.ts'

export const DIRECTION_LABELS: Record<Adjustment['direction'], string> = { credit: 'Credit', debit: 'Debit' }

export const ADJUSTMENT_STATES: Record<Adjustment['status'], string> = {
  requested: 'To approve',
  approved: 'Posted',
  rejected: 'Rejected',
}

export const AdjustmentStatus = ({ status }: { status: Adjustment['status'] }) => (
  <StatusBadge status={status} label={ADJUSTMENT_STATES[status]} />
)
