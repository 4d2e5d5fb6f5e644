import { KIB, MIB } from '../../bytes.ts'
import { perApp } from '../../capabilities.ts'
import { MINUTE } from '../../clock.ts'

/** An answer is reused for this long; its `asOf` shows its time. */
const KEPT = MINUTE
/** The limits of the answers of one firm, and of all. */
const OF_ONE = { entries: 40, bytes: 4 * MIB }
const OF_ALL = 32 * MIB
/** An entry costs this much beside its text. */
const OVERHEAD = KIB

/** A request for an answer: `gone` ends when the caller disconnects. */
type Asking = { firm: string; asked: string; now: number; gone: AbortSignal | null }
type Making = { answer: Promise<unknown>; stop: AbortController; waiting: number }
type Entry = { firm: string; at: number; bytes: number; answer: unknown }

/** Stores answers for a minute. The oldest is removed if the answers of a firm, or of all, exceed their share. */
function createHeldAnswers(ofOne: typeof OF_ONE, ofAll: number) {
  const entries = new Map<string, Entry>()
  const held = (firm?: string): { entries: number; bytes: number } => {
    const kept = [...entries.values()].filter((entry) => firm === undefined || entry.firm === firm)
    return { entries: kept.length, bytes: kept.reduce((sum, { bytes }) => sum + bytes, 0) }
  }
  const forget = (which: (entry: Entry) => boolean): void => {
    for (const [key, entry] of entries) {
      if (!which(entry)) continue
      entries.delete(key)
      return
    }
  }
  const keep = (key: string, entry: Entry): void => {
    for (const [old, { at }] of entries) if (entry.at - at >= KEPT) entries.delete(old)
    if (entry.bytes > ofOne.bytes) return
    entries.delete(key)
    entries.set(key, entry)
    for (let now = held(entry.firm); now.entries > ofOne.entries || now.bytes > ofOne.bytes; now = held(entry.firm))
      forget(({ firm }) => firm === entry.firm)
    while (held().bytes > ofAll) forget(() => true)
  }
  const find = (key: string, now: number): Entry | undefined => {
    const known = entries.get(key)
    return known && now >= known.at && now - known.at < KEPT ? known : undefined
  }
  return { held, keep, find }
}

/**
 * Caches answers for a minute, by firm and parameters. The oldest is removed if the answers of a firm, or of all,
 * exceed their share. Callers who ask for an answer that is being made wait for it too.
 */
export function createReportCache(ofOne = OF_ONE, ofAll = OF_ALL) {
  const { held, keep, find } = createHeldAnswers(ofOne, ofAll)
  const making = new Map<string, Making>()
  const begin = (key: string, firm: string, now: number, make: (signal: AbortSignal) => Promise<unknown>): Making => {
    const stop = new AbortController()
    const answer = make(stop.signal)
      .then((made) => {
        keep(key, { firm, at: now, bytes: JSON.stringify(made).length + OVERHEAD, answer: made })
        return made
      })
      .finally(() => {
        if (making.get(key) === begun) making.delete(key)
      })
    const begun: Making = { answer, stop, waiting: 0 }
    making.set(key, begun)
    return begun
  }
  return {
    held,
    /**
     * Returns an answer: one of the last minute, one that is being made, or what `make` makes at `now`. Making stops
     * once no caller waits: `gone` ends when the caller disconnects.
     */
    recall: <T>({ firm, asked, now, gone }: Asking, make: (signal: AbortSignal) => Promise<T>): Promise<T> => {
      const key = `${firm}\n${asked}`
      const known = find(key, now)
      if (known) return Promise.resolve(known.answer as T)
      const running = making.get(key) ?? begin(key, firm, now, make)
      running.waiting += 1
      const leave = (): void => {
        running.waiting -= 1
        if (running.waiting > 0) return
        // the next caller starts again
        making.delete(key)
        running.stop.abort(gone?.reason)
      }
      gone?.addEventListener('abort', leave, { once: true })
      return running.answer.finally(() => gone?.removeEventListener('abort', leave)) as Promise<T>
    },
  }
}
export const getReportCache = perApp(() => createReportCache())
