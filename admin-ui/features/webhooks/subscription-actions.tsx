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

type SubscriptionActionsProps = { subscription: Subscription; onGone: () => Promise<void> }

/** What can be done with a receiver of events. */
export const SubscriptionActions = ({ subscription, onGone }: SubscriptionActionsProps) => {
  const refresh = useRefresh()
  const { asked, record, ask, close } = useAsked<Asked, Subscription>(subscription)
  const [made, setMade] = useState<NewSubscription | null>(null)
  const reload = (): void => void refresh('webhooks')
  const question = { subscription: record, onClose: close, onReload: reload }
  return (
    <>
      <Button leftSection={<IconSend size={16} />} onClick={() => ask('test')}>
        Send a test
      </Button>
      <SubscriptionMenu isOn={record.status === 'active'} onAsk={ask} />
      {asked === 'edit' && <SubscriptionForm subscription={record} onClose={close} />}
      {asked === 'test' && <TestDelivery subscription={record} onClose={close} />}
      <AskToggle {...question} opened={asked === 'toggle'} />
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
      <AskRemove {...question} opened={asked === 'remove'} onGone={onGone} />
      {made && <SecretMade made={made} onClose={() => setMade(null)} />}
    </>
  )
}

/** What is done less often than a test; what was missed is sent only while it is on. */
const SubscriptionMenu = ({ isOn, onAsk }: { isOn: boolean; onAsk: (act: Asked) => void }) => (
  <MoreMenu
    label="Actions"
    wide
    actions={[
      { label: 'Edit', icon: <IconPencil size={16} />, onClick: () => onAsk('edit') },
      ...(isOn
        ? [
            {
              label: 'Recover missed events',
              icon: <IconHistory size={16} />,
              onClick: () => onAsk('recover'),
            },
          ]
        : []),
      { label: 'Replace secret', icon: <IconKey size={16} />, onClick: () => onAsk('rotate') },
      {
        label: isOn ? 'Turn off' : 'Turn on',
        icon: isOn ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />,
        onClick: () => onAsk('toggle'),
      },
      { label: 'Remove', icon: <IconTrash size={16} />, danger: true, onClick: () => onAsk('remove') },
    ]}
  />
)

type AskProps = { subscription: Subscription; opened: boolean; onClose: () => void; onReload: () => void }

const AskToggle = ({ subscription, opened, onClose, onReload }: AskProps) => {
  const on = subscription.status === 'active'
  const toggle = async (): Promise<void> => {
    await updateSubscription(subscription, { enabled: !on })
    notify(on ? 'Webhook turned off.' : 'Webhook turned on.')
    onReload()
  }
  return (
    <Confirm
      title={on ? 'Turn off this webhook' : 'Turn on this webhook'}
      confirmLabel={on ? 'Turn off' : 'Turn on'}
      danger={on}
      opened={opened}
      onClose={onClose}
      onReload={onReload}
      action={toggle}
    >
      {on
        ? 'Nothing is sent while it is off. Events are kept for 30 days and can be recovered once it is on again.'
        : 'Events are sent to it again from now on. “Recover missed events” sends what happened meanwhile.'}
    </Confirm>
  )
}

const AskRemove = ({ subscription, opened, onClose, onReload, onGone }: AskProps & { onGone: () => Promise<void> }) => {
  const remove = async (): Promise<void> => {
    await deleteSubscription(subscription)
    notify('Webhook removed.')
    // First away from the page: it would ask for what is gone.
    await onGone()
    onReload()
  }
  return (
    <Confirm
      title="Remove this webhook"
      confirmLabel="Remove webhook"
      opened={opened}
      onClose={onClose}
      onReload={onReload}
      action={remove}
    >
      Nothing more is sent to <b>{subscription.url}</b>, deliveries on their way included.
    </Confirm>
  )
}
