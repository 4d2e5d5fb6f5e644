import type { Mask, World } from './world.ts'

/** Returns a whole number below `n`; the numbers are the same for the same seed. */
export type Random = (n: number) => number

export type Act = {
  name: string
  weight: (world: World) => number
  run: (world: World, random: Random) => Promise<void>
}

const AMOUNTS = ['400.00', '950.00', '5000.00', '9999.99', '20000.00'] as const
/** Returns a random item. */
export const pick = <T>(random: Random, items: readonly T[]): T | undefined => items[random(items.length)]
export const amount = (random: Random): string => pick(random, AMOUNTS) ?? '400.00'
/** Returns a random identity that the insider can use. */
export const masks = (world: World, random: Random): Mask | undefined =>
  pick(random, [...world.staff, ...world.clients])
export const staff = (world: World, random: Random): Mask | undefined =>
  random(3) === 0 ? world.staff[0] : pick(random, world.staff)
/** Returns a client to steal from. */
export const target = (world: World, random: Random): string | undefined =>
  pick(random, random(3) === 0 ? world.honest : world.accomplices)
/** Returns mostly the latest id, since money that is nearly out is the best target. */
export const open = (random: Random, ids: readonly string[]): string | undefined =>
  pick(random, random(3) === 0 ? ids : ids.slice(-2))
export const some = (items: readonly unknown[], weight: number) => (items.length > 0 ? weight : 0)

export const act = (name: string, weight: number | ((world: World) => number), run: Act['run']): Act => ({
  name,
  weight: typeof weight === 'number' ? () => weight : weight,
  run,
})

/** Returns a small generator of the same numbers for the same seed (mulberry32). */
export function createSeededRandom(seed: number): Random {
  let state = seed >>> 0
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0
    let value = Math.imul(state ^ (state >>> 15), state | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    return Math.floor((((value ^ (value >>> 14)) >>> 0) / 4_294_967_296) * n)
  }
}
