import { afterEach, beforeEach, expect, test } from 'bun:test'
import { buildUrl, call, type Query } from './api.ts'
import type { Answer, Body, OperationId } from './operations.ts'

let asked: { url: string; method: string; body: unknown; headers: Headers }[] = []
let answer = () => new Response('{}')
const original = globalThis.fetch
const stub = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
  const { method = 'GET', body } = init
  asked.push({ url: String(input), method, body, headers: new Headers(init.headers) })
  return answer()
}
beforeEach(() => {
  asked = []
  answer = () => new Response('{}')
  globalThis.fetch = Object.assign(stub, { preconnect: original.preconnect })
})
afterEach(() => {
  globalThis.fetch = original
})

test('a call sends the method, path, version and body of its operation', async () => {
  answer = () => new Response('{"status":"settled"}')
  const settled = await call('deposits.settle', { params: { id: 'dep/1' }, ifMatch: 3 })
  expect(settled.status).toBe('settled')
  await call('deposits.fail', { params: { id: 'd' }, body: { reason: 'No money came' } })
  const [settle, fail] = asked
  expect([settle?.method, settle?.url, settle?.body]).toEqual(['POST', '/v1/deposits/dep%2F1/settle', undefined])
  expect(settle?.headers.get('if-match')).toBe('"3"')
  expect(settle?.headers.get('content-type')).toBeNull()
  expect([fail?.url, fail?.body]).toEqual(['/v1/deposits/d/fail', '{"reason":"No money came"}'])
  expect(fail?.headers.get('if-match')).toBeNull()
  expect(fail?.headers.get('content-type')).toBe('application/json')
})

test('pasted text is sent without invisible characters', async () => {
  await call('deposits.fail', { params: { id: 'd' }, body: { reason: 'one\vtwo\fthree\nfour' } })
  expect(asked[0]?.body).toBe('{"reason":"one two three\\nfour"}')
})

test('a query leaves out empty values and writes numbers and booleans as text', async () => {
  await call('deposits.list', { query: { limit: 50, count: true, cursor: null, q: '', status: undefined } })
  expect(asked[0]?.url).toBe('/v1/deposits?limit=50&count=true')
  const address: Query = { status: 'pending', sort: '-amount' }
  expect(buildUrl('deposits.export', { query: address })).toBe('/v1/deposits/export.csv?status=pending&sort=-amount')
  expect(buildUrl('notifications.stream')).toBe('/v1/stream')
})

test('an answer without a body is null', async () => {
  answer = () => new Response(null, { status: 204 })
  const nothing: null = await call('accounts.delete', { params: { id: 'a' } })
  expect(nothing).toBeNull()
  expect(asked[0]?.method).toBe('DELETE')
})

/** No test runs this: tsc checks that none of these calls compiles. */
export const wrong = () => [
  // @ts-expect-error there is no such operation
  call('deposits.vanish'),
  // @ts-expect-error the operation needs an id
  call('deposits.settle'),
  // @ts-expect-error the parameter has another name
  call('deposits.settle', { params: { deposit: 'a' } }),
  // @ts-expect-error the operation takes no body
  call('deposits.settle', { params: { id: 'a' }, body: {} }),
  // @ts-expect-error a field of the body is missing
  call('deposits.fail', { params: { id: 'a' }, body: {} }),
  // @ts-expect-error a field has another type
  call('deposits.partialSettle', { params: { id: 'a' }, body: { settledAmount: 5 } }),
  // @ts-expect-error the list cannot be sorted by this field
  call('deposits.list', { query: { sort: 'method' } }),
  // @ts-expect-error there is no such parameter
  call('deposits.list', { query: { state: 'settled' } }),
  // @ts-expect-error a parameter is missing
  call('fx.convert', { query: { amount: '1', base: 'EUR' } }),
  // @ts-expect-error a read has no version to match
  call('deposits.get', { params: { id: 'a' }, ifMatch: 1 }),
  // @ts-expect-error a file is not JSON
  call('deposits.export'),
  // @ts-expect-error a link can only read
  buildUrl('deposits.create', { body: {} }),
  // @ts-expect-error an answer has no such field
  call('deposits.get', { params: { id: 'a' } }).then(({ total }) => total),
]

type IsAny<T> = 0 extends 1 & T ? true : false
type IsLost<T> = IsAny<T> extends true ? true : unknown extends T ? true : [T] extends [never] ? true : false
type Lost = {
  [Id in OperationId]: true extends IsLost<Answer<Id>> | IsLost<Body<Id>> ? Id : never
}[OperationId]
/** Does not compile if an operation has no type for its answer or body; the error of tsc names the operation. */
export const lost: Record<Lost, never> = {}
