import { Alert, List } from '@mantine/core'
import type { Scope } from './api-keys.api.ts'
import { say } from './words.ts'

const LOST: Partial<Record<Scope, string>> = {
  'deposit-decisions:write': say('api-keys.lost.deposit_decisions'),
  'withdrawal-decisions:write': say('api-keys.lost.withdrawal_decisions'),
  'payouts:write': say('api-keys.lost.payouts'),
  'adjustment-decisions:write': say('api-keys.lost.adjustment_decisions'),
}

/** Lists the scopes that an older key lost when decisions about money got separate scopes. */
export const LostScopes = ({ scopes }: { scopes: readonly Scope[] }) =>
  scopes.length > 0 && (
    <Alert color="yellow" variant="light" title={say('api-keys.lost.title')}>
      {say('api-keys.lost.about')}
      <List size="sm" my={6}>
        {scopes.map((scope) => (
          <List.Item key={scope}>
            {LOST[scope] ?? scope} (<code className="code">{scope}</code>)
          </List.Item>
        ))}
      </List>
      {say('api-keys.lost.hint')}
    </Alert>
  )
