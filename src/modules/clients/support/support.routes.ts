import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { Page } from '../../../platform/http/lists/page.ts'
import { Csv, op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import { REOPEN_DAYS } from '../../../words/rule-figures.ts'
import { SlaPolicies } from './sla.ts'
import { exportTickets } from './support.export.ts'
import {
  CloseIn,
  MessageIn,
  MessageOut,
  overdueList,
  PoliciesOut,
  TicketDetail,
  TicketIn,
  TicketOut,
  TicketPatch,
  TicketRowOut,
  ticketList,
} from './support.model.ts'
import {
  addMessage,
  closeTicket,
  listOverdue,
  listTickets,
  openTicket,
  readSla,
  readTicket,
  reopenTicket,
  setSla,
  updateTicket,
} from './support.service.ts'

const read = { scope: 'support:read', role: 'viewer', audience: ['trader'] } as const
const write = { scope: 'support:write', role: 'operator', audience: ['trader'] } as const
const staff = { scope: 'support:read', role: 'viewer' } as const

const ticketRoutes = declareRoutes('Support')
  .get('/v1/support/tickets', ({ ctx, query }) => listTickets(ctx, query), {
    access: read,
    query: ticketList.query,
    ...op('support.tickets.list', 'List tickets', { 200: Page(TicketRowOut) }),
  })
  .get('/v1/support/tickets/export.csv', ({ ctx, query }) => exportTickets(ctx, query), {
    access: { scope: 'support:read', role: 'manager', fresh: true },
    query: ticketList.exportQuery,
    ...op('support.tickets.export', 'Export tickets as CSV', { 200: Csv }),
  })
  .post('/v1/support/tickets', ({ ctx, body }) => openTicket(ctx, body), {
    access: write,
    creates: true,
    body: TicketIn,
    ...op('support.tickets.create', 'Open a ticket', { 201: TicketOut }, [409]),
  })
  .get('/v1/support/tickets/:id', ({ ctx, params }) => readTicket(ctx, params.id), {
    access: read,
    params: IdParam,
    ...op('support.tickets.get', 'One ticket with messages', { 200: TicketDetail }, [404]),
  })
  .patch('/v1/support/tickets/:id', ({ ctx, params, body, expect }) => updateTicket(ctx, params.id, body, expect), {
    access: { scope: 'support:write', role: 'operator' },
    params: IdParam,
    body: TicketPatch,
    ...op('support.tickets.update', 'Change priority, category or assignee', { 200: TicketOut }, [404]),
  })
  .post('/v1/support/tickets/:id/messages', ({ ctx, params, body }) => addMessage(ctx, params.id, body), {
    access: write,
    creates: true,
    params: IdParam,
    body: MessageIn,
    ...op('support.messages.add', 'Reply, or note internally', { 201: MessageOut }, [404, 409]),
  })
  .post('/v1/support/tickets/:id/close', ({ ctx, params, body, expect }) => closeTicket(ctx, params.id, body, expect), {
    access: write,
    params: IdParam,
    body: CloseIn,
    ...op('support.tickets.close', 'Mark it resolved', { 200: TicketOut }, [404, 409, 412]),
  })
  .post('/v1/support/tickets/:id/reopen', ({ ctx, params, expect }) => reopenTicket(ctx, params.id, expect), {
    access: write,
    params: IdParam,
    ...op('support.tickets.reopen', `Open it again within ${REOPEN_DAYS} days`, { 200: TicketOut }, [404, 409, 412]),
  })

const slaRoutes = declareRoutes('Support')
  .get('/v1/support/sla-policies', ({ ctx }) => readSla(ctx), {
    access: staff,
    ...op('support.sla.get', 'Targets per priority, business hours, holidays', { 200: PoliciesOut }),
  })
  .put('/v1/support/sla-policies', ({ ctx, body, expect }) => setSla(ctx, body, expect), {
    access: { scope: 'support:write', role: 'admin' },
    body: SlaPolicies,
    ...op('support.sla.set', 'Set them', { 200: PoliciesOut }, [412]),
  })
  .get('/v1/admin/sla/overdue', ({ ctx, query }) => listOverdue(ctx, query), {
    access: staff,
    query: overdueList.query,
    ...op('support.overdue', 'Tickets past their deadline', { 200: Page(TicketRowOut) }),
  })

/** Tickets of clients and their service levels. RULES “Support”. */
export const supportRoutes = ticketRoutes.and(slaRoutes)
