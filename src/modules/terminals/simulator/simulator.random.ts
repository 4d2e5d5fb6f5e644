/** Seeded random numbers. The same seed gives the same numbers on every machine, and `seed` continues them later. */
export type Random = {
  /** Where the sequence is now. */
  seed: number
  /** Returns a number of 0 or more and below 1. */
  next(): number
  /** Returns a whole number of 0 or more and below a bound. */
  below(bound: number): number
  pick<T>(list: readonly T[]): T
  hex(bytes: number): string
}

/** Makes random numbers from a seed, by adding a constant and mixing the bits of the sum. */
export function makeRandom(seed: number): Random {
  const random: Random = {
    seed: seed >>> 0,
    next: () => {
      random.seed = (random.seed + 0x9e3779b9) >>> 0
      let mixed = random.seed
      mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad)
      mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
      return ((mixed ^ (mixed >>> 15)) >>> 0) / 0x1_0000_0000
    },
    below: (bound) => Math.floor(random.next() * bound),
    pick: (list) => {
      const chosen = list[random.below(list.length)]
      if (chosen === undefined) throw new Error('nothing can be picked from an empty list')
      return chosen
    },
    hex: (bytes) => {
      let text = ''
      while (text.length < bytes * 2) text += random.below(256).toString(16).padStart(2, '0')
      return text
    },
  }
  return random
}
