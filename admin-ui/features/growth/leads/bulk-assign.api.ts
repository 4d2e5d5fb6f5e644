import { type BulkResult, sendEach, sendInGroups, type Watch } from '../../../components/lists/send-in-groups.ts'
import { assignLeads, type Lead, leadName, updateLead } from './leads.api.ts'

/** One call takes at most this many leads. */
const MOST = 500

/** `version` is the lead's version after the assignment; it is absent if the lead had that colleague already. */
type AssignResult = BulkResult & { version?: number; assignedBefore?: string | null }

/** Assigns leads in as many calls as needed; returns a result for each lead. */
export const assignEach = (rows: readonly Lead[], assignedTo: string | null, watch: Watch): Promise<AssignResult[]> =>
  sendInGroups(
    rows.map(({ id }) => id),
    MOST,
    async (some): Promise<readonly AssignResult[]> => (await assignLeads(some, assignedTo)).results,
    watch,
  )

/** Lists the changed leads, each with who had it before and the version that the assignment made. */
export type Assignments = { id: string; name: string; version: number; assignedTo: string | null }[]

export function listAssignments(rows: readonly Lead[], results: readonly AssignResult[]): Assignments {
  const names = new Map(rows.map((lead) => [lead.id, leadName(lead)]))
  return results.flatMap(({ id, version, assignedBefore = null }) =>
    version === undefined ? [] : [{ id, name: names.get(id) ?? id, version, assignedTo: assignedBefore }],
  )
}

/** Gives leads back to whoever had them; a lead that was changed meanwhile is refused and stays as it is. */
export const undoAssign = (assignments: Assignments, watch: Watch): Promise<BulkResult[]> =>
  sendEach(
    assignments,
    async (lead) => {
      await updateLead(lead, { assignedTo: lead.assignedTo })
      return { id: lead.id, ok: true }
    },
    watch,
  )
