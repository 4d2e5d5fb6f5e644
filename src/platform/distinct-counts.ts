import { DAY } from './clock.ts'

/** This many clients are distinguished for one reader; the number is then shown as “or more”. */
export const MOST_COUNTED = 10_000

/** A colleague, or one of their keys. */
type StaffReader = { readonly tenantId: string; readonly userId: string; readonly apiKeyId: string | null }
/** The clients whom a reader read on one day (UTC), and how many of them are stored. */
export type Tally = StaffReader & {
  readonly day: number
  readonly clients: Set<string>
  noted: number
}

/**
 * Counts in memory how many clients each of the staff reads, which costs one look into a set and never fails. A job
 * stores the numbers every few seconds; a killed server loses the rest, and clients read before a start count again
 * after it. RULES “Reading people”.
 */
export function createTallies(now: () => number) {
  const tallies = new Map<string, Tally>()
  /** The present counter of each reader, since most requests need only this look-up. */
  const latest = new Map<string, { tally: Tally; seen: (traderId: string) => void }>()
  return {
    /** Returns the function to call for each client that a reader reads. */
    of({ tenantId, userId, apiKeyId }: StaffReader): (traderId: string) => void {
      const day = Math.floor(now() / DAY)
      const id = apiKeyId ?? userId
      const known = latest.get(id)
      if (known?.tally.day === day && known.tally.tenantId === tenantId) return known.seen
      const key = `${day} ${tenantId} ${id}`
      const tally = tallies.get(key) ?? { tenantId, userId, apiKeyId, day, clients: new Set<string>(), noted: 0 }
      tallies.set(key, tally)
      const seen = (traderId: string): void => {
        if (tally.clients.size < MOST_COUNTED) tally.clients.add(traderId)
      }
      latest.set(id, { tally, seen })
      return seen
    },
    /** Returns the counters with something to store; others of past days are removed. */
    changed(): Tally[] {
      const today = Math.floor(now() / DAY)
      for (const [key, tally] of tallies)
        if (tally.day < today && tally.noted === tally.clients.size) tallies.delete(key)
      for (const [id, { tally }] of latest) if (tally.day < today) latest.delete(id)
      return [...tallies.values()].filter(({ clients, noted }) => clients.size > noted)
    },
  }
}
export type Tallies = ReturnType<typeof createTallies>
