import {
  IconBan,
  IconDeviceMobileOff,
  IconEye,
  IconMailForward,
  IconPencil,
  IconPlayerPlay,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import { say } from '../../../src/words/say.ts'
import { Confirm } from '../../components/confirm.tsx'
import { type Column, DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { NewButton } from '../../components/list-actions.tsx'
import { MoreMenu } from '../../components/more-menu.tsx'
import { Page } from '../../components/page.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { When } from '../../components/when.tsx'
import { choices } from '../../lib/choices.ts'
import type { FilterOf } from '../../lib/filters.ts'
import { notify } from '../../lib/notify.tsx'
import { ROLE_LABELS, ROLES, useCan, useMe } from '../../lib/session.ts'
import { useNewForm } from '../../lib/use-new-form.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { ViewAsUser } from '../views/view-as.tsx'
import { InviteForm } from './invite-form.tsx'
import { followInvitation, type HeldInvitation, InviteLink } from './invite-link.tsx'
import { type UserAct, userActs } from './user-acts.ts'
import { UserDrawer } from './user-drawer.tsx'
import { UserForm } from './user-form.tsx'
import { isBelow, ownershipOf } from './user-words.ts'
import { fetchUsers, type User, useStaff } from './users.api.ts'

/** Whose an account is: votes about money count only from one that is its holder's alone. */
const Ownership = ({ independence }: Pick<User, 'independence'>) => {
  const { nameOf } = useStaff()
  return (
    <StatusBadge
      status="independence"
      label={ownershipOf(independence, nameOf)}
      tone={independence.alone ? 'good' : 'wait'}
    />
  )
}

const COLUMNS: readonly Column<User>[] = [
  { key: 'displayName', title: 'Name', render: ({ displayName }) => displayName },
  { key: 'status', title: 'Status', render: ({ status }) => <StatusBadge status={status} /> },
  { key: 'email', title: 'E-mail', wide: true, render: ({ email }) => email },
  {
    key: 'roles',
    title: 'Roles',
    wide: true,
    render: ({ roles }) => roles.map((role) => ROLE_LABELS[role]).join(', '),
  },
  {
    key: 'independence',
    title: 'Account',
    wide: true,
    render: ({ independence }) => <Ownership independence={independence} />,
  },
  {
    key: 'lastLoginAt',
    title: 'Last sign-in',
    wide: true,
    render: ({ lastLoginAt }) =>
      lastLoginAt ? <When at={lastLoginAt} as="ago" /> : <span className="dim">Never</span>,
  },
]

const STATES: Record<User['status'], string> = { invited: 'Invited', active: 'Active', disabled: 'Disabled' }
const FILTERS: readonly FilterOf<'users.list'>[] = [
  { key: 'status', label: 'Status', options: choices(STATES) },
  { key: 'role', label: 'Role', options: ROLES.map((value) => ({ value, label: ROLE_LABELS[value] })) },
]

/** The firm's staff. */
export const UserList = () => {
  const can = useCan()
  const me = useMe()
  const refresh = useRefresh()
  const { opened, open, close } = useNewForm(can('admin'))
  const [editing, setEditing] = useState<User | null>(null)
  const [shown, setShown] = useState<User | null>(null)
  const [held, setHeld] = useState<HeldInvitation | null>(null)
  const [asked, setAsked] = useState<UserAct | null>(null)
  const [viewing, setViewing] = useState<User | null>(null)
  const actions: Column<User> = {
    key: 'actions',
    title: '',
    align: 'right',
    width: 56,
    render: (user) => {
      if (!isBelow(user.roles, me.role)) return null
      const acts = userActs(user)
      const other = user.id !== me.id
      return (
        <MoreMenu
          label={`Actions for ${user.displayName}`}
          actions={[
            { label: 'Edit', icon: <IconPencil size={16} />, onClick: () => setEditing(user) },
            user.status === 'invited' && {
              label: 'Send invitation again',
              icon: <IconMailForward size={16} />,
              onClick: () => setAsked(acts.resend),
            },
            user.status === 'disabled' && {
              label: 'Enable',
              icon: <IconPlayerPlay size={16} />,
              onClick: () => setAsked(acts.enable),
            },
            can('owner') &&
              other &&
              user.status === 'active' && {
                label: say('views.act'),
                icon: <IconEye size={16} />,
                onClick: () => setViewing(user),
              },
            other &&
              user.status === 'active' && {
                label: 'Reset two-step sign-in',
                icon: <IconDeviceMobileOff size={16} />,
                onClick: () => setAsked(acts.resetTwoFactor),
              },
            other &&
              user.status === 'active' && {
                label: 'Disable',
                icon: <IconBan size={16} />,
                danger: true,
                onClick: () => setAsked(acts.disable),
              },
            other && {
              label: 'Delete',
              icon: <IconTrash size={16} />,
              danger: true,
              onClick: () => setAsked(acts.remove),
            },
          ]}
        />
      )
    },
  }
  const run = async (): Promise<void> => {
    if (!asked) return
    await asked.run()
    if (asked.done) notify(asked.done)
    await refresh('users')
    if (asked.invited) setHeld(await followInvitation(asked.invited))
  }
  return (
    <Page
      title="Users"
      subtitle="Your colleagues, and what each of them may do."
      actions={can('admin') && <NewButton onClick={open}>Invite a user</NewButton>}
    >
      <DataList
        id="users"
        label="Users"
        fetch={fetchUsers}
        columns={can('admin') ? [...COLUMNS, actions] : COLUMNS}
        filters={FILTERS}
        searchPlaceholder="Name or e-mail"
        onOpen={setShown}
        empty={<EmptyState title="No users yet" />}
      />
      <ViewAsUser user={viewing && { id: viewing.id, name: viewing.displayName }} onClose={() => setViewing(null)} />
      {opened && <InviteForm onClose={close} onHeld={setHeld} />}
      {held && <InviteLink invitation={held} onClose={() => setHeld(null)} />}
      {shown && <UserDrawer user={shown} onClose={() => setShown(null)} />}
      {editing && <UserForm key={editing.id} user={editing} onClose={() => setEditing(null)} />}
      <Confirm
        title={asked?.title ?? ''}
        confirmLabel={asked?.label ?? ''}
        danger={asked?.danger ?? false}
        opened={asked !== null}
        onClose={() => setAsked(null)}
        onReload={() => void refresh('users')}
        action={run}
      >
        {asked?.text}
      </Confirm>
    </Page>
  )
}
