import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Column, DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Labels } from '../../components/labels.tsx'
import { NewButton } from '../../components/list-actions.tsx'
import { Page } from '../../components/page.tsx'
import { When } from '../../components/when.tsx'
import { choices } from '../../lib/choices.ts'
import type { FilterOf } from '../../lib/filters.ts'
import { useNewForm } from '../../lib/use-new-form.ts'
import { SecretMade } from './secret-made.tsx'
import { SubscriptionForm } from './subscription-form.tsx'
import { TestDelivery } from './test-delivery.tsx'
import { Health } from './webhook-words.tsx'
import { fetchSubscriptions, type NewSubscription, type Subscription } from './webhooks.api.ts'

const FILTERS: readonly FilterOf<'webhooks.subscriptions.list'>[] = [
  {
    key: 'status',
    label: 'State',
    options: choices<Subscription['status']>({ active: 'On', disabled: 'Off' }),
  },
]

const COLUMNS: readonly Column<Subscription>[] = [
  { key: 'url', title: 'Address', render: ({ url }) => <span className="url">{url}</span> },
  { key: 'health', title: 'Health', render: (subscription) => <Health subscription={subscription} /> },
  { key: 'events', title: 'Events', wide: true, render: ({ events }) => <Labels values={events} limit={2} /> },
  {
    key: 'lastSuccess',
    title: 'Last success',
    wide: true,
    render: ({ health }) => <When at={health.lastSuccessAt} as="ago" />,
  },
  {
    key: 'lastFailure',
    title: 'Last failure',
    wide: true,
    optional: true,
    render: ({ health }) => <When at={health.lastFailureAt} as="ago" />,
  },
  {
    key: 'createdAt',
    title: 'Added',
    sort: 'createdAt',
    wide: true,
    render: ({ createdAt }) => <When at={createdAt} as="date" />,
  },
]

/** Who is told of what happens here. */
export const SubscriptionList = () => {
  const { opened, open, close } = useNewForm(true)
  const [made, setMade] = useState<NewSubscription | null>(null)
  const [tested, setTested] = useState<NewSubscription | null>(null)
  const navigate = useNavigate()
  const create = <NewButton onClick={open}>New webhook</NewButton>
  return (
    <Page title="Webhooks" subtitle="Other systems that are told when something happens here." actions={create}>
      <DataList
        id="webhooks"
        label="Webhooks"
        fetch={fetchSubscriptions}
        columns={COLUMNS}
        filters={FILTERS}
        href={({ id }) => `/webhooks/${id}/deliveries`}
        empty={
          <EmptyState title="No webhooks yet" action={create}>
            Add the address of a system that should hear of new clients and deposits.
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
