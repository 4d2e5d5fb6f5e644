import type { Static } from '@sinclair/typebox'
import type { LedgerEntryOut, TrialBalanceOut, WalletOut } from '../../../src/modules/wallets/wallets.model.ts'
import { get, type Page, type Query } from '../../api.ts'
import { type Named, withTraderNames } from '../traders/trader-names.ts'

export type Wallet = Static<typeof WalletOut>
export type LedgerEntry = Static<typeof LedgerEntryOut>
export type TrialBalance = Static<typeof TrialBalanceOut>

export const fetchWallets = (query: Query): Promise<Page<Wallet>> => get('/v1/wallets', query)
export const fetchNamedWallets = async (query: Query): Promise<Page<Named<Wallet>>> =>
  withTraderNames(await fetchWallets(query))
export const fetchEntries = (walletId: string, query: Query): Promise<Page<LedgerEntry>> =>
  get(`/v1/wallets/${walletId}/entries`, query)
export const fetchTrialBalance = (): Promise<TrialBalance> => get('/v1/ledger/trial-balance')
