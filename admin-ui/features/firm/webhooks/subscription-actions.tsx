import { Button } from '@mantine/core'
import {
  IconCheck,
  IconHistory,
  IconKey,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconSend,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import { Confirm } from '../../../components/forms/confirm.tsx'
import { useUndo } from '../../../components/forms/use-undo.ts'
import { MoreMenu } from '../../../components/page/more-menu.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useAsked } from '../../../lib/forms/use-asked.ts'
import { RecoverEvents } from './recover-events.tsx'
import { RotateSecret } from './rotate-secret.tsx'
import { SecretMade } from './secret-made.tsx'
import { SubscriptionForm } from './subscription-form.tsx'
import { TestDelivery } from './test-delivery.tsx'
import {
  confirmSubscription,
  deleteSubscription,
  type NewSubscription,
  type Subscription,
  updateSubscription,
} from './webhooks.api.ts'
import { say, tell } from './words.ts'

type Asked = 'confirm' | 'edit' | 'test' | 'toggle' | 'rotate' | 'recover' | 'remove'

type SubscriptionActionsProps = { subscription: Subscription; onGone: () => Promise<void> }

/** Offers the acts on a receiver of events. */
export const SubscriptionActions = ({ subscription, onGone }: SubscriptionActionsProps) => {
  const refresh = useRefresh()
  const { asked, record, ask, close } = useAsked<Asked, Subscription>(subscription)
  const [made, setMade] = useState<NewSubscription | null>(null)
  const reload = (): void => void refresh('webhooks')
  const question = { subscription: record, onClose: close, onReload: reload }
  return (
    <>
      {record.standsStill ? (
        <Button leftSection={<IconCheck size={16} />} onClick={() => ask('confirm')}>
          {say('webhooks.confirm.action')}
        </Button>
      ) : (
        <Button leftSection={<IconSend size={16} />} onClick={() => ask('test')}>
          {say('webhooks.test.action')}
        </Button>
      )}
      <AskConfirm {...question} opened={asked === 'confirm'} />
      <SubscriptionMenu
        isOn={record.status === 'active'}
        canRecover={record.status === 'active' && !record.standsStill}
        onAsk={ask}
      />
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

type SubscriptionMenuProps = { isOn: boolean; canRecover: boolean; onAsk: (act: Asked) => void }

/** Offers the less frequent acts; missed events can be sent only while the receiver is on. */
const SubscriptionMenu = ({ isOn, canRecover, onAsk }: SubscriptionMenuProps) => (
  <MoreMenu
    label={say('webhooks.actions')}
    wide
    actions={[
      { label: say('common.edit'), icon: <IconPencil size={16} />, onClick: () => onAsk('edit') },
      ...(canRecover
        ? [
            {
              label: say('webhooks.recover.title'),
              icon: <IconHistory size={16} />,
              onClick: () => onAsk('recover'),
            },
          ]
        : []),
      { label: say('webhooks.rotate.submit'), icon: <IconKey size={16} />, onClick: () => onAsk('rotate') },
      {
        label: isOn ? say('webhooks.disable.action') : say('webhooks.enable.action'),
        icon: isOn ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />,
        onClick: () => onAsk('toggle'),
      },
      { label: say('common.remove'), icon: <IconTrash size={16} />, danger: true, onClick: () => onAsk('remove') },
    ]}
  />
)

type AskProps = { subscription: Subscription; opened: boolean; onClose: () => void; onReload: () => void }

const AskConfirm = ({ subscription: { id, url }, opened, onClose, onReload }: AskProps) => {
  const confirm = async (): Promise<void> => {
    await confirmSubscription(id)
    notify(say('webhooks.confirm.done'))
    onReload()
  }
  return (
    <Confirm
      title={say('webhooks.confirm.title')}
      confirmLabel={say('webhooks.confirm.action')}
      danger={false}
      opened={opened}
      onClose={onClose}
      onReload={onReload}
      action={confirm}
    >
      {tell('webhooks.confirm.about', { url: <b>{url}</b> })}
    </Confirm>
  )
}

const AskToggle = ({ subscription, opened, onClose, onReload }: AskProps) => {
  const offerUndo = useUndo('webhooks')
  const on = subscription.status === 'active'
  const toggle = async (): Promise<void> => {
    const after = await updateSubscription(subscription, { enabled: !on })
    offerUndo(on ? say('webhooks.disable.done') : say('webhooks.enable.done'), () =>
      updateSubscription(after, { enabled: on }),
    )
    onReload()
  }
  return (
    <Confirm
      title={on ? say('webhooks.disable.title') : say('webhooks.enable.title')}
      confirmLabel={on ? say('webhooks.disable.action') : say('webhooks.enable.action')}
      danger={on}
      opened={opened}
      onClose={onClose}
      onReload={onReload}
      action={toggle}
    >
      {on ? say('webhooks.disable.about') : say('webhooks.enable.about')}
    </Confirm>
  )
}

const AskRemove = ({ subscription, opened, onClose, onReload, onGone }: AskProps & { onGone: () => Promise<void> }) => {
  const remove = async (): Promise<void> => {
    await deleteSubscription(subscription)
    notify(say('webhooks.remove.done'))
    // The page is left first, because it would read the deleted receiver again.
    await onGone()
    onReload()
  }
  return (
    <Confirm
      title={say('webhooks.remove.title')}
      confirmLabel={say('webhooks.remove.submit')}
      opened={opened}
      onClose={onClose}
      onReload={onReload}
      action={remove}
    >
      {tell('webhooks.remove.about', { url: <b>{subscription.url}</b> })}
    </Confirm>
  )
}
