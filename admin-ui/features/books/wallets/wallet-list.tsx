import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Page } from '../../../components/page/page.tsx'
import { CLIENT_CELL } from '../../../lib/csv/list-csv.ts'
import { AMOUNTS, buildFlag, type FilterOf } from '../../../lib/lists/filters.ts'
import { CURRENCY_OPTIONS } from '../../../lib/text/currencies.ts'
import type { WithClientName } from '../../clients/traders/trader-names.ts'
import { shownName } from '../../clients/traders/trader-names.ts'
import { EntriesDrawer } from './entries-drawer.tsx'
import { WALLET_COLUMNS } from './wallet-columns.tsx'
import { fetchWallets, type Wallet } from './wallets.api.ts'
import { say } from './words.ts'

const COLUMNS: readonly Column<WithClientName<Wallet>>[] = [
  {
    key: 'trader',
    file: CLIENT_CELL,
    title: say('common.client'),
    render: ({ traderName }) => shownName(traderName),
  },
  ...WALLET_COLUMNS,
]

const FILTERS: readonly FilterOf<'wallets.list'>[] = [
  { key: 'currency', label: say('common.currency'), options: CURRENCY_OPTIONS, several: true },
  { ...AMOUNTS, label: say('wallets.available') },
  buildFlag('holds', say('wallets.holds.filter'), say('wallets.holds.only')),
]

export const WalletList = () => {
  return (
    <Page title={say('common.wallets')} subtitle={say('wallets.about')}>
      <DataList
        id="wallets"
        file="wallets.export"
        label={say('common.wallets')}
        searchPlaceholder={say('lists.search_client')}
        counted="sums"
        sumOf={say('wallets.sum_of')}
        rowName={(row) => `${shownName(row.traderName)} ${row.currency}`}
        fetch={fetchWallets}
        columns={COLUMNS}
        filters={FILTERS}
        beside={(wallet, close) => <EntriesDrawer wallet={wallet} owner={wallet.traderName} onClose={close} />}
        empty={<EmptyState title={say('wallets.empty.title')}>{say('wallets.empty.about')}</EmptyState>}
      />
    </Page>
  )
}
