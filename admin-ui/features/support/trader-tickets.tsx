import { Button, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import type { Page, Query } from '../../api.ts'
import { DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { useCan } from '../../lib/session.ts'
import { traderName } from '../traders/trader-names.ts'
import type { Trader } from '../traders/traders.api.ts'
import { useStaff } from '../users/users.api.ts'
import { fetchTickets, type NamedTicket } from './support.api.ts'
import { TicketForm } from './ticket-form.tsx'
import { ticketColumns } from './ticket-words.tsx'

/** The tickets of one client. */
export const TraderTickets = ({ trader }: { trader: Trader }) => {
  const can = useCan()
  const staff = useStaff()
  const [opened, { open, close }] = useDisclosure()
  const name = traderName(trader)
  const fetchOwn = async (query: Query): Promise<Page<NamedTicket>> => {
    const page = await fetchTickets(query)
    return { ...page, data: page.data.map((row) => ({ ...row, traderName: name })) }
  }
  return (
    <Stack gap="sm">
      <Group justify="flex-end">
        {can('operator') && trader.deletedAt === null && (
          <Button leftSection={<IconPlus size={16} />} onClick={open}>
            New ticket
          </Button>
        )}
      </Group>
      <DataList
        id="support"
        label="Tickets"
        fetch={fetchOwn}
        columns={ticketColumns(staff.nameOf).filter(({ key }) => key !== 'trader')}
        fixed={{ traderId: trader.id }}
        href={({ id }) => `/support/${id}`}
        plain
        empty={<EmptyState title="No tickets yet">This client has not asked anything.</EmptyState>}
      />
      {opened && <TicketForm trader={{ id: trader.id, name }} onClose={close} />}
    </Stack>
  )
}
