import type { Ctx } from '../../../platform/access/ctx.ts'
import { fileColumns } from '../../../platform/db/wire-form.ts'
import { sendList } from '../../../platform/http/lists/list-file.ts'
import type { Query } from '../../../platform/http/lists/page.ts'
import { clientColumn } from '../traders/traders.rows.ts'
import { readPolicies } from './sla.ts'
import { ticketList, toTicket } from './support.model.ts'
import { type TicketRow, tickets } from './support.table.ts'

const COLUMNS = fileColumns(tickets, {
  firstRepliedAt: ['firstReplyLateMinutes'],
  resolutionDueAt: ['resolutionLateMinutes', 'standing'],
})

/** Sends tickets as a file, with deadlines and delays but without their messages. */
export function exportTickets(ctx: Ctx, query: Query): Promise<Response> {
  const policies = readPolicies(ctx.db)
  const form = (row: TicketRow) => {
    const { sla, ...ticket } = toTicket(row, policies, ctx.now())
    return { ...ticket, ...sla }
  }
  return sendList(ctx, ticketList, query, { entity: 'ticket', form, columns: COLUMNS, more: clientColumn(ctx.db) })
}
