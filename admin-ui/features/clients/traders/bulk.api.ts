import { type Answer, type Body, call } from '../../../api.ts'
import { sendInGroups, type Watch } from '../../../components/lists/send-in-groups.ts'
import type { Trader } from './traders.api.ts'

export type Changes = Body<'traders.bulkEdit'>['changes']
type Results = Answer<'traders.bulkEdit'>['results']

/** One call takes at most this many clients. */
const MOST = 500

/** Changes many clients in as many calls as needed; returns a result for each client. */
export const bulkEdit = (ids: readonly string[], changes: Changes, watch: Watch): Promise<Results> =>
  sendInGroups(
    ids,
    MOST,
    async (some) => (await call('traders.bulkEdit', { body: { ids: some, changes } })).results,
    watch,
  )

/** Describes how one change of many clients is undone: each reverse change, with the clients that it restores. */
export type Undo = { changes: Changes; ids: string[] }[]

/** Builds the changes that restore the changed clients; a client that was not changed is left out. */
export function buildUndo(before: readonly Trader[], changes: Changes, results: Results): Undo {
  const rows = new Map(before.map((trader) => [trader.id, trader]))
  const ways = new Map<string, { changes: Changes; ids: string[] }>()
  for (const { id, changed = [] } of results) {
    const was = rows.get(id)
    if (!was || changed.length === 0) continue
    const back: Changes = {}
    if (changed.includes('segments')) {
      const added = (changes.addSegments ?? []).filter((name) => !was.segments.includes(name))
      const removed = (changes.removeSegments ?? []).filter((name) => was.segments.includes(name))
      if (added.length > 0) back.removeSegments = added
      if (removed.length > 0) back.addSegments = removed
    }
    if (changed.includes('assignedTo')) back.assignedTo = was.assignedTo
    if (changed.includes('riskLevel')) back.riskLevel = was.riskLevel
    const key = JSON.stringify(back)
    const way = ways.get(key) ?? { changes: back, ids: [] }
    way.ids.push(id)
    ways.set(key, way)
  }
  return [...ways.values()]
}
