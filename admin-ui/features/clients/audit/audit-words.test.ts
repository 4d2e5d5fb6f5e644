import { expect, test } from 'bun:test'
import { actionText, actorText, changedFields, entityText } from './audit-words.ts'

test('an audit entry shows which fields it changed', () => {
  const before = { riskLevel: 'low', city: 'Paphos', tags: ['a'] }
  expect(changedFields({ before, after: { riskLevel: 'high', city: 'Paphos', tags: ['a', 'b'] } })).toBe('Risk, Tags')
  expect(changedFields({ before, after: before })).toBeNull()
  expect(changedFields({ before: null, after: { city: 'Paphos' } })).toBeNull()
})

test('an erased audit entry names no changed field', () => {
  expect(changedFields({ before: { city: 'Paphos' }, after: null })).toBeNull()
  expect(changedFields({ before: { a: { b: 1 } }, after: { a: { b: 2 }, newField: null } })).toBe('A, New field')
})

test.each([
  ['user', 'Marco Bianchi', 'Marco Bianchi'],
  ['user', null, 'Colleague'],
  ['api_key', 'Website', 'Website (API key)'],
  ['api_key', null, 'API key'],
  ['trader', 'Ana Lima', 'Ana Lima'],
  ['trader', null, 'Client'],
  ['system', null, 'Brokerbase'],
  ['gateway', null, 'Payment gateway or trading server'],
  ['anonymous', null, 'Not signed in'],
  ['night_watch', null, 'Night watch'],
])('a %s called %p is shown in the audit log as “%s”', (actorKind, actorName, words) => {
  expect(actorText({ actorKind, actorName })).toBe(words)
})

test.each([
  ['deposit.partial_settle', 'Deposit settled in part'],
  ['auth.login_failed', 'Sign-in refused'],
  ['something.brand_new', 'Something brand new'],
])('the action %s is shown in the audit log as “%s”', (action, words) => {
  expect(actionText(action)).toBe(words)
})

test.each([
  ['psp_connection', 'Payment gateway'],
  ['trader_note', 'Note'],
  ['withdrawal', 'Withdrawal'],
])('the kind of record %s is shown in the audit log as “%s”', (entity, words) => {
  expect(entityText(entity)).toBe(words)
})
