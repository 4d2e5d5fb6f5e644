import { DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { TraderRecords } from '../traders/trader-records.tsx'
import type { Trader } from '../traders/traders.api.ts'
import { useStaff } from '../users/users.api.ts'
import { fetchTickets } from './support.api.ts'
import { TicketForm } from './ticket-form.tsx'
import { ticketColumns } from './ticket-words.tsx'

/** The tickets of one client. */
export const TraderTickets = ({ trader }: { trader: Trader }) => {
  const staff = useStaff()
  return (
    <TraderRecords
      trader={trader}
      add="New ticket"
      form={(client, close) => <TicketForm trader={client} onClose={close} />}
    >
      <DataList
        id="support"
        label="Tickets"
        fetch={fetchTickets}
        columns={ticketColumns(staff.nameOf).filter(({ key }) => key !== 'trader')}
        fixed={{ traderId: trader.id }}
        href={({ id }) => `/support/${id}`}
        plain
        empty={<EmptyState title="No tickets yet">This client has not asked anything.</EmptyState>}
      />
    </TraderRecords>
  )
}
