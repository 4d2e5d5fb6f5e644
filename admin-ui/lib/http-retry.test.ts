import { afterEach, expect, test } from 'bun:test'
import { apiFetch, isApiError, renewSignInBy } from './http.ts'

const real = globalThis.fetch
afterEach(() => {
  renewSignInBy(null)
  globalThis.fetch = real
})

/** Answers in turn; 0 is a connection that breaks. Returns the Idempotency-Keys that were sent. */
function answering(...answers: (number | string)[]): (string | null)[] {
  const keys: (string | null)[] = []
  const fake = async (_: unknown, init?: RequestInit): Promise<Response> => {
    keys.push(new Headers(init?.headers).get('idempotency-key'))
    const answer = answers.shift() ?? 200
    if (typeof answer === 'string') return Response.json({ code: answer }, { status: 403 })
    const status = answer
    if (status === 0) throw new TypeError('network')
    return Response.json({ code: status === 409 ? 'idempotency_in_progress' : 'other' }, { status })
  }
  globalThis.fetch = Object.assign(fake, { preconnect: real.preconnect })
  return keys
}
const transfer = (amount: string) =>
  apiFetch('/v1/transfers', { method: 'POST', body: JSON.stringify({ amount }) }).catch((error: unknown) => {
    if (!isApiError(error)) throw error
  })

test('what was never answered is repeated with its key, so that it is done once', async () => {
  const keys = answering(0, 502, 201, 201)
  for (let n = 0; n < 4; n++) await transfer('100')
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  expect([keys[1], keys[2]]).toEqual([keys[0] ?? '', keys[0] ?? ''])
  // answered: the same once more is meant
  expect(keys[3]).not.toBe(keys[0] ?? '')
})

test('a refusal that does not know of the first request does not end it', async () => {
  const keys = answering(0, 401, 503, 429, 409, 201, 201)
  for (let n = 0; n < 7; n++) await transfer('7')
  expect(new Set(keys.slice(0, 6)).size).toBe(1)
  expect(keys[6]).not.toBe(keys[5] ?? '')
})

test('another body is another act; a refusal is an answer', async () => {
  const keys = answering(0, 201, 422, 201)
  await transfer('1')
  await transfer('2')
  await transfer('1')
  await transfer('1')
  expect(keys[1]).not.toBe(keys[0] ?? '')
  expect(keys[2]).toBe(keys[0] ?? '')
  expect(keys[3]).not.toBe(keys[2] ?? '')
})

test('what wants a fresh sign-in is asked for once, and then repeated with its key', async () => {
  const stale = 'reauthentication_required'
  const keys = answering(stale, stale, 201, 201)
  let asked = 0
  let give: (renewed: boolean) => void = () => {}
  renewSignInBy(() => {
    asked += 1
    return new Promise((resolve) => {
      give = resolve
    })
  })
  const both = Promise.all([transfer('1'), transfer('2')])
  await Bun.sleep(5)
  expect([asked, keys.length]).toEqual([1, 2])
  give(true)
  expect((await both).map((answer) => answer?.status)).toEqual([201, 201])
  expect(keys.slice(2).sort()).toEqual(keys.slice(0, 2).sort())
})

test('who does not give the password gets the refusal, and the act is not repeated', async () => {
  const keys = answering('reauthentication_required', 201)
  renewSignInBy(async () => false)
  expect(await transfer('1')).toBeUndefined()
  expect(keys).toHaveLength(1)
})
