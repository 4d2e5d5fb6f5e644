import { type Clock, toIso } from '../clock.ts'
import {
  createClaims,
  findSuccessor,
  type Lineage,
  nextHistoryId,
  removeClaim,
  writeClaim,
} from '../replication/histories.ts'
import { createLease, type Holder, type Lease, type Me, RENEW_EVERY } from '../replication/lease.ts'
import type { Notes } from '../replication/notes.ts'
import { sleepUntil } from '../replication/sleep-until.ts'
import type { Store } from '../replication/store.ts'

type TakeoverParts = {
  store: Store
  notes: Notes
  me: Me
  /** The history that the taken data belongs to. */
  from: string
  /** An operator says that the server before does not run, so nothing waits for its lease. */
  isOff: boolean
  schema: number
  version: string
  clock: Clock
  /** Called with each step, in words. */
  tell: (line: string) => void
}

/** A place that is held for a standby, until it serves or gives up. */
export type Takeover = {
  /** The history that was claimed for it. */
  readonly history: string
  /** Throws if another server has taken the place meanwhile. */
  demandHeld(): void
  /**
   * Ends the renewals, and leaves lease and claim for the server that starts now on this directory. With `isElsewhere`
   * it replicates to another place: the claim says so, and the lease is given up.
   */
  handOver(isElsewhere: boolean): Promise<void>
  /** Removes the claim and gives the lease up. */
  giveUp(): Promise<void>
}

const describe = ({ host, url }: Holder): string => (url === '' ? host : `${host} (${url})`)

/** Throws since another server has the place, or took it meanwhile. */
function refuse(by: Holder): never {
  throw new Error(
    `The server on ${describe(by)} writes to this place and renews its lease. Stop it first: it gives the lease up.`,
  )
}

/** Takes the lease; throws as soon as its holder is seen to renew it. */
async function takeLease(lease: Lease, { isOff, tell }: TakeoverParts): Promise<'free' | 'held before'> {
  const seen: Holder[] = []
  const renewed = new AbortController()
  const onHeld = (by: Holder): void => {
    seen.push(by)
    if (seen.length === 1) tell(`the lease is that of ${describe(by)}, renewed last at ${by.renewedAt}: waiting 20 s`)
    else renewed.abort()
  }
  const taken = await lease.take(renewed.signal, onHeld, { isOff })
  const [, again] = seen
  if (again) refuse(again)
  tell(taken === 'free' ? 'the lease was free and is taken' : 'the lease was silent and is taken')
  return taken === 'free' ? 'free' : 'held before'
}

/** Renews a lease until the signal aborts. Returns how to learn who took it, and how to wait for the last renewal. */
function keepRenewing(lease: Lease, signal: AbortSignal): { lostTo(): Holder | undefined; ended: Promise<void> } {
  let lostTo: Holder | undefined
  const renew = async (): Promise<void> => {
    for (; !signal.aborted && !lostTo; await sleepUntil(RENEW_EVERY, signal))
      try {
        const found = await lease.renew({ anyway: true })
        if (found.kind === 'taken' || found.kind === 'claimed') lostTo = found.by
      } catch {
        // the place is out of reach, and the next renewal may reach it
      }
  }
  return { lostTo: () => lostTo, ended: renew() }
}

/**
 * Takes the place of a server that is gone: its lease, which is renewed from then on, and a claim on a new history.
 * What the place has 10 s later is all that the former server can have answered for. Throws a sentence, and leaves
 * nothing at the place, if somebody else writes there.
 */
export async function beginTakeover(parts: TakeoverParts): Promise<Takeover> {
  const { store, notes, me, from, schema, version, clock, tell } = parts
  const claims = createClaims(store, notes)
  const readClaims = async () => (await claims()).filter(({ proof }) => proof === 'ours')
  let own: Lineage | undefined
  const claimed = async (): Promise<Holder | undefined> => {
    const next = own && findSuccessor(await readClaims(), own.id)
    return next && { host: next.host ?? '', url: next.url ?? '', renewedAt: next.startedAt }
  }
  const steady = (): number => performance.now()
  const lease = createLease({ notes, me, now: clock.now, steady, sleep: sleepUntil, claimed })
  const taken = await takeLease(lease, parts)
  const ending = new AbortController()
  let renewed: Promise<void> = Promise.resolve()
  const giveUp = async (): Promise<void> => {
    ending.abort()
    await renewed
    if (own) await removeClaim(store, own.id)
    await lease.release()
  }
  try {
    const startedAt = toIso(clock.now())
    const by = { host: me.host, url: me.url }
    const id = nextHistoryId(clock.now(), await readClaims())
    own = { id, startedAt, schema, version, reason: 'promoted', from, complete: false, ...by }
    await writeClaim(store, notes, own)
    if (taken === 'free') lease.settle()
    else {
      tell('a new history is claimed: waiting 10 s for answers of the former server')
      const found = await lease.outwait(ending.signal)
      if (found.kind === 'taken' || found.kind === 'claimed') refuse(found.by)
    }
    const { lostTo, ended } = keepRenewing(lease, ending.signal)
    renewed = ended
    const claim = own
    return {
      history: claim.id,
      demandHeld: () => {
        const by = lostTo()
        if (by) refuse(by)
      },
      handOver: async (isElsewhere) => {
        ending.abort()
        await renewed
        if (!isElsewhere) return
        await writeClaim(store, notes, { ...claim, elsewhere: true })
        await lease.release()
      },
      giveUp,
    }
  } catch (error) {
    await giveUp().catch(() => {})
    throw error
  }
}
