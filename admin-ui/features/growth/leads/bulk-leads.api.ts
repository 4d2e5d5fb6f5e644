import { type BulkResult, sendEach, sendInGroups, type Watch } from '../../../components/lists/send-in-groups.ts'
import { isLeadStatus, NEXT } from './lead-words.tsx'
import { assignLeads, deleteLead, type Lead, restoreLead, updateLead } from './leads.api.ts'

/** One call takes at most this many leads. */
const MOST = 500

/** What takes back an act on several leads, with the sentence that says what was done. */
export type LeadUndo = {
  text: string
  names: ReadonlyMap<string, string>
  takeBack: (watch: Watch) => Promise<BulkResult[]>
}

/** `version` is the lead's version after the assignment; it is absent if the lead had that colleague already. */
type AssignResult = BulkResult & { version?: number; assignedBefore?: string | null }
/** `version` is the lead's version after the act. */
type MoveResult = BulkResult & { version?: number }

/** Assigns leads in as many calls as needed; returns a result for each lead. */
export const assignEach = (rows: readonly Lead[], assignedTo: string | null, watch: Watch): Promise<AssignResult[]> =>
  sendInGroups(
    rows.map(({ id }) => id),
    MOST,
    async (some): Promise<readonly AssignResult[]> => {
      const { results } = await assignLeads(some, assignedTo)
      return results.map((result) => ({ ...result, isUnchanged: result.ok && result.version === undefined }))
    },
    watch,
  )

type Back = { id: string; version: number; body: Parameters<typeof updateLead>[1] }

/** Gives leads their former values; a lead that was changed meanwhile is refused and stays as it is. */
const giveBack = (leads: readonly Back[], watch: Watch): Promise<BulkResult[]> =>
  sendEach(
    leads,
    async (lead) => {
      await updateLead(lead, lead.body)
      return { id: lead.id, ok: true }
    },
    watch,
  )

/** Returns how many leads an assignment changed, and what gives them back to whoever had them. */
export function undoAssignments(results: readonly AssignResult[]) {
  const back = results.flatMap(({ id, version, assignedBefore = null }) =>
    version === undefined ? [] : [{ id, version, body: { assignedTo: assignedBefore } }],
  )
  return { count: back.length, takeBack: (watch: Watch) => giveBack(back, watch) }
}

/** Moves leads one after another, each only if nobody changed it since it was shown. */
export const moveEach = (rows: readonly Lead[], to: string, watch: Watch): Promise<MoveResult[]> =>
  sendEach(
    rows,
    async (lead): Promise<MoveResult> => {
      const status = NEXT[lead.status].find((next) => next === to)
      const { version } = await updateLead(lead, status ? { status } : {})
      return { id: lead.id, ok: true, version }
    },
    watch,
  )

/** Returns what moves leads back to where they were; null if the states allow that for none. */
export function undoMoves(
  rows: readonly Lead[],
  results: readonly MoveResult[],
  to: string,
): LeadUndo['takeBack'] | null {
  const before = new Map(rows.map(({ id, status }) => [id, status]))
  const next = isLeadStatus(to) ? NEXT[to] : []
  const back = results.flatMap(({ id, version }) => {
    const status = next.find((one) => one === before.get(id))
    return version === undefined || status === undefined ? [] : [{ id, version, body: { status } }]
  })
  return back.length === 0 ? null : (watch) => giveBack(back, watch)
}

/** Removes leads one after another. */
export const removeEach = (rows: readonly Lead[], watch: Watch): Promise<BulkResult[]> =>
  sendEach(
    rows,
    async (lead) => {
      await deleteLead(lead)
      return { id: lead.id, ok: true }
    },
    watch,
  )

/** Restores removed leads. */
export const undoRemovals = (ids: readonly string[], watch: Watch): Promise<BulkResult[]> =>
  sendEach(
    ids.map((id) => ({ id })),
    async ({ id }) => {
      await restoreLead(id)
      return { id, ok: true }
    },
    watch,
  )
