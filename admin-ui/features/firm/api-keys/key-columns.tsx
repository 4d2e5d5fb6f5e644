import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { Column } from '../../../components/lists/data-list.tsx'
import { NAME_WIDTH } from '../../../components/lists/list-column.ts'
import { MoreMenu } from '../../../components/page/more-menu.tsx'
import { Labels } from '../../../components/show/labels.tsx'
import { When } from '../../../components/show/moment.tsx'
import { StatusBadge } from '../../../components/show/status-badge.tsx'
import { ROLE_LABELS } from '../../../lib/api/session.ts'
import type { ApiKey } from './api-keys.api.ts'
import { nameScope } from './scope-rows.ts'
import { say } from './words.ts'

const WHAT_IT_MAY: readonly Column<ApiKey>[] = [
  { key: 'label', sort: 'label', upFirst: true, title: say('api-keys.label'), render: ({ label }) => label },
  { key: 'status', title: say('field.status'), render: ({ status }) => <StatusBadge status={status} /> },
  {
    key: 'prefix',
    title: say('api-keys.prefix'),
    wide: true,
    render: ({ prefix }) => <code className="code">{prefix}</code>,
  },
  {
    key: 'scopes',
    title: say('api-keys.may'),
    wide: true,
    render: ({ scopes, lostScopes }) => (
      <>
        <Labels values={scopes.map(nameScope)} limit={2} />
        {lostScopes.length > 0 && (
          <div className="dim">{say('api-keys.lost_scopes', { lostScopes: lostScopes.map(nameScope).join(', ') })}</div>
        )}
      </>
    ),
  },
  {
    key: 'role',
    title: say('api-keys.role'),
    wide: true,
    render: ({ role }) => (role ? ROLE_LABELS[role] : <span className="dim">{say('api-keys.role.maker')}</span>),
  },
]

const TIMES: readonly Column<ApiKey>[] = [
  {
    key: 'lastUsedAt',
    sort: 'lastUsedAt',
    title: say('api-keys.last_used'),
    wide: true,
    render: ({ lastUsedAt }) =>
      lastUsedAt ? <When at={lastUsedAt} as="ago" /> : <span className="dim">{say('api-keys.never')}</span>,
  },
  {
    key: 'expiresAt',
    title: say('api-keys.expires'),
    wide: true,
    optional: true,
    render: ({ expiresAt }) =>
      expiresAt ? <When at={expiresAt} as="date" /> : <span className="dim">{say('api-keys.never')}</span>,
  },
  {
    key: 'createdAt',
    title: say('api-keys.created'),
    sort: 'createdAt',
    wide: true,
    optional: true,
    render: ({ createdAt }) => <When at={createdAt} as="date" />,
  },
]

type KeyActs = { onEdit: (key: ApiKey) => void; onRevoke: (key: ApiKey) => void }

/** Returns the columns of the list of keys; a revoked key has no actions. */
export const keyColumns = (
  findStaffName: (userId: string | null) => string | null,
  { onEdit, onRevoke }: KeyActs,
): readonly Column<ApiKey>[] => [
  ...WHAT_IT_MAY,
  {
    key: 'user',
    title: say('api-keys.user'),
    width: NAME_WIDTH,
    wide: true,
    render: ({ userId }) => findStaffName(userId),
  },
  ...TIMES,
  {
    key: 'actions',
    title: '',
    align: 'right',
    width: 56,
    render: (key) =>
      key.status !== 'revoked' && (
        <MoreMenu
          label={say('api-keys.menu.label', { label: key.label })}
          actions={[
            { label: say('common.edit'), icon: <IconPencil size={16} />, onClick: () => onEdit(key) },
            {
              label: say('api-keys.revoke'),
              icon: <IconTrash size={16} />,
              danger: true,
              onClick: () => onRevoke(key),
            },
          ]}
        />
      ),
  },
]
