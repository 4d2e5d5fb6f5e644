import { Button } from '@mantine/core'
import {
  IconAdjustments,
  IconCashOff,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlugConnected,
  IconTrash,
  IconUsersPlus,
} from '@tabler/icons-react'
import { Confirm } from '../../../components/forms/confirm.tsx'
import { useUndo } from '../../../components/forms/use-undo.ts'
import { MoreMenu } from '../../../components/page/more-menu.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useAsked } from '../../../lib/forms/use-asked.ts'
import { BringIn } from './bring-in.tsx'
import { ChangeSettings } from './change-settings.tsx'
import { EditPace } from './edit-pace.tsx'
import { ServerTestPanel } from './server-test.tsx'
import { deleteServer, type Server, updateServer } from './servers.api.ts'
import { say } from './words.ts'

type Asked = 'bring' | 'pace' | 'settings' | 'test' | 'pause' | 'money' | 'remove'

type ServerActionsProps = {
  server: Server
  onGone: () => Promise<void>
  /** An import of clients was made. */
  onImport: (importId: string) => void
}

const hasMoney = ({ money, pending }: Server): boolean => money || pending?.values.money === true

/** Offers administrators the acts on a connection, and owners those that a second person confirms. */
export const ServerActions = ({ server, onGone, onImport }: ServerActionsProps) => {
  const can = useCan()
  const { asked, record, ask, close } = useAsked<Asked, Server>(server)
  const runs = record.status !== 'paused'
  if (!can('admin')) return null
  return (
    <>
      <Button leftSection={<IconPlugConnected size={16} />} onClick={() => ask('test')}>
        {say('terminals.act.test')}
      </Button>
      <MoreMenu
        label={say('terminals.act.more')}
        wide
        actions={[
          { label: say('terminals.bring.act'), icon: <IconUsersPlus size={16} />, onClick: () => ask('bring') },
          { label: say('terminals.pace.title'), icon: <IconPencil size={16} />, onClick: () => ask('pace') },
          can('owner') && {
            label: say('terminals.form.change'),
            icon: <IconAdjustments size={16} />,
            onClick: () => ask('settings'),
          },
          {
            label: say(runs ? 'terminals.act.pause' : 'terminals.act.resume'),
            icon: runs ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />,
            onClick: () => ask('pause'),
          },
          hasMoney(server) && {
            label: say('terminals.act.money_off'),
            icon: <IconCashOff size={16} />,
            danger: true,
            onClick: () => ask('money'),
          },
          can('owner') && {
            label: say('terminals.act.remove'),
            icon: <IconTrash size={16} />,
            danger: true,
            onClick: () => ask('remove'),
          },
        ]}
      />
      {asked === 'bring' && <BringIn server={record} onClose={close} onMade={onImport} />}
      {asked === 'pace' && <EditPace server={record} onClose={close} />}
      {asked === 'settings' && <ChangeSettings server={record} onClose={close} />}
      {asked === 'test' && <ServerTestPanel server={record} ofPending={false} onClose={close} />}
      <Pause server={record} opened={asked === 'pause'} onClose={close} />
      <MoneyOff server={record} opened={asked === 'money'} onClose={close} />
      <Remove server={record} opened={asked === 'remove'} onClose={close} onGone={onGone} />
    </>
  )
}

type QuestionProps = { server: Server; opened: boolean; onClose: () => void }

/** Asks before a connection is paused or resumed. */
const Pause = ({ server, opened, onClose }: QuestionProps) => {
  const refresh = useRefresh()
  const offerUndo = useUndo('platforms')
  const runs = server.status !== 'paused'
  const toggle = async (): Promise<void> => {
    const after = await updateServer(server, { paused: runs })
    offerUndo(say(runs ? 'terminals.act.paused' : 'terminals.act.resumed'), () =>
      updateServer(after, { paused: !runs }),
    )
    void refresh('platforms')
  }
  return (
    <Confirm
      title={say(runs ? 'terminals.act.pause_title' : 'terminals.act.resume_title')}
      confirmLabel={say(runs ? 'terminals.act.pause' : 'terminals.act.resume')}
      danger={runs}
      opened={opened}
      onClose={onClose}
      onReload={() => void refresh('platforms')}
      action={toggle}
    >
      {say(runs ? 'terminals.act.pause_text' : 'terminals.act.resume_text')}
    </Confirm>
  )
}

/** Asks before money is switched off, which counts at once. */
const MoneyOff = ({ server, opened, onClose }: QuestionProps) => {
  const refresh = useRefresh()
  const stop = async (): Promise<void> => {
    await updateServer(server, { money: false })
    notify(say('terminals.act.stopped_money'))
    void refresh('platforms')
  }
  return (
    <Confirm
      title={say('terminals.act.money_title')}
      confirmLabel={say('terminals.act.money_off')}
      opened={opened}
      onClose={onClose}
      onReload={() => void refresh('platforms')}
      action={stop}
    >
      {say('terminals.act.money_text')}
    </Confirm>
  )
}

/** Asks before a connection is removed. */
const Remove = ({ server, opened, onClose, onGone }: QuestionProps & Pick<ServerActionsProps, 'onGone'>) => {
  const refresh = useRefresh()
  const remove = async (): Promise<void> => {
    await deleteServer(server)
    notify(say('terminals.act.removed'))
    // the page is left first, because it would read the removed connection again
    await onGone()
    void refresh('platforms')
  }
  return (
    <Confirm
      title={say('terminals.act.remove_title')}
      confirmLabel={say('terminals.act.remove_confirm')}
      opened={opened}
      onClose={onClose}
      onReload={() => void refresh('platforms')}
      action={remove}
    >
      {say('terminals.act.remove_text', { name: server.name })}
    </Confirm>
  )
}
