const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** Repeatable random values for rows: numbers in [0, 1), an item of some, and ids of the product's form. */
export type Chance = {
  random: () => number
  pick: <T>(items: readonly T[]) => T
  id: (prefix: string, at: number) => string
}

/** Returns random values from a source of numbers; the same source makes the same rows in every build. */
export function createChance(random: () => number): Chance {
  return {
    random,
    pick: (items) => {
      const item = items[Math.floor(random() * items.length)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
    id: (prefix, at) => {
      let text = ''
      for (let left = at, digit = 0; digit < 10; digit += 1) {
        text = `${ALPHABET[left % 32]}${text}`
        left = Math.floor(left / 32)
      }
      for (let digit = 0; digit < 16; digit += 1) text += ALPHABET[Math.floor(random() * 32)]
      return `${prefix}_${text}`
    },
  }
}

/** One row in some thousands has this value, so a filter by it is slow without an index. */
export const RARE = 0.0003

/** Returns an `INSERT` of the named columns, which the connection prepares once. */
export const insert = (table: string, columns: string): string =>
  `INSERT INTO ${table} (${columns}) VALUES (${columns
    .split(',')
    .map(() => '?')
    .join(',')})`
