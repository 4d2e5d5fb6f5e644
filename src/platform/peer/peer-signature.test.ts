import { beforeEach, expect, test } from 'bun:test'
import { createSecretBox } from '../secrets.ts'
import { createCallCheck, isAnswer, signAnswer, signCall } from './peer-signature.ts'

const secrets = createSecretBox(new Uint8Array(32).fill(7))
const other = createSecretBox(new Uint8Array(32).fill(8))
const CALL = { method: 'GET', path: '/peer/box', body: '' }
const NOW = 1_700_000_000_000
let now: number
let isCall: ReturnType<typeof createCallCheck>
beforeEach(() => {
  now = NOW
  isCall = createCallCheck(secrets, () => now)
})

test('a call that a box with the same key signed is believed once', () => {
  const header = signCall(secrets, CALL, now)
  expect(isCall(header, CALL)).toBe(true)
  expect(isCall(header, CALL)).toBe(false)
  expect(isCall(signCall(secrets, CALL, now), CALL)).toBe(true)
})

test('a signature is valid for a minute before and after its time, and its nonce stays used for as long', () => {
  const header = signCall(secrets, CALL, NOW)
  for (const [at, isValid] of [
    [NOW - 60_001, false],
    [NOW + 60_001, false],
    [NOW + 60_000, true],
    [NOW - 60_000, false],
  ] as const) {
    now = at
    expect([at, isCall(header, CALL)]).toEqual([at, isValid])
  }
})

test('another key, path, method or body, and a header of another form, are refused', () => {
  const header = signCall(secrets, CALL, now)
  expect(isCall(signCall(other, CALL, now), CALL)).toBe(false)
  for (const changed of [{ path: '/peer/other' }, { method: 'POST' }, { body: 'x' }])
    expect(isCall(header, { ...CALL, ...changed })).toBe(false)
  for (const text of [null, '', 'v1', header.replace('v1', 'v2'), `${header} `, header.slice(0, -1)])
    expect(isCall(text, CALL)).toBe(false)
  expect(isCall(header, CALL)).toBe(true)
})

test('an answer is believed for its call alone, with its status, age and bytes, from a box with the same key', () => {
  const call = signCall(secrets, CALL, now)
  const answer = { status: 200, age: '7', body: Buffer.from('{}') }
  const signature = signAnswer(secrets, call, answer)
  expect(isAnswer(secrets, call, answer, signature)).toBe(true)
  expect(isAnswer(secrets, signCall(secrets, CALL, now), answer, signature)).toBe(false)
  for (const changed of [{ status: 422 }, { age: '' }, { body: Buffer.from('{} ') }])
    expect(isAnswer(secrets, call, { ...answer, ...changed }, signature)).toBe(false)
  expect(isAnswer(secrets, call, answer, signAnswer(other, call, answer))).toBe(false)
  expect(isAnswer(secrets, call, answer, undefined)).toBe(false)
})
