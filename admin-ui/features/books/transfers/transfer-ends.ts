import { useQuery } from '@tanstack/react-query'
import { groupDigits } from '../../../lib/text/format.ts'
import { accountName } from '../accounts/account-words.ts'
import { fetchAccounts } from '../accounts/accounts.api.ts'
import { fetchWallets } from '../wallets/wallets.api.ts'
import { say } from './words.ts'

/** Describes one end of a transfer: a wallet or a live trading account. `value` identifies it in a select. */
export type End = { value: string; kind: 'wallet' | 'account'; id: string; currency: string; label: string }

/** Identifies a trading account in a select. */
export const accountValue = (id: string): string => `account:${id}`

/** Reads the wallets and the active live accounts of a client; there are none while no client is chosen. */
export const useEnds = (traderId: string): { ends: readonly End[]; ready: boolean } => {
  const enabled = traderId !== ''
  const wallets = useQuery({
    queryKey: ['wallets', 'of', traderId],
    queryFn: () => fetchWallets({ traderId, limit: 200 }),
    enabled,
  })
  const accounts = useQuery({
    queryKey: ['accounts', 'of', traderId],
    queryFn: () => fetchAccounts({ traderId, limit: 200 }),
    enabled,
  })
  const ends: End[] = [
    ...(wallets.data?.data ?? []).map(
      ({ id, currency, available }): End => ({
        value: `wallet:${id}`,
        kind: 'wallet',
        id,
        currency,
        label: say('transfers.available', { currency, available: groupDigits(available) }),
      }),
    ),
    ...(accounts.data?.data ?? [])
      .filter(({ isDemo, status }) => !isDemo && status === 'active')
      .map(
        (account): End => ({
          value: accountValue(account.id),
          kind: 'account',
          id: account.id,
          currency: account.currency,
          label: `${accountName(account)} · ${account.currency}`,
        }),
      ),
  ]
  return { ends, ready: wallets.isSuccess && accounts.isSuccess }
}

/** Groups the ends of transfers as a select needs them. */
export const endOptions = (ends: readonly End[]) =>
  [
    { group: say('common.wallets'), items: ends.filter(({ kind }) => kind === 'wallet') },
    { group: say('transfers.ends.accounts'), items: ends.filter(({ kind }) => kind === 'account') },
  ]
    .filter(({ items }) => items.length > 0)
    .map(({ group, items }) => ({ group, items: items.map(({ value, label }) => ({ value, label })) }))
