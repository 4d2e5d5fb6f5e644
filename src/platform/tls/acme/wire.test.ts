import { expect, test } from 'bun:test'
import { createPublicKey, verify } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import type { EgressRequest, EgressResponse } from '../../egress-attempt.ts'
import { makeKey } from '../der.ts'
import { readAccountKey } from './jose.ts'
import { AcmeError, openWire, readRetryAfter } from './wire.ts'

const URLS = { newNonce: 'https://ca.test/nonce', newAccount: 'https://ca.test/account', newOrder: 'https://ca.test/o' }
const pem = makeKey()
type Scripted = { status?: number; headers?: Record<string, string>; body?: unknown }

/** Opens a wire to an authority that answers signed calls with these answers in turn. */
async function wireTo(...answers: Scripted[]) {
  const calls: EgressRequest[] = []
  let nonces = 0
  const request = async (asked: EgressRequest): Promise<EgressResponse> => {
    calls.push(asked)
    nonces += 1
    const { status = 200, headers = {}, body = {} } = asked.method === 'POST' ? (answers.shift() ?? {}) : { body: URLS }
    return {
      status,
      headers: { 'replay-nonce': `n${nonces}`, 'content-type': 'application/problem+json', ...headers },
      body: new TextEncoder().encode(JSON.stringify(body)),
      truncated: false,
      latencyMs: 1,
    }
  }
  const egress = { request, checkUrl: async () => ({ ok: true as const }) }
  const wire = await openWire(egress, 'https://ca.test/dir', readAccountKey(pem), () => 0)
  const readProtected = (call: EgressRequest | undefined) => {
    const jws = JSON.parse(String(call?.body))
    return JSON.parse(Buffer.from(jws.protected, 'base64url').toString())
  }
  return { wire, posts: () => calls.filter(({ method }) => method === 'POST'), calls, readProtected }
}

test('a call is signed over its address, nonce and account, and the next nonce is the one that came', async () => {
  const { wire, posts, calls, readProtected } = await wireTo({ body: { a: 1 } }, {})
  const { value } = await wire.ask(URLS.newOrder, { x: 1 }, Type.Object({ a: Type.Number() }), 'https://ca.test/me')
  await wire.post(URLS.newAccount, '')
  expect(value).toEqual({ a: 1 })
  expect(calls.map(({ method }) => method)).toEqual(['GET', 'HEAD', 'POST', 'POST'])
  const [first, second] = posts()
  const header = { alg: 'ES256', nonce: 'n2', url: URLS.newOrder, kid: 'https://ca.test/me' }
  expect(readProtected(first)).toEqual(header)
  expect(readProtected(second)).toMatchObject({ nonce: 'n3', jwk: { kty: 'EC', crv: 'P-256' } })
  const jws = JSON.parse(String(first?.body))
  const signed = Buffer.from(`${jws.protected}.${jws.payload}`)
  const signature = Buffer.from(jws.signature, 'base64url')
  expect(verify('sha256', signed, { key: createPublicKey(pem), dsaEncoding: 'ieee-p1363' }, signature)).toBe(true)
})

test('a call with a refused nonce is repeated with the nonce of the refusal, at most eight times in all', async () => {
  const bad = { status: 400, body: { type: 'urn:ietf:params:acme:error:badNonce' } }
  const { wire, posts, readProtected } = await wireTo(bad, bad, {})
  await wire.post(URLS.newOrder, {})
  expect(posts().map((call) => readProtected(call).nonce)).toEqual(['n2', 'n3', 'n4'])
  const stuck = await wireTo(...Array(20).fill(bad))
  await expect(stuck.wire.post(URLS.newOrder, {})).rejects.toThrow(AcmeError)
  expect(stuck.posts().length).toBe(8)
})

test('the error of a refusal has its type, detail, names and Retry-After', async () => {
  const subproblems = [{ identifier: { value: 'a.test' }, detail: 'no' }]
  const { wire } = await wireTo({
    status: 429,
    headers: { 'retry-after': '120' },
    body: { type: 'urn:ietf:params:acme:error:rateLimited', detail: 'too many', subproblems },
  })
  const error = await wire.post(URLS.newOrder, {}).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({
    type: 'rateLimited',
    message: 'too many',
    retryAfter: 120_000,
    failure: { subproblems },
  })
})

test('an answer of another shape than ACME is refused, and the error says so', async () => {
  const { wire } = await wireTo({ body: { a: 'x' } })
  const shape = Type.Object({ a: Type.Number() })
  await expect(wire.ask(URLS.newOrder, '', shape, 'me')).rejects.toThrow('something else than ACME')
})

test.each([
  ['120', 120_000],
  ['Thu, 01 Jan 1970 00:01:00 GMT', 60_000],
  ['yesterday', null],
  [undefined, null],
])('Retry-After %s is %p milliseconds', (value, ms) => expect(readRetryAfter(value, 0)).toBe(ms))
