import { Text } from '@mantine/core'
import { buildUrl } from '../../../api.ts'
import { CopyOnce, CopyText, SecretModal } from '../../../components/forms/copy-once.tsx'
import { JsonBlock } from '../../../components/show/json-block.tsx'
import type { NewApiKey, Scope } from './api-keys.api.ts'
import { say } from './words.ts'

const few = { query: { limit: 5 } } as const
const EXAMPLES: Partial<Record<Scope, string>> = {
  'traders:read': buildUrl('traders.list', few),
  'deposits:read': buildUrl('deposits.list', few),
  'accounts:read': buildUrl('accounts.list', few),
  'wallets:read': buildUrl('wallets.list', few),
  'users:read': buildUrl('users.list', few),
  'audit:read': buildUrl('audit.list', few),
  'tenants:read': buildUrl('tenants.current'),
  'ledger:read': buildUrl('ledger.trialBalance'),
  'psp:read': buildUrl('psp.list'),
  'api-keys:read': buildUrl('apiKeys.scopes'),
  'webhooks:read': buildUrl('webhooks.events'),
}

/** Returns a shell command with a call that this key may make. */
const example = ({ key, scopes }: NewApiKey): string => {
  const path = scopes.map((scope) => EXAMPLES[scope]).find(Boolean) ?? buildUrl('auth.me')
  return `curl -H 'X-API-Key: ${key}' '${location.origin}${path}'`
}

/** Shows the new key, which is never shown again, and a first call to try it. */
export const KeyMade = ({ apiKey, onClose }: { apiKey: NewApiKey; onClose: () => void }) => (
  <SecretModal
    title={say('api-keys.made.title')}
    onClose={onClose}
    actions={<CopyText text={example(apiKey)} label={say('api-keys.made.example.copy')} />}
  >
    <CopyOnce secret={apiKey.key} label={apiKey.label} />
    <div>
      <Text size="sm" fw={600} mb={4}>
        {say('api-keys.made.example.title')}
      </Text>
      <JsonBlock value={example(apiKey)} label={say('api-keys.made.example.label')} />
    </div>
  </SecretModal>
)
