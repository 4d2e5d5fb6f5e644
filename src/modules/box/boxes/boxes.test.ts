import { afterEach, beforeEach, expect, test } from 'bun:test'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { freePort } from '../../../testing/pebble.ts'

const READ_FROM = 'http://10.0.0.2:8443'
let app: TestApp
let firm: Firm
let server: ReturnType<typeof Bun.serve>
beforeEach(async () => {
  app = createTestApp({ config: { readFrom: { url: READ_FROM, maxAgeSeconds: 60 } } })
  firm = await app.firm('boxed')
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => app.send(request) })
})
afterEach(async () => {
  await server.stop(true)
  await app.close()
})
const name = (boxes: object[], headers: Record<string, string> = {}) =>
  app.call('PUT', '/v1/system/boxes', { as: firm.as.platform_admin, body: { boxes }, headers })

test('each named box is asked what it says of itself, and one that says nothing is listed with why', async () => {
  const here = { name: 'here', url: `http://127.0.0.1:${server.port}` }
  const silent = { name: 'silent', url: `http://127.0.0.1:${freePort()}` }
  await name([here, silent])
  const { body } = await app.call('GET', '/v1/system/boxes', { as: firm.as.platform_admin })
  expect(body).toMatchObject({
    version: 1,
    boxes: [
      { ...here, error: null },
      { ...silent, self: null },
    ],
  })
  expect(body.boxes[1].error).not.toBe('')
  expect(body.boxes[0].self).toMatchObject({
    role: 'primary',
    ageSeconds: null,
    reads: { url: READ_FROM, there: 0, here: 0 },
    firms: [{ id: firm.tenantId, slug: 'boxed', domain: null, state: 'active' }],
  })
})

test('a box that does not know the caller is said to have another key; the facts are for no stranger', async () => {
  for (const header of [undefined, 'v1 1 nonce 00']) {
    const headers = header === undefined ? {} : { 'x-crm-box': header }
    expect((await app.call('GET', '/peer/box', { headers })).status).toBe(404)
  }
  server.reload({ fetch: (request) => app.send(new Request(request.url)) })
  await name([{ name: 'other', url: `http://127.0.0.1:${server.port}` }])
  const { body } = await app.call('GET', '/v1/system/boxes', { as: firm.as.platform_admin })
  expect(body.boxes[0]).toMatchObject({ self: null, error: expect.stringContaining('another key') })
})

test('names and addresses are given once, and by the version that was read', async () => {
  const one = { name: 'one', url: 'http://127.0.0.1:1' }
  const twice = await name([one, { ...one, url: 'http://127.0.0.1:2' }])
  expect([twice.status, twice.body.errors[0].path]).toEqual([422, 'boxes.1.name'])
  const same = await name([one, { ...one, name: 'two' }])
  expect([same.status, same.body.errors[0].path]).toEqual([422, 'boxes.1.url'])
  expect((await name([one], { 'if-match': '"0"' })).status).toBe(200)
  expect((await name([], { 'if-match': '"0"' })).status).toBe(412)
  const { body } = await app.call('GET', '/v1/system/boxes', { as: firm.as.platform_admin })
  expect(body.boxes.map((box: { name: string }) => box.name)).toEqual(['one'])
})
