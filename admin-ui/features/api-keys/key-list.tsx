import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Confirm } from '../../components/confirm.tsx'
import { type Column, DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Labels } from '../../components/labels.tsx'
import { NewButton } from '../../components/list-actions.tsx'
import { MoreMenu } from '../../components/more-menu.tsx'
import { Page } from '../../components/page.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { When } from '../../components/when.tsx'
import type { FilterOf } from '../../lib/filters.ts'
import { notify } from '../../lib/notify.tsx'
import { ROLE_LABELS } from '../../lib/session.ts'
import { useNewForm } from '../../lib/use-new-form.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { useStaff } from '../users/users.api.ts'
import { type ApiKey, fetchApiKeys, type NewApiKey, revokeApiKey } from './api-keys.api.ts'
import { KeyForm } from './key-form.tsx'
import { KeyMade } from './key-made.tsx'

const FILTERS: readonly FilterOf<'apiKeys.list'>[] = [
  {
    key: 'revoked',
    label: 'State',
    fallback: 'false',
    options: [
      { value: 'false', label: 'In use' },
      { value: 'true', label: 'Revoked' },
    ],
  },
]

/** The keys that programs sign in with. */
export const KeyList = () => {
  const refresh = useRefresh()
  const staff = useStaff()
  const { opened, open, close } = useNewForm(true)
  const [made, setMade] = useState<NewApiKey | null>(null)
  const [editing, setEditing] = useState<ApiKey | null>(null)
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  const columns: readonly Column<ApiKey>[] = [
    { key: 'label', title: 'Label', render: ({ label }) => label },
    { key: 'status', title: 'Status', render: ({ status }) => <StatusBadge status={status} /> },
    { key: 'prefix', title: 'Begins with', wide: true, render: ({ prefix }) => <code className="code">{prefix}</code> },
    {
      key: 'scopes',
      title: 'May',
      wide: true,
      render: ({ scopes, lostScopes }) => (
        <>
          <Labels values={scopes} limit={2} />
          {lostScopes.length > 0 && <div className="dim">No longer: {lostScopes.join(', ')}</div>}
        </>
      ),
    },
    {
      key: 'role',
      title: 'Acts as',
      wide: true,
      render: ({ role }) => (role ? ROLE_LABELS[role] : <span className="dim">Its maker</span>),
    },
    { key: 'user', title: 'Acts for', wide: true, render: ({ userId }) => staff.nameOf(userId) },
    {
      key: 'lastUsedAt',
      title: 'Last use',
      wide: true,
      render: ({ lastUsedAt }) => (lastUsedAt ? <When at={lastUsedAt} as="ago" /> : <span className="dim">Never</span>),
    },
    {
      key: 'expiresAt',
      title: 'Expires',
      wide: true,
      optional: true,
      render: ({ expiresAt }) => (expiresAt ? <When at={expiresAt} as="date" /> : <span className="dim">Never</span>),
    },
    {
      key: 'createdAt',
      title: 'Created',
      sort: 'createdAt',
      wide: true,
      optional: true,
      render: ({ createdAt }) => <When at={createdAt} as="date" />,
    },
    {
      key: 'actions',
      title: '',
      align: 'right',
      width: 56,
      render: (key) =>
        key.status !== 'revoked' && (
          <MoreMenu
            label={`Actions for ${key.label}`}
            actions={[
              { label: 'Edit', icon: <IconPencil size={16} />, onClick: () => setEditing(key) },
              { label: 'Revoke', icon: <IconTrash size={16} />, danger: true, onClick: () => setRevoking(key) },
            ]}
          />
        ),
    },
  ]
  const revoke = async (): Promise<void> => {
    if (!revoking) return
    await revokeApiKey(revoking)
    notify('API key revoked.')
    await refresh('api-keys')
  }
  const create = <NewButton onClick={open}>New API key</NewButton>
  return (
    <Page
      title="API keys"
      subtitle="Each key acts for the person who made it, within what it is allowed."
      actions={create}
    >
      <DataList
        id="api-keys"
        label="API keys"
        fetch={fetchApiKeys}
        columns={columns}
        filters={FILTERS}
        onOpen={(key) => {
          // a revoked one has nothing to be changed
          if (key.status !== 'revoked') setEditing(key)
        }}
        empty={
          <EmptyState title="No API keys yet" action={create}>
            A key lets your website or another program work with the API.
          </EmptyState>
        }
      />
      {opened && <KeyForm onClose={close} onMade={setMade} />}
      {editing && <KeyForm apiKey={editing} onClose={() => setEditing(null)} />}
      {made && <KeyMade apiKey={made} onClose={() => setMade(null)} />}
      <Confirm
        title="Revoke this API key"
        confirmLabel="Revoke key"
        opened={revoking !== null}
        onClose={() => setRevoking(null)}
        onReload={() => void refresh('api-keys')}
        action={revoke}
      >
        Programs that use <b>{revoking?.label}</b> are refused at once. This cannot be undone.
      </Confirm>
    </Page>
  )
}
