import { type Answer, type Body, call, type QueryOf, type Row } from '../../../api.ts'
import { traderName } from '../traders/trader-names.ts'
import { fetchTrader } from '../traders/traders.api.ts'

export type Ticket = Omit<Row<'support.tickets.list'>, 'traderName'>
/** `traderName` is null if the ticket has no client, or if the client has been deleted. */
export type NamedTicket = Ticket & { traderName: string | null }
export type TicketRecord = Answer<'support.tickets.get'> & { traderName: string | null }
export type Message = Answer<'support.messages.add'>
export type NewTicket = Body<'support.tickets.create'>
export type TicketChange = Body<'support.tickets.update'>

type Asked = QueryOf<'support.tickets.list'>

export const fetchTickets = (query: Asked) => call('support.tickets.list', { query })
export const fetchOverdue = (query: QueryOf<'support.overdue'>) => call('support.overdue', { query })
export const fetchTicket = async (id: string): Promise<TicketRecord> => {
  const ticket = await call('support.tickets.get', { params: { id } })
  const trader = ticket.traderId ? await fetchTrader(ticket.traderId) : null
  return { ...ticket, traderName: trader && traderName(trader) }
}
export const fetchTargets = () => call('support.sla.get')
export const openTicket = (body: NewTicket) => call('support.tickets.create', { body })
export const updateTicket = ({ id, version }: Pick<Ticket, 'id' | 'version'>, body: TicketChange) =>
  call('support.tickets.update', { params: { id }, body, ifMatch: version })
export const addMessage = ({ id }: Ticket, body: Body<'support.messages.add'>) =>
  call('support.messages.add', { params: { id }, body })
export const closeTicket = ({ id, version }: Ticket, status: 'resolved' | 'closed') =>
  call('support.tickets.close', { params: { id }, body: { status }, ifMatch: version })
export const reopenTicket = ({ id, version }: Pick<Ticket, 'id' | 'version'>) =>
  call('support.tickets.reopen', { params: { id }, ifMatch: version })
