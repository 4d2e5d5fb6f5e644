import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { CopyOnce, CopyText } from '../../components/copy-once.tsx'
import { JsonBlock } from '../../components/json-block.tsx'
import type { NewApiKey } from './api-keys.api.ts'

const EXAMPLES: Record<string, string> = {
  'traders:read': '/v1/traders?limit=5',
  'deposits:read': '/v1/deposits?limit=5',
  'accounts:read': '/v1/accounts?limit=5',
  'wallets:read': '/v1/wallets?limit=5',
  'users:read': '/v1/users?limit=5',
  'audit:read': '/v1/audit?limit=5',
  'tenants:read': '/v1/tenants/current',
  'ledger:read': '/v1/ledger/trial-balance',
  'psp:read': '/v1/psp/connections',
  'api-keys:read': '/v1/api-keys/scopes',
  'webhooks:read': '/v1/webhooks/events',
}

/** A call that this key may make, ready for a shell. */
const example = ({ key, scopes }: NewApiKey): string => {
  const path = scopes.map((scope) => EXAMPLES[scope]).find(Boolean) ?? '/v1/auth/me'
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
