import { Button, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import type { Page, Query } from '../../api.ts'
import { DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { useCan } from '../../lib/session.ts'
import { traderName } from '../traders/trader-names.ts'
import type { Trader } from '../traders/traders.api.ts'
import { CreateDeposit } from './create-deposit.tsx'
import { DEPOSIT_COLUMNS } from './deposit-columns.tsx'
import { fetchDeposits, type NamedDeposit } from './deposits.api.ts'

/** The deposits of one client. */
export const TraderDeposits = ({ trader }: { trader: Trader }) => {
  const can = useCan()
  const [opened, { open, close }] = useDisclosure()
  const name = traderName(trader)
  const fetchOwn = async (query: Query): Promise<Page<NamedDeposit>> => {
    const page = await fetchDeposits(query)
    return { ...page, data: page.data.map((deposit) => ({ ...deposit, traderName: name })) }
  }
  const create = can('operator') && trader.deletedAt === null && (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      New deposit
    </Button>
  )
  return (
    <Stack gap="sm">
      <Group justify="flex-end">{create}</Group>
      <DataList
        id="deposits"
        label="Deposits"
        fetch={fetchOwn}
        columns={DEPOSIT_COLUMNS.filter(({ key }) => key !== 'trader')}
        fixed={{ traderId: trader.id }}
        href={({ id }) => `/deposits/${id}`}
        plain
        empty={
          <EmptyState title="No deposits yet">Record a bank wire here, or wait for a gateway to report one.</EmptyState>
        }
      />
      {opened && <CreateDeposit trader={{ id: trader.id, name }} onClose={close} />}
    </Stack>
  )
}
