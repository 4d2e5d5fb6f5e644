import { useNavigate } from '@tanstack/react-router'
import { lazy, useState } from 'react'
import { DataList } from '../../../components/lists/data-list.tsx'
import { NewButton } from '../../../components/lists/list-actions.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Page } from '../../../components/page/page.tsx'
import { PageTabs } from '../../../components/page/page-tabs.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { useNewForm } from '../../../lib/lists/use-new-form.ts'
import { useAssignees, useStaff } from '../../firm/users/users.api.ts'
import { type Done, MOST_TICKETS } from './bulk-tickets.api.ts'
import { BulkTickets, type ChosenTickets, ticketActs, UndoTickets } from './bulk-tickets.tsx'
import { fetchOverdue, fetchTickets, type NamedTicket } from './support.api.ts'
import { TicketForm } from './ticket-form.tsx'
import { ticketColumns, ticketFilters } from './ticket-words.tsx'
import { say } from './words.ts'

/** The page's own code, which is loaded when a row is shown beside the list. */
const OpenTicket = lazy(async () => ({ default: (await import('./ticket-page.tsx')).OpenTicket }))

const href = ({ id }: { id: string }): string => `/support/${id}`

const TABS = [
  ['inbox', say('support.inbox')],
  ['overdue', say('support.overdue')],
] as const

const EVERY_MINUTE = 60_000

const Inbox = () => {
  const can = useCan()
  const navigate = useNavigate()
  const staff = useStaff()
  const assignees = useAssignees()
  const [chosen, setChosen] = useState<ChosenTickets | null>(null)
  const [done, setDone] = useState<Done | null>(null)
  return (
    <>
      {done && done.tickets.length > 0 && <UndoTickets done={done} onDone={() => setDone(null)} />}
      <DataList
        counted="count"
        id="support"
        file="support.tickets.export"
        searchPlaceholder={say('lists.search_ticket')}
        label={say('support.tickets')}
        fetch={fetchTickets}
        usualSort="nextDueAt"
        filters={ticketFilters(assignees)}
        columns={ticketColumns(staff.findStaffName)}
        href={href}
        peek={({ id }) => <OpenTicket id={id} />}
        refetchEvery={EVERY_MINUTE}
        {...(can('operator') && {
          rowName: ({ subject }: NamedTicket) => subject,
          bulkMost: MOST_TICKETS,
          acts: ticketActs(
            setChosen,
            (id) => void navigate({ to: '/support/$id', params: { id }, search: { reply: '1' } }),
          ),
        })}
        empty={<EmptyState title={say('support.empty.title')}>{say('support.empty.about')}</EmptyState>}
        nothingWaits={
          <EmptyState title={say('support.inbox.empty.title')}>{say('support.inbox.empty.about')}</EmptyState>
        }
      />
      {chosen && <BulkTickets chosen={chosen} onChanged={setDone} onClose={() => setChosen(null)} />}
    </>
  )
}

const Overdue = () => {
  const staff = useStaff()
  return (
    <DataList
      id="support"
      within={['overdue', 'all']}
      label={say('support.overdue.label')}
      fetch={fetchOverdue}
      plain
      columns={ticketColumns(staff.findStaffName)}
      href={href}
      peek={({ id }) => <OpenTicket id={id} />}
      refetchEvery={EVERY_MINUTE}
      empty={<EmptyState title={say('support.overdue.empty.title')}>{say('support.overdue.empty.about')}</EmptyState>}
    />
  )
}

/** Shows the inbox, with the ticket that is due first on top, and the overdue tickets. */
export const TicketList = () => {
  const can = useCan()
  const navigate = useNavigate()
  const { opened, open, close } = useNewForm(can('operator'))
  return (
    <Page
      title={say('support.support')}
      subtitle={say('support.about')}
      actions={can('operator') && <NewButton onClick={open}>{say('support.new.title')}</NewButton>}
    >
      <PageTabs tabs={TABS} first="inbox" panels={{ inbox: <Inbox />, overdue: <Overdue /> }} />
      {opened && (
        <TicketForm onClose={close} onDone={({ id }) => void navigate({ to: '/support/$id', params: { id } })} />
      )}
    </Page>
  )
}
