import { KIB, MIB } from '../../bytes.ts'
import { perApp } from '../../capabilities.ts'
import { MINUTE } from '../../clock.ts'

/** So long an answer is given again; what it says of itself is `asOf`. */
const KEPT = MINUTE
/** What the answers of one firm, and of all, may take. */
const OF_ONE = { entries: 40, bytes: 4 * MIB }
const OF_ALL = 32 * MIB
/** Beside its text an entry costs this much. */
const OVERHEAD = KIB

/** What somebody asks for: `gone` ends when they have left. */
type Asking = { firm: string; asked: string; now: number; gone: AbortSignal | null }
type Making = { answer: Promise<unknown>; stop: AbortController; waiting: number }
type Entry = { firm: string; at: number; bytes: number; answer: unknown }

/** Answers that are kept for a minute: the oldest goes where a firm, or all, would keep more than their share. */
function createShelf(ofOne: typeof OF_ONE, ofAll: number) {
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
 * Remembers answers for a minute, by firm and what was asked: the oldest goes where a firm, or all, would keep more
 * than their share. While one is being made, whoever asks the same waits for it too.
 */
export function createMemory(ofOne = OF_ONE, ofAll = OF_ALL) {
  const { held, keep, find } = createShelf(ofOne, ofAll)
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
     * The answer to what is asked: one of the last minute, one that is being made, or what `make` makes at `now`. It is
     * made as long as somebody waits: `gone` ends when one of them has left.
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
        // who asks from now on begins anew
        making.delete(key)
        running.stop.abort(gone?.reason)
      }
      gone?.addEventListener('abort', leave, { once: true })
      return running.answer.finally(() => gone?.removeEventListener('abort', leave)) as Promise<T>
    },
  }
}
/** The memory of the running application. */
export const memoryOf = perApp(() => createMemory())
