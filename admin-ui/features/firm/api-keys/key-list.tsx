import { useState } from 'react'
import { DataList } from '../../../components/lists/data-list.tsx'
import { NewButton } from '../../../components/lists/list-actions.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Page } from '../../../components/page/page.tsx'
import type { FilterOf } from '../../../lib/lists/filters.ts'
import { useNewForm } from '../../../lib/lists/use-new-form.ts'
import { useStaff } from '../users/users.api.ts'
import { type ApiKey, fetchApiKeys, type NewApiKey } from './api-keys.api.ts'
import { keyColumns } from './key-columns.tsx'
import { KeyForm } from './key-form.tsx'
import { KeyMade } from './key-made.tsx'
import { RevokeKey } from './revoke-key.tsx'
import { say } from './words.ts'

const FILTERS: readonly FilterOf<'apiKeys.list'>[] = [
  {
    key: 'revoked',
    label: say('common.state'),
    fallback: 'false',
    options: [
      { value: 'false', label: say('api-keys.status.active') },
      { value: 'true', label: say('api-keys.status.revoked') },
    ],
  },
]

/** Lists the keys that programs sign in with. */
export const KeyList = () => {
  const staff = useStaff()
  const { opened, open, close } = useNewForm(true)
  const [made, setMade] = useState<NewApiKey | null>(null)
  const [editing, setEditing] = useState<ApiKey | null>(null)
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  const create = <NewButton onClick={open}>{say('api-keys.new.title')}</NewButton>
  return (
    <Page title={say('api-keys.scopes.area.api_keys')} subtitle={say('api-keys.about')} actions={create}>
      <DataList
        id="api-keys"
        label={say('api-keys.scopes.area.api_keys')}
        fetch={fetchApiKeys}
        columns={keyColumns(staff.findStaffName, { onEdit: setEditing, onRevoke: setRevoking })}
        filters={FILTERS}
        onOpen={(key) => {
          // a revoked key cannot be changed
          if (key.status !== 'revoked') setEditing(key)
        }}
        empty={
          <EmptyState title={say('api-keys.empty.title')} action={create}>
            {say('api-keys.empty.about')}
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
