import { StatusBadge } from '../../../components/show/status-badge.tsx'
import type { Delivery, Subscription } from './webhooks.api.ts'
import { say } from './words.ts'

/** Shows the health of a receiver as a badge. */
export const Health = ({ subscription }: { subscription: Subscription }) => {
  const { status, health, standsStill } = subscription
  if (status === 'disabled') return <StatusBadge status="disabled" label={say('webhooks.off')} />
  if (standsStill) return <StatusBadge status="standing" label={say('webhooks.unconfirmed.title')} tone="bad" />
  if (health.failures > 0) {
    return <StatusBadge status="failing" label={say('webhooks.health.failing', { failures: health.failures })} />
  }
  return health.lastSuccessAt ? (
    <StatusBadge status="healthy" />
  ) : (
    <StatusBadge status="new" label={say('webhooks.health.unused')} tone="off" />
  )
}

export const DELIVERY_LABELS: Record<Delivery['status'], string> = {
  pending: say('webhooks.delivery.pending'),
  delivered: say('webhooks.delivery.delivered'),
  failed: say('common.failed'),
  cancelled: say('common.cancelled'),
}

/** Shows the state of a delivery, and says when it waits for another attempt. */
export const DeliveryStatus = ({ delivery }: { delivery: Pick<Delivery, 'status' | 'attempts'> }) =>
  delivery.status === 'pending' && delivery.attempts > 0 ? (
    <StatusBadge status="retrying" label={say('webhooks.delivery.retrying')} />
  ) : (
    <StatusBadge status={delivery.status} label={DELIVERY_LABELS[delivery.status]} />
  )
