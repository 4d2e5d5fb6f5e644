import { afterAll, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY, HOUR } from '../../clock.ts'
import { createLog } from '../../log.ts'
import { type Certificate, readCertificate } from '../certificate.ts'
import { makeKey, selfSigned } from '../der.ts'
import { type Authority, NamesRefused } from './authority.ts'
import { createKeeper, type Keeper } from './keeper.ts'
import { backOff } from './renewal.ts'
import { type AcmeStore, openAcmeStore } from './store.ts'
import { AcmeError } from './wire.ts'

const START = Date.UTC(2026, 10, 23)
const LIFE = 90
const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

let now = START
let names: string[]
let asked: string[][]
let refuse: Record<string, string>
let broken: Error | null
let suggested: Awaited<ReturnType<Authority['renewalWindow']>>
let kept: Certificate | null
let store: AcmeStore
let keeper: Keeper
const authority: Authority = {
  issue: async (wanted) => {
    asked.push([...wanted])
    if (broken) throw broken
    const refused = wanted.flatMap((name) => (refuse[name] === undefined ? [] : [[name, refuse[name]] as const]))
    if (refused.length > 0) throw new NamesRefused(new Map(refused))
    const key = makeKey()
    return readCertificate(selfSigned(wanted, key, { from: now, days: LIFE }), key)
  },
  renewalWindow: async () => suggested,
}
const start = () =>
  createKeeper({
    authority: () => authority,
    store,
    clock: { now: () => now, sleep: async () => {} },
    log: createLog({ level: 'error', write: () => {} }),
    listNames: () => names,
    current: () => kept,
    random: () => 0.5,
  })
const look = async (): Promise<readonly string[] | null> => {
  const made = await keeper.look()
  if (made) kept = made
  return made?.names ?? null
}
/** Looks every hour as the server does; returns the hours in which the authority got a request. */
async function hours(count: number): Promise<number[]> {
  const at: number[] = []
  for (let hour = 1; hour <= count; hour += 1) {
    now += HOUR
    const before = asked.length
    await look()
    for (let n = before; n < asked.length; n += 1) at.push(hour)
  }
  return at
}

beforeEach(() => {
  now = START
  names = ['office.test', 'desk.test']
  asked = []
  refuse = {}
  broken = null
  suggested = null
  kept = null
  const folder = mkdtempSync(join(tmpdir(), 'brokerbase-keeper-'))
  folders.push(folder)
  store = openAcmeStore(folder, 'https://ca.test/dir')
  keeper = start()
})

test('a certificate for all names is issued once, stored, and renewed at two thirds of its life', async () => {
  expect(await look()).toEqual(['office.test', 'desk.test'])
  expect(store.certificate()?.serial).toBe(kept?.serial)
  expect(await hours(59 * 24)).toEqual([])
  expect((await hours(2 * 24))[0]).toBe(24)
  expect(asked.length).toBe(2)
})

test('a renewal window of the authority counts if it begins before two thirds of the life', async () => {
  await look()
  suggested = { start: START + 30 * DAY, end: START + 32 * DAY, askAgainIn: null }
  expect(await hours(31 * 24)).toEqual([31 * 24])
  // a revoked certificate, whose window is over, is renewed at the next look, and only once
  now += 2 * DAY
  suggested = { start: now - 2 * DAY, end: now - DAY, askAgainIn: null }
  expect((await hours(20)).length).toBe(1)
})

test('a new domain is in the certificate after the next look, a removed one stays in it until the renewal', async () => {
  await look()
  names = ['office.test', 'new.test']
  expect(await hours(1)).toEqual([1])
  expect(kept?.names).toEqual(['office.test', 'new.test'])
  names = ['office.test']
  expect(await hours(48)).toEqual([])
})

test('a refused name is left out of the certificate, and tried again after one hour, two, four …', async () => {
  refuse = { 'desk.test': 'it leads elsewhere' }
  expect(await look()).toEqual(['office.test'])
  expect(asked).toEqual([['office.test', 'desk.test'], ['office.test']])
  expect(keeper.lastError()).toBe('desk.test: it leads elsewhere')
  // no certificate of the same names is requested, since authorities limit their number
  expect(await hours(40)).toEqual([1, 3, 7, 15, 31])
  expect(asked.slice(2)).toEqual(Array(5).fill(['office.test', 'desk.test']))
  refuse = {}
  expect(await hours(24)).toEqual([15])
  expect(kept?.names).toEqual(['office.test', 'desk.test'])
  expect(keeper.lastError()).toBeNull()
})

test('a renewal waits for a refused name until the end of the certificate is near', async () => {
  await look()
  refuse = { 'desk.test': 'its name server is away' }
  const day = 24
  await hours(74 * day)
  expect(asked.slice(1).every((list) => list.length === 2)).toBe(true)
  expect(asked.length).toBeLessThan(25)
  await hours(2 * day)
  expect(kept?.names).toEqual(['office.test'])
})

test('an authority that fails is asked again after one hour, two, four … a day, through a restart', async () => {
  broken = new Error('no route')
  expect(await look()).toBeNull()
  expect(keeper.lastError()).toBe('no route')
  keeper = start()
  expect(keeper.lastError()).toBe('no route')
  expect(await hours(80)).toEqual([1, 3, 7, 15, 31, 55, 79])
  expect([backOff(1), backOff(3), backOff(50)]).toEqual([HOUR, 4 * HOUR, DAY])
})

test('an authority that sends Retry-After is not asked before that', async () => {
  broken = new AcmeError('rateLimited', 'too many', { retryAfter: 30 * HOUR })
  await look()
  broken = null
  expect(await hours(31)).toEqual([30])
})

test('the server waits for a week at most, even if Retry-After is longer', async () => {
  broken = new AcmeError('503', 'later', { retryAfter: Number.MAX_SAFE_INTEGER })
  expect(await look()).toBeNull()
  expect(keeper.lastError()).toBe('later')
  broken = null
  expect(await hours(8 * 24)).toEqual([7 * 24])
})

test('a server with a full disk still uses a new certificate, and still waits after a failure', async () => {
  const full = () => {
    throw new Error('ENOSPC: no space left on device')
  }
  const { remember } = store
  store = {
    ...store,
    keep: full,
    remember: (memory) => {
      remember(memory)
      full()
    },
  }
  keeper = start()
  broken = new Error('no route')
  expect(await look()).toBeNull()
  expect(await hours(8)).toEqual([1, 3, 7])
  keeper.hurry()
  broken = null
  expect(await hours(8)).toEqual([1])
  expect(kept?.names).toEqual(names)
})

test('an operator may ask the authority at once, but at most four times an hour after failures', async () => {
  broken = new Error('no route')
  await look()
  for (let n = 0; n < 10; n += 1) {
    keeper.hurry()
    await look()
  }
  expect(asked.length).toBe(4)
  broken = null
  expect((await hours(3)).length).toBe(1)
})

test('if every name is refused, no certificate is issued, and the last error says why', async () => {
  refuse = { 'office.test': 'no', 'desk.test': 'never' }
  expect(await look()).toBeNull()
  expect(keeper.lastError()).toContain('office.test: no; desk.test: never')
})
