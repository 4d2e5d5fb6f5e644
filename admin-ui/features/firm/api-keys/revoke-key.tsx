import { Confirm } from '../../../components/forms/confirm.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { type ApiKey, revokeApiKey } from './api-keys.api.ts'
import { say, tell } from './words.ts'

/** Asks before a key is revoked for good; `null` shows no question. */
export const RevokeKey = ({ apiKey, onClose }: { apiKey: ApiKey | null; onClose: () => void }) => {
  const refresh = useRefresh()
  const revoke = async (): Promise<void> => {
    if (!apiKey) return
    await revokeApiKey(apiKey)
    notify(say('api-keys.revoke.done'))
    await refresh('api-keys')
  }
  return (
    <Confirm
      title={say('api-keys.revoke.title')}
      confirmLabel={say('api-keys.revoke.submit')}
      opened={apiKey !== null}
      onClose={onClose}
      onReload={() => void refresh('api-keys')}
      action={revoke}
    >
      {tell('api-keys.revoke.confirm', { label: <b>{apiKey?.label}</b> })}
    </Confirm>
  )
}
