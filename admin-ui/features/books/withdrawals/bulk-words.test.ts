import { expect, test } from 'bun:test'
import { needsNote, pickFlag, queueFlag } from './bulk-words.ts'
import type { Review, Reviewed } from './withdrawals.api.ts'

const review = (state: Review['checks'][number]['state'], viewer: Partial<Review['viewer']> = {}): Reviewed => ({
  status: 'requested',
  lapsedAt: null,
  review: {
    approvalsNeeded: 1,
    adminNeeded: false,
    reason: '',
    decisions: [],
    helpers: null,
    checks: [
      { name: 'kyc', state: 'fine', ok: true, blocks: false, text: '' },
      { name: 'holder', state, ok: false, blocks: false, text: '' },
    ],
    viewer: { mayApprove: true, why: null, noteOn: [], needsSecond: null, ...viewer },
  },
})
const check = (name: 'iban', state: 'not_checked'): Review['checks'][number] => ({
  name,
  state,
  ok: false,
  blocks: false,
  text: '',
})
const LAPSE = { lapsedAt: '2026-01-01T00:00:00.000Z' }

test('a withdrawal shows its failed checks, or why the viewer may not decide it', () => {
  expect(pickFlag(review('fine')).text).toBe('All checks are fine')
  expect(pickFlag(review('look_closer')).text).toBe('Look closer: Holder')
  expect(pickFlag(review('not_checked')).text).toBe('Not checked: Holder')
  expect(pickFlag(review('blocks')).text).toBe('Stopped by: Holder')
  expect(pickFlag(review('look_closer', { mayApprove: false, why: 'You asked for it.' })).text).toBe(
    'You asked for it.',
  )
})

test('a withdrawal names the checks to look at and the checks that were not made', () => {
  const one = review('look_closer')
  const checks = [...(one.review?.checks ?? []), check('iban', 'not_checked')]
  expect(pickFlag({ ...one, review: one.review && { ...one.review, checks } })).toEqual({
    text: 'Look closer: Holder · Not checked: IBAN',
    tone: 'wait',
  })
})

test('an approval needs a note if the server requires one for a check', () => {
  expect(needsNote(review('look_closer', { noteOn: ['holder'] }))).toBe(true)
  expect([needsNote(review('fine')), needsNote(undefined)]).toEqual([false, false])
})

test('a withdrawal whose approval lapsed says so first, and needs a note', () => {
  const lapsed = { ...review('fine'), ...LAPSE }
  expect(pickFlag(lapsed)).toEqual({ text: 'It lapsed before, and may have been sent already.', tone: 'bad' })
  expect(pickFlag({ ...review('look_closer'), ...LAPSE }).text).toEndWith('already. Look closer: Holder')
  expect(needsNote(lapsed)).toBe(true)
  const own = { ...review('fine', { mayApprove: false, why: 'You asked for it.' }), ...LAPSE }
  expect([pickFlag(own).text, needsNote(own)]).toEqual(['You asked for it.', false])
})

test('the queue of withdrawals names failed checks', () => {
  expect(queueFlag(review('fine'))).toEqual({ text: 'All fine', tone: 'good' })
  expect(queueFlag(review('not_checked'))).toEqual({ text: 'Holder', tone: 'wait' })
  expect(queueFlag(review('blocks'))).toEqual({ text: 'Holder', tone: 'bad' })
  expect(queueFlag({ ...review('look_closer'), ...LAPSE })).toEqual({ text: 'Lapsed before · Holder', tone: 'bad' })
})
