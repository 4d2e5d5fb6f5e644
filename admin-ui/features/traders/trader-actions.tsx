import { Button } from '@mantine/core'
import { IconBan, IconDoorExit, IconGavel, IconMailForward, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Confirm } from '../../components/confirm.tsx'
import { MoreMenu } from '../../components/more-menu.tsx'
import { notify } from '../../lib/notify.ts'
import { useCan } from '../../lib/session.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { traderName } from './trader-names.ts'
import { deleteTrader, inviteTrader, restoreTrader, type Trader, updateTrader } from './traders.api.ts'

type Act = { title: string; text: ReactNode; label: string; done: string; danger: boolean; run: () => Promise<unknown> }

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
      title: 'Activate this trader',
      text: `${name} can sign in and deposit again.`,
      label: 'Activate',
      done: 'Trader activated.',
      danger: false,
      run: status('active'),
    },
    suspend: {
      title: 'Suspend this trader',
      text: `${name} can no longer deposit until activated again.`,
      label: 'Suspend',
      done: 'Trader suspended.',
      danger: true,
      run: status('suspended'),
    },
    close: {
      title: 'Close this trader',
      text: `The relation with ${name} ends. The record and its money stay as they are.`,
      label: 'Close',
      done: 'Trader closed.',
      danger: true,
      run: status('closed'),
    },
    hold: {
      title: trader.legalHold ? 'Lift the legal hold' : 'Place a legal hold',
      text: trader.legalHold
        ? 'Erasure and money out become possible again.'
        : 'Nothing about this trader is erased and no money leaves until the hold is lifted.',
      label: trader.legalHold ? 'Lift hold' : 'Place hold',
      done: trader.legalHold ? 'Legal hold lifted.' : 'Legal hold placed.',
      danger: false,
      run: () => updateTrader(id, { legalHold: !trader.legalHold }, version),
    },
    remove: {
      title: 'Delete this trader',
      text: `${name} disappears from the lists and is signed out. You can restore the trader for 30 days; after that all personal data is erased. Money records stay.`,
      label: 'Delete trader',
      done: 'Trader deleted.',
      danger: true,
      run: () => deleteTrader(id, version),
    },
    restore: {
      title: 'Restore this trader',
      text: `${name} comes back to the lists as before.`,
      label: 'Restore',
      done: 'Trader restored.',
      danger: false,
      run: () => restoreTrader(id),
    },
  } satisfies Record<string, Act>
}

/** What can be done with a client as a whole; each act is asked for once more. */
export const TraderActions = ({ trader }: { trader: Trader }) => {
  const can = useCan()
  const refresh = useRefresh()
  const [asked, setAsked] = useState<Act | null>(null)
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
    label: act.title.replace(' this trader', ''),
    icon,
    danger: act.danger,
    onClick: () => setAsked(act),
  })
  return (
    <>
      {deleted && can('manager') && <Button onClick={() => setAsked(acts.restore)}>Restore</Button>}
      <MoreMenu
        label="Actions"
        wide
        actions={[
          can('operator') && !deleted && item(acts.invite, <IconMailForward size={16} />),
          can('operator') && !deleted && status !== 'active' && item(acts.activate, <IconPlayerPlay size={16} />),
          can('manager') && !deleted && item(acts.hold, <IconGavel size={16} />),
          can('operator') && !deleted && status === 'active' && item(acts.suspend, <IconBan size={16} />),
          can('operator') && !deleted && status !== 'closed' && item(acts.close, <IconDoorExit size={16} />),
          can('manager') && !deleted && item(acts.remove, <IconTrash size={16} />),
        ]}
      />
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
