import { Button, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import type { Page, Query } from '../../api.ts'
import { DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { When } from '../../components/when.tsx'
import { useCan } from '../../lib/session.ts'
import { traderName } from '../traders/trader-names.ts'
import type { Trader } from '../traders/traders.api.ts'
import { CreateWithdrawal } from './create-withdrawal.tsx'
import { WITHDRAWAL_COLUMNS } from './withdrawal-columns.tsx'
import { fetchWithdrawals, type NamedWithdrawal } from './withdrawals.api.ts'

const COLUMNS = [
  {
    key: 'asked',
    title: 'Asked for',
    render: ({ createdAt }: NamedWithdrawal) => <When at={createdAt} />,
  },
  ...WITHDRAWAL_COLUMNS.filter(({ key }) => key !== 'trader' && key !== 'createdAt'),
]

/** The withdrawals of one client. */
export const TraderWithdrawals = ({ trader }: { trader: Trader }) => {
  const can = useCan()
  const [opened, { open, close }] = useDisclosure()
  const name = traderName(trader)
  const fetchOwn = async (query: Query): Promise<Page<NamedWithdrawal>> => {
    const page = await fetchWithdrawals(query)
    return { ...page, data: page.data.map((row) => ({ ...row, traderName: name })) }
  }
  const create = can('operator') && trader.deletedAt === null && (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      New withdrawal
    </Button>
  )
  return (
    <Stack gap="sm">
      <Group justify="flex-end">{create}</Group>
      <DataList
        id="withdrawals"
        label="Withdrawals"
        fetch={fetchOwn}
        columns={COLUMNS}
        fixed={{ traderId: trader.id }}
        href={({ id }) => `/withdrawals/${id}`}
        plain
        empty={<EmptyState title="No withdrawals yet">This client has not asked for money.</EmptyState>}
      />
      {opened && <CreateWithdrawal trader={{ id: trader.id, name }} onClose={close} />}
    </Stack>
  )
}
