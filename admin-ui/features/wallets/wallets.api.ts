import { type Answer, call, type Page, type QueryOf, type Row } from '../../api.ts'
import { type Named, withTraderNames } from '../traders/trader-names.ts'

export type Wallet = Row<'wallets.list'>
export type LedgerEntry = Row<'wallets.entries'>
export type TrialBalance = Answer<'ledger.trialBalance'>

type Asked = QueryOf<'wallets.list'>

export const fetchWallets = (query: Asked) => call('wallets.list', { query })
export const fetchNamedWallets = async (query: Asked): Promise<Page<Named<Wallet>>> =>
  withTraderNames(await fetchWallets(query))
export const fetchEntries = (walletId: string, query: QueryOf<'wallets.entries'>) =>
  call('wallets.entries', { params: { id: walletId }, query })
export const fetchTrialBalance = () => call('ledger.trialBalance')
