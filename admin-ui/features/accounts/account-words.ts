import { choices } from '../../lib/choices.ts'
import type { Account } from './accounts.api.ts'

/** What the trading platforms are called. */
export const PLATFORMS: Record<Account['platform'], string> = {
  terminal5: 'Terminal 5',
  terminal4: 'Terminal 4',
  other: 'Other',
}
export const PLATFORM_OPTIONS = Object.entries(PLATFORMS).map(([value, label]) => ({ value, label }))
export const ACCOUNT_STATES = choices(['active', 'suspended', 'closed'] satisfies Account['status'][])

/** How an account is called in a list: by its number, else by the platform's id, else by ours. */
export const accountName = ({ accountNumber, externalId, id }: Account): string => accountNumber ?? externalId ?? id
