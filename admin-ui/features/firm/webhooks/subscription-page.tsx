import { Alert, Stack } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Loaded } from '../../../components/page/loaded.tsx'
import { Facts, RecordPage } from '../../../components/page/record-page.tsx'
import { Section } from '../../../components/page/section.tsx'
import { Labels } from '../../../components/show/labels.tsx'
import { When } from '../../../components/show/moment.tsx'
import { useRecord } from '../../../lib/api/use-record.ts'
import type { FilterOf } from '../../../lib/lists/filters.ts'
import { choices } from '../../../lib/text/choices.ts'
import { useStaff } from '../users/users.api.ts'
import { useEvents } from './events-field.tsx'
import { SubscriptionActions } from './subscription-actions.tsx'
import { DELIVERY_LABELS, DeliveryStatus, Health } from './webhook-words.tsx'
import { type Delivery, fetchDeliveries, fetchSubscription, type Subscription } from './webhooks.api.ts'
import { say } from './words.ts'

const COLUMNS: readonly Column<Delivery>[] = [
  { key: 'event', title: say('webhooks.event'), render: ({ event }) => event },
  { key: 'status', title: say('field.status'), render: (delivery) => <DeliveryStatus delivery={delivery} /> },
  { key: 'attempts', title: say('webhooks.attempts'), align: 'right', wide: true, render: ({ attempts }) => attempts },
  {
    key: 'nextAttemptAt',
    title: say('webhooks.attempt.next'),
    wide: true,
    render: ({ nextAttemptAt }) => <When at={nextAttemptAt} as="ago" />,
  },
  {
    key: 'kind',
    title: say('common.kind'),
    wide: true,
    optional: true,
    render: ({ replayOf }) => (replayOf ? say('webhooks.delivery.repeat') : say('webhooks.first')),
  },
  {
    key: 'createdAt',
    title: say('webhooks.created'),
    sort: 'createdAt',
    render: ({ createdAt }) => <When at={createdAt} />,
  },
]

const STATUS: FilterOf<'webhooks.deliveries.list'> = {
  key: 'status',
  label: say('field.status'),
  options: choices(DELIVERY_LABELS),
}

/** Shows the health of a receiver and everything that was sent to it. */
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
      label: say('webhooks.event'),
      options: (events.data?.data ?? []).map(({ event }) => ({ value: event, label: event })),
    },
    { key: 'from', until: 'to', label: say('webhooks.made'), kind: 'days' },
  ]
  return (
    <RecordPage
      title={url}
      back={{ to: '/webhooks', label: say('webhooks.webhooks') }}
      status={<Health subscription={subscription} />}
      actions={<SubscriptionActions subscription={subscription} onGone={() => navigate({ to: '/webhooks' })} />}
    >
      <Stack gap="md">
        {subscription.status === 'disabled' && (
          <Alert color="yellow" variant="light" title={say('webhooks.off.title')}>
            {subscription.disabledReason ?? say('webhooks.off.about')}
          </Alert>
        )}
        {subscription.standsStill && (
          <Alert color="red" variant="light" title={say('webhooks.unconfirmed.title')}>
            {say('webhooks.unconfirmed.about')}
          </Alert>
        )}
        <Receiver subscription={subscription} />
        <DataList
          id="webhooks"
          within={['deliveries', id]}
          label={say('webhooks.deliveries')}
          fetch={(query) => fetchDeliveries(id, query)}
          columns={COLUMNS}
          filters={filters}
          href={(delivery) => `/webhooks/deliveries/${delivery.id}`}
          refetchEvery={15_000}
          empty={
            <EmptyState title={say('webhooks.deliveries.empty.title')}>
              {say('webhooks.deliveries.empty.about')}
            </EmptyState>
          }
        />
      </Stack>
    </RecordPage>
  )
}

/** Shows what the receiver gets, and how deliveries went. */
const Receiver = ({ subscription }: { subscription: Subscription }) => {
  const { findStaffName } = useStaff()
  const { events, health, secretOverlapUntil, madeBy, changedBy } = subscription
  return (
    <Section title={say('webhooks.receiver')}>
      <Facts
        items={[
          [say('webhooks.column.made_by'), findStaffName(madeBy, subscription.createdAt) ?? undefined],
          [say('webhooks.column.changed_by'), findStaffName(changedBy) ?? undefined],
          [say('webhooks.events'), <Labels key="events" values={events} />],
          [
            say('webhooks.column.last_success'),
            health.lastSuccessAt && <When key="success" at={health.lastSuccessAt} as="ago" />,
          ],
          [
            say('webhooks.column.last_failure'),
            health.lastFailureAt && <When key="failure" at={health.lastFailureAt} as="ago" />,
          ],
          [
            say('webhooks.failing_since'),
            health.failingSince ? <When key="since" at={health.failingSince} as="ago" /> : undefined,
          ],
          [
            say('webhooks.secret.overlap_until'),
            secretOverlapUntil ? <When key="overlap" at={secretOverlapUntil} /> : undefined,
          ],
        ]}
      />
    </Section>
  )
}
