import { Alert, Stack } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type Column, DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Labels } from '../../components/labels.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Facts, RecordPage } from '../../components/record-page.tsx'
import { Section } from '../../components/section.tsx'
import { When } from '../../components/when.tsx'
import { choices } from '../../lib/choices.ts'
import type { FilterOf } from '../../lib/filters.ts'
import { useRecord } from '../../lib/use-record.ts'
import { useEvents } from './events-field.tsx'
import { SubscriptionActions } from './subscription-actions.tsx'
import { DELIVERY_LABELS, DeliveryStatus, Health } from './webhook-words.tsx'
import { type Delivery, fetchDeliveries, fetchSubscription, type Subscription } from './webhooks.api.ts'

const COLUMNS: readonly Column<Delivery>[] = [
  { key: 'event', title: 'Event', render: ({ event }) => event },
  { key: 'status', title: 'Status', render: (delivery) => <DeliveryStatus delivery={delivery} /> },
  { key: 'attempts', title: 'Attempts', align: 'right', wide: true, render: ({ attempts }) => attempts },
  {
    key: 'nextAttemptAt',
    title: 'Next attempt',
    wide: true,
    render: ({ nextAttemptAt }) => <When at={nextAttemptAt} as="ago" />,
  },
  {
    key: 'kind',
    title: 'Kind',
    wide: true,
    optional: true,
    render: ({ replayOf }) => (replayOf ? 'Sent again' : 'First'),
  },
  { key: 'createdAt', title: 'Created', sort: 'createdAt', render: ({ createdAt }) => <When at={createdAt} /> },
]

const STATUS: FilterOf<'webhooks.deliveries.list'> = {
  key: 'status',
  label: 'Status',
  options: choices(DELIVERY_LABELS),
}

/** One receiver: its health and everything that was sent to it. */
export const SubscriptionPage = () => {
  const { id = '' } = useParams({ strict: false })
  const subscription = useRecord('webhooks', id, fetchSubscription)
  return <Loaded query={subscription}>{(data) => <SubscriptionRecord subscription={data} />}</Loaded>
}

const SubscriptionRecord = ({ subscription }: { subscription: Subscription }) => {
  const navigate = useNavigate()
  const events = useEvents()
  const { id, url } = subscription
  const filters: readonly FilterOf<'webhooks.deliveries.list'>[] = [
    STATUS,
    {
      key: 'event',
      label: 'Event',
      options: (events.data?.data ?? []).map(({ event }) => ({ value: event, label: event })),
    },
    { key: 'from', until: 'to', label: 'Made', kind: 'days' },
  ]
  return (
    <RecordPage
      title={url}
      back={{ to: '/webhooks', label: 'Webhooks' }}
      status={<Health subscription={subscription} />}
      actions={<SubscriptionActions subscription={subscription} onGone={() => navigate({ to: '/webhooks' })} />}
    >
      <Stack gap="md">
        {subscription.status === 'disabled' && (
          <Alert color="yellow" variant="light" title="This webhook is off">
            {subscription.disabledReason ?? 'Nothing is sent until it is turned on again.'}
          </Alert>
        )}
        <Receiver subscription={subscription} />
        <DataList
          id="webhooks"
          within={['deliveries', id]}
          label="Deliveries"
          fetch={(query) => fetchDeliveries(id, query)}
          columns={COLUMNS}
          filters={filters}
          href={(delivery) => `/webhooks/deliveries/${delivery.id}`}
          refetchEvery={15_000}
          empty={
            <EmptyState title="Nothing sent yet">
              A test delivery shows at once whether the receiver answers.
            </EmptyState>
          }
        />
      </Stack>
    </RecordPage>
  )
}

/** What is sent to it, and how that went. */
const Receiver = ({ subscription: { events, health, secretOverlapUntil } }: { subscription: Subscription }) => (
  <Section title="Receiver">
    <Facts
      items={[
        ['Events', <Labels key="events" values={events} />],
        ['Last success', health.lastSuccessAt && <When key="success" at={health.lastSuccessAt} as="ago" />],
        ['Last failure', health.lastFailureAt && <When key="failure" at={health.lastFailureAt} as="ago" />],
        ['Failing since', health.failingSince ? <When key="since" at={health.failingSince} as="ago" /> : undefined],
        [
          'Old secret also signs until',
          secretOverlapUntil ? <When key="overlap" at={secretOverlapUntil} /> : undefined,
        ],
      ]}
    />
  </Section>
)
