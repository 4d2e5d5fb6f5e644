import { type Answer, type Body, call } from '../../../api.ts'
import { type BulkResult, sendEach, sendInGroups, type Watch } from '../../../components/lists/send-in-groups.ts'
import { isConflict } from '../../../lib/api/http.ts'
import { traderName } from './trader-names.ts'
import { type Trader, type TraderChange, updateTrader } from './traders.api.ts'

export type Changes = Body<'traders.bulkEdit'>['changes']
type Results = Answer<'traders.bulkEdit'>['results']

/** One call takes at most this many clients. */
const MOST = 500

/** Changes many clients in as many calls as needed; returns a result for each client. */
export const bulkEdit = (ids: readonly string[], changes: Changes, watch: Watch): Promise<Results> =>
  sendInGroups(
    ids,
    MOST,
    async (some) => {
      const { results } = await call('traders.bulkEdit', { body: { ids: some, changes } })
      return results.map((result) => ({ ...result, isUnchanged: result.ok && result.changed?.length === 0 }))
    },
    watch,
  )

/** Lists what undoes a bulk edit: for each changed client the former values, and the version that the edit made. */
export type Undo = { id: string; name: string; back: TraderChange; version: number }[]

/** Builds the undo of a bulk edit; a client that was not changed is left out. */
export function buildUndo(before: readonly Trader[], results: Results): Undo {
  const rows = new Map(before.map((trader) => [trader.id, trader]))
  return results.flatMap(({ id, changed = [] }) => {
    const was = rows.get(id)
    if (!was || changed.length === 0) return []
    const back: TraderChange = {}
    if (changed.includes('segments')) back.segments = was.segments
    if (changed.includes('tags')) back.tags = was.tags
    if (changed.includes('assignedTo')) back.assignedTo = was.assignedTo
    if (changed.includes('riskLevel')) back.riskLevel = was.riskLevel
    // The edit made the next version. If the client has another one, a colleague wrote too, and the undo is refused.
    return [{ id, name: traderName(was), back, version: was.version + 1 }]
  })
}

/** Undoes the change client by client. A client whom a colleague has changed since stays, and the result says so. */
export const undoEdit = (undo: Undo, watch: Watch) =>
  sendEach(
    undo,
    async ({ id, back, version }): Promise<BulkResult & { isChanged?: boolean }> => {
      try {
        await updateTrader(id, back, version)
        return { id, ok: true }
      } catch (error) {
        if (isConflict(error)) return { id, ok: false, isChanged: true }
        throw error
      }
    },
    watch,
  )
