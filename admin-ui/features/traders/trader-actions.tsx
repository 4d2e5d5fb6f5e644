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
import { Confirm } from '../../components/confirm.tsx'
import { type MenuAction, MoreMenu } from '../../components/more-menu.tsx'
import { notify } from '../../lib/notify.tsx'
import { useCan } from '../../lib/session.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { ViewAsTrader } from '../views/view-as.tsx'
import { clientOf, traderName } from './trader-names.ts'
import { deleteTrader, downloadBundle, inviteTrader, restoreTrader, type Trader, updateTrader } from './traders.api.ts'
import { say } from './words.ts'

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
      title: say('client.invite_to_sign_in'),
      text: say('client.gets_mail_with_link', { name }),
      label: say('client.send_invitation'),
      done: say('client.invitation_sent'),
      danger: false,
      run: () => inviteTrader(id),
    },
    activate: {
      title: say('client.activate_this_client'),
      text: say('client.can_sign_in_deposit', { name }),
      label: say('client.activate'),
      done: say('client.client_activated'),
      danger: false,
      run: status('active'),
    },
    suspend: {
      title: say('client.suspend_this_client'),
      text: say('client.can_no_longer_deposit', { name }),
      label: say('client.suspend'),
      done: say('client.client_suspended'),
      danger: true,
      run: status('suspended'),
    },
    close: {
      title: say('client.close_this_client'),
      text: say('client.relation_with_ends_record', { name }),
      label: say('common.close'),
      done: say('client.client_closed'),
      danger: true,
      run: status('closed'),
    },
    hold: {
      title: trader.legalHold ? say('client.lift_legal_hold') : say('client.place_legal_hold'),
      text: trader.legalHold ? say('client.erasure_money_out_become') : say('client.nothing_about_this_client'),
      label: trader.legalHold ? say('client.lift_hold') : say('client.place_hold'),
      done: trader.legalHold ? say('client.legal_hold_lifted') : say('client.legal_hold_placed'),
      danger: false,
      run: () => updateTrader(id, { legalHold: !trader.legalHold }, version),
    },
    remove: {
      title: say('client.delete_this_client'),
      text: say('client.disappears_from_lists_signed', { name }),
      label: say('client.delete_client'),
      done: say('client.client_deleted'),
      danger: true,
      run: () => deleteTrader(id, version),
    },
    bundle: {
      title: say('client.privacy.title'),
      menu: say('client.privacy.act'),
      text: say('client.privacy.text', { name }),
      label: say('client.privacy.download'),
      done: say('client.privacy.done'),
      danger: false,
      run: () => downloadBundle(id),
    },
    restore: {
      title: say('client.restore_this_client'),
      text: say('client.comes_back_to_lists', { name }),
      label: say('client.restore'),
      done: say('client.client_restored'),
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
        <Button onClick={() => setAsked(acts.restore)}>{say('client.restore')}</Button>
      )}
      <MoreMenu
        label={say('client.actions')}
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
              label: say('client.merge'),
              icon: <IconArrowMerge size={16} />,
              onClick: () => void navigate({ to: '/merge', search: { primary: trader.id } }),
            },
          can('owner') &&
            !deleted &&
            status !== 'closed' && {
              label: say('client.view_as'),
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
