import { createHmac } from 'node:crypto'

/** Words of 32 bits in one sum. */
export const WORDS = 4

/**
 * Sums of the digests of rows, one for each table: the order of rows does not matter, a row that comes is added and one
 * that goes is subtracted. Digests are keyed and the sums are never shown, so that nobody can look for rows that make
 * up for one another.
 */
export type Sums = Uint32Array

/** The digest of one row under a key. */
const digestRow = (key: Uint8Array, row: Uint8Array): Buffer => createHmac('sha256', key).update(row).digest()

/** Adds a row to the sum of a table, or takes it away, modulo 2^128. */
export function count(sums: Sums, table: number, key: Uint8Array, row: Uint8Array, isAdded: boolean): void {
  const digest = digestRow(key, row)
  // to take away is to add the complement and one
  let carry = isAdded ? 0 : 1
  for (let word = 0; word < WORDS; word += 1) {
    const part = digest.readUInt32LE(word * 4)
    const at = table * WORDS + word
    const sum = (sums[at] ?? 0) + (isAdded ? part : ~part >>> 0) + carry
    sums[at] = sum
    carry = sum > 0xffffffff ? 1 : 0
  }
}
