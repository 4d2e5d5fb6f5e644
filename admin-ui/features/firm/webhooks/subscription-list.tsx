import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import { NewButton } from '../../../components/lists/list-actions.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Page } from '../../../components/page/page.tsx'
import { Labels } from '../../../components/show/labels.tsx'
import { When } from '../../../components/show/moment.tsx'
import type { FilterOf } from '../../../lib/lists/filters.ts'
import { useNewForm } from '../../../lib/lists/use-new-form.ts'
import { choices } from '../../../lib/text/choices.ts'
import { SecretMade } from './secret-made.tsx'
import { SubscriptionForm } from './subscription-form.tsx'
import { TestDelivery } from './test-delivery.tsx'
import { Health } from './webhook-words.tsx'
import { fetchSubscriptions, type NewSubscription, type Subscription } from './webhooks.api.ts'
import { say } from './words.ts'

const FILTERS: readonly FilterOf<'webhooks.subscriptions.list'>[] = [
  {
    key: 'status',
    label: say('common.state'),
    options: choices<Subscription['status']>({ active: say('webhooks.on'), disabled: say('webhooks.off') }),
  },
]

const COLUMNS: readonly Column<Subscription>[] = [
  {
    key: 'url',
    sort: 'url',
    upFirst: true,
    title: say('common.address'),
    render: ({ url }) => <span className="url">{url}</span>,
  },
  { key: 'health', title: say('webhooks.health'), render: (subscription) => <Health subscription={subscription} /> },
  {
    key: 'events',
    title: say('webhooks.events'),
    wide: true,
    render: ({ events }) => <Labels values={events} limit={2} />,
  },
  {
    key: 'lastSuccess',
    title: say('webhooks.column.last_success'),
    wide: true,
    render: ({ health }) => <When at={health.lastSuccessAt} as="ago" />,
  },
  {
    key: 'lastFailure',
    title: say('webhooks.column.last_failure'),
    wide: true,
    optional: true,
    render: ({ health }) => <When at={health.lastFailureAt} as="ago" />,
  },
  {
    key: 'createdAt',
    title: say('webhooks.added'),
    sort: 'createdAt',
    wide: true,
    render: ({ createdAt }) => <When at={createdAt} as="date" />,
  },
]

/** Lists the receivers of the firm's events. */
export const SubscriptionList = () => {
  const { opened, open, close } = useNewForm(true)
  const [made, setMade] = useState<NewSubscription | null>(null)
  const [tested, setTested] = useState<NewSubscription | null>(null)
  const navigate = useNavigate()
  const create = <NewButton onClick={open}>{say('webhooks.new.title')}</NewButton>
  return (
    <Page title={say('webhooks.webhooks')} subtitle={say('webhooks.subtitle')} actions={create}>
      <DataList
        id="webhooks"
        label={say('webhooks.webhooks')}
        fetch={fetchSubscriptions}
        columns={COLUMNS}
        filters={FILTERS}
        href={({ id }) => `/webhooks/${id}/deliveries`}
        empty={
          <EmptyState title={say('webhooks.empty.title')} action={create}>
            {say('webhooks.empty.about')}
          </EmptyState>
        }
      />
      {opened && <SubscriptionForm onClose={close} onMade={setMade} />}
      {made && (
        <SecretMade
          made={made}
          onClose={() => setMade(null)}
          onTest={() => {
            setTested(made)
            setMade(null)
          }}
        />
      )}
      {tested && (
        <TestDelivery
          subscription={tested}
          onClose={() => void navigate({ to: `/webhooks/${tested.id}/deliveries` })}
        />
      )}
    </Page>
  )
}
