import { useState } from 'react'
import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import { NewButton } from '../../../components/lists/list-actions.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Page } from '../../../components/page/page.tsx'
import { ROLE_LABELS, ROLES, useCan } from '../../../lib/api/session.ts'
import type { FilterOf } from '../../../lib/lists/filters.ts'
import { useNewForm } from '../../../lib/lists/use-new-form.ts'
import { choices } from '../../../lib/text/choices.ts'
import { fetchUsers, type User } from '../users/users.api.ts'
import { ViewAsUser } from '../views/view-as.tsx'
import { AskUserAct } from './confirm-user-act.tsx'
import { InviteForm } from './invite-form.tsx'
import { type HeldInvitation, InviteLink } from './invite-link.tsx'
import type { UserAct } from './user-acts.ts'
import { USER_COLUMNS } from './user-columns.tsx'
import { UserDrawer } from './user-drawer.tsx'
import { UserForm } from './user-form.tsx'
import { UserMenu } from './user-menu.tsx'
import { say } from './words.ts'

const STATES: Record<User['status'], string> = {
  invited: say('users.status.invited'),
  active: say('users.status.active'),
  disabled: say('users.status.disabled'),
}
const FILTERS: readonly FilterOf<'users.list'>[] = [
  { key: 'status', label: say('field.status'), options: choices(STATES) },
  { key: 'role', label: say('users.role'), options: ROLES.map((value) => ({ value, label: ROLE_LABELS[value] })) },
]

export const UserList = () => {
  const can = useCan()
  const { opened, kind, open, close } = useNewForm(can('admin'))
  const [editing, setEditing] = useState<User | null>(null)
  const [held, setHeld] = useState<HeldInvitation | null>(null)
  const [asked, setAsked] = useState<UserAct | null>(null)
  const [viewing, setViewing] = useState<User | null>(null)
  const actions: Column<User> = {
    key: 'actions',
    title: '',
    align: 'right',
    width: 56,
    render: (user) => <UserMenu user={user} onEdit={setEditing} onAsk={setAsked} onView={setViewing} />,
  }
  return (
    <Page
      title={say('users.users')}
      subtitle={say('users.about')}
      actions={can('admin') && <NewButton onClick={open}>{say('users.invite.title')}</NewButton>}
    >
      <DataList
        id="users"
        file="users.export"
        label={say('users.users')}
        fetch={fetchUsers}
        columns={can('admin') ? [...USER_COLUMNS, actions] : USER_COLUMNS}
        filters={FILTERS}
        searchPlaceholder={say('users.search')}
        beside={(user, close) => <UserDrawer user={user} onClose={close} />}
        empty={<EmptyState title={say('users.empty.title')} />}
      />
      <ViewAsUser user={viewing && { id: viewing.id, name: viewing.displayName }} onClose={() => setViewing(null)} />
      {opened && <InviteForm role={kind === 'manager' ? 'manager' : 'viewer'} onClose={close} onHeld={setHeld} />}
      {held && <InviteLink invitation={held} onClose={() => setHeld(null)} />}
      {editing && <UserForm key={editing.id} user={editing} onClose={() => setEditing(null)} />}
      <AskUserAct act={asked} onHeld={setHeld} onClose={() => setAsked(null)} />
    </Page>
  )
}
