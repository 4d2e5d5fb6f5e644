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
import { say } from '../../../src/words/say.ts'
import { Confirm } from '../../components/confirm.tsx'
import { type MenuAction, MoreMenu } from '../../components/more-menu.tsx'
import { notify } from '../../lib/notify.tsx'
import { useCan } from '../../lib/session.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { ViewAsTrader } from '../views/view-as.tsx'
import { clientOf, traderName } from './trader-names.ts'
import { deleteTrader, downloadBundle, inviteTrader, restoreTrader, type Trader, updateTrader } from './traders.api.ts'

type Act = {
  title: string
  menu?: string
  text: ReactNode
  label: string
  done: string
  danger: boolean
  run: () => Promise<unknown>
}

const actsOf = (trader: Trader) => {
  const { id, version } = trader
  const name = traderName(trader)
  const status = (next: Trader['status']) => () => updateTrader(id, { status: next }, version)
  return {
    invite: {
      title: 'Invite to sign in',
      text: `${name} gets a mail with a link to set a password. The link works once.`,
      label: 'Send invitation',
      done: 'Invitation sent.',
      danger: false,
      run: () => inviteTrader(id),
    },
    activate: {
      title: 'Activate this client',
      text: `${name} can sign in and deposit again.`,
      label: 'Activate',
      done: 'Client activated.',
      danger: false,
      run: status('active'),
    },
    suspend: {
      title: 'Suspend this client',
      text: `${name} can no longer deposit until activated again.`,
      label: 'Suspend',
      done: 'Client suspended.',
      danger: true,
      run: status('suspended'),
    },
    close: {
      title: 'Close this client',
      text: `The relation with ${name} ends. The record and its money stay as they are.`,
      label: 'Close',
      done: 'Client closed.',
      danger: true,
      run: status('closed'),
    },
    hold: {
      title: trader.legalHold ? 'Lift the legal hold' : 'Place a legal hold',
      text: trader.legalHold
        ? 'Erasure and money out become possible again.'
        : 'Nothing about this client is erased and no money leaves until the hold is lifted.',
      label: trader.legalHold ? 'Lift hold' : 'Place hold',
      done: trader.legalHold ? 'Legal hold lifted.' : 'Legal hold placed.',
      danger: false,
      run: () => updateTrader(id, { legalHold: !trader.legalHold }, version),
    },
    remove: {
      title: 'Delete this client',
      text: `${name} disappears from the lists and is signed out. You can restore the client for 30 days; after that all personal data is erased. Money records stay.`,
      label: 'Delete client',
      done: 'Client deleted.',
      danger: true,
      run: () => deleteTrader(id, version),
    },
    bundle: {
      title: say('privacy.title'),
      menu: say('privacy.act'),
      text: say('privacy.text', { name }),
      label: say('privacy.download'),
      done: say('privacy.done'),
      danger: false,
      run: () => downloadBundle(id),
    },
    restore: {
      title: 'Restore this client',
      text: `${name} comes back to the lists as before.`,
      label: 'Restore',
      done: 'Client restored.',
      danger: false,
      run: () => restoreTrader(id),
    },
  } satisfies Record<string, Act>
}

type TraderActionsProps = {
  trader: Trader
  /** What else the page offers, before the rest. */
  more: readonly (MenuAction | false)[]
}

/** What can be done with a client as a whole; each act is asked for once more. */
export const TraderActions = ({ trader, more }: TraderActionsProps) => {
  const can = useCan()
  const refresh = useRefresh()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<Act | null>(null)
  const [viewing, setViewing] = useState(false)
  const acts = actsOf(trader)
  const deleted = trader.deletedAt !== null
  const { status } = trader
  const run = async (): Promise<void> => {
    if (!asked) return
    await asked.run()
    notify(asked.done)
    await refresh('traders')
  }
  const item = (act: Act, icon: ReactNode) => ({
    label: act.menu ?? act.title.replace(' this client', ''),
    icon,
    danger: act.danger,
    onClick: () => setAsked(act),
  })
  return (
    <>
      {deleted && trader.mergedInto === null && can('manager') && (
        <Button onClick={() => setAsked(acts.restore)}>Restore</Button>
      )}
      <MoreMenu
        label="Actions"
        wide
        actions={[
          ...more,
          can('operator') && !deleted && item(acts.invite, <IconMailForward size={16} />),
          can('operator') && !deleted && status !== 'active' && item(acts.activate, <IconPlayerPlay size={16} />),
          can('manager') && !deleted && item(acts.hold, <IconGavel size={16} />),
          can('operator') && !deleted && status === 'active' && item(acts.suspend, <IconBan size={16} />),
          can('operator') && !deleted && status !== 'closed' && item(acts.close, <IconDoorExit size={16} />),
          can('manager') &&
            !deleted && {
              label: say('merges.act'),
              icon: <IconArrowMerge size={16} />,
              onClick: () => void navigate({ to: '/merge', search: { primary: trader.id } }),
            },
          can('owner') &&
            !deleted &&
            status !== 'closed' && {
              label: say('views.act'),
              icon: <IconEye size={16} />,
              onClick: () => setViewing(true),
            },
          can('owner') && item(acts.bundle, <IconFileZip size={16} />),
          can('manager') && !deleted && item(acts.remove, <IconTrash size={16} />),
        ]}
      />
      {viewing && <ViewAsTrader trader={clientOf(trader)} onClose={() => setViewing(false)} />}
      <Confirm
        title={asked?.title ?? ''}
        confirmLabel={asked?.label ?? ''}
        danger={asked?.danger ?? false}
        opened={asked !== null}
        onClose={() => setAsked(null)}
        onReload={() => void refresh('traders')}
        action={run}
      >
        {asked?.text}
      </Confirm>
    </>
  )
}
