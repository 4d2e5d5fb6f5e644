import { beforeEach, expect, test } from 'bun:test'
import { createLog } from '../../../platform/log.ts'
import type { StandbySeen } from '../../../platform/standby/standby.ts'
import { createPrimaryWatch, type PrimaryWatch, SILENT_AFTER } from './primary-watch.ts'

const BEAT = { at: 1_000_000, history: 'h', url: 'https://a.test', schema: 1, version: '1', wait: 'off' } as const
const PEOPLE = [
  { email: 'ann@firm.test', displayName: 'Ann', locale: 'en' },
  { email: 'uwe@firm.test', displayName: 'Uwe', locale: 'de' },
]
let now: number
let seen: StandbySeen
let doubt: string | null | undefined
let refused: (to: string) => boolean
let mails: { to: string; subject: string; text: string }[]
let watch: PrimaryWatch

beforeEach(() => {
  now = Date.UTC(2026, 10, 27, 12)
  doubt = null
  mails = []
  refused = () => false
  seen = {
    history: 'h',
    heartbeat: BEAT,
    ageSeconds: 0,
    isStale: false,
    silentMs: 0,
    clockAheadMs: null,
    doubt: null,
    failure: null,
  }
  const transport = {
    send: async (mail: { to: string; subject: string; text: string }) => {
      if (refused(mail.to)) throw new Error('no')
      mails.push(mail)
    },
    verify: async () => {},
  }
  watch = createPrimaryWatch({
    standby: { seen: () => seen, proveAgain: async () => doubt },
    reader: { all: <T>() => PEOPLE as T[] },
    relay: { transport },
    clock: { now: () => now, sleep: async () => {} },
    log: createLog({ level: 'error', write: () => {} }),
  })
})

test('a silent primary is mailed once to each administrator in their language, and so is its return', async () => {
  seen.silentMs = SILENT_AFTER - 1
  await watch.look()
  expect(mails).toEqual([])
  seen.silentMs = SILENT_AFTER
  await watch.look()
  await watch.look()
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
    ['ann@firm.test', 'The first machine is silent'],
    ['uwe@firm.test', 'Der erste Rechner ist still'],
  ])
  expect(mails[0]?.text).toContain('https://a.test since 2026-11-27 11:59:00 UTC')
  seen.silentMs = 0
  await watch.look()
  await watch.look()
  expect(mails.slice(2).map(({ subject }) => subject)).toEqual([
    'The first machine is back',
    'Der erste Rechner ist wieder da',
  ])
})

test('a mail that no relay takes is sent at a later look, and one that some took is not sent again', async () => {
  seen.silentMs = SILENT_AFTER
  refused = () => true
  await expect(watch.look()).rejects.toThrow('no administrator')
  refused = (to) => to.startsWith('uwe')
  await watch.look()
  refused = () => false
  await watch.look()
  expect(mails.map(({ to }) => to)).toEqual(['ann@firm.test'])
})

test('before a heartbeat was seen, nobody is mailed', async () => {
  seen = { ...seen, heartbeat: null, silentMs: 10 * SILENT_AFTER }
  await watch.look()
  expect(mails).toEqual([])
})

test('the copy is proven once a night, and one that is not good is mailed', async () => {
  doubt = 'the books do not balance'
  await watch.look()
  expect(mails).toEqual([])
  now = Date.UTC(2026, 10, 28, 3, 1)
  await watch.look()
  await watch.look()
  expect(mails.map(({ text }) => text.includes('the books do not balance'))).toEqual([true, true])
})
