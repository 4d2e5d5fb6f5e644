import { DAY } from './clock.ts'

/** Clients that are told apart: whoever read so many is told of as “so many or more”. */
export const MOST_COUNTED = 10_000

/** A colleague, or one of their keys. */
type StaffReader = { readonly tenantId: string; readonly userId: string; readonly apiKeyId: string | null }
/** The clients whom somebody read on one day (UTC), and how many of them are noted. */
export type Tally = StaffReader & {
  readonly day: number
  readonly clients: Set<string>
  noted: number
}

/**
 * Who of the staff read how many clients, in memory: a read costs one look into a set and never fails for being
 * counted. A job notes the numbers every few seconds; what a killed server had not noted is lost, and whoever was read
 * before a start counts once more after it. RULES “Reading people”.
 */
export function createTallies(now: () => number) {
  const tallies = new Map<string, Tally>()
  /** Whom to tell, of each reader the one of now: most requests need no more than a look. */
  const latest = new Map<string, { tally: Tally; seen: (traderId: string) => void }>()
  return {
    /** Whom to tell of each client that somebody reads. */
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
    /** Those with something to note; of days that are over the others are forgotten. */
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
