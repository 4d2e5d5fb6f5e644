import { randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { SECOND, toIso } from '../clock.ts'
import type { Store } from './store.ts'

/** Who replicates to a place now. Two at once would be two histories of one firm. */
const LeaseNote = Type.Object({
  /** Another one for each process. */
  holder: Type.String(),
  host: Type.String(),
  /** Says where the data directory is, so that the next process of the same one need not wait. */
  origin: Type.String(),
  renewedAt: Type.String(),
})
type LeaseNote = Static<typeof LeaseNote>

const NAME = 'lease.json'
/** The holder says this often that it is there, and is thought gone after this long without a word. */
const RENEW_EVERY = 5 * SECOND
const GONE_AFTER = 20 * SECOND

/**
 * Where a directory is: this start of this machine, the file system and the directory on it. A copy of the machine or
 * of the directory has another one; empty where the system does not tell.
 */
function originOf(dataDir: string): string {
  try {
    const { dev, ino } = statSync(dataDir)
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${dev}:${ino}`
  } catch {
    return ''
  }
}

export type Lease = {
  /** Waits until this process holds the place. `told` hears who holds it meanwhile. Ends with `signal`. */
  take(signal: AbortSignal, told: (who: string) => void): Promise<void>
  /** Renews it for ever; resolves with who has it when somebody else has, or with null when `signal` ends it. */
  keep(signal: AbortSignal): Promise<string | null>
  /** Gives it up, so that the next server need not wait. */
  release(): Promise<void>
}

/** Who says that they hold the place; undefined where nobody does. */
async function readNote(store: Store): Promise<LeaseNote | undefined> {
  const bytes = await store.read(NAME)
  if (!bytes) return undefined
  const note: unknown = JSON.parse(new TextDecoder().decode(bytes))
  // what nobody understands is nobody's
  return Value.Check(LeaseNote, note) ? note : undefined
}

const nameOf = ({ host, renewedAt }: LeaseNote): string => `another server on ${host}, last seen ${renewedAt}`

/** A lease on the place that a store holds, for whoever has the lock of this data directory. */
export function createLease(parts: {
  store: Store
  dataDir: string
  now: () => number
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
}): Lease {
  const { store, dataDir, now, sleep } = parts
  const me = { holder: randomBytes(12).toString('hex'), host: hostname(), origin: originOf(dataDir) }

  const read = (): Promise<LeaseNote | undefined> => readNote(store)
  const write = (): Promise<void> =>
    store.write(NAME, new TextEncoder().encode(JSON.stringify({ ...me, renewedAt: toIso(now()) })))
  const isFree = (note: LeaseNote | undefined): boolean =>
    note === undefined || note.holder === me.holder || (me.origin !== '' && note.origin === me.origin)

  return {
    take: async (signal, told) => {
      let seen: string | undefined
      let since = performance.now()
      while (!signal.aborted) {
        const note = await read()
        if (
          !note ||
          isFree(note) ||
          (note.holder + note.renewedAt === seen && performance.now() - since > GONE_AFTER)
        ) {
          await write()
          // of two that saw it free at the same moment, the one that wrote last has it
          await sleep(note && isFree(note) ? 0 : SECOND, signal)
          if ((await read())?.holder === me.holder) return
          continue
        }
        if (note.holder + note.renewedAt !== seen) {
          seen = note.holder + note.renewedAt
          since = performance.now()
          told(nameOf(note))
        }
        await sleep(RENEW_EVERY, signal)
      }
    },
    keep: async (signal) => {
      while (!signal.aborted) {
        await sleep(RENEW_EVERY, signal)
        if (signal.aborted) return null
        try {
          const note = await read()
          if (note && note.holder !== me.holder) return nameOf(note)
          await write()
        } catch {
          // out of reach: nobody else can take it either, and the lag says so
        }
      }
      return null
    },
    release: async () => {
      if ((await read())?.holder === me.holder) await store.remove(NAME)
    },
  }
}
