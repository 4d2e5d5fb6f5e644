import { type BulkResult, sendEach, type Watch } from '../../../components/lists/send-in-groups.ts'
import { type NamedTicket, updateTicket } from './support.api.ts'

/** At most this many tickets are changed at once, since each is a request. */
export const MOST_TICKETS = 200

/** `version` is the ticket's version after the assignment; it is absent if the ticket had that assignee already. */
type AssignResult = BulkResult & { version?: number }

/** Assigns tickets one after another; those that have the assignee already are not sent. */
export const assignEach = (
  rows: readonly NamedTicket[],
  assignedTo: string | null,
  watch: Watch,
): Promise<AssignResult[]> =>
  sendEach(
    rows,
    async (row): Promise<AssignResult> => {
      if (row.assignedTo === assignedTo) return { id: row.id, ok: true }
      const { version } = await updateTicket(row, { assignedTo })
      return { id: row.id, ok: true, version }
    },
    watch,
  )

/** Lists the assigned tickets, each with its former assignee and the version that the assignment made. */
export type Assignments = { id: string; version: number; assignedTo: string | null }[]

export function listAssignments(before: readonly NamedTicket[], results: readonly AssignResult[]): Assignments {
  const versions = new Map(results.map(({ id, version }) => [id, version]))
  return before.flatMap(({ id, assignedTo }) => {
    const version = versions.get(id)
    return version === undefined ? [] : [{ id, version, assignedTo }]
  })
}

/** Gives tickets back to their former assignees; a ticket that was changed meanwhile is refused and stays as it is. */
export const undoAssign = (assignments: Assignments, watch: Watch): Promise<BulkResult[]> =>
  sendEach(
    assignments,
    async (row) => {
      await updateTicket(row, { assignedTo: row.assignedTo })
      return { id: row.id, ok: true }
    },
    watch,
  )
