import { Button } from '@mantine/core'
import {
  IconHistory,
  IconKey,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconSend,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import { Confirm } from '../../components/confirm.tsx'
import { MoreMenu } from '../../components/more-menu.tsx'
import { notify } from '../../lib/notify.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { RecoverEvents } from './recover-events.tsx'
import { RotateSecret } from './rotate-secret.tsx'
import { SecretMade } from './secret-made.tsx'
import { SubscriptionForm } from './subscription-form.tsx'
import { TestDelivery } from './test-delivery.tsx'
import { deleteSubscription, type NewSubscription, type Subscription, updateSubscription } from './webhooks.api.ts'

type Asked = 'edit' | 'test' | 'toggle' | 'rotate' | 'recover' | 'remove' | null

/** What can be done with a receiver of events. */
export const SubscriptionActions = ({
  subscription,
  onGone,
}: {
  subscription: Subscription
  onGone: () => Promise<void>
}) => {
  const refresh = useRefresh()
  const [asked, setAsked] = useState<Asked>(null)
  const [made, setMade] = useState<NewSubscription | null>(null)
  const close = (): void => setAsked(null)
  const reload = (): void => void refresh('webhooks', 'dashboard')
  const on = subscription.status === 'active'
  const toggle = async (): Promise<void> => {
    await updateSubscription(subscription, { enabled: !on })
    notify(on ? 'Webhook turned off.' : 'Webhook turned on.')
    reload()
  }
  const remove = async (): Promise<void> => {
    await deleteSubscription(subscription)
    notify('Webhook removed.')
    // First away from the page: it would ask for what is gone.
    await onGone()
    reload()
  }
  return (
    <>
      <Button leftSection={<IconSend size={16} />} onClick={() => setAsked('test')}>
        Send a test
      </Button>
      <MoreMenu
        label="Actions"
        wide
        actions={[
          { label: 'Edit', icon: <IconPencil size={16} />, onClick: () => setAsked('edit') },
          ...(on
            ? [
                {
                  label: 'Recover missed events',
                  icon: <IconHistory size={16} />,
                  onClick: () => setAsked('recover'),
                },
              ]
            : []),
          { label: 'Replace secret', icon: <IconKey size={16} />, onClick: () => setAsked('rotate') },
          {
            label: on ? 'Turn off' : 'Turn on',
            icon: on ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />,
            onClick: () => setAsked('toggle'),
          },
          { label: 'Remove', icon: <IconTrash size={16} />, danger: true, onClick: () => setAsked('remove') },
        ]}
      />
      {asked === 'edit' && <SubscriptionForm subscription={subscription} onClose={close} />}
      {asked === 'test' && <TestDelivery subscription={subscription} onClose={close} />}
      <Confirm
        title={on ? 'Turn off this webhook' : 'Turn on this webhook'}
        confirmLabel={on ? 'Turn off' : 'Turn on'}
        danger={on}
        opened={asked === 'toggle'}
        onClose={close}
        onReload={reload}
        action={toggle}
      >
        {on
          ? 'Nothing is sent while it is off. Events are kept for 30 days and can be recovered once it is on again.'
          : 'Events are sent to it again from now on. “Recover missed events” sends what happened meanwhile.'}
      </Confirm>
      {asked === 'rotate' && (
        <RotateSecret
          subscription={subscription}
          onClose={close}
          onMade={(secret) => {
            setMade(secret)
            reload()
          }}
        />
      )}
      {asked === 'recover' && <RecoverEvents subscription={subscription} onClose={close} />}
      <Confirm
        title="Remove this webhook"
        confirmLabel="Remove webhook"
        opened={asked === 'remove'}
        onClose={close}
        onReload={reload}
        action={remove}
      >
        Nothing more is sent to <b>{subscription.url}</b>, deliveries on their way included.
      </Confirm>
      {made && <SecretMade made={made} onClose={() => setMade(null)} />}
    </>
  )
}
