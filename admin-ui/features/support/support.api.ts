import { type Answer, type Body, call, type Page, type QueryOf, type Row } from '../../api.ts'
import { traderName } from '../traders/trader-names.ts'
import { fetchTrader, fetchTraders } from '../traders/traders.api.ts'

export type Ticket = Row<'support.tickets.list'>
/** `traderName` is null when nobody is behind the ticket, or the trader has been deleted. */
export type NamedTicket = Ticket & { traderName: string | null }
export type TicketRecord = Answer<'support.tickets.get'> & { traderName: string | null }
export type Message = Answer<'support.messages.add'>
export type TicketChange = Body<'support.tickets.update'>

type Asked = QueryOf<'support.tickets.list'>

const named = async (page: Page<Ticket>): Promise<Page<NamedTicket>> => {
  const ids = [...new Set(page.data.map(({ traderId }) => traderId).filter((id) => id !== null))]
  const found = ids.length > 0 ? await fetchTraders({ ids: ids.join(','), limit: 200 }) : { data: [] }
  const names = new Map(found.data.map((trader) => [trader.id, traderName(trader)]))
  return { ...page, data: page.data.map((row) => ({ ...row, traderName: names.get(row.traderId ?? '') ?? null })) }
}

export const fetchTickets = (query: Asked) => call('support.tickets.list', { query })
/** The inbox: what is due first comes first. */
export const fetchInbox = async (query: Asked): Promise<Page<NamedTicket>> =>
  named(await fetchTickets({ sort: 'nextDueAt', ...query }))
export const fetchOverdue = async (query: QueryOf<'support.overdue'>): Promise<Page<NamedTicket>> =>
  named(await call('support.overdue', { query }))
export const fetchTicket = async (id: string): Promise<TicketRecord> => {
  const ticket = await call('support.tickets.get', { params: { id } })
  const trader = ticket.traderId ? await fetchTrader(ticket.traderId) : null
  return { ...ticket, traderName: trader && traderName(trader) }
}
export const openTicket = (body: Body<'support.tickets.create'>) => call('support.tickets.create', { body })
export const updateTicket = ({ id, version }: Ticket, body: TicketChange) =>
  call('support.tickets.update', { params: { id }, body, ifMatch: version })
export const addMessage = ({ id }: Ticket, body: Body<'support.messages.add'>) =>
  call('support.messages.add', { params: { id }, body })
export const closeTicket = ({ id, version }: Ticket, status: 'resolved' | 'closed') =>
  call('support.tickets.close', { params: { id }, body: { status }, ifMatch: version })
export const reopenTicket = ({ id }: Ticket) => call('support.tickets.reopen', { params: { id } })
