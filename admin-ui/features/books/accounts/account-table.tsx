import { IconPencil, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { Page, Query } from '../../../api.ts'
import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import type { FileId } from '../../../components/lists/list-file.tsx'
import { MoreMenu } from '../../../components/page/more-menu.tsx'
import { useCan } from '../../../lib/api/session.ts'
import type { Filter } from '../../../lib/lists/filters.ts'
import { AccountForm } from './account-form.tsx'
import { accountName } from './account-words.ts'
import type { NamedAccount } from './accounts.api.ts'
import { DeleteAccount } from './delete-account.tsx'
import { say } from './words.ts'

type AccountTableProps = {
  fetch: (query: Query) => Promise<Page<NamedAccount>>
  columns: readonly Column<NamedAccount>[]
  filters?: readonly Filter[]
  fixed?: Query
  /** This operation saves the whole list as a file; the list of one client has none. */
  file?: FileId
  plain?: boolean
  empty: ReactNode
}

/** Lists accounts with their actions, on the page of accounts or on a client's page. */
export const AccountTable = ({ columns, plain = false, ...list }: AccountTableProps) => {
  const can = useCan()
  const [editing, setEditing] = useState<NamedAccount | null>(null)
  const [removing, setRemoving] = useState<NamedAccount | null>(null)
  const actions: Column<NamedAccount> = {
    key: 'actions',
    title: '',
    align: 'right',
    width: 56,
    render: (account) => (
      <MoreMenu
        label={say('accounts.actions.label', { accountName: accountName(account) })}
        actions={[
          { label: say('common.edit'), icon: <IconPencil size={16} />, onClick: () => setEditing(account) },
          can('manager') && {
            label: say('accounts.delete'),
            icon: <IconTrash size={16} />,
            danger: true,
            onClick: () => setRemoving(account),
          },
        ]}
      />
    ),
  }
  return (
    <>
      <DataList
        {...list}
        id="accounts"
        label={say('accounts.accounts')}
        columns={can('operator') ? [...columns, actions] : columns}
        plain={plain}
        {...(!plain && { searchPlaceholder: say('lists.search_account') })}
        href={({ id }) => `/accounts/${id}`}
      />
      {editing && <AccountForm key={editing.id} account={editing} onClose={() => setEditing(null)} />}
      <DeleteAccount account={removing} onClose={() => setRemoving(null)} />
    </>
  )
}
