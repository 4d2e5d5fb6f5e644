import { Button, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { Page, Query } from '../../api.ts'
import { DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { useCan } from '../../lib/session.ts'
import { traderName } from '../traders/trader-names.ts'
import type { Trader } from '../traders/traders.api.ts'
import { CreateTransfer } from './create-transfer.tsx'
import { TRANSFER_COLUMNS } from './transfer-columns.tsx'
import { TransferDrawer } from './transfer-drawer.tsx'
import { fetchTransfers, type NamedTransfer } from './transfers.api.ts'

/** The transfers of one client. */
export const TraderTransfers = ({ trader }: { trader: Trader }) => {
  const can = useCan()
  const [opened, { open, close }] = useDisclosure()
  const [shown, setShown] = useState<NamedTransfer | null>(null)
  const name = traderName(trader)
  const fetchOwn = async (query: Query): Promise<Page<NamedTransfer>> => {
    const page = await fetchTransfers(query)
    return { ...page, data: page.data.map((row) => ({ ...row, traderName: name })) }
  }
  return (
    <Stack gap="sm">
      <Group justify="flex-end">
        {can('operator') && trader.deletedAt === null && (
          <Button leftSection={<IconPlus size={16} />} onClick={open}>
            New transfer
          </Button>
        )}
      </Group>
      <DataList
        id="transfers"
        label="Transfers"
        fetch={fetchOwn}
        columns={TRANSFER_COLUMNS.filter(({ key }) => key !== 'trader')}
        fixed={{ traderId: trader.id }}
        onOpen={setShown}
        plain
        empty={<EmptyState title="No transfers yet" />}
      />
      {opened && <CreateTransfer trader={{ id: trader.id, name }} onClose={close} />}
      <TransferDrawer transfer={shown} onClose={() => setShown(null)} />
    </Stack>
  )
}
