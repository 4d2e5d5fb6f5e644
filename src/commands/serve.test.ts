import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../config.ts'
import { type Firm, foundFirm } from '../testing/app.ts'
import { rawConnection, rawRequest } from '../testing/raw-http.ts'
import { type Running, startServer } from './serve.ts'

let running: Running
let firm: Firm
const dataDir = mkdtempSync(join(tmpdir(), 'brokerbase-serve-'))
beforeAll(async () => {
  const env = { BROKERBASE_RATE_SHORT: '0', BROKERBASE_RATE_MEDIUM: '0', BROKERBASE_RATE_LONG: '0' }
  running = await startServer(
    loadConfig({ 'data-dir': dataDir, port: '0' }, { env: { ...env, BROKERBASE_LOG_LEVEL: 'error' } }),
  )
  firm = await foundFirm(running.platform, 'alpha')
})
afterAll(async () => {
  await running.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Returns the address that a first start prints, without its token. */
async function firstAddress(env: Record<string, string>): Promise<string> {
  const own = mkdtempSync(join(tmpdir(), 'brokerbase-first-'))
  const written = spyOn(process.stdout, 'write').mockImplementation(() => true)
  const first = await startServer(
    loadConfig({ 'data-dir': own, port: '0' }, { env: { ...env, BROKERBASE_LOG_LEVEL: 'error' } }),
  )
  const told = written.mock.calls.map(([text]) => String(text)).join('')
  written.mockRestore()
  await first.stop()
  rmSync(own, { recursive: true })
  return (/First run: open (\S+)\?token=/.exec(told)?.[1] ?? told).replace(first.url, 'HERE')
}

test('the first start prints an address that people can open', async () => {
  expect(await firstAddress({})).toBe('HERE/admin/setup')
  const elsewhere = { BROKERBASE_PUBLIC_URL: 'https://office.example.com' }
  expect(await firstAddress(elsewhere)).toBe('https://office.example.com/admin/setup')
})

const readStatus = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])

test('a request without a Host header, as in HTTP/1.0, gets the health and nothing else', async () => {
  for (const [line, status] of [
    ['GET /ready HTTP/1.0', 200],
    ['HEAD /ready HTTP/1.0', 200],
    ['GET /ready/primary HTTP/1.0', 200],
    ['GET /ready/read HTTP/1.0', 200],
    ['GET /health HTTP/1.0', 200],
    ['GET /ready?x=1 HTTP/1.0', 421],
    ['GET /v1/setup HTTP/1.0', 421],
    ['GET //x/ready HTTP/1.0', 421],
    ['GET /docs HTTP/1.0', 421],
  ] as const)
    expect([line, readStatus(await rawRequest(running.url, [line]))]).toEqual([line, status])
})

test.each(['GET /nothing', 'DELETE /v1/traders', 'GET /v1/traders'])(
  'a Host with an impossible port is refused: %s',
  async (line) => {
    for (const port of ['99999', '65536', '1'.repeat(5000)]) {
      const answer = await rawRequest(running.url, [`${line} HTTP/1.1`, `Host: localhost:${port}`, 'X-API-Key: x'])
      expect([readStatus(answer), answer.length < 1000]).toEqual([421, true])
      expect(answer).toContain('"code":"unknown_host"')
    }
    expect(await rawRequest(running.url, [`${line} HTTP/1.1`, 'Host: localhost:65535'])).not.toContain('unknown_host')
  },
)

test.each(['/nothing', '/v1/traders'])(
  'a connection with thousands of requests in one piece is closed, and others are answered: %s',
  async (path) => {
    const handled = async (): Promise<number> => {
      const other = await fetch(new URL('/v1/setup', running.url))
      expect(other.status).toBe(200)
      const figures = await (await fetch(new URL('/metrics', running.url))).text()
      return [...figures.matchAll(/^brokerbase_http_requests_total\{[^}]*\} (\d+)$/gm)]
        .map(([, count]) => Number(count))
        .reduce((sum, count) => sum + count, 0)
    }
    const answersIn = (said: string): number => said.match(/HTTP\/1\.1 40[14]/g)?.length ?? 0
    const before = await handled()
    const pipe = await rawConnection(running.url)
    pipe.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(8000))
    const answer = await pipe.answer()
    expect(answersIn(answer)).toBeLessThan(1000)
    expect((await handled()) - before).toBeLessThan(1000)
    // as many as a browser or a proxy may send at once are all answered
    const few = await rawConnection(running.url)
    few.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(64))
    expect(answersIn(await few.answer((said) => answersIn(said) >= 64))).toBe(64)
    few.close()
  },
)

test('an error outside the error handler reveals nothing of the source code', async () => {
  const { log, reader } = running.platform
  const { error } = log
  const { get } = reader
  let broken = 0
  log.error = () => {
    broken += 1
    if (broken === 1) throw new Error('the log is broken')
  }
  Object.assign(reader, {
    get: () => {
      throw new Error('the books are broken')
    },
  })
  try {
    const answer = await rawRequest(running.url, [
      'GET /v1/auth/me HTTP/1.1',
      'Host: localhost',
      `Cookie: ${firm.as.viewer.headers.cookie}`,
    ])
    expect([readStatus(answer), broken, answer.length < 1000]).toEqual([500, 2, true])
    expect(answer).toContain('"code":"internal"')
    expect(answer).not.toContain('broken')
  } finally {
    Object.assign(reader, { get })
    log.error = error
  }
})

test('HEAD is answered like GET, with its queries, scopes and versions', async () => {
  const traderId = await firm.trader()
  const { key } = await firm.key(['auth:read', 'traders:read'])
  for (const [path, status, headers] of [
    ['/v1/traders?limit=2', 200, {}],
    ['/v1/traders?limit=x', 422, {}],
    ['/v1/traders?surprise=1', 422, {}],
    ['/v1/auth/sessions', 200, {}],
    [`/v1/traders/${traderId}`, 304, { 'if-none-match': '"1"' }],
    [`/v1/traders/${traderId}`, 200, { 'if-none-match': '"2"' }],
  ] as const) {
    const ask = async (method: string) => {
      const answer = await fetch(running.url + path, { method, headers: { 'x-api-key': key, ...headers } })
      await answer.text()
      return [answer.status, answer.headers.get('etag')]
    }
    const [head, get] = [await ask('HEAD'), await ask('GET')]
    expect([path, ...head]).toEqual([path, ...get])
    expect(get[0]).toBe(status)
  }
})

test('a client that asks to close the connection can read a refusal that comes before its body is read', async () => {
  for (const [path, status] of [
    ['/v1/traders', 401],
    ['/v1/auth/login', 413],
    ['/nothing', 404],
  ] as const) {
    const socket = connect(Number(new URL(running.url).port), '127.0.0.1')
    let broken: unknown
    socket.on('error', (error) => {
      broken = error
    })
    const piece = Buffer.alloc(45_000, ' ')
    const head = ['Host: localhost', 'Content-Type: application/json', `Content-Length: ${20 * piece.length}`]
    socket.write([`POST ${path} HTTP/1.1`, ...head, 'Connection: close', '', ''].join('\r\n'))
    // like most libraries, this client writes everything before it reads the answer
    for (let index = 0; index < 20; index += 1)
      await new Promise<void>((resolve) => void socket.write(piece, () => resolve()))
    expect([path, broken]).toEqual([path, undefined])
    let answer = ''
    for await (const bytes of socket) answer += bytes
    expect([path, readStatus(answer)]).toEqual([path, status])
  }
})
