import { useNavigate } from '@tanstack/react-router'
import { say } from '../../../src/words/say.ts'
import { DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { NewButton } from '../../components/list-actions.tsx'
import { Page } from '../../components/page.tsx'
import { PageTabs } from '../../components/page-tabs.tsx'
import { useSearchParams } from '../../lib/search-params.ts'
import { useCan } from '../../lib/session.ts'
import { useNewForm } from '../../lib/use-new-form.ts'
import { useStaff } from '../users/users.api.ts'
import { fetchInbox, fetchOverdue } from './support.api.ts'
import { TicketForm } from './ticket-form.tsx'
import { ticketColumns, ticketFilters } from './ticket-words.tsx'

const href = ({ id }: { id: string }): string => `/support/${id}`

const TABS = [
  ['inbox', 'Inbox'],
  ['overdue', 'Overdue'],
] as const

/** What clients ask: the inbox, what is due first on top, and what is overdue. */
export const TicketList = () => {
  const can = useCan()
  const staff = useStaff()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const { opened, open, close } = useNewForm(can('operator'))
  const columns = ticketColumns(staff.nameOf)
  const common = { columns, href, refetchEvery: 60_000 }
  return (
    <Page
      title="Support"
      subtitle="What clients ask, by when it is due."
      actions={can('operator') && <NewButton onClick={open}>New ticket</NewButton>}
    >
      <PageTabs
        tabs={TABS}
        first="inbox"
        panels={{
          inbox: (
            <DataList
              counted="count"
              id="support"
              searchPlaceholder={say('lists.search_ticket')}
              label="Tickets"
              fetch={fetchInbox}
              filters={ticketFilters(staff.options)}
              {...common}
              empty={
                search.status ? (
                  <EmptyState title="No tickets yet">A ticket appears here when a client writes.</EmptyState>
                ) : (
                  <EmptyState title="The inbox is empty">
                    Nobody waits for an answer. Clear the status filter to see every ticket.
                  </EmptyState>
                )
              }
            />
          ),
          overdue: (
            <DataList
              id="support"
              within={['overdue', 'all']}
              label="Overdue tickets"
              fetch={fetchOverdue}
              plain
              {...common}
              empty={<EmptyState title="Nothing is overdue">Every open ticket is within its time.</EmptyState>}
            />
          ),
        }}
      />
      {opened && (
        <TicketForm onClose={close} onDone={({ id }) => void navigate({ to: '/support/$id', params: { id } })} />
      )}
    </Page>
  )
}
