import { afterEach, expect, setSystemTime, test } from 'bun:test'
import { type ApiError, apiFetch, barChanges, forgetUnanswered, isApiError, offerRemedy } from './http.ts'

const real = globalThis.fetch
afterEach(() => {
  globalThis.fetch = real
  setSystemTime()
})

/** Gives these answers in turn; 0 is a connection that breaks. Returns the Idempotency-Keys that were sent. */
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
  apiFetch('/v1/transfers', { method: 'POST', body: JSON.stringify({ amount }) }).then(
    () => null,
    (error: unknown): ApiError => {
      if (!isApiError(error)) throw error
      return error
    },
  )

test('a request without an answer is repeated with its key, so that it is done once', async () => {
  const keys = answering(0, 502, 201, 201)
  for (let n = 0; n < 4; n++) await transfer('100')
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  expect([keys[1], keys[2]]).toEqual([keys[0] ?? '', keys[0] ?? ''])
  // the first one was answered, so the repeated request is a new one
  expect(keys[3]).not.toBe(keys[0] ?? '')
})

test('a request that was given up without an answer gets a new key when it is entered again', async () => {
  const keys = answering(0, 504, 201)
  const lost = await transfer('6')
  expect(lost?.message).toContain('It may have been done')
  expect((await transfer('6'))?.unanswered).toBe(lost?.unanswered ?? '')
  forgetUnanswered(lost?.unanswered ?? '')
  await transfer('6')
  expect(keys[1]).toBe(keys[0] ?? '')
  expect(keys[2]).not.toBe(keys[0] ?? '')
})

test('an answer that breaks off counts as no answer, and a read that breaks off leaves nothing in doubt', async () => {
  const keys = answering(201, 0)
  const good = globalThis.fetch
  const cut = async (...args: Parameters<typeof fetch>): Promise<Response> => {
    await good(...args)
    return new Response(new ReadableStream({ start: (body) => body.error(new TypeError('network')) }))
  }
  globalThis.fetch = Object.assign(cut, { preconnect: real.preconnect })
  expect((await transfer('9'))?.unanswered).toContain('/v1/transfers')
  globalThis.fetch = good
  await transfer('9')
  expect(keys[1]).toBe(keys[0] ?? '')
  answering(0)
  const read = await apiFetch('/v1/transfers').catch((error: unknown) => error)
  expect(isApiError(read, 0) && read.unanswered).toBe(null)
})

test('a request keeps its key after a refusal that does not tell whether the first one was done', async () => {
  const keys = answering(0, 401, 503, 429, 409, 201, 201)
  for (let n = 0; n < 7; n++) await transfer('7')
  expect(new Set(keys.slice(0, 6)).size).toBe(1)
  expect(keys[6]).not.toBe(keys[5] ?? '')
})

test('a request with another body gets another key, and a clear refusal ends the use of a key', async () => {
  const keys = answering(0, 201, 422, 201)
  await transfer('1')
  await transfer('2')
  await transfer('1')
  await transfer('1')
  expect(keys[1]).not.toBe(keys[0] ?? '')
  expect(keys[2]).toBe(keys[0] ?? '')
  expect(keys[3]).not.toBe(keys[2] ?? '')
})

test('two equal requests at once share a key, and an equal one after their answers gets another', async () => {
  const keys = answering(201, 409, 201)
  await Promise.all([transfer('8'), transfer('8')])
  expect(keys[1]).toBe(keys[0] ?? '')
  await transfer('8')
  expect(keys[2]).not.toBe(keys[0] ?? '')
})

test('a request that was refused for an ended session is sent again with its key after sign-in', async () => {
  const keys = answering(401, 401, 201)
  let asked = 0
  const withdraw = offerRemedy(async ({ status }) => {
    asked += 1
    return status === 401
  })
  await transfer('3')
  withdraw()
  expect([asked, keys.length, new Set(keys).size]).toEqual([2, 3, 1])
})

test('a refused request is not sent again without a fitting remedy, and a sign-in never is', async () => {
  const keys = answering(401, 403, 401)
  await transfer('4')
  let asked = 0
  const withdraw = offerRemedy(async () => {
    asked += 1
    return false
  })
  await transfer('5')
  const login = apiFetch('/v1/auth/login', { method: 'POST', body: '{}' }).catch((error: unknown) => error)
  expect(isApiError(await login, 401)).toBe(true)
  withdraw()
  expect([asked, keys.length]).toEqual([1, 3])
})

test('a change that got no answer is reported as perhaps done, but a sign-in is not', async () => {
  for (const method of ['POST', 'PATCH', 'PUT', 'DELETE']) {
    answering(0)
    const lost = await apiFetch('/v1/traders/trd_1', { method, body: '{}' }).catch((error: unknown) => error)
    expect(isApiError(lost, 0) && lost.unanswered).toContain(`${method} /v1/traders/trd_1`)
    expect(lost).toHaveProperty('message', expect.stringContaining('It may have been done'))
  }
  answering(0)
  const login = await apiFetch('/v1/auth/login', { method: 'POST', body: '{}' }).catch((error: unknown) => error)
  expect(isApiError(login, 0) && login.unanswered).toBe(null)
})

test('the same request ten minutes later gets another key', async () => {
  const keys = answering(0, 0, 201)
  await transfer('11')
  setSystemTime(Date.now() + 9 * 60_000)
  await transfer('11')
  setSystemTime(Date.now() + 11 * 60_000)
  await transfer('11')
  expect(keys[1]).toBe(keys[0] ?? '')
  expect(keys[2]).not.toBe(keys[0] ?? '')
})

test('a repeated change that meets its own version counts as saved; a colleague’s version is a conflict', async () => {
  const rename = async (record: object, ...answers: number[]): Promise<unknown> => {
    const fake = async (_: unknown, { method }: RequestInit = {}): Promise<Response> => {
      if (method === undefined) return Response.json(record)
      const status = answers.shift() ?? 200
      if (status === 0) throw new TypeError('network')
      return Response.json({ code: 'version_conflict' }, { status })
    }
    globalThis.fetch = Object.assign(fake, { preconnect: real.preconnect })
    const body = JSON.stringify({ city: 'Paphos', address: { street: 'Sea 1' }, tags: ['a'] })
    const patch = () => apiFetch('/v1/traders/trd_2', { method: 'PATCH', body })
    if (answers[0] === 0) await patch().catch(() => null)
    return patch().then(
      (answer) => answer.json(),
      (error: unknown) => isApiError(error, 412),
    )
  }
  const made = { city: 'Paphos', address: { street: 'Sea 1', postalCode: null }, tags: ['a'], version: 4 }
  expect(await rename(made, 0, 412)).toEqual(made)
  expect(await rename({ ...made, city: 'Limassol' }, 0, 412)).toBe(true)
  // without a lost answer, the same values are a colleague's, which the user should see
  expect(await rename(made, 412)).toBe(true)
})

test('a page whose changes are blocked can still read', async () => {
  const keys = answering(200, 201)
  const admit = barChanges()
  expect((await transfer('12'))?.message).toContain('Somebody else is signed in')
  await apiFetch('/v1/transfers')
  admit()
  expect(await transfer('12')).toBe(null)
  expect(keys).toHaveLength(2)
})
