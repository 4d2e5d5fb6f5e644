import { expect, test } from 'bun:test'
import { type Check, checkName, notFine, openFirst, whoIsMissing } from './review-words.ts'
import type { Review } from './withdrawals.api.ts'

const vote = (
  role: string,
  lapsed = false,
  decision: 'approve' | 'reject' = 'approve',
): Review['decisions'][number] => ({
  userId: `usr_${role}`,
  name: role,
  role,
  decision,
  note: null,
  lapsed,
  createdAt: '2026-03-01T10:00:00.000Z',
})
const missing = (approvalsNeeded: number, adminNeeded: boolean, ...decisions: Review['decisions']): string =>
  whoIsMissing({ approvalsNeeded, adminNeeded, reason: '', decisions })

test('the review of a withdrawal names the approval that is missing', () => {
  expect(missing(1, false)).toBe('0 of 1: one manager or higher')
  expect(missing(2, true)).toBe('0 of 2: 2 more people, one of them an admin or higher')
  expect(missing(2, true, vote('manager'))).toBe('1 of 2: one more, an admin or higher')
  expect(missing(2, true, vote('owner'))).toBe('1 of 2: one more, a manager or higher')
  expect(missing(2, true, vote('owner', true), vote('manager'))).toBe('1 of 2: one more, an admin or higher')
  expect(missing(2, true, vote('admin', false, 'reject'))).toContain('0 of 2')
  expect(missing(2, true, vote('admin'), vote('manager'))).toBe('2 of 2: complete')
})

test('failed checks are listed with the blocking ones first', () => {
  const check = (name: string, state: Check['state']): Check => ({ name, state, ok: false, blocks: false, text: '' })
  const checks = [
    check('iban', 'not_checked'),
    check('kyc', 'fine'),
    check('holder', 'look_closer'),
    check('trader', 'blocks'),
  ]
  expect(notFine(checks).map(({ name }) => name)).toEqual(['trader', 'holder', 'iban'])
  expect(
    openFirst(checks)
      .map(({ name }) => name)
      .slice(0, 3),
  ).toEqual(['trader', 'holder', 'iban'])
  expect(openFirst(checks)).toHaveLength(checks.length)
  expect([checkName({ name: 'iban' }), checkName({ name: 'some_new_check' })]).toEqual(['IBAN', 'Some new check'])
})
