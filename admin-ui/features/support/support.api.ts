import type { Static } from '@sinclair/typebox'
import type {
  MessageIn,
  MessageOut,
  Ticket,
  TicketDetail,
  TicketIn,
  TicketPatch,
} from '../../../src/modules/support/support.model.ts'
import { get, type Page, patch, post, type Query } from '../../api.ts'
import { traderName } from '../traders/trader-names.ts'
import { fetchTrader, fetchTraders } from '../traders/traders.api.ts'

export type { Ticket }
/** `traderName` is null when nobody is behind the ticket, or the trader has been deleted. */
export type NamedTicket = Ticket & { traderName: string | null }
export type TicketRecord = Static<typeof TicketDetail> & { traderName: string | null }
export type Message = Static<typeof MessageOut>
export type TicketChange = Static<typeof TicketPatch>

const at = (id: string): string => `/v1/support/tickets/${id}`

const named = async (page: Page<Ticket>): Promise<Page<NamedTicket>> => {
  const ids = [...new Set(page.data.map(({ traderId }) => traderId).filter((id) => id !== null))]
  const found = ids.length > 0 ? await fetchTraders({ ids: ids.join(','), limit: 200 }) : { data: [] }
  const names = new Map(found.data.map((trader) => [trader.id, traderName(trader)]))
  return { ...page, data: page.data.map((row) => ({ ...row, traderName: names.get(row.traderId ?? '') ?? null })) }
}

export const fetchTickets = (query: Query): Promise<Page<Ticket>> => get('/v1/support/tickets', query)
/** The inbox: what is due first comes first. */
export const fetchInbox = async (query: Query): Promise<Page<NamedTicket>> =>
  named(await fetchTickets({ sort: 'nextDueAt', ...query }))
export const fetchOverdue = async (query: Query): Promise<Page<NamedTicket>> =>
  named(await get<Page<Ticket>>('/v1/admin/sla/overdue', query))
export const fetchTicket = async (id: string): Promise<TicketRecord> => {
  const ticket = await get<Static<typeof TicketDetail>>(at(id))
  const trader = ticket.traderId ? await fetchTrader(ticket.traderId) : null
  return { ...ticket, traderName: trader && traderName(trader) }
}
export const openTicket = (body: Static<typeof TicketIn>): Promise<Ticket> => post('/v1/support/tickets', body)
export const updateTicket = ({ id, version }: Ticket, body: TicketChange): Promise<Ticket> =>
  patch(at(id), body, version)
export const addMessage = ({ id }: Ticket, body: Static<typeof MessageIn>): Promise<Message> =>
  post(`${at(id)}/messages`, body)
export const closeTicket = ({ id, version }: Ticket, status: 'resolved' | 'closed'): Promise<Ticket> =>
  post(`${at(id)}/close`, { status }, version)
export const reopenTicket = ({ id }: Ticket): Promise<Ticket> => post(`${at(id)}/reopen`)
