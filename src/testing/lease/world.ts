import type { Store } from '../../platform/replication/store.ts'

/** Makes the random draws of one schedule: the same seed gives the same draws. Mulberry32. */
export function createDice(seed: number) {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    between: (least: number, most: number): number => least + next() * (most - least),
    isOneIn: (times: number): boolean => next() * times < 1,
  }
}
type Dice = ReturnType<typeof createDice>

type Event = { at: number; wake: () => void }

/** Makes a world whose time advances only by its events; milliseconds. */
export function createWorld() {
  const events: Event[] = []
  let now = 0
  const plan = (at: number, wake: () => void): void => {
    let place = events.length
    while (place > 0 && (events[place - 1]?.at ?? 0) < at) place -= 1
    // the list is kept with the soonest event last
    events.splice(place, 0, { at, wake })
  }
  return {
    now: () => now,
    plan,
    sleep: (ms: number): Promise<void> => new Promise((resolve) => plan(now + ms, resolve)),
    /** Advances the time to a moment; the effects of an event end before the next one. */
    run: async (until: number): Promise<void> => {
      for (let event = events.pop(); event !== undefined && event.at <= until; event = events.pop()) {
        now = event.at
        event.wake()
        await new Promise<void>((resolve) => void setImmediate(resolve))
      }
    },
  }
}
export type World = ReturnType<typeof createWorld>

/** A call of the place failed, or its answer was lost. */
class Unreachable extends Error {}

/** A call of the place takes at most this long; the store of the product then gives up. */
const LONGEST_CALL = 15_000

/**
 * Connects one server to a place that keeps the last written value. A call takes a while, sometimes the longest time. A
 * write takes effect at any time in between, even if its answer is lost or its caller is killed.
 */
export function createWay(world: World, dice: Dice, place: Map<string, Uint8Array>) {
  let isCut = false
  const duration = (): number => {
    if (dice.isOneIn(40)) return dice.between(1_000, LONGEST_CALL)
    return dice.between(5, 60)
  }
  async function call<T>(act: () => T): Promise<T> {
    if (isCut) {
      await world.sleep(dice.isOneIn(2) ? LONGEST_CALL : 50)
      throw new Unreachable()
    }
    const takes = duration()
    const acts = dice.between(0, takes)
    const isLost = dice.isOneIn(20)
    const answer = Promise.withResolvers<T>()
    world.plan(world.now() + acts, () => answer.resolve(act()))
    const value = await answer.promise
    await world.sleep(takes - acts)
    if (isLost) throw new Unreachable()
    return value
  }
  const store: Store = {
    read: (name) => call(() => place.get(name)),
    write: (name, bytes) => call(() => void place.set(name, bytes)),
    list: (name) => call(() => [...place.keys()].filter((one) => one.startsWith(`${name}/`))),
    has: (name) => call(() => place.has(name)),
    folders: async () => [],
    remove: (name) => call(() => void place.delete(name)),
    upload: async () => {},
    download: async () => {},
  }
  return {
    store,
    cut: (is: boolean): void => {
      isCut = is
    },
  }
}
