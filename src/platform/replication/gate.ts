import { SECOND } from '../clock.ts'
import type { ReplicaGate } from '../db/writer-queue.ts'
import type { Log } from '../log.ts'

/** The writes that are answered only after the replica has them. */
type ReplicaWait = 'off' | 'money' | 'all'

/** The replica did not have a write in time, so the write is committed on this machine only. It becomes a 503. */
export class ReplicaBehind extends Error {
  override name = 'ReplicaBehind'
}

/** The replica is out of reach, and nothing was written. It becomes a 503. */
export class ReplicaAway extends Error {
  override name = 'ReplicaAway'
}

/** The longest time that an answer waits for the replica. */
export const ANSWER_WITHIN = 5 * SECOND

/** Resolves and rejects as `work` does; rejects as well after `ms` milliseconds. */
async function within(work: Promise<void>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** The input of `createGate`. */
type GateParts = {
  wait: ReplicaWait
  degrade: boolean
  sync: (patience: number) => Promise<void>
  isAway: () => boolean
  /** Whether this server is sure to hold the place; only then an answer that waited may leave. */
  isSure: () => boolean
  committed: () => void
  /** Records what is committed now; the returned function says whether the replica has it. */
  owe: () => () => boolean
  log: Log
}

/**
 * Makes the gate that lets answers wait for the replica. Writes that come during a sync share the next one, since the
 * running sync may lack their commits. `isAway` says whether the replica is known to be out of reach. With `degrade` an
 * answer leaves even then, which is logged once.
 */
export function createGate(parts: GateParts): ReplicaGate {
  const { wait, degrade, sync, isAway, isSure, committed, owe, log } = parts
  let current: Promise<void> | null = null
  let next: Promise<void> | null = null
  let isDegraded = false
  let isPaid = (): boolean => true

  const once = async (): Promise<void> => {
    try {
      await within(sync(ANSWER_WITHIN), ANSWER_WITHIN)
      if (!isSure()) throw new Error('it is not sure any more that no other server writes to the place')
      if (isDegraded) log.warn('the replica is there again: answers wait for it as before')
      isDegraded = false
    } catch (cause) {
      isPaid = owe()
      if (!degrade) throw new ReplicaBehind('the replica did not have it in time', { cause })
      if (!isDegraded) log.error({ err: cause }, 'the replica is out of reach: answers leave without it')
      isDegraded = true
    }
  }
  const begin = (): Promise<void> => {
    const mine = once().finally(() => {
      if (current === mine) current = null
    })
    current = mine
    return mine
  }
  return {
    wants: (isMoney) => wait === 'all' || (wait === 'money' && isMoney),
    demand: () => {
      if (!degrade && isAway()) throw new ReplicaAway('the replica is out of reach')
    },
    committed,
    demandOwed: () => {
      if (wait !== 'off' && !degrade && (isAway() || !isPaid()))
        throw new ReplicaBehind('the replica does not have it yet')
    },
    reached: () => {
      // no answer waits for a replica that is known to be out of reach; the watch notices when it is back
      if (degrade && isDegraded && isAway()) return Promise.resolve()
      if (!current) return begin()
      next ??= current
        .catch(() => {})
        .then(() => {
          next = null
          return begin()
        })
      return next
    },
  }
}
