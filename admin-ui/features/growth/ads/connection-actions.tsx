import { Button } from '@mantine/core'
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconPlugConnected, IconTrash } from '@tabler/icons-react'
import { Confirm } from '../../../components/forms/confirm.tsx'
import { useUndo } from '../../../components/forms/use-undo.ts'
import { MoreMenu } from '../../../components/page/more-menu.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useAsked } from '../../../lib/forms/use-asked.ts'
import { type Connection, deleteConnection, updateConnection } from './ads.api.ts'
import { ConnectionForm } from './connection-form.tsx'
import { ConnectionTestPanel } from './connection-test.tsx'
import { say } from './words.ts'

type Asked = 'edit' | 'test' | 'toggle' | 'remove'

type ConnectionActionsProps = { connection: Connection; onGone: () => Promise<void> }

/** Offers administrators the acts on a connection. */
export const ConnectionActions = ({ connection, onGone }: ConnectionActionsProps) => {
  const can = useCan()
  const { asked, record, ask, close } = useAsked<Asked, Connection>(connection)
  const on = record.status !== 'disabled'
  if (!can('admin')) return null
  return (
    <>
      <Button leftSection={<IconPlugConnected size={16} />} onClick={() => ask('test')}>
        {say('ads.act.test')}
      </Button>
      <MoreMenu
        label={say('ads.act.more')}
        wide
        actions={[
          { label: say('ads.act.edit'), icon: <IconPencil size={16} />, onClick: () => ask('edit') },
          {
            label: say(on ? 'ads.act.disable' : 'ads.act.enable'),
            icon: on ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />,
            onClick: () => ask('toggle'),
          },
          { label: say('ads.act.remove'), icon: <IconTrash size={16} />, danger: true, onClick: () => ask('remove') },
        ]}
      />
      {asked === 'edit' && <ConnectionForm connection={record} onClose={close} />}
      {asked === 'test' && <ConnectionTestPanel connection={record} onClose={close} />}
      <Toggle connection={record} opened={asked === 'toggle'} onClose={close} />
      <Remove connection={record} opened={asked === 'remove'} onClose={close} onGone={onGone} />
    </>
  )
}

type QuestionProps = { connection: Connection; opened: boolean; onClose: () => void }

/** Asks before a connection is turned on or off. */
const Toggle = ({ connection, opened, onClose }: QuestionProps) => {
  const refresh = useRefresh()
  const offerUndo = useUndo('ads')
  const on = connection.status !== 'disabled'
  const toggle = async (): Promise<void> => {
    const after = await updateConnection(connection, { status: on ? 'disabled' : 'active' })
    offerUndo(say(on ? 'ads.act.disabled' : 'ads.act.enabled'), () =>
      updateConnection(after, { status: on ? 'active' : 'disabled' }),
    )
    void refresh('ads')
  }
  return (
    <Confirm
      title={say(on ? 'ads.act.disable_title' : 'ads.act.enable_title')}
      confirmLabel={say(on ? 'ads.act.disable' : 'ads.act.enable')}
      danger={on}
      opened={opened}
      onClose={onClose}
      onReload={() => void refresh('ads')}
      action={toggle}
    >
      {say(on ? 'ads.act.disable_text' : 'ads.act.enable_text')}
    </Confirm>
  )
}

/** Asks before a connection is removed. */
const Remove = ({ connection, opened, onClose, onGone }: QuestionProps & Pick<ConnectionActionsProps, 'onGone'>) => {
  const refresh = useRefresh()
  const remove = async (): Promise<void> => {
    await deleteConnection(connection)
    notify(say('ads.act.removed'))
    // The page is left first, because it would read the deleted connection again.
    await onGone()
    void refresh('ads')
  }
  return (
    <Confirm
      title={say('ads.act.remove_title')}
      confirmLabel={say('ads.act.remove_confirm')}
      opened={opened}
      onClose={onClose}
      onReload={() => void refresh('ads')}
      action={remove}
    >
      {say('ads.act.remove_text', { name: connection.name })}
    </Confirm>
  )
}
