import { afterAll, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLease, type Lease } from './lease.ts'
import type { Store } from './store.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})
/** The lease of a data directory of its own. */
function leaseOf(sleep: (ms: number) => Promise<void> = async () => {}): Lease {
  const dataDir = mkdtempSync(join(tmpdir(), 'brokerbase-lease-'))
  folders.push(dataDir)
  return createLease({ store, dataDir, now: () => 0, sleep })
}

let note: Uint8Array | undefined
const store = {
  read: async () => note,
  write: async (_, bytes) => {
    note = bytes
  },
  remove: async () => {
    note = undefined
  },
  list: async () => [],
  upload: async () => {},
  download: async () => {},
} satisfies Store
const { signal } = new AbortController()
beforeEach(() => {
  note = undefined
})

test('a place that nobody holds is taken, also where nobody understands what lies there', async () => {
  for (const there of [undefined, new TextEncoder().encode('{"holder":7}')]) {
    note = there
    const told: string[] = []
    await leaseOf().take(signal, (who) => void told.push(who))
    expect(told).toEqual([])
    expect(new TextDecoder().decode(note)).toContain('1970-01-01T00:00:00.000Z')
  }
})

test('a place that another directory holds is waited for, and taken once that gave it up', async () => {
  const first = leaseOf()
  await first.take(signal, () => {})
  const told: string[] = []
  let waits = 0
  const second = leaseOf(async () => {
    waits += 1
    if (waits === 3) await first.release()
  })
  await second.take(signal, (who) => void told.push(who))
  expect(told).toHaveLength(1)
  expect(told[0]).toMatch(/^another server on .+, last seen 1970-01-01T00:00:00.000Z$/)
})

test('who holds it is told when another one took it, and does not give that up for them', async () => {
  const first = leaseOf()
  await first.take(signal, () => {})
  const taken = new TextEncoder().encode(
    JSON.stringify({ holder: 'x', host: 'elsewhere', origin: 'y', renewedAt: '2026-01-01' }),
  )
  note = taken
  expect(await first.keep(signal)).toBe('another server on elsewhere, last seen 2026-01-01')
  await first.release()
  expect(note).toBe(taken)
})

test('the signal ends the wait for it', async () => {
  const ended = new AbortController()
  ended.abort()
  expect(await leaseOf().keep(ended.signal)).toBeNull()
})
