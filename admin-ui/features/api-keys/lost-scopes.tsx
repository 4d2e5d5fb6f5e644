import { Alert, List } from '@mantine/core'
import type { Scope } from './api-keys.api.ts'

const LOST: Partial<Record<Scope, string>> = {
  'deposit-decisions:write': 'settle, partially settle and fail deposits',
  'withdrawal-decisions:write': 'approve and reject withdrawals',
  'payouts:write': 'mark withdrawals as paid',
  'adjustment-decisions:write': 'approve and reject adjustments',
}

/** What a key made before decisions about money got permissions of their own may no longer do. */
export const LostScopes = ({ scopes }: { scopes: readonly Scope[] }) =>
  scopes.length > 0 && (
    <Alert color="yellow" variant="light" title="This key may do less than when it was made">
      Decisions about money have permissions of their own now. It no longer may:
      <List size="sm" my={6}>
        {scopes.map((scope) => (
          <List.Item key={scope}>
            {LOST[scope] ?? scope} (<code className="code">{scope}</code>)
          </List.Item>
        ))}
      </List>
      If its program needs that, make a new key with these permissions.
    </Alert>
  )
