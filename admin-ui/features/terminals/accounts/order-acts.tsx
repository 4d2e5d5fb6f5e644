import { Autocomplete, Text, TextInput } from '@mantine/core'
import { IconKey, IconLock, IconLockOpen, IconScale, IconUsersGroup } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Body } from '../../../api.ts'
import { Confirm } from '../../../components/forms/confirm.tsx'
import { FormModal } from '../../../components/forms/form-modal.tsx'
import { MoreMenu } from '../../../components/page/more-menu.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useDialogForm } from '../../../lib/forms/use-dialog-form.ts'
import type { Account } from '../../books/accounts/accounts.api.ts'
import { required } from '../../firm/auth/form-rules.ts'
import { useTerminalAccount } from './account.api.ts'
import { findLeverageError } from './leverage-rule.ts'
import { changeAccount, fetchConnections } from './orders.api.ts'
import { say } from './words.ts'

type Change = Body<'accounts.changes'>
type OrderActsProps = {
  accountId: string
  leverage: number
  /** The groups to choose from: those of the server in the currency of the account. */
  groups: readonly string[]
  mayTrade: boolean
  maySignIn: boolean
}
type Asked = 'leverage' | 'group' | { title: string; about: string; change: Change }

const ABOUT = say('terminals.order.act.about')

/** What can be asked of the trading server for an account, where one that answers has it. */
export const AccountOrders = ({ account: { id, currency } }: { account: Pick<Account, 'id' | 'currency'> }) => {
  const can = useCan()('operator')
  const { data: said } = useTerminalAccount(id)
  const { data: servers } = useQuery({
    queryKey: ['platforms', 'ready'],
    queryFn: () => fetchConnections({ limit: 100 }),
    enabled: can && said != null,
  })
  const server = servers?.data.find((one) => one.id === said?.connectionId)
  if (!said || server?.confirmedAt == null) return null
  const { leverage, mayTrade, maySignIn } = said.theirs
  const groups = server.groupsRead.filter((group) => group.currency === currency).map(({ name }) => name)
  return <OrderActs accountId={id} leverage={leverage} groups={groups} mayTrade={mayTrade} maySignIn={maySignIn} />
}

/** A menu of what can be asked of the trading server for an account. */
export const OrderActs = ({ accountId, leverage, groups, mayTrade, maySignIn }: OrderActsProps) => {
  const can = useCan()
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = (): void => setAsked(null)
  const manages = can('manager')
  const confirm = (title: string, change: Change, icon = <IconLock size={16} />, about = ABOUT) => ({
    label: title,
    icon,
    onClick: () => setAsked({ title, about, change }),
  })
  const setPassword = (title: string, password: 'main' | 'investor') =>
    confirm(title, { password }, <IconKey size={16} />, say('terminals.order.act.password_about'))
  const unlock = <IconLockOpen size={16} />
  if (!can('operator')) return null
  return (
    <>
      <MoreMenu
        wide
        label={say('terminals.order.act.menu')}
        actions={[
          manages && {
            label: say('terminals.order.act.leverage'),
            icon: <IconScale size={16} />,
            onClick: () => setAsked('leverage'),
          },
          manages && {
            label: say('terminals.order.act.group'),
            icon: <IconUsersGroup size={16} />,
            onClick: () => setAsked('group'),
          },
          mayTrade
            ? confirm(say('terminals.order.act.trading_off'), { trading: 'off' })
            : manages && confirm(say('terminals.order.act.trading_on'), { trading: 'on' }, unlock),
          maySignIn
            ? confirm(say('terminals.order.act.sign_in_off'), { signIn: 'off' })
            : manages && confirm(say('terminals.order.act.sign_in_on'), { signIn: 'on' }, unlock),
          setPassword(say('terminals.order.act.main'), 'main'),
          setPassword(say('terminals.order.act.investor'), 'investor'),
        ]}
      />
      {asked === 'leverage' && <LeverageForm accountId={accountId} leverage={leverage} onClose={close} />}
      {asked === 'group' && <GroupForm accountId={accountId} groups={groups} onClose={close} />}
      {asked !== null && typeof asked === 'object' && <AskFor accountId={accountId} {...asked} onClose={close} />}
    </>
  )
}

type AskForProps = { accountId: string; title: string; about: string; change: Change; onClose: () => void }

const AskFor = ({ accountId, title, about, change, onClose }: AskForProps) => {
  const refresh = useRefresh()
  const act = async (): Promise<void> => {
    await changeAccount(accountId, change)
    notify(say('terminals.order.act.asked'))
    void refresh('platform-instructions')
  }
  return (
    <Confirm
      title={title}
      confirmLabel={say('terminals.order.act.ask')}
      danger={false}
      opened
      onClose={onClose}
      onReload={() => void refresh('accounts')}
      action={act}
    >
      {about}
    </Confirm>
  )
}

const LeverageForm = ({
  accountId,
  leverage,
  onClose,
}: {
  accountId: string
  leverage: number
  onClose: () => void
}) => {
  const { field, dialog, reload } = useDialogForm({
    initialValues: { leverage: String(leverage) },
    validate: { leverage: findLeverageError },
    submit: (values) => changeAccount(accountId, { leverage: Number(values.leverage) }),
    done: say('terminals.order.act.asked'),
    reads: 'platform-instructions',
    onClose,
  })
  return (
    <FormModal
      {...dialog}
      title={say('terminals.order.act.leverage')}
      submitLabel={say('terminals.order.act.ask')}
      onReload={reload}
    >
      <Text size="sm">{ABOUT}</Text>
      <TextInput
        label={say('terminals.login.leverage')}
        leftSection="1:"
        inputMode="numeric"
        data-autofocus
        {...field('leverage')}
      />
    </FormModal>
  )
}

type GroupFormProps = { accountId: string; groups: readonly string[]; onClose: () => void }

const GroupForm = ({ accountId, groups, onClose }: GroupFormProps) => {
  const { field, dialog, reload } = useDialogForm({
    initialValues: { group: '' },
    validate: { group: required(say('terminals.order.open.group_needed')) },
    submit: ({ group }) => changeAccount(accountId, { group: group.trim() }),
    done: say('terminals.order.act.asked'),
    reads: 'platform-instructions',
    onClose,
  })
  return (
    <FormModal
      {...dialog}
      title={say('terminals.order.act.group')}
      submitLabel={say('terminals.order.act.ask')}
      onReload={reload}
    >
      <Text size="sm">{ABOUT}</Text>
      <Autocomplete label={say('terminals.login.group')} data={[...groups]} data-autofocus {...field('group')} />
    </FormModal>
  )
}
