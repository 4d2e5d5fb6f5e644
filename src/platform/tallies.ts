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
  return {
    /** Whom to tell of each client that somebody reads. */
    of({ tenantId, userId, apiKeyId }: StaffReader): (traderId: string) => void {
      const day = Math.floor(now() / DAY)
      const key = `${day} ${tenantId} ${apiKeyId ?? userId}`
      const tally = tallies.get(key) ?? { tenantId, userId, apiKeyId, day, clients: new Set<string>(), noted: 0 }
      tallies.set(key, tally)
      return (traderId) => {
        if (tally.clients.size < MOST_COUNTED) tally.clients.add(traderId)
      }
    },
    /** Those with something to note; of days that are over the others are forgotten. */
    changed(): Tally[] {
      const today = Math.floor(now() / DAY)
      for (const [key, tally] of tallies)
        if (tally.day < today && tally.noted === tally.clients.size) tallies.delete(key)
      return [...tallies.values()].filter(({ clients, noted }) => clients.size > noted)
    },
  }
}
export type Tallies = ReturnType<typeof createTallies>
