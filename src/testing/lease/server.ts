import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { toIso } from '../../platform/clock.ts'
import { createIds, readIdTime } from '../../platform/ids.ts'
import {
  createClaims,
  findSuccessor,
  type Lineage,
  lineageAt,
  removeClaim,
  writeClaim,
} from '../../platform/replication/histories.ts'
import { createLease, type Holder, type Me, RENEW_EVERY } from '../../platform/replication/lease.ts'
import { createNotes } from '../../platform/replication/notes.ts'
import type { Store } from '../../platform/replication/store.ts'
import type { World } from './world.ts'

/** A rule of the product that is left out, to prove that the walks notice. */
export type Mutation = 'none' | 'sure' | 'outwait' | 'claim'

/** The disk of a directory, which outlives its processes: the current history, and all writes. */
export type Disk = { name: string; lineage: Lineage | null; writes: number[] }

export const KEY = new Uint8Array(32).fill(7)
const baseName = (lineage: string): string => `${lineage}/base.json`
const changes = (lineage: string): string => `${lineage}/changes`
const encode = (writes: readonly number[]): Uint8Array => new TextEncoder().encode(JSON.stringify(writes))
const decode = (bytes: Uint8Array | undefined): number[] =>
  bytes ? Value.Decode(Type.Array(Type.Number()), JSON.parse(new TextDecoder().decode(bytes))) : []

/** Returns all writes of a history that the place has. */
export async function restored(store: Pick<Store, 'read' | 'list'>, lineage: string): Promise<number[]> {
  const names = await store.list(changes(lineage))
  return [...decode(await store.read(baseName(lineage))), ...names.map((name) => Number(name.split('/').at(-1)))]
}

/** Starts one process of a server over a disk. It uses the place and its lease by the product's own code. */
export function startProcess(parts: {
  world: World
  store: Store
  disk: Disk
  /** The wall clock of this machine, on which nothing may depend. */
  clock: () => number
  /** Whether it begins with the data of another server at the place, and waits until there is some. */
  follows: boolean
  mutation: Mutation
}) {
  const { world, store, disk, clock, follows, mutation } = parts
  const ending = new AbortController()
  const { signal } = ending
  const me: Me = { holder: `${disk.name} ${world.now()} ${Math.random()}`, host: disk.name, url: '', origin: disk.name }
  const notes = createNotes(store, [KEY])
  const claims = createClaims(store, notes)
  let own: Lineage | null = disk.lineage
  let isPrimary = false
  let isReplaced = false

  const claimed = async (): Promise<Holder | undefined> => {
    if (own === null || mutation === 'claim') return undefined
    const next = findSuccessor(await claims(), own.id)
    return next && { host: next.host ?? '', url: '', renewedAt: next.startedAt }
  }
  const sleep = (ms: number): Promise<void> => world.sleep(ms)
  const lease = createLease({ notes, me, now: clock, steady: world.now, sleep, claimed })
  const isSure = (): boolean => mutation === 'sure' || lease.isSure()

  const hasNothing = async (): Promise<boolean> =>
    follows && disk.lineage === null && !(await claims()).some(({ complete }) => complete)
  async function lookWhetherReplaced(): Promise<boolean> {
    if (disk.lineage === null || mutation === 'claim') return false
    const next = findSuccessor(await claims(), disk.lineage.id)
    if (!next || next.complete === false) return false
    isReplaced = true
    return true
  }
  async function hold(taken: 'free' | 'silent' | 'absent'): Promise<void> {
    const known = (await claims()).toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const newest = lineageAt(known, null)
    const goesOn = disk.lineage !== null && known.at(-1)?.id === disk.lineage.id
    const isNew = disk.lineage === null
    const at = Math.max(clock(), ...known.map(({ id }) => readIdTime(id) + 1))
    const id = createIds({ now: () => at })
      .next('lin')
      .slice(4)
    const lineage: Lineage =
      goesOn && disk.lineage
        ? disk.lineage
        : {
            id,
            startedAt: toIso(at),
            schema: 1,
            version: '',
            reason: 'put back',
            from: disk.lineage?.id ?? newest?.id ?? null,
            complete: false,
            host: disk.name,
          }
    if (!goesOn && mutation !== 'claim') await writeClaim(store, notes, lineage)
    own = lineage
    if (taken !== 'free' && mutation !== 'outwait') {
      const found = await lease.outwait(signal)
      if (found.kind === 'taken' || found.kind === 'claimed') {
        own = disk.lineage
        if (!goesOn) await removeClaim(store, lineage.id)
        return
      }
    }
    if (signal.aborted) return
    // takes over: the last changes come from the place, since no other server can acknowledge any now
    if (isNew && newest) disk.writes = await restored(store, newest.id)
    if (signal.aborted) return
    disk.lineage = lineage
    // if an earlier attempt failed to write the first copy, this one writes it
    const isWhole = known.some((one) => one.id === lineage.id && one.complete)
    if (!isWhole) await store.write(baseName(lineage.id), encode(disk.writes))
    await writeClaim(store, notes, { ...lineage, complete: true })
    // answers that wait are refused until the place has a first whole copy
    isPrimary = true
    while (!signal.aborted) {
      await sleep(RENEW_EVERY)
      if (signal.aborted) return
      try {
        const found = await lease.renew()
        if (found.kind === 'taken' || found.kind === 'claimed') return
        if (found.kind === 'gone') await lease.renew({ anyway: true })
      } catch {
        // the place is out of reach, so the renewal does not count
      }
    }
  }
  const run = async (): Promise<void> => {
    while (!signal.aborted && !isReplaced) {
      try {
        if (await lookWhetherReplaced()) return
        if (await hasNothing()) {
          await sleep(RENEW_EVERY)
          continue
        }
        const taken = await lease.take(signal, () => {
          isPrimary = false
        })
        if (signal.aborted || (await lookWhetherReplaced())) return
        await hold(taken)
      } catch {
        await sleep(RENEW_EVERY)
      }
      isPrimary = false
    }
  }
  void run()
  return {
    /** Writes and waits for the replica; returns whether it was acknowledged. */
    write: async (id: number): Promise<boolean> => {
      if (!isPrimary || signal.aborted || !isSure()) return false
      disk.writes = [...disk.writes, id]
      try {
        await store.write(`${changes(disk.lineage?.id ?? '')}/${id}`, new Uint8Array())
      } catch {
        return false
      }
      return isPrimary && !signal.aborted && isSure()
    },
    isPrimary: () => isPrimary && !signal.aborted,
    history: () => disk.lineage?.id ?? '',
    /** Ends the process at any point. */
    kill: (): void => {
      ending.abort()
      isPrimary = false
    },
  }
}
export type Process = ReturnType<typeof startProcess>
