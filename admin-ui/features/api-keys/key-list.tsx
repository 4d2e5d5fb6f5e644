import { useState } from 'react'
import { DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { NewButton } from '../../components/list-actions.tsx'
import { Page } from '../../components/page.tsx'
import type { FilterOf } from '../../lib/filters.ts'
import { useNewForm } from '../../lib/use-new-form.ts'
import { useStaff } from '../users/users.api.ts'
import { type ApiKey, fetchApiKeys, type NewApiKey } from './api-keys.api.ts'
import { keyColumns } from './key-columns.tsx'
import { KeyForm } from './key-form.tsx'
import { KeyMade } from './key-made.tsx'
import { RevokeKey } from './revoke-key.tsx'

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
  const staff = useStaff()
  const { opened, open, close } = useNewForm(true)
  const [made, setMade] = useState<NewApiKey | null>(null)
  const [editing, setEditing] = useState<ApiKey | null>(null)
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
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
        columns={keyColumns(staff.nameOf, { onEdit: setEditing, onRevoke: setRevoking })}
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
      <RevokeKey apiKey={revoking} onClose={() => setRevoking(null)} />
    </Page>
  )
}
