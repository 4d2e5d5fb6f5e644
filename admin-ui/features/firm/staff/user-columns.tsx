import type { Column } from '../../../components/lists/data-list.tsx'
import { When } from '../../../components/show/moment.tsx'
import { StatusBadge } from '../../../components/show/status-badge.tsx'
import { ROLE_LABELS, ROLES } from '../../../lib/api/session.ts'
import { type FileRow, STATE_CELL } from '../../../lib/csv/list-csv.ts'
import { describeOwnership } from '../users/user-words.ts'
import { type User, useStaff } from '../users/users.api.ts'
import { say } from './words.ts'

/** Shows whose an account is: votes about money count only from an account that is its holder's alone. */
const Ownership = ({ independence }: Pick<User, 'independence'>) => {
  const { findStaffName } = useStaff()
  return (
    <StatusBadge
      status="independence"
      label={describeOwnership(independence, findStaffName)}
      tone={independence.alone ? 'good' : 'wait'}
    />
  )
}

const ownershipCell = ({ alone, belongsTo = '' }: FileRow, findName: (id: string) => string): string =>
  describeOwnership({ alone: alone === 'true', belongsTo: belongsTo.split(', ').filter(Boolean) }, findName)

const nameRoles = (roles: string): string =>
  ROLES.filter((role) => roles.split(', ').includes(role))
    .map((role) => ROLE_LABELS[role])
    .join(', ')

/** These columns of the staff are shown to every reader. */
export const USER_COLUMNS: readonly Column<User>[] = [
  {
    key: 'displayName',
    title: say('common.name'),
    sort: 'displayName',
    upFirst: true,
    render: ({ displayName }) => displayName,
  },
  {
    key: 'status',
    sort: 'status',
    upFirst: true,
    file: STATE_CELL,
    title: say('field.status'),
    render: ({ status }) => <StatusBadge status={status} />,
  },
  { key: 'email', sort: 'email', upFirst: true, title: say('field.email'), wide: true, render: ({ email }) => email },
  {
    key: 'roles',
    file: { words: nameRoles },
    title: say('users.roles'),
    wide: true,
    card: true,
    render: ({ roles }) => roles.map((role) => ROLE_LABELS[role]).join(', '),
  },
  {
    key: 'independence',
    file: ownershipCell,
    title: say('users.column.account'),
    wide: true,
    render: ({ independence }) => <Ownership independence={independence} />,
  },
  {
    key: 'lastLoginAt',
    sort: 'lastLoginAt',
    title: say('users.last_login'),
    wide: true,
    render: ({ lastLoginAt }) =>
      lastLoginAt ? <When at={lastLoginAt} as="ago" /> : <span className="dim">{say('users.never')}</span>,
  },
]
