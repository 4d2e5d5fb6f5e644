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
import { notify } from '../../lib/notify.tsx'
import { useAsked } from '../../lib/use-asked.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { RecoverEvents } from './recover-events.tsx'
import { RotateSecret } from './rotate-secret.tsx'
import { SecretMade } from './secret-made.tsx'
import { SubscriptionForm } from './subscription-form.tsx'
import { TestDelivery } from './test-delivery.tsx'
import { deleteSubscription, type NewSubscription, type Subscription, updateSubscription } from './webhooks.api.ts'

type Asked = 'edit' | 'test' | 'toggle' | 'rotate' | 'recover' | 'remove'

/** What can be done with a receiver of events. */
export const SubscriptionActions = ({
  subscription,
  onGone,
}: {
  subscription: Subscription
  onGone: () => Promise<void>
}) => {
  const refresh = useRefresh()
  const { asked, record, ask, close } = useAsked<Asked, Subscription>(subscription)
  const [made, setMade] = useState<NewSubscription | null>(null)
  const reload = (): void => void refresh('webhooks')
  const on = record.status === 'active'
  const toggle = async (): Promise<void> => {
    await updateSubscription(record, { enabled: !on })
    notify(on ? 'Webhook turned off.' : 'Webhook turned on.')
    reload()
  }
  const remove = async (): Promise<void> => {
    await deleteSubscription(record)
    notify('Webhook removed.')
    // First away from the page: it would ask for what is gone.
    await onGone()
    reload()
  }
  return (
    <>
      <Button leftSection={<IconSend size={16} />} onClick={() => ask('test')}>
        Send a test
      </Button>
      <MoreMenu
        label="Actions"
        wide
        actions={[
          { label: 'Edit', icon: <IconPencil size={16} />, onClick: () => ask('edit') },
          ...(on
            ? [
                {
                  label: 'Recover missed events',
                  icon: <IconHistory size={16} />,
                  onClick: () => ask('recover'),
                },
              ]
            : []),
          { label: 'Replace secret', icon: <IconKey size={16} />, onClick: () => ask('rotate') },
          {
            label: on ? 'Turn off' : 'Turn on',
            icon: on ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />,
            onClick: () => ask('toggle'),
          },
          { label: 'Remove', icon: <IconTrash size={16} />, danger: true, onClick: () => ask('remove') },
        ]}
      />
      {asked === 'edit' && <SubscriptionForm subscription={record} onClose={close} />}
      {asked === 'test' && <TestDelivery subscription={record} onClose={close} />}
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
          subscription={record}
          onClose={close}
          onMade={(secret) => {
            setMade(secret)
            reload()
          }}
        />
      )}
      {asked === 'recover' && <RecoverEvents subscription={record} onClose={close} />}
      <Confirm
        title="Remove this webhook"
        confirmLabel="Remove webhook"
        opened={asked === 'remove'}
        onClose={close}
        onReload={reload}
        action={remove}
      >
        Nothing more is sent to <b>{record.url}</b>, deliveries on their way included.
      </Confirm>
      {made && <SecretMade made={made} onClose={() => setMade(null)} />}
    </>
  )
}
