import { IconPlus } from '@tabler/icons-react'
import { DataList } from '../../../components/lists/data-list.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { useStaff } from '../../firm/users/users.api.ts'
import type { ClientAct, ClientTab } from '../traders/client-tab.ts'
import { TraderRecords } from '../traders/trader-records.tsx'
import type { Trader } from '../traders/traders.api.ts'
import { fetchTickets } from './support.api.ts'
import { TicketForm } from './ticket-form.tsx'
import { ticketColumns } from './ticket-words.tsx'
import { say } from './words.ts'

const NEW_TICKET: ClientAct = {
  label: say('support.new.title'),
  icon: <IconPlus size={16} />,
  form: (client, close) => <TicketForm trader={client} onClose={close} />,
}

const TraderTickets = ({ trader }: { trader: Trader }) => {
  const staff = useStaff()
  return (
    <TraderRecords trader={trader} act={NEW_TICKET}>
      <DataList
        id="support"
        label={say('support.tickets')}
        fetch={fetchTickets}
        columns={ticketColumns(staff.findStaffName).filter(({ key }) => key !== 'trader')}
        fixed={{ traderId: trader.id }}
        href={({ id }) => `/support/${id}`}
        plain
        empty={<EmptyState title={say('support.empty.title')}>{say('support.empty.about_client')}</EmptyState>}
      />
    </TraderRecords>
  )
}

export const ticketsTab: ClientTab = {
  key: 'tickets',
  label: say('support.tickets'),
  records: 'tickets',
  act: NEW_TICKET,
  panel: (trader) => <TraderTickets trader={trader} />,
}
