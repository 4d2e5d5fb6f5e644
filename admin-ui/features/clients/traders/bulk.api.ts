import { type Answer, type Body, call } from '../../../api.ts'
import type { Trader } from './traders.api.ts'

export type Changes = Body<'traders.bulkEdit'>['changes']
export type Results = Answer<'traders.bulkEdit'>['results']

/** As many as one call takes. */
const MOST = 500

/** Changes many clients, so many at a time as a call takes; a result for each. */
export async function bulkEdit(ids: readonly string[], changes: Changes): Promise<{ results: Results }> {
  const results: Results = []
  for (let at = 0; at < ids.length; at += MOST) {
    const answer = await call('traders.bulkEdit', { body: { ids: ids.slice(at, at + MOST), changes } })
    results.push(...answer.results)
  }
  return { results }
}

/** One act on many clients, as it is taken back: for each way of undoing it, the clients whom that brings back. */
export type Undo = { changes: Changes; ids: string[] }[]

/** How each client that was changed becomes what they were; nothing is undone of those who were not. */
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
