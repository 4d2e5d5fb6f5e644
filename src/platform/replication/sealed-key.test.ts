import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from './open-store.ts'
import { keepSealedKey, readSealedKeys } from './sealed-key.ts'
import type { Store } from './store.ts'

const PASSPHRASE = 'a long sentence that nobody guesses'
const KEY = new Uint8Array(32).fill(5)
let root: string
let store: Store
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'brokerbase-sealed-key-'))
  store = openStore({ kind: 'file', directory: root }, {})
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

type Note = { of: string; argon2id: Record<string, unknown>; sealed: string }
const readNote = async (): Promise<Note> =>
  JSON.parse(new TextDecoder().decode((await store.read('recovery-key.json')) ?? new Uint8Array()))
const put = (note: unknown): Promise<void> =>
  store.write('recovery-key.json', new TextEncoder().encode(JSON.stringify(note)))

test.each([
  ['memoryCost', 4_000_000_000],
  ['memoryCost', 65_536 * 4 + 1],
  ['memoryCost', 0],
  ['timeCost', 1_000_000],
  ['parallelism', 1_000],
  ['salt', 'A'.repeat(2_000)],
  ['salt', ''],
] as const)('a sealed key with an invalid %s is skipped, and the right key is found', async (name, value) => {
  await keepSealedKey(store, PASSPHRASE, KEY)
  const note = await readNote()
  await put({ ...note, argon2id: { ...note.argon2id, [name]: value } })
  await expect(readSealedKeys(store, PASSPHRASE)).rejects.toThrow('does not open the key')
  // the key of this installation is then stored beside it, and is found
  await keepSealedKey(store, PASSPHRASE, KEY)
  expect(await readSealedKeys(store, PASSPHRASE)).toEqual([KEY])
})

test('unknown fields of a sealed key are not passed to Argon2', async () => {
  await keepSealedKey(store, PASSPHRASE, KEY)
  const note = await readNote()
  await put({ ...note, argon2id: { ...note.argon2id, outputLen: 2 ** 31, secret: 'x' } })
  expect(await readSealedKeys(store, PASSPHRASE)).toEqual([KEY])
})
