import { StatusBadge } from '../../components/status-badge.tsx'
import { formatCount } from '../../lib/format.ts'
import type { Delivery, Subscription } from './webhooks.api.ts'

/** How a receiver is doing, in a word. */
export const Health = ({ subscription }: { subscription: Subscription }) => {
  const { status, health } = subscription
  if (status === 'disabled') return <StatusBadge status="disabled" label="Off" />
  if (health.failures > 0) {
    return (
      <StatusBadge
        status="failing"
        label={`Failing, ${formatCount(health.failures)} ${health.failures === 1 ? 'attempt' : 'attempts'}`}
      />
    )
  }
  return health.lastSuccessAt ? (
    <StatusBadge status="healthy" />
  ) : (
    <StatusBadge status="new" label="Not used yet" tone="off" />
  )
}

export const DELIVERY_LABELS: Record<Delivery['status'], string> = {
  pending: 'On its way',
  delivered: 'Delivered',
  failed: 'Failed',
  cancelled: 'Cancelled',
}

/** State of a delivery; one that waits for another attempt says so. */
export const DeliveryStatus = ({ delivery }: { delivery: Pick<Delivery, 'status' | 'attempts'> }) =>
  delivery.status === 'pending' && delivery.attempts > 0 ? (
    <StatusBadge status="retrying" label="Will be tried again" />
  ) : (
    <StatusBadge status={delivery.status} label={DELIVERY_LABELS[delivery.status]} />
  )
