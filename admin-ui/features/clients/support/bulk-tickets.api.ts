import { type BulkResult, sendEach, UNWATCHED, type Watch } from '../../../components/lists/send-in-groups.ts'
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

/** Gives tickets back to whoever had them before; one that was changed meanwhile is counted as failed and stays. */
export async function undoAssign(
  before: readonly NamedTicket[],
  results: readonly AssignResult[],
): Promise<{ count: number; failed: number }> {
  const versions = new Map(results.map(({ id, version }) => [id, version]))
  const changed = before.flatMap((row) => {
    const version = versions.get(row.id)
    return version === undefined ? [] : [{ id: row.id, version, assignedTo: row.assignedTo }]
  })
  const answer = await sendEach(
    changed,
    async (row) => {
      await updateTicket(row, { assignedTo: row.assignedTo })
      return { id: row.id, ok: true }
    },
    UNWATCHED,
  )
  const count = answer.filter(({ ok }) => ok).length
  return { count, failed: changed.length - count }
}
