import { useDisclosure } from '@mantine/hooks'
import { DataList } from '../../../components/lists/data-list.tsx'
import { NewButton } from '../../../components/lists/list-actions.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Page } from '../../../components/page/page.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { CreateTransfer } from './create-transfer.tsx'
import { TRANSFER_COLUMNS, TRANSFER_FILTERS } from './transfer-columns.tsx'
import { TransferDrawer } from './transfer-drawer.tsx'
import { fetchTransfers } from './transfers.api.ts'
import { say } from './words.ts'

/** Lists the money that moved within the firm. */
export const TransferList = () => {
  const can = useCan()
  const [opened, { open, close }] = useDisclosure()
  const create = can('operator') && <NewButton onClick={open}>{say('transfers.new.title')}</NewButton>
  return (
    <Page title={say('transfers.transfers')} subtitle={say('transfers.about')} actions={create}>
      <DataList
        id="transfers"
        file="transfers.export"
        label={say('transfers.transfers')}
        searchPlaceholder={say('lists.search_client')}
        rowName={({ traderName }) => traderName ?? ''}
        counted="sums"
        sumOf={say('transfers.taken')}
        fetch={fetchTransfers}
        columns={TRANSFER_COLUMNS}
        filters={TRANSFER_FILTERS}
        beside={(transfer, close) => <TransferDrawer transfer={transfer} onClose={close} />}
        empty={
          <EmptyState title={say('transfers.empty.title')} action={create}>
            {say('transfers.empty.about')}
          </EmptyState>
        }
      />
      {opened && <CreateTransfer onClose={close} />}
    </Page>
  )
}
