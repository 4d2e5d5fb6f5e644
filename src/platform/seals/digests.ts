import { createHmac } from 'node:crypto'

/** The number of 32-bit words in one sum. */
export const WORDS = 4

/**
 * The sums of the digests of rows, one for each table. The order of rows does not matter: a new row is added, a deleted
 * one is subtracted. Digests are keyed and the sums are never shown, so that an attacker cannot search for rows whose
 * digests cancel out.
 */
export type Sums = Uint32Array

const digestRow = (key: Uint8Array, row: Uint8Array): Buffer => createHmac('sha256', key).update(row).digest()

/** Adds a row to the sum of a table, or subtracts it, modulo 2^128. */
export function count(sums: Sums, table: number, key: Uint8Array, row: Uint8Array, isAdded: boolean): void {
  const digest = digestRow(key, row)
  // subtracting is adding the complement and one
  let carry = isAdded ? 0 : 1
  for (let word = 0; word < WORDS; word += 1) {
    const part = digest.readUInt32LE(word * 4)
    const at = table * WORDS + word
    const sum = (sums[at] ?? 0) + (isAdded ? part : ~part >>> 0) + carry
    sums[at] = sum
    carry = sum > 0xffffffff ? 1 : 0
  }
}
