import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { addressOf } from '../../api.ts'
import { CopyOnce, CopyText } from '../../components/copy-once.tsx'
import { JsonBlock } from '../../components/json-block.tsx'
import type { NewApiKey, Scope } from './api-keys.api.ts'

const few = { query: { limit: 5 } } as const
const EXAMPLES: Partial<Record<Scope, string>> = {
  'traders:read': addressOf('traders.list', few),
  'deposits:read': addressOf('deposits.list', few),
  'accounts:read': addressOf('accounts.list', few),
  'wallets:read': addressOf('wallets.list', few),
  'users:read': addressOf('users.list', few),
  'audit:read': addressOf('audit.list', few),
  'tenants:read': addressOf('tenants.current'),
  'ledger:read': addressOf('ledger.trialBalance'),
  'psp:read': addressOf('psp.list'),
  'api-keys:read': addressOf('apiKeys.scopes'),
  'webhooks:read': addressOf('webhooks.events'),
}

/** A call that this key may make, ready for a shell. */
const example = ({ key, scopes }: NewApiKey): string => {
  const path = scopes.map((scope) => EXAMPLES[scope]).find(Boolean) ?? addressOf('auth.me')
  return `curl -H 'X-API-Key: ${key}' '${location.origin}${path}'`
}

/** The new key, shown this once, with a first call to try it. */
export const KeyMade = ({ apiKey, onClose }: { apiKey: NewApiKey; onClose: () => void }) => (
  <Modal
    opened
    onClose={onClose}
    title="Your new API key"
    size="lg"
    // A stray click must not lose the key.
    closeOnClickOutside={false}
    closeOnEscape={false}
  >
    <Stack>
      <CopyOnce secret={apiKey.key} label={apiKey.label} />
      <div>
        <Text size="sm" fw={600} mb={4}>
          Try it
        </Text>
        <JsonBlock value={example(apiKey)} label="Example call" />
      </div>
      <Group justify="flex-end" gap="xs">
        <CopyText text={example(apiKey)} label="Copy example" />
        <Button onClick={onClose}>I have kept it</Button>
      </Group>
    </Stack>
  </Modal>
)
