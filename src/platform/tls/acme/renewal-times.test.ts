import { expect, test } from 'bun:test'
import { DAY } from '../../clock.ts'
import { createLog } from '../../log.ts'
import { momentIn, openRenewals } from './renewal-times.ts'

const half = () => 0.5
const asked = { start: 100, end: 200, askAgainIn: null }

test('the time of renewal is drawn within the window; a time that was drawn in it before stays', () => {
  expect(momentIn(asked, 180, false, half)).toBe(150)
  expect(momentIn(asked, 180, true, half)).toBe(180)
  expect([momentIn(asked, 99, true, half), momentIn(asked, 201, true, half)]).toEqual([150, 150])
})

test('without a window the time of renewal stays as it was', () => {
  expect(momentIn(null, 300, false, half)).toBe(300)
})

test('the time of renewal of a new certificate is drawn in its window, whatever was drawn for the one before', async () => {
  const start = 100 * DAY
  const renewals = openRenewals({
    authority: () => ({
      issue: () => Promise.reject(new Error('not asked')),
      renewalWindow: async () => ({ start: start + 50 * DAY, end: start + 70 * DAY, askAgainIn: null }),
    }),
    clock: { now: () => start, sleep: async () => {} },
    log: createLog({ level: 'error', write: () => {} }),
    random: () => 0.25,
    known: () => ({ serial: '01', renewAt: start, askAt: start }),
    remember: () => {},
  })
  const names = ['office.test']
  const certificate = { cert: '', key: '', names, serial: '02', der: new Uint8Array() }
  const renewAt = renewals.renewAt({ ...certificate, notBefore: start, notAfter: start + 90 * DAY })
  expect(await renewAt).toBe(start + 55 * DAY)
})
