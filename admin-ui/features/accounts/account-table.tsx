import { IconPencil, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { say } from '../../../src/words/say.ts'
import type { Page, Query } from '../../api.ts'
import { Confirm } from '../../components/confirm.tsx'
import { type Column, DataList } from '../../components/data-list.tsx'
import { MoreMenu } from '../../components/more-menu.tsx'
import type { Filter } from '../../lib/filters.ts'
import { notify } from '../../lib/notify.tsx'
import { useCan } from '../../lib/session.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { AccountForm } from './account-form.tsx'
import { accountName } from './account-words.ts'
import { deleteAccount, type NamedAccount } from './accounts.api.ts'

type AccountTableProps = {
  fetch: (query: Query) => Promise<Page<NamedAccount>>
  columns: readonly Column<NamedAccount>[]
  filters?: readonly Filter[]
  fixed?: Query
  plain?: boolean
  empty: ReactNode
}

/** Accounts with what can be done to each, in a list of their own or on a client's page. */
export const AccountTable = ({ columns, plain = false, ...list }: AccountTableProps) => {
  const can = useCan()
  const refresh = useRefresh()
  const [editing, setEditing] = useState<NamedAccount | null>(null)
  const [removing, setRemoving] = useState<NamedAccount | null>(null)
  const actions: Column<NamedAccount> = {
    key: 'actions',
    title: '',
    align: 'right',
    width: 56,
    render: (account) => (
      <MoreMenu
        label={`Actions for account ${accountName(account)}`}
        actions={[
          { label: 'Edit', icon: <IconPencil size={16} />, onClick: () => setEditing(account) },
          can('manager') && {
            label: 'Delete',
            icon: <IconTrash size={16} />,
            danger: true,
            onClick: () => setRemoving(account),
          },
        ]}
      />
    ),
  }
  const remove = async (): Promise<void> => {
    if (!removing) return
    await deleteAccount(removing)
    notify('Account deleted.')
    await refresh('accounts')
  }
  return (
    <>
      <DataList
        {...list}
        id="accounts"
        label="Accounts"
        columns={can('operator') ? [...columns, actions] : columns}
        plain={plain}
        {...(!plain && { searchPlaceholder: say('lists.search_account') })}
        {...(can('operator') && { onOpen: setEditing })}
      />
      {editing && <AccountForm key={editing.id} account={editing} onClose={() => setEditing(null)} />}
      <Confirm
        title="Delete this account"
        confirmLabel="Delete account"
        opened={removing !== null}
        onClose={() => setRemoving(null)}
        onReload={() => void refresh('accounts')}
        action={remove}
      >
        Account <b>{removing && accountName(removing)}</b> of <b>{removing?.traderName}</b> leaves the lists. Nothing
        changes on the trading platform.
      </Confirm>
    </>
  )
}
