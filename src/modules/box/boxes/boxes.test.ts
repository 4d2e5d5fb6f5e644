import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { signAnswer } from '../../../platform/peer/peer-signature.ts'
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

describe('a box that lies', () => {
  type Self = { firms: object[]; disk: object }
  /** Answers as a true box that has the key, with something of it changed. */
  const lie = (change: (self: Self) => unknown) =>
    server.reload({
      fetch: async (request) => {
        const answer = await app.send(request)
        const body = Buffer.from(JSON.stringify(change(await answer.json())) ?? '<html>')
        const call = request.headers.get('x-crm-box') ?? ''
        const signature = signAnswer(app.platform.secrets, call, { status: 200, age: '', body })
        return new Response(body, { headers: { 'x-crm-box': signature } })
      },
    })
  const ask = async () => {
    await name([{ name: 'liar', url: `http://127.0.0.1:${server.port}` }])
    const { body } = await app.call('GET', '/v1/system/boxes', { as: firm.as.platform_admin })
    return body.boxes[0]
  }

  test.each([
    ['a line in a slug', { slug: 'x\nvictim.example liar' }],
    ['a line in a domain', { domain: 'a.example liar\nother-firm.example' }],
    ['a blank in a domain', { domain: 'a.example liar' }],
    ['a comment as a domain', { domain: '#a.example' }],
    ['an id that is none', { id: 'tnt_1 or' }],
  ])('by %s is said to answer what cannot be read', async (_, lies) => {
    lie((self) => ({ ...self, firms: [{ ...self.firms[0], ...lies }] }))
    expect(await ask()).toMatchObject({ self: null, error: 'It answers what cannot be read.' })
  })

  test('by a text that is no version, an address that is none, or what is no JSON, is not believed', async () => {
    for (const change of [
      (self: Self) => ({ ...self, version: '1\n2' }),
      (self: Self) => ({ ...self, reads: { url: 'javascript:x', there: 0, here: 0 } }),
      () => [],
      () => undefined,
    ]) {
      lie(change)
      expect(await ask()).toMatchObject({ self: null, error: 'It answers what cannot be read.' })
    }
  })

  test('without the key is not believed: neither its own words, nor others under the signature of a true answer', async () => {
    const unsigned = { self: null, error: 'Its answer is not signed with the key of this installation.' }
    server.reload({ fetch: async (request) => Response.json(await (await app.send(request)).json()) })
    expect(await ask()).toMatchObject(unsigned)
    server.reload({
      fetch: async (request) => {
        const answer = await app.send(request)
        const text = await answer.text()
        return new Response(text.replace('boxed', 'other'), { headers: answer.headers })
      },
    })
    expect(await ask()).toMatchObject(unsigned)
  })

  test('by a true answer to an earlier call is not believed', async () => {
    let first: Response | undefined
    server.reload({
      fetch: async (request) => {
        first ??= await app.send(request)
        return first.clone()
      },
    })
    const named = await name([{ name: 'liar', url: `http://127.0.0.1:${server.port}` }])
    expect(named.body.boxes[0].error).toBeNull()
    const { body } = await app.call('GET', '/v1/system/boxes', { as: firm.as.platform_admin })
    expect(body.boxes[0]).toMatchObject({ self: null, error: expect.stringContaining('not signed') })
  })

  test('by more than was asked is listed without it', async () => {
    lie((self) => ({ ...self, more: 'x', firms: [{ ...self.firms[0], more: 'x' }], disk: { ...self.disk, more: 'x' } }))
    const { self, error } = await ask()
    expect([error, self.firms[0].id]).toEqual([null, firm.tenantId])
    expect(JSON.stringify(self)).not.toContain('more')
  })
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
