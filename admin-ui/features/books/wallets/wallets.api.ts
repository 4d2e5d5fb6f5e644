import { type Answer, call, type QueryOf, type Row } from '../../../api.ts'

export type Wallet = Row<'wallets.list'>
export type LedgerEntry = Row<'wallets.entries'>
export type TrialBalance = Answer<'ledger.trialBalance'>

type Asked = QueryOf<'wallets.list'>

export const fetchWallets = (query: Asked) => call('wallets.list', { query })
export const fetchEntries = (walletId: string, query: QueryOf<'wallets.entries'>) =>
  call('wallets.entries', { params: { id: walletId }, query })
export const fetchTrialBalance = () => call('ledger.trialBalance')
