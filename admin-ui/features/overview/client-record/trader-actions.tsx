import { Button } from '@mantine/core'
import {
  IconArrowMerge,
  IconBan,
  IconDoorExit,
  IconEye,
  IconFileZip,
  IconGavel,
  IconMailForward,
  IconPlayerPlay,
  IconTrash,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Confirm } from '../../../components/forms/confirm.tsx'
import { useUndo } from '../../../components/forms/use-undo.ts'
import { type MenuAction, MoreMenu } from '../../../components/page/more-menu.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { toClient } from '../../clients/traders/trader-names.ts'
import type { Trader } from '../../clients/traders/traders.api.ts'
import { ViewAsTrader } from '../../firm/views/view-as.tsx'
import { type Act, buildActs } from './trader-acts.ts'
import { say } from './words.ts'

type TraderActionsProps = {
  trader: Trader
  /** The page adds these actions at the top of the menu. */
  more: readonly (MenuAction | false)[]
}

/** Offers the acts on a client as a whole, and asks before each. */
export const TraderActions = ({ trader, more }: TraderActionsProps) => {
  const can = useCan()
  const [asked, setAsked] = useState<Act | null>(null)
  const [viewing, setViewing] = useState(false)
  const acts = useActs({ trader, ask: setAsked, view: () => setViewing(true) })
  const mayRestore = trader.deletedAt !== null && trader.mergedInto === null && can('manager')
  return (
    <>
      {mayRestore && <Button onClick={() => setAsked(buildActs(trader).restore)}>{say('client.restore')}</Button>}
      <MoreMenu label={say('client.actions')} wide actions={[...more, ...acts]} />
      {viewing && <ViewAsTrader trader={toClient(trader)} onClose={() => setViewing(false)} />}
      <Question asked={asked} onClose={() => setAsked(null)} />
    </>
  )
}

type ActsProps = { trader: Trader; ask: (act: Act) => void; view: () => void }

/** Returns the acts of the menu that the reader may do with this client now. */
const useActs = ({ trader, ask, view }: ActsProps): (MenuAction | false)[] => {
  const can = useCan()
  const navigate = useNavigate()
  const acts = buildActs(trader)
  const { status } = trader
  const isThere = trader.deletedAt === null
  const item = (act: Act, icon: ReactNode): MenuAction => ({
    label: act.menu,
    icon,
    danger: act.danger,
    onClick: () => ask(act),
  })
  const merge: MenuAction = {
    label: say('client.merge'),
    icon: <IconArrowMerge size={16} />,
    onClick: () => void navigate({ to: '/merge', search: { primary: trader.id } }),
  }
  const viewAs: MenuAction = { label: say('client.view_as'), icon: <IconEye size={16} />, onClick: view }
  return [
    isThere && can('operator') && item(acts.invite, <IconMailForward size={16} />),
    isThere && can('operator') && status !== 'active' && item(acts.activate, <IconPlayerPlay size={16} />),
    isThere && can('manager') && item(acts.hold, <IconGavel size={16} />),
    isThere && can('operator') && status === 'active' && item(acts.suspend, <IconBan size={16} />),
    isThere && can('operator') && status !== 'closed' && item(acts.close, <IconDoorExit size={16} />),
    isThere && can('manager') && merge,
    isThere && can('owner') && status !== 'closed' && viewAs,
    can('owner') && item(acts.bundle, <IconFileZip size={16} />),
    isThere && can('manager') && item(acts.remove, <IconTrash size={16} />),
  ]
}

/** Asks before an act, and reads the client again after it. */
const Question = ({ asked, onClose }: { asked: Act | null; onClose: () => void }) => {
  const refresh = useRefresh()
  const offerUndo = useUndo('traders')
  const run = async (): Promise<void> => {
    if (!asked) return
    const undo = await asked.run()
    if (undo) offerUndo(asked.done, undo)
    else notify(asked.done)
    await refresh('traders')
  }
  return (
    <Confirm
      title={asked?.title ?? ''}
      confirmLabel={asked?.label ?? ''}
      danger={asked?.danger ?? false}
      opened={asked !== null}
      onClose={onClose}
      onReload={() => void refresh('traders')}
      action={run}
    >
      {asked?.text}
    </Confirm>
  )
}
