import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createScheduler } from '../../../platform/jobs/scheduler.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { purgeFiles } from './files.jobs.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let app: TestApp
let firm: Firm
let other: Firm

beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  other = await app.firm('beta')
})
afterAll(() => app.close())

const start = (body: object = {}, as = firm.as.admin) =>
  app.call('POST', '/v1/tenants/current/logo-upload', {
    as,
    body: { contentType: 'image/png', fileSize: PNG.length, ...body },
  })
const put = (url: string, raw: Uint8Array<ArrayBuffer> = new Uint8Array(PNG), type = 'image/png') =>
  app.call('PUT', url, { raw, headers: { 'content-type': type } })
const confirm = (key: string, as = firm.as.admin) =>
  app.call('POST', '/v1/tenants/current/logo-confirm', { as, body: { key } })
const uploaded = async () => {
  const { body } = await start()
  expect((await put(body.uploadUrl)).status).toBe(204)
  firm.effects()
  return body.key as string
}
const logo = async () => {
  const key = await uploaded()
  expect((await confirm(key)).status).toBe(200)
  firm.effects()
  return key
}

describe('a logo', () => {
  test('a logo is announced, uploaded, confirmed, and then served to everyone for ever', async () => {
    firm.effects()
    const announced = await start()
    expect(announced.status).toBe(200)
    const { key, uploadUrl, method, headers, expiresAt } = announced.body
    expect({ method, headers, expiresAt }).toEqual({
      method: 'PUT',
      headers: { 'content-type': 'image/png' },
      expiresAt: new Date(app.clock.now() + 15 * 60_000).toISOString(),
    })
    expect(firm.effects()).toEqual({ events: [], actions: ['tenant.logo_upload'] })
    expect((await app.call('GET', `/v1/files/${key}`)).status).toBe(404)
    expect((await confirm(key)).body.code).toBe('wrong_state')
    const sent = await put(uploadUrl)
    expect([sent.status, sent.text]).toEqual([204, ''])
    expect(firm.effects()).toEqual({ events: [], actions: ['file.upload'] })
    expect((await app.call('GET', `/v1/files/${key}`)).status).toBe(404)
    const confirmed = await confirm(key)
    expect(confirmed.status).toBe(200)
    expect(confirmed.body.branding.logoUrl).toBe(`/v1/files/${key}`)
    expect(firm.effects()).toEqual({ events: [], actions: ['tenant.logo_confirm', 'tenant.logo_confirm'] })
    const response = await app.call('GET', `/v1/files/${key}`)
    expect(response.status).toBe(200)
    expect(response.text).toBe(new TextDecoder().decode(PNG))
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('content-disposition')).toBe('inline')
  })

  test('a logo is stored sealed and comes back as the bytes that were uploaded', async () => {
    const key = await logo()
    const stored = app.platform.blobs.get(firm.tenantId, key)
    expect(Buffer.from(stored ?? []).equals(PNG)).toBe(true)
    const row = app.platform.reader.get<{ sha256: string }>('SELECT sha256 FROM files WHERE id = ?', [key])
    expect(row?.sha256).toBe(new Bun.CryptoHasher('sha256').update(PNG).digest('hex'))
  })

  test('a replaced logo is not served any more, and the purge removes its bytes', async () => {
    const first = await logo()
    const key = await uploaded()
    await confirm(key)
    expect(firm.effects().actions).toEqual(['tenant.logo_confirm', 'file.release', 'tenant.logo_confirm'])
    expect((await app.call('GET', `/v1/files/${first}`)).status).toBe(404)
    expect((await confirm(first)).status).toBe(410)
    const removed = await app.call('PATCH', '/v1/tenants/current', {
      as: firm.as.admin,
      body: { branding: { logoUrl: null } },
    })
    expect(removed.body.branding).toEqual({})
    expect(firm.effects().actions).toEqual(['file.release', 'tenant.update'])
    expect((await app.call('GET', `/v1/files/${key}`)).status).toBe(404)
    const kept = await logo()
    app.clock.advance(26 * 3600_000)
    await createScheduler(app.platform, [purgeFiles]).runNow('files.purge')
    const left = app.platform.reader.all<{ id: string }>('SELECT id FROM files WHERE tenant_id = ?', [firm.tenantId])
    expect(left.map(({ id }) => id)).toEqual([kept])
    expect(app.platform.blobs.get(firm.tenantId, first)).toBeUndefined()
    expect((await app.call('GET', `/v1/files/${kept}`)).status).toBe(200)
    expect(new Set(firm.effects().actions)).toEqual(new Set(['file.purge']))
  })

  test.each([
    [{ contentType: 'image/svg+xml' }, 'contentType'],
    [{ contentType: 'application/pdf' }, 'contentType'],
    [{ fileSize: 1024 * 1024 + 1 }, 'fileSize'],
    [{ fileSize: 0 }, 'fileSize'],
    [{ fileSize: 1.5 }, 'fileSize'],
    [{ name: 'x.png' }, 'name'],
  ])('a logo with a wrong type or size is a 422 that names the field: %j', async (wrong, path) => {
    firm.effects()
    const answer = await start(wrong)
    expect(answer.status).toBe(422)
    expect(answer.body.errors[0].path).toBe(path)
    expect(firm.effects().actions).toEqual([])
  })

  test('a logo is refused without a sign-in (401) and below admin (403); another firm cannot confirm it', async () => {
    expect((await app.call('POST', '/v1/tenants/current/logo-upload', { body: {} })).status).toBe(401)
    expect((await app.call('POST', '/v1/tenants/current/logo-confirm', { body: { key: 'x' } })).status).toBe(401)
    expect((await start({}, firm.as.manager)).status).toBe(403)
    expect((await confirm('x', firm.as.manager)).status).toBe(403)
    expect((await confirm('fil_nothing')).status).toBe(404)
    expect((await confirm(await uploaded(), other.as.admin)).status).toBe(404)
  })

  test('a logo whose content is not of the announced type is refused', async () => {
    const html = new TextEncoder().encode('<script>alert(1)</script>')
    const { body } = await start({ fileSize: html.length })
    expect((await put(body.uploadUrl, html)).status).toBe(204)
    firm.effects()
    const answer = await confirm(body.key)
    expect([answer.status, answer.body.code, answer.body.errors[0].path]).toEqual([422, 'files.wrong_content', 'key'])
    expect(firm.effects().actions).toEqual([])
    expect((await app.call('GET', `/v1/files/${body.key}`)).status).toBe(404)
  })
})

