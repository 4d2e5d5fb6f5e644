import { afterAll, beforeAll, describe, expect, jest, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { eventNames } from '../../../platform/events/catalogue.ts'
import { listedCodes } from '../../../platform/problem.ts'
import { COMMON, FIELD_CODES } from '../../../platform/problem-codes.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { isStandardSigned } from '../../../testing/fakes/webhook-receiver.ts'
import { until } from '../../../testing/until.ts'
import { MAX_ATTEMPTS } from '../../firm/webhooks/webhooks.schedule.ts'
import { PAGES } from './guide.pages.ts'
import { SAMPLE_SECRET, sampleDelivery } from './webhooks.page.ts'

let app: TestApp
let firm: Firm
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
})
afterAll(() => app.close())

const read = (path: string, headers: Record<string, string> = {}) => app.call('GET', path, { headers })
const markdown = async (slug: string): Promise<string> => (await read(`/docs/guide/${slug}.md`)).text

describe('the pages', () => {
  test.each(PAGES.map(({ slug }) => slug))(
    'the guide’s page %s loads nothing from other origins and has no script',
    async (slug) => {
      const { status, headers, text } = await read(`/docs/guide/${slug}`)
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(headers.get('content-security-policy')).toContain("style-src 'self';")
      expect(text).toMatch(/^<!doctype html>\n<html lang="en">/)
      expect(text.match(/<h1/g)).toHaveLength(1)
      expect(text).not.toMatch(/<script|<style|style="|javascript:|\son\w+="/)
      expect(text.replace(/<pre.*?<\/pre>/gs, '')).not.toMatch(/undefined|NaN|\[object/)
      // what a page loads, and its links
      for (const [, address = ''] of text.matchAll(/(?:href|src)="([^"]*)"/g))
        expect(address).toMatch(/^(\/docs(\/|$)|#|data:,$)/)
      const source = await read(`/docs/guide/${slug}.md`)
      expect([source.status, source.headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8'])
      expect(source.text).toStartWith('# ')
    },
  )

  test('the guide’s pages link to one another and to existing sections', async () => {
    const pages = new Map<string, string>()
    for (const { slug } of PAGES) pages.set(`/docs/guide/${slug}`, (await read(`/docs/guide/${slug}`)).text)
    const broken: string[] = []
    for (const [from, text] of pages)
      for (const [, address = ''] of text.matchAll(/href="([^"]*)"/g)) {
        if (!address.startsWith('#') && !address.startsWith('/docs/guide/')) continue
        const [path = '', section] = address.startsWith('#') ? [from, address.slice(1)] : address.split('#')
        const target = pages.get(path) ?? (await read(path)).text
        if (section !== undefined && !target.includes(`id="${section}"`)) broken.push(`${from} → ${address}`)
        if ((await read(path)).status !== 200) broken.push(`${from} → ${address}`)
      }
    expect(broken).toEqual([])
  })

  test('the guide’s pages are under /docs/guide, with an ETag, and no other page is', async () => {
    const { status, headers } = await read('/docs/guide')
    expect([status, headers.get('location')]).toEqual([302, '/docs/guide/start'])
    const etag = (await read('/docs/guide/errors')).headers.get('etag') ?? ''
    expect((await read('/docs/guide/errors', { 'if-none-match': etag })).status).toBe(304)
    for (const path of ['/docs/guide/nothing', '/docs/guide/__proto__', '/docs/guide/nothing.md'])
      expect((await read(path)).status).toBe(404)
  })

  test.each(['/docs/guide/errors', '/docs/guide/errors.md', '/docs/json'])(
    'the page %s is compressed as the client accepts it, with an ETag; other methods are a 405',
    async (path) => {
      const plain = await read(path)
      expect([plain.headers.get('content-encoding'), plain.headers.get('cache-control')]).toEqual([null, 'no-cache'])
      const fetchBytes = async (encoding: string) => {
        const request = new Request(`http://localhost${path}`, {
          headers: { host: 'localhost', 'accept-encoding': encoding },
        })
        const answer = await app.send(request)
        expect([answer.headers.get('content-encoding'), answer.headers.get('vary')]).toEqual([
          encoding,
          'accept-encoding',
        ])
        const etag = answer.headers.get('etag') ?? ''
        const again = await read(path, { 'accept-encoding': encoding, 'if-none-match': `W/${etag}` })
        expect([again.status, again.headers.get('etag')]).toEqual([304, etag])
        return Buffer.from(await answer.arrayBuffer())
      }
      const [br, gzip] = [await fetchBytes('br'), await fetchBytes('gzip')]
      expect(br.length).toBeLessThan(plain.text.length / 3)
      expect([brotliDecompressSync(br).toString(), gunzipSync(gzip).toString()]).toEqual([plain.text, plain.text])
      const wrong = await app.call('DELETE', path)
      expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    },
  )

  test('the document of the interface links to the guide’s pages', async () => {
    const { body } = await read('/docs/json')
    for (const { slug } of PAGES.slice(0, -1)) expect(body.info.description).toContain(`(/docs/guide/${slug})`)
  })
})

test('the page of errors has every code', async () => {
  const text = await markdown('errors')
  const codes = [...Object.keys(COMMON), ...Object.keys(FIELD_CODES), ...listedCodes().map(([code]) => code)]
  expect(codes.length).toBeGreaterThan(150)
  expect(codes.filter((code) => !text.includes(`| \`${code}\` |`))).toEqual([])
})

test('the page of events has a sample of each event', async () => {
  const text = await markdown('events')
  expect(eventNames.filter((name) => !text.includes(`### ${name}\n`))).toEqual([])
})

test('the sample delivery of the guide is signed with its secret', async () => {
  const { headers, body } = sampleDelivery()
  const webhook = { method: 'POST', path: '/', headers, body: Buffer.from(body), text: body, receivedAt: 0 }
  expect(isStandardSigned(webhook, SAMPLE_SECRET)).toBe(true)
  const text = await markdown('webhooks')
  for (const part of [SAMPLE_SECRET, body, ...Object.values(headers)]) expect(text).toContain(part)
  expect(text).toContain(`\n| ${MAX_ATTEMPTS} | 1 day |`)
})

describe('the client of the guide', () => {
  type Client = {
    call(method: string, path: string, options?: object): Promise<Record<string, unknown>>
    all(path: string): AsyncIterable<{ id: string }>
    change(path: string, edit: (row: { version: number }) => object): Promise<Record<string, unknown>>
    catchUp(after: number, take: (event: { sequence: number }) => void, readLists?: () => unknown): Promise<number>
  }
  const isClient = (value: unknown): value is Client =>
    typeof value === 'object' && value !== null && ['call', 'all', 'change', 'catchUp'].every((name) => name in value)

  const directory = mkdtempSync(join(tmpdir(), 'brokerbase-guide-'))
  afterAll(() => rmSync(directory, { recursive: true, force: true }))
  const clientFor = async ({ port }: { port?: number | undefined }, key: string): Promise<Client> => {
    const source = await Bun.file(join(import.meta.dir, 'snippets/client.mjs')).text()
    const settings = { BROKERBASE_URL: `http://127.0.0.1:${port}`, BROKERBASE_KEY: key }
    const given = source.replace(/process\.env\.(\w+)/g, (_, name) => JSON.stringify(Reflect.get(settings, name)))
    const path = join(directory, `client-${port}.mjs`)
    await Bun.write(path, given)
    const loaded: unknown = await import(path)
    if (!isClient(loaded)) throw new Error('the client lacks a function')
    return loaded
  }

  let server: ReturnType<typeof Bun.serve>
  let client: Client
  /** Answers given instead of the server's, and the requests. */
  const first: (() => Response | Promise<Response>)[] = []
  const asked: Request[] = []
  beforeAll(async () => {
    server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: async (request) => {
        asked.push(request.clone())
        return (await first.shift()?.()) ?? app.send(request)
      },
    })
    const { key } = await firm.key(['traders:read', 'traders:write', 'webhooks:read'])
    client = await clientFor(server, key)
  })
  afterAll(() => server.stop(true))

  const refusal = (status: number, code: string, after: string) => () =>
    new Response(JSON.stringify({ status, code, detail: code }), { status, headers: { 'retry-after': after } })

  test('the guide’s client repeats a POST with one key, even after a lost answer, and it is done once', async () => {
    const lost = async () => {
      // the request is done, but its answer gets lost
      await app.send(asked.at(-1)?.clone() ?? new Request('http://localhost'))
      return refusal(503, 'unavailable', '0.01')()
    }
    first.push(refusal(429, 'rate_limited', '0.01'), lost)
    asked.length = 0
    const body = { email: 'guide@x.test', firstName: 'Guide' }
    const made = await client.call('POST', '/v1/traders', { body })
    expect(made).toMatchObject({ email: 'guide@x.test' })
    expect(asked).toHaveLength(3)
    expect(new Set(asked.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
    expect((await app.call('GET', '/v1/traders?q=guide@x.test', { as: firm.as.owner })).body.data).toHaveLength(1)
  })

  test('the guide’s client does not repeat a call whose refusal waiting would not change', async () => {
    asked.length = 0
    await expect(client.call('GET', '/v1/traders/none')).rejects.toMatchObject({ problem: { code: 'not_found' } })
    expect(asked).toHaveLength(1)
  })

  test('the guide’s client reads a list to the end', async () => {
    for (let n = 0; n < 5; n += 1) await firm.trader({ email: `list${n}@x.test` })
    const ids: string[] = []
    for await (const { id } of client.all('/v1/traders?limit=2')) ids.push(id)
    const { body } = await app.call('GET', '/v1/traders?limit=200', { as: firm.as.owner })
    expect(ids).toEqual(body.data.map((row: { id: string }) => row.id))
    expect(ids.length).toBeGreaterThan(4)
  })

  test('the guide’s client starts again after a conflict', async () => {
    const id = await firm.trader({ email: 'change@x.test' })
    const path = `/v1/traders/${id}`
    const NAMES = ['', 'First', 'Second', 'Third']
    let tries = 0
    const changed = await client.change(path, () => {
      tries += 1
      return { lastName: NAMES[tries] }
    })
    expect([tries, changed.lastName]).toEqual([1, NAMES[1]])
    // the second read answers the former version
    const { text: old } = await app.call('GET', path, { as: firm.as.owner })
    await app.call('PATCH', path, { as: firm.as.owner, body: { lastName: 'Other' } })
    first.push(() => new Response(old))
    const again = await client.change(path, () => {
      tries += 1
      return { lastName: NAMES[tries] }
    })
    expect([tries, again.lastName]).toEqual([3, NAMES[3]])
  })

  test('the guide’s client catches up with the events', async () => {
    const taken: number[] = []
    const last = await client.catchUp(0, ({ sequence }) => void taken.push(sequence))
    expect(taken).toEqual(taken.toSorted((a, b) => a - b))
    expect(taken.length).toBeGreaterThan(2)
    expect(last).toBeGreaterThanOrEqual(taken.at(-1) ?? 0)
    const none: number[] = []
    expect(await client.catchUp(last, ({ sequence }) => void none.push(sequence))).toBe(last)
    expect(none).toEqual([])
  })

  test('the guide’s client loses no event while it reads the lists, after old events were removed', async () => {
    const taken: number[] = []
    let newest = 0
    first.push(refusal(410, 'events_gone', '0'))
    const last = await client.catchUp(
      0,
      ({ sequence }) => void taken.push(sequence),
      async () => {
        newest = (await app.call('GET', '/v1/events', { as: firm.as.owner })).body.lastSequence
        await app.call('POST', '/v1/traders', { as: firm.as.owner, body: { email: 'meanwhile@x.test' } })
      },
    )
    expect(last).toBeGreaterThan(newest)
    expect(taken).toEqual(Array.from({ length: last - newest }, (_, n) => newest + 1 + n))
  })

  test('the guide’s client makes 150 calls at once within the limits, and gives up if it should wait an hour', async () => {
    const limited = createTestApp({ config: { rateLimits: { short: 20, medium: 300, long: 5000 } } })
    const busy = await limited.firm('busy')
    const front = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => limited.send(request) })
    jest.useFakeTimers()
    const loaded = await clientFor(front, (await busy.key(['traders:read'])).key)
    try {
      let isOver = false
      const calls = Array.from({ length: 150 }, () => loaded.call('GET', '/v1/traders?limit=1'))
      const settled = Promise.allSettled(calls).finally(() => {
        isOver = true
      })
      await until('every call is answered', () => {
        limited.clock.advance(200)
        jest.advanceTimersByTime(200)
        return isOver
      })
      expect((await settled).filter(({ status }) => status === 'rejected')).toEqual([])
    } finally {
      jest.useRealTimers()
      await front.stop(true)
      await limited.close()
    }
    first.push(refusal(429, 'rate_limited', '3600'))
    await expect(client.call('GET', '/v1/traders')).rejects.toMatchObject({ problem: { code: 'rate_limited' } })
  })
})
