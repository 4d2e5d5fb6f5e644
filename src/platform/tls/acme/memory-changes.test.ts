import { expect, test } from 'bun:test'
import { DAY, HOUR } from '../../clock.ts'
import { afterFailure, afterIssue, setAside, withoutWaiting } from './memory-changes.ts'
import type { Memory } from './store.ts'

const NOW = 1_000_000
const entry = (failures: number) => ({ failures, until: NOW + HOUR, why: 'no' })
const memory: Memory = {
  failures: 1,
  notBefore: NOW,
  aside: { 'a.test': entry(1), 'b.test': entry(2), 'gone.test': entry(1) },
  failedAt: [1],
  lastError: 'a.test: no',
}

test('a failure is counted, and the next attempt waits at least as long as the authority asks', () => {
  expect(afterFailure(memory, 'down', null, NOW)).toEqual({
    failures: 2,
    notBefore: NOW + 2 * HOUR,
    failedAt: [1, NOW],
    lastError: 'down',
  })
  expect(afterFailure(memory, 'down', DAY, NOW).notBefore).toBe(NOW + DAY)
})

test('a name that is refused again is left out for longer; entries of other names do not change', () => {
  expect(setAside(memory.aside, new Map([['b.test', 'caa']]), NOW)).toEqual({
    'b.test': { failures: 3, until: NOW + 4 * HOUR, why: 'caa' },
  })
})

test('a certificate resets the failures; wanted names that it lacks stay set aside, with the last error', () => {
  const wanted = ['a.test', 'b.test']
  const after = afterIssue(memory, { names: ['a.test'] }, wanted, NOW)
  expect(after).toEqual({
    failures: 0,
    notBefore: NOW + HOUR,
    aside: { 'b.test': entry(2) },
    failedAt: [1],
    lastError: 'a.test: no',
  })
  const whole = afterIssue(memory, { names: wanted }, wanted, NOW)
  expect([whole.aside, 'lastError' in whole]).toEqual([{}, false])
})

test('ending the wait allows every name at once, but keeps the numbers of failures', () => {
  const { notBefore, aside } = withoutWaiting(memory)
  expect([notBefore, aside['b.test']]).toEqual([0, { failures: 2, until: 0, why: 'no' }])
})
