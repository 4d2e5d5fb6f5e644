import { Confirm } from '../../components/confirm.tsx'
import { notify } from '../../lib/notify.tsx'
import { useRefresh } from '../../lib/use-record.ts'
import { type ApiKey, revokeApiKey } from './api-keys.api.ts'

/** Asks before a key is refused for good; none asks nothing. */
export const RevokeKey = ({ apiKey, onClose }: { apiKey: ApiKey | null; onClose: () => void }) => {
  const refresh = useRefresh()
  const revoke = async (): Promise<void> => {
    if (!apiKey) return
    await revokeApiKey(apiKey)
    notify('API key revoked.')
    await refresh('api-keys')
  }
  return (
    <Confirm
      title="Revoke this API key"
      confirmLabel="Revoke key"
      opened={apiKey !== null}
      onClose={onClose}
      onReload={() => void refresh('api-keys')}
      action={revoke}
    >
      Programs that use <b>{apiKey?.label}</b> are refused at once. This cannot be undone.
    </Confirm>
  )
}
