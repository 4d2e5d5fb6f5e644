import { Alert, List } from '@mantine/core'
import type { Scope } from './api-keys.api.ts'
import { say } from './words.ts'

const LOST: Partial<Record<Scope, string>> = {
  'deposit-decisions:write': say('api-keys.settle_partially_settle_fail'),
  'withdrawal-decisions:write': say('api-keys.approve_reject_withdrawals'),
  'payouts:write': say('api-keys.mark_withdrawals_as_paid'),
  'adjustment-decisions:write': say('api-keys.approve_reject_adjustments'),
}

/** What a key made before decisions about money got permissions of their own may no longer do. */
export const LostScopes = ({ scopes }: { scopes: readonly Scope[] }) =>
  scopes.length > 0 && (
    <Alert color="yellow" variant="light" title={say('api-keys.this_key_may_do')}>
      {say('api-keys.decisions_about_money_have')}
      <List size="sm" my={6}>
        {scopes.map((scope) => (
          <List.Item key={scope}>
            {LOST[scope] ?? scope} (<code className="code">{scope}</code>)
          </List.Item>
        ))}
      </List>
      {say('api-keys.if_its_program_needs')}
    </Alert>
  )
