import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { HOUR } from '../../clock.ts'
import { forgetOldRows } from '../../jobs/housekeeping.ts'
import { sha256Hex } from '../../secrets.ts'

let app: TestApp
let firm: Firm
let other: Firm
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  other = await app.firm('beta')
})
afterAll(() => app.close())

let count = 0
const trader = () => {
  count += 1
  return { email: `once${count}@x.test`, firstName: 'Once' }
}
const create = (key: string, body: object, as = firm.as.operator) =>
  app.call('POST', '/v1/traders', { as, body, headers: { 'idempotency-key': key } })
const stored = () => app.platform.reader.all<{ response: Uint8Array }>('SELECT response FROM idempotency')
const forget = () => forgetOldRows.run({ platform: app.platform, signal: new AbortController().signal })

test('of twenty requests at once with one key, one is done; the others get a conflict or its answer', async () => {
  const body = trader()
  firm.effects()
  const answers = await Promise.all(Array.from({ length: 20 }, () => create('at-once', body)))
  const done = answers.filter(({ status }) => status === 201)
  const running = answers.filter(({ status }) => status === 409)
  expect(done.length + running.length).toBe(20)
  expect(new Set(done.map(({ body: made }) => made.id)).size).toBe(1)
  expect(done.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1)
  for (const { body: problem } of running) expect(problem.code).toBe('idempotency_in_progress')
  expect(firm.effects().events).toEqual(['trader.created'])
  const later = await create('at-once', body)
  expect([later.status, later.body, later.headers.get('idempotent-replayed')]).toEqual([201, done[0]?.body, 'true'])
})

test('a refusal is not stored for its Idempotency-Key, so the key works once the request is corrected', async () => {
  const body = trader()
  expect((await create('corrected', { ...body, email: 'nobody' })).status).toBe(422)
  expect((await create('corrected', { ...body, surprise: 1 })).status).toBe(422)
  const taken = trader()
  expect((await create('taken-before', taken)).status).toBe(201)
  expect((await create('corrected', taken)).status).toBe(409)
  expect((await create('corrected', body)).status).toBe(201)
})

test('an Idempotency-Key belongs to a caller, a firm and a route', async () => {
  const body = trader()
  const first = await create('mine', body)
  expect((await create('mine', trader(), firm.as.manager)).status).toBe(201)
  expect((await create('mine', body, other.as.operator)).status).toBe(201)
  const elsewhere = await app.call('POST', `/v1/traders/${first.body.id}/notes`, {
    as: firm.as.operator,
    body: { body: 'hello' },
    headers: { 'idempotency-key': 'mine' },
  })
  expect([elsewhere.status, elsewhere.body.errors[0].code]).toEqual([422, 'idempotency_mismatch'])
  const robot = await firm.key(['traders:write'])
  expect((await create('mine', trader(), robot)).status).toBe(201)
})

test('two bodies with one key differ if only their numbers are written differently', async () => {
  const send = (rate: string, key: string) =>
    app.call('POST', '/v1/fx/rates/upsert', {
      as: firm.as.admin,
      raw: `{"rates":[{"base":"EUR","quote":"DKK","rate":${rate}}]}`,
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
    })
  const first = await send('7.4000000000000001', 'rate')
  expect(first.status).toBe(200)
  const other = await send('7.4000000000000002', 'rate')
  expect([other.status, other.body.errors[0].code]).toEqual([422, 'idempotency_mismatch'])
  const again = await send('7.4000000000000001', 'rate')
  expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([200, 'true', first.body])
})

test('a caller who lost the right to a route does not get its stored answer', async () => {
  const robot = await firm.key(['traders:write'], 'operator')
  const body = trader()
  expect((await create('lost', body, robot)).status).toBe(201)
  await app.platform.writer.submit(() =>
    app.platform.connection.run('UPDATE api_keys SET revoked_at = 1 WHERE id = ?', [robot.id]),
  )
  expect((await create('lost', body, robot)).status).toBe(401)
})

test('answers are stored sealed, since an answer may contain a secret that is shown once', async () => {
  const made = await app.call('POST', '/v1/api-keys', {
    as: firm.as.admin,
    body: { label: 'robot', scopes: ['traders:read'] },
    headers: { 'idempotency-key': 'a-key' },
  })
  expect(made.status).toBe(201)
  const bytes = Buffer.concat(stored().map(({ response }) => Buffer.from(response)))
  for (const word of [made.body.key, 'crm_live_', 'robot', 'Once', '@x.test', firm.tenantId])
    expect(bytes.includes(word)).toBe(false)
  const again = await app.call('POST', '/v1/api-keys', {
    as: firm.as.admin,
    body: { label: 'robot', scopes: ['traders:read'] },
    headers: { 'idempotency-key': 'a-key' },
  })
  expect(again.body).toEqual(made.body)
})

test('an answer is kept for its Idempotency-Key for 24 hours, and then forgotten', async () => {
  await forget()
  const body = trader()
  await create('forgotten', body)
  const kept = stored().length
  app.clock.advance(24 * HOUR)
  await forget()
  expect((await create('forgotten', body)).headers.get('idempotent-replayed')).toBe('true')
  app.clock.advance(1)
  expect(await forget()).toContain('idempotent answers')
  expect(stored().length).toBeLessThan(kept)
  // the address is taken by now, so the same request counts as a new one
  expect((await create('forgotten', body)).status).toBe(409)
})

test('the content of a body cannot be guessed from a stolen database', async () => {
  const body = trader()
  await create('guess', body)
  const rows = app.platform.reader.all<{ hash: string }>(
    "SELECT body_hash AS hash FROM idempotency WHERE key = 'guess'",
  )
  expect(rows.map(({ hash }) => hash)).not.toContain(sha256Hex(JSON.stringify(body)))
  // an answer that the previous version stored is still returned
  await app.platform.writer.submit(() =>
    app.platform.connection.run("UPDATE idempotency SET body_hash = ? WHERE key = 'guess'", [
      sha256Hex(JSON.stringify(body)),
    ]),
  )
  expect((await create('guess', body)).headers.get('idempotent-replayed')).toBe('true')
})

test('a public route stores no answer for an Idempotency-Key, even for a caller who is signed in', async () => {
  const before = stored().length
  const headers = { 'idempotency-key': 'public' }
  for (const email of ['one@x.test', 'two@x.test'])
    expect((await app.call('POST', '/v1/auth/forgot', { as: firm.as.viewer, body: { email }, headers })).status).toBe(
      202,
    )
  expect(stored().length).toBe(before)
})
