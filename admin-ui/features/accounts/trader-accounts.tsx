import { Button, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import type { Page, Query } from '../../api.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { useCan } from '../../lib/session.ts'
import { traderName } from '../traders/trader-names.ts'
import type { Trader } from '../traders/traders.api.ts'
import { ACCOUNT_COLUMNS } from './account-columns.tsx'
import { AccountForm } from './account-form.tsx'
import { AccountTable } from './account-table.tsx'
import { fetchAccounts, type NamedAccount } from './accounts.api.ts'

/** The trading accounts of one client. */
export const TraderAccounts = ({ trader }: { trader: Trader }) => {
  const can = useCan()
  const [opened, { open, close }] = useDisclosure()
  const name = traderName(trader)
  const fetchOwn = async (query: Query): Promise<Page<NamedAccount>> => {
    const page = await fetchAccounts(query)
    return { ...page, data: page.data.map((account) => ({ ...account, traderName: name })) }
  }
  return (
    <Stack gap="sm">
      <Group justify="flex-end">
        {can('operator') && trader.deletedAt === null && (
          <Button leftSection={<IconPlus size={16} />} onClick={open}>
            New account
          </Button>
        )}
      </Group>
      <AccountTable
        fetch={fetchOwn}
        columns={ACCOUNT_COLUMNS}
        fixed={{ traderId: trader.id }}
        plain
        empty={<EmptyState title="No accounts yet">Link the account that the trading platform made.</EmptyState>}
      />
      {opened && <AccountForm trader={{ id: trader.id, name }} onClose={close} />}
    </Stack>
  )
}
