import { createClaims, lineageAt } from '../../platform/replication/histories.ts'
import { createNotes } from '../../platform/replication/notes.ts'
import { type Disk, KEY, type Mutation, type Process, restored, startProcess } from './server.ts'
import { createDice, createWay, createWorld } from './world.ts'

/** How long a schedule lasts, and below it how long after it late calls take effect; in milliseconds. */
const LASTS = 110_000
const SETTLES = 60_000
const WRITE_EVERY = 900

type Acknowledged = { id: number; at: number; by: string; history: string }

/** The result of a schedule: takeovers, acknowledged writes, and a description of the fault. */
type Walked = { takings: number; acknowledged: number; fault: string | null }

/**
 * Runs one random schedule of two servers and a place. The first server serves, is cut off or killed, and comes back at
 * random; the second is started at random to take over. Both write whenever they may. No acknowledged write may be
 * missing from the newest history of the place, and no server may acknowledge a write after another server with a later
 * history did.
 */
export async function walk(seed: number, mutation: Mutation): Promise<Walked> {
  const dice = createDice(seed)
  const world = createWorld()
  const place = new Map<string, Uint8Array>()
  const acknowledged: Acknowledged[] = []
  let writes = 0

  /** Makes a machine whose clock is wrong, and is set during the schedule. */
  function machine(name: string, follows: boolean) {
    const way = createWay(world, dice, place)
    const disk: Disk = { name, lineage: null, writes: [] }
    const offset = dice.between(-600_000, 600_000)
    const stepAt = dice.between(0, LASTS * 2)
    const clock = (): number => 1_700_000_000_000 + world.now() + (world.now() > stepAt ? -offset : offset)
    let process: Process | null = null
    const start = (): void => {
      process ??= startProcess({ world, store: way.store, disk, clock, follows, mutation })
    }
    const stop = (): void => {
      process?.kill()
      process = null
    }
    const write = async (): Promise<void> => {
      const one = process
      if (!one?.isPrimary()) return
      writes += 1
      const id = writes
      const history = one.history()
      if (await one.write(id)) acknowledged.push({ id, at: world.now(), by: name, history })
    }
    const beat = (): void => {
      void write()
      if (world.now() < LASTS) world.plan(world.now() + WRITE_EVERY, beat)
    }
    world.plan(dice.between(0, WRITE_EVERY), beat)
    return { way, start, stop }
  }
  const [first, second] = [machine('first', false), machine('second', true)]
  const at = (from: number, to: number, act: () => void): number => {
    const moment = dice.between(from, to)
    world.plan(moment, act)
    return moment
  }
  first.start()
  // the first server is cut off, killed, or both while it serves, and comes back some time later
  const away = at(12_000, 30_000, () => (dice.isOneIn(2) ? first.stop() : first.way.cut(true)))
  at(away, away + 70_000, () => {
    first.way.cut(false)
    first.start()
  })
  // sometimes both servers begin at once
  if (dice.isOneIn(4)) at(0, 2_000, second.start)
  else at(5_000, away + 30_000, second.start)
  if (dice.isOneIn(3)) {
    const cut = at(30_000, 80_000, () => second.way.cut(true))
    at(cut, cut + 40_000, () => second.way.cut(false))
  }
  if (dice.isOneIn(3)) {
    const killed = at(30_000, 80_000, second.stop)
    at(killed, killed + 30_000, second.start)
  }
  await world.run(LASTS)
  for (const { stop } of [first, second]) stop()
  await world.run(LASTS + SETTLES)

  const store = {
    read: async (name: string) => place.get(name),
    list: async (name: string) => [...place.keys()].filter((one) => one.startsWith(`${name}/`)),
  }
  const notes = createNotes({ ...store, write: async () => {}, remove: async () => {} }, [KEY])
  const histories = (await createClaims(store, notes)()).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const newest = lineageAt(histories, null)
  const kept = new Set(newest ? await restored(store, newest.id) : [])
  const takings = Math.max(0, histories.length - 1)
  return { takings, acknowledged: acknowledged.length, fault: findFault(acknowledged, kept) }
}

function findFault(acknowledged: readonly Acknowledged[], kept: ReadonlySet<number>): string | null {
  let latest: Acknowledged | undefined
  for (const one of acknowledged) {
    if (latest && one.by !== latest.by && one.history < latest.history)
      return `${one.by} acknowledged at ${Math.round(one.at)} after ${latest.by} of a later history had at ${Math.round(latest.at)}`
    if (!latest || one.history > latest.history) latest = one
  }
  const lost = acknowledged.find(({ id }) => !kept.has(id))
  return lost ? `write ${lost.id}, acknowledged by ${lost.by} at ${Math.round(lost.at)}, is lost` : null
}
