import { afterEach, beforeEach, expect, test } from 'bun:test'
import { HOUR, MINUTE } from '../../../platform/clock.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { purgeFiles } from './files.jobs.ts'
import { CLIENT_QUOTA, CLIENTS_SHARE, FILING_QUOTA, FIRM_QUOTA } from './files.quota.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const MIB = 1024 * 1024

let app: TestApp
let firm: Firm
beforeEach(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
})
afterEach(() => app.close())

const announce = (traderId: string | null, fileSize = PNG.byteLength, as: Caller = firm.as.operator) =>
  app.call('POST', '/v1/kyc/documents/upload', {
    as,
    body: { ...(traderId === null ? {} : { traderId }), contentType: 'image/png', fileSize },
  })
const upload = async (traderId: string | null, as: Caller = firm.as.operator) => {
  const { body } = await announce(traderId, PNG.byteLength, as)
  await app.call('PUT', body.uploadUrl, { raw: new Uint8Array(PNG), headers: { 'content-type': 'image/png' } })
  return body.key as string
}
const confirm = (key: string, as: Caller = firm.as.operator) =>
  app.call('POST', '/v1/kyc/documents/confirm', { as, body: { key, kind: 'passport' } })
const purge = () => purgeFiles.run({ platform: app.platform, signal: new AbortController().signal })
/** Inserts files directly, as if they were uploaded earlier. */
const left = (count: number, size: number, status: string, traderId: string | null = null) =>
  app.platform.writer.submit(() => {
    for (let index = 0; index < count; index += 1)
      app.platform.connection.run(
        `INSERT INTO files (tenant_id, id, trader_id, purpose, content_type, size, status, created_at, expires_at)
         VALUES (?, ?, ?, 'kyc', 'image/png', ?, ?, 0, ?)`,
        [firm.tenantId, app.platform.ids.next('fil'), traderId, size, status, app.clock.now() + HOUR],
      )
  })
const usage = (owner: string) =>
  app.platform.reader.get<{ bytes: number }>('SELECT bytes FROM file_usage WHERE tenant_id = ? AND trader_id = ?', [
    firm.tenantId,
    owner,
  ])?.bytes ?? 0

test('a client may have few uploads open, without limiting the staff; confirming one, or waiting, makes room', async () => {
  const [traderId, neighbour] = [await firm.trader(), await firm.trader()]
  const session = await firm.traderSession(traderId)
  const keys = [await upload(traderId), await upload(null, session)]
  for (let index = keys.length; index < CLIENT_QUOTA.open; index += 1)
    expect((await announce(null, PNG.byteLength, session)).status).toBe(200)
  expect((await announce(null, 10, session)).status).toBe(429)
  for (let index = CLIENT_QUOTA.open; index < FILING_QUOTA.open; index += 1)
    expect((await announce(traderId)).status).toBe(200)
  firm.effects()
  for (const as of [session, firm.as.operator]) {
    const full = await announce(as === session ? null : traderId, 10, as)
    expect([full.status, full.body.code]).toEqual([429, 'files.too_many_open'])
    expect(Number(full.headers.get('retry-after'))).toBe(15 * 60)
  }
  expect(firm.effects()).toEqual({ events: [], actions: [] })
  expect((await announce(neighbour)).status).toBe(200)
  expect((await confirm(keys[0] ?? '')).status).toBe(201)
  expect((await announce(traderId)).status).toBe(200)
  expect((await announce(traderId)).status).toBe(429)
  app.clock.advance(15 * MINUTE)
  // three uploads expired without bytes; the bytes of another still wait for their record
  expect((await announce(traderId)).status).toBe(200)
})

test('a client may have few bytes open at once: a sixth document of the largest size is refused', async () => {
  const traderId = await firm.trader()
  const session = await firm.traderSession(traderId)
  const answers = []
  for (let index = 0; index < 6; index += 1) answers.push((await announce(null, 15 * MIB, session)).status)
  expect(answers).toEqual([200, 200, 200, 200, 429, 429])
})

test('the total kept for a client is limited, and erasing the client makes room', async () => {
  const traderId = await firm.trader()
  await left(1, CLIENT_QUOTA.total - PNG.byteLength, 'attached', traderId)
  expect((await confirm(await upload(traderId))).status).toBe(201)
  const full = await announce(traderId, 1)
  expect([full.status, full.body.code]).toEqual([409, 'files.client_full'])
  expect([usage(traderId), usage('')]).toEqual([CLIENT_QUOTA.total, CLIENT_QUOTA.total])
  await app.platform.writer.submit(() =>
    app.platform.connection.run('DELETE FROM files WHERE trader_id = ? AND created_at = 0', [traderId]),
  )
  expect([usage(traderId), usage('')]).toEqual([PNG.byteLength, PNG.byteLength])
  expect((await announce(traderId)).status).toBe(200)
})

test('clients together leave room for the staff of their firm, and the firm is limited too', async () => {
  const traderId = await firm.trader()
  const session = await firm.traderSession(traderId)
  await left(CLIENTS_SHARE.open, 1, 'awaiting')
  expect((await announce(null, 10, session)).body.code).toBe('files.too_many_open')
  expect((await announce(traderId)).status).toBe(200)
  await left(FIRM_QUOTA.open - CLIENTS_SHARE.open, 1, 'awaiting')
  expect((await announce(traderId)).body.code).toBe('files.too_many_open')
  const logo = { contentType: 'image/png', fileSize: 10 }
  const asked = await app.call('POST', '/v1/tenants/current/logo-upload', { as: firm.as.admin, body: logo })
  expect(asked.status).toBe(429)

  const other = await app.firm('beta')
  const theirs = await app.call('POST', '/v1/tenants/current/logo-upload', { as: other.as.admin, body: logo })
  expect(theirs.status).toBe(200)
})

test('the firm’s total stops clients a little before it stops staff', async () => {
  const traderId = await firm.trader()
  await left(1, CLIENTS_SHARE.total - 10, 'attached')
  const session = await firm.traderSession(traderId)
  const stopped = await announce(null, 11, session)
  expect([stopped.status, stopped.body.code]).toEqual([409, 'files.firm_full'])
  expect((await announce(traderId, 11)).status).toBe(200)
  await left(1, FIRM_QUOTA.total - CLIENTS_SHARE.total, 'attached')
  expect((await announce(traderId, 11)).body.code).toBe('files.firm_full')
})

test('an upload that is not confirmed is removed: after 20 minutes without bytes, or little over an hour with them', async () => {
  const traderId = await firm.trader()
  await announce(traderId)
  const key = await upload(traderId)
  app.clock.advance(20 * MINUTE)
  expect(await purge()).toBe('1 file removed')
  app.clock.advance(40 * MINUTE)
  expect((await confirm(key)).status).toBe(410)
  app.clock.advance(5 * MINUTE)
  expect(await purge()).toBe('1 file removed')
  expect(app.platform.blobs.get(firm.tenantId, key)).toBeUndefined()
  expect([usage(traderId), usage('')]).toEqual([0, 0])
})
