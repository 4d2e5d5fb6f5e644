import { type BulkResult, sendEach, type Watch } from '../../../components/lists/send-in-groups.ts'
import { closeTicket, type NamedTicket, reopenTicket, updateTicket } from './support.api.ts'

/** At most this many tickets are changed at once, since each is a request. */
export const MOST_TICKETS = 200

/** `version` is the ticket's version after the act; it is absent if the ticket had that assignee already. */
type TicketResult = BulkResult & { version?: number }

/** Assigns tickets one after another; those that have the assignee already are not sent. */
export const assignEach = (
  rows: readonly NamedTicket[],
  assignedTo: string | null,
  watch: Watch,
): Promise<TicketResult[]> =>
  sendEach(
    rows,
    async (row): Promise<TicketResult> => {
      if (row.assignedTo === assignedTo) return { id: row.id, ok: true, isUnchanged: true }
      const { version } = await updateTicket(row, { assignedTo })
      return { id: row.id, ok: true, version }
    },
    watch,
  )

/** Gives tickets a priority one after another; each is refused if somebody changed it since it was shown. */
export const prioritiseEach = (
  rows: readonly NamedTicket[],
  priority: NamedTicket['priority'],
  watch: Watch,
): Promise<TicketResult[]> =>
  sendEach(
    rows,
    async (row): Promise<TicketResult> => {
      const { version } = await updateTicket(row, { priority })
      return { id: row.id, ok: true, version }
    },
    watch,
  )

/** Resolves or closes tickets one after another. */
export const closeEach = (
  rows: readonly NamedTicket[],
  as: 'resolved' | 'closed',
  watch: Watch,
): Promise<TicketResult[]> =>
  sendEach(
    rows,
    async (row): Promise<TicketResult> => {
      const { version } = await closeTicket(row, as)
      return { id: row.id, ok: true, version }
    },
    watch,
  )

/** A ticket that an act changed, with its former values and the version that the act made. */
type Changed = { id: string; name: string; version: number; back: Pick<NamedTicket, 'assignedTo' | 'priority'> }
/** The tickets that an act changed, which can be taken back. */
export type Done = { act: 'assign' | 'close' | 'priority'; tickets: Changed[] }

/** Lists the tickets that an act changed. */
export function listChanged(before: readonly NamedTicket[], results: readonly TicketResult[]): Changed[] {
  const versions = new Map(results.map(({ id, version }) => [id, version]))
  return before.flatMap(({ id, subject, assignedTo, priority }) => {
    const version = versions.get(id)
    return version === undefined ? [] : [{ id, name: subject, version, back: { assignedTo, priority } }]
  })
}

/**
 * Gives tickets their former assignees or priorities, or opens closed ones again; a ticket that was changed meanwhile
 * is refused and stays as it is.
 */
export const takeBack = ({ act, tickets }: Done, watch: Watch): Promise<BulkResult[]> =>
  sendEach(
    tickets,
    async (row) => {
      const { assignedTo, priority } = row.back
      if (act === 'close') await reopenTicket(row)
      else await updateTicket(row, act === 'assign' ? { assignedTo } : { priority })
      return { id: row.id, ok: true }
    },
    watch,
  )
