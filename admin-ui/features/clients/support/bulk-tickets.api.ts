import { type BulkResult, sendEach, type Watch } from '../../../components/lists/send-in-groups.ts'
import { type NamedTicket, updateTicket } from './support.api.ts'

/** At most this many tickets are changed at once, since each is a request. */
export const MOST_TICKETS = 200

/** `version` is that of the ticket after it was assigned; a ticket that had the assignee already has none. */
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

/** Says of tickets that were assigned who had them before, and the version that they have since. */
export type Assignments = { id: string; version: number; assignedTo: string | null }[]

export function listAssignments(before: readonly NamedTicket[], results: readonly AssignResult[]): Assignments {
  const versions = new Map(results.map(({ id, version }) => [id, version]))
  return before.flatMap(({ id, assignedTo }) => {
    const version = versions.get(id)
    return version === undefined ? [] : [{ id, version, assignedTo }]
  })
}

/** Gives tickets back to whoever had them before; one that was changed meanwhile is refused and stays. */
export const undoAssign = (assignments: Assignments, watch: Watch): Promise<BulkResult[]> =>
  sendEach(
    assignments,
    async (row) => {
      await updateTicket(row, { assignedTo: row.assignedTo })
      return { id: row.id, ok: true }
    },
    watch,
  )
