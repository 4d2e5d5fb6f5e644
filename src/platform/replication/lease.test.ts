import { beforeEach, expect, test } from 'bun:test'
import { createLease, type Holder, type Lease, type Me } from './lease.ts'
import { sealNote } from './note-seal.ts'
import { createNotes } from './notes.ts'

const KEY = new Uint8Array(32).fill(1)
const NAME = 'lease.json'
const { signal } = new AbortController()
let there: Uint8Array | undefined
let now: number
let claimant: Holder | undefined
/** Called each time that a process sleeps. */
let asleep: () => Promise<void>
const store = {
  read: async () => there,
  write: async (_: string, bytes: Uint8Array) => {
    there = bytes
  },
  remove: async () => {
    there = undefined
  },
}
beforeEach(() => {
  there = undefined
  claimant = undefined
  now = 0
  asleep = async () => {}
})

/** Makes the lease of a process; each name has its own directory unless `origin` is given. */
function buildLease(name: string, key = KEY, origin = name): Lease {
  const me: Me = { holder: name, host: name, url: `https://${name}.test`, origin }
  const sleep = async (ms: number): Promise<void> => {
    now += ms
    await asleep()
  }
  return createLease({
    notes: createNotes(store, [key]),
    me,
    now: () => now,
    steady: () => now,
    sleep,
    claimed: async () => claimant,
  })
}
const nobody = (): never => {
  throw new Error('nobody holds it')
}

test('a place without a lease, or with one that cannot be read, is taken', async () => {
  for (const note of [undefined, new TextEncoder().encode('{"holder":7}'), new TextEncoder().encode('no JSON')]) {
    there = note
    expect(await buildLease('a').take(signal, nobody)).toBe('absent')
    expect(new TextDecoder().decode(there)).toContain('1970-01-01T00:00:')
  }
})

test('a place that another process holds is waited for, and taken after that process gave it up', async () => {
  const first = buildLease('a')
  await first.take(signal, nobody)
  first.settle()
  const told: Holder[] = []
  let waits = 0
  asleep = async () => {
    waits += 1
    if (waits === 3) await first.release()
    else if (waits < 3) await first.renew()
  }
  expect(await buildLease('b').take(signal, (who) => void told.push(who))).toBe('free')
  expect(told[0]).toMatchObject({ host: 'a', url: 'https://a.test' })
})

test('a place is taken over after its holder was silent for 20 seconds, and not before', async () => {
  await buildLease('a').take(signal, nobody)
  const began = now
  expect(await buildLease('b').take(signal, () => {})).toBe('silent')
  expect(now - began).toBeGreaterThan(20_000)
  expect(now - began).toBeLessThan(30_000)
})

test('the next process of the same directory takes the place without waiting', async () => {
  const first = buildLease('a', KEY, 'there')
  await first.take(signal, nobody)
  first.settle()
  await first.renew()
  expect(await buildLease('b', KEY, 'there').take(signal, nobody)).toBe('free')
})

test('if a process ends during a takeover, the next one must still wait until other leases have ended', async () => {
  await buildLease('x').take(signal, nobody)
  await buildLease('a', KEY, 'there').take(signal, () => {})
  const next = buildLease('b', KEY, 'there')
  expect(await next.take(signal, nobody)).toBe('silent')
  await next.release()
  const other = buildLease('c')
  expect(await other.take(signal, nobody)).toBe('silent')
  expect((await other.outwait(signal)).kind).toBe('held')
  await other.release()
  expect(await buildLease('d').take(signal, nobody)).toBe('free')
})

test('a takeover goes on after two failed renewals in a row, and fails with the third', async () => {
  const first = buildLease('a')
  await first.take(signal, nobody)
  let failures = 0
  const { read } = store
  const failing = (most: number) => async () => {
    failures += 1
    if (failures <= most) throw new Error('out of reach')
    return read()
  }
  store.read = failing(2)
  expect((await first.outwait(signal)).kind).toBe('held')
  failures = 0
  store.read = failing(3)
  await expect(first.outwait(signal)).rejects.toThrow('out of reach')
  store.read = read
})

test('a renewal reports who took the place, who continued the history, or that the lease was changed', async () => {
  const first = buildLease('a')
  await first.take(signal, nobody)
  expect((await first.renew()).kind).toBe('held')
  claimant = { host: 'c', url: '', renewedAt: '' }
  expect(await first.renew()).toEqual({ kind: 'claimed', by: claimant })
  claimant = undefined
  const before = there
  await first.renew()
  // an older copy of the place, as after a restore of its disk
  there = before
  expect((await first.renew()).kind).toBe('gone')
  there = undefined
  expect((await first.renew()).kind).toBe('gone')
  expect(there).toBeUndefined()
  expect((await first.renew({ anyway: true })).kind).toBe('held')
  await buildLease('b').take(signal, () => {})
  expect(await first.renew()).toMatchObject({ kind: 'taken', by: { host: 'b' } })
})

test('a lease that was written without the key of the installation does not take the place from its holder', async () => {
  const first = buildLease('a')
  await first.take(signal, nobody)
  const forged = { holder: 'x', host: 'x', origin: 'x', renewedAt: '2026-01-01' }
  for (const note of [forged, { ...forged, holder: 'a' }])
    for (const bytes of [
      sealNote(new Uint8Array(32).fill(2), NAME, note),
      new TextEncoder().encode(JSON.stringify(note)),
    ]) {
      there = bytes
      expect((await first.renew()).kind).toBe('gone')
      expect((await first.renew({ anyway: true })).kind).toBe('held')
    }
})

test('a renewal counts for ten seconds from its beginning, and one that the place did not store does not count', async () => {
  const first = buildLease('a')
  expect(first.isSure()).toBe(false)
  await first.take(signal, nobody)
  expect(first.isSure()).toBe(true)
  now += 9_000
  const { read } = store
  store.read = async () => {
    now += 2_000
    return read()
  }
  await first.renew()
  store.read = read
  // the renewal began with the call, and two reads took two seconds each
  now += 5_999
  expect(first.isSure()).toBe(true)
  now += 1
  expect(first.isSure()).toBe(false)
  store.read = async () => undefined
  expect((await first.renew({ anyway: true })).kind).toBe('gone')
  store.read = read
  expect(first.isSure()).toBe(false)
})

test('a takeover waits until no other lease can count, and reports a holder that comes back', async () => {
  const first = buildLease('a')
  await first.take(signal, nobody)
  const second = buildLease('b')
  await second.take(signal, () => {})
  const began = now
  expect((await second.outwait(signal)).kind).toBe('held')
  expect(now - began).toBe(10_000)
  asleep = async () => {
    there = sealNote(KEY, NAME, { holder: 'a', host: 'a', origin: 'a', renewedAt: 'x' })
  }
  expect(await second.outwait(signal)).toMatchObject({ kind: 'taken', by: { host: 'a' } })
})

test('a process that does not hold the place cannot give it up', async () => {
  const first = buildLease('a')
  await first.take(signal, nobody)
  const before = there
  await buildLease('b').release()
  expect(there).toBe(before)
  first.settle()
  await first.release()
  expect(first.isSure()).toBe(false)
  expect(await buildLease('b').take(signal, nobody)).toBe('free')
})
