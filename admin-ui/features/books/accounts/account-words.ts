import { useQuery } from '@tanstack/react-query'
import { type Choice, choices } from '../../../lib/text/choices.ts'
import { fetchFirm } from '../../firm/settings/settings.api.ts'
import type { Account } from './accounts.api.ts'
import { say } from './words.ts'

const NAMES: Readonly<Record<string, string>> = {
  terminal5: 'Terminal 5',
  terminal4: 'Terminal 4',
  other: say('accounts.other'),
}

/** Names a trading platform; a platform that the firm added has the name that the firm gave it. */
export const platformName = (platform: string): string => NAMES[platform] ?? platform

/** Lists the platforms of the firm's settings, and `own` if it is no longer among them. */
export const usePlatformOptions = (own?: string): Choice[] => {
  const { data } = useQuery({ queryKey: ['firm'], queryFn: fetchFirm })
  const platforms = new Set([...(data?.platforms ?? ['terminal5']), ...(own === undefined ? [] : [own])])
  return [...platforms].map((value) => ({ value, label: platformName(value) }))
}
export const ACCOUNT_STATES = choices<Account['status']>({
  active: say('accounts.active'),
  suspended: say('accounts.suspended'),
  closed: say('common.closed'),
})

/** Names an account by its number, else by the platform's id, else by Brokerbase's own id. */
export const accountName = ({ accountNumber, externalId, id }: Account): string => accountNumber ?? externalId ?? id