describe('PUT /v1/files/{key}', () => {
  test('an upload needs the signed address, the exact type and the exact size, and works only once', async () => {
    const { body } = await start()
    const address = new URL(body.uploadUrl, 'http://localhost')
    const changed = (name: string, value: string) => {
      const copy = new URL(address)
      copy.searchParams.set(name, value)
      return `${copy.pathname}${copy.search}`
    }
    firm.effects()
    for (const url of [
      changed('signature', 'A'.repeat(43)),
      changed('expires', `${app.clock.now() + 1e9}`),
      body.uploadUrl.replace(body.key, 'fil_00000000000000000000000000'),
    ]) {
      const answer = await put(url)
      expect([answer.status, answer.body.code]).toEqual([403, 'files.bad_signature'])
    }
    expect((await put(body.uploadUrl, new Uint8Array(PNG), 'image/jpeg')).status).toBe(415)
    const short = await put(body.uploadUrl, new Uint8Array(PNG.subarray(1)))
    expect([short.status, short.body.errors[0].path]).toEqual([422, 'body'])
    expect((await put(`/v1/files/${body.key}`)).status).toBe(422)
    expect(firm.effects().actions).toEqual([])
    const tries = await Promise.all(Array.from({ length: 5 }, () => put(body.uploadUrl)))
    expect(tries.map(({ status }) => status).sort()).toEqual([204, 409, 409, 409, 409])
    expect(firm.effects().actions).toEqual(['file.upload'])
  })

  test('an upload more than 15 minutes after its announcement is a 410', async () => {
    const { body } = await start()
    app.clock.advance(15 * 60_000)
    const answer = await put(body.uploadUrl)
    expect([answer.status, answer.body.code]).toEqual([410, 'files.expired'])
  })
})

test('GET /v1/files/{key} answers the same 404 for everything that is not a public file', async () => {
  const absent = await app.call('GET', '/v1/files/fil_nothing')
  const waiting = await app.call('GET', `/v1/files/${await uploaded()}`)
  expect([absent.status, waiting.status]).toEqual([404, 404])
  expect({ ...waiting.body, requestId: '' }).toEqual({ ...absent.body, requestId: '' })
  expect(absent.headers.get('cache-control')).toBe('no-store')
})
