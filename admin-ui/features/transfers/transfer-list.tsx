import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { say } from '../../../src/words/say.ts'
import { DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { NewButton } from '../../components/list-actions.tsx'
import { Page } from '../../components/page.tsx'
import { useCan } from '../../lib/session.ts'
import { CreateTransfer } from './create-transfer.tsx'
import { TRANSFER_COLUMNS, TRANSFER_FILTERS } from './transfer-columns.tsx'
import { TransferDrawer } from './transfer-drawer.tsx'
import { fetchTransfers, type NamedTransfer } from './transfers.api.ts'

/** Money that moved within the firm. */
export const TransferList = () => {
  const can = useCan()
  const [opened, { open, close }] = useDisclosure()
  const [shown, setShown] = useState<NamedTransfer | null>(null)
  const create = can('operator') && <NewButton onClick={open}>New transfer</NewButton>
  return (
    <Page title="Transfers" subtitle="Between wallets, and between wallets and trading accounts." actions={create}>
      <DataList
        id="transfers"
        label="Transfers"
        searchPlaceholder={say('lists.search_client')}
        rowName={({ traderName }) => traderName ?? ''}
        counted="sums"
        fetch={fetchTransfers}
        columns={TRANSFER_COLUMNS}
        filters={TRANSFER_FILTERS}
        onOpen={setShown}
        empty={
          <EmptyState title="No transfers yet" action={create}>
            Money that a client moves between wallets and trading accounts is listed here.
          </EmptyState>
        }
      />
      {opened && <CreateTransfer onClose={close} />}
      <TransferDrawer transfer={shown} onClose={() => setShown(null)} />
    </Page>
  )
}
