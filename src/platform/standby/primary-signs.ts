import { SECOND } from '../clock.ts'

/** What a standby notices of its primary: its heartbeats in the copy, and the renewals of its lease at the place. */
export type Signs = {
  /** Notes the newest heartbeat (ms) or renewal that was seen; one that is the same as before is no sign. */
  heartbeat(at: number | null): void
  renewal(key: string | undefined): void
  /** Returns for how long (ms) there was no new sign. */
  silentFor(): number
}

/** Makes the memory of signs. `steady` is a clock in milliseconds that a change of the wall clock does not move. */
export function createSigns(steady: () => number): Signs {
  let beat: number | null = null
  let renewed: string | undefined
  let seenAt = steady()
  return {
    heartbeat: (at) => {
      if (at !== null && at !== beat) seenAt = steady()
      beat = at
    },
    renewal: (key) => {
      if (key !== undefined && key !== renewed) seenAt = steady()
      renewed = key
    },
    silentFor: () => steady() - seenAt,
  }
}

const PATIENCE = 5 * SECOND
/** The header `Date` has whole seconds, so that it is half a second behind on average. */
const HALF = SECOND / 2

/**
 * Returns by how many milliseconds the clock of a server is ahead of this one's, give or take a second, from the `Date`
 * of its answer; null if it does not answer.
 */
export async function readClockAhead(url: string, now: () => number): Promise<number | null> {
  try {
    const began = now()
    const signal = AbortSignal.timeout(PATIENCE)
    // Bun sends no date with an answer to HEAD
    const answer = await fetch(new URL('/health', url), { redirect: 'manual', signal })
    const date = Date.parse(answer.headers.get('date') ?? '')
    return Number.isNaN(date) ? null : date + HALF - (began + now()) / 2
  } catch {
    return null
  }
}
