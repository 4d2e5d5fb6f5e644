import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect as connectPlain } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import { ConfigError, loadConfig } from '../config.ts'
import { DAY, systemClock } from '../platform/clock.ts'
import { makeKey, selfSigned } from '../platform/tls/der.ts'
import { type Firm, foundFirm } from '../testing/app.ts'
import { until } from '../testing/until.ts'
import { type Running, startServer } from './serve.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'brokerbase-tls-'))
const [cert, key] = [join(dataDir, 'office.crt'), join(dataDir, 'office.key')]
let running: Running
let firm: Firm
let port: number

/** Writes a new certificate to the files, as a renewing tool would; its serial number identifies it. */
function renew(names: readonly string[] = ['localhost']): void {
  const made = makeKey()
  writeFileSync(cert, selfSigned(names, made, { from: systemClock.now() - DAY, days: 90 }))
  writeFileSync(key, made)
}

const environment = {
  BROKERBASE_RATE_SHORT: '0',
  BROKERBASE_RATE_MEDIUM: '0',
  BROKERBASE_RATE_LONG: '0',
  BROKERBASE_LOG_LEVEL: 'error',
  BROKERBASE_TLS_CERT: cert,
  BROKERBASE_TLS_KEY: key,
  BROKERBASE_HTTP_PORT: '0',
  BROKERBASE_PUBLIC_URL: 'https://localhost',
}

beforeAll(async () => {
  renew()
  running = await startServer(loadConfig({ 'data-dir': join(dataDir, 'data'), port: '0' }, { env: environment }))
  firm = await foundFirm(running.platform, 'alpha')
  port = Number(new URL(running.url).port)
})
afterAll(async () => {
  await running.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const trusting = { tls: { rejectUnauthorized: false } }
/** Opens a separate TLS connection from an address of this machine; `serial` is that of its certificate. */
function dial(from = '127.0.0.1'): Promise<{ socket: TLSSocket; serial: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ socket: TLSSocket; serial: string }>()
  const plain = connectPlain({ port, host: '127.0.0.1', localAddress: from })
  plain.on('error', reject)
  const socket = connect({ socket: plain, rejectUnauthorized: false, servername: 'localhost' })
  socket.on('secureConnect', () => resolve({ socket, serial: socket.getPeerCertificate().serialNumber }))
  socket.on('error', reject)
  return promise
}

/** Returns the serial number of a new connection's certificate. */
async function serialNow(): Promise<string> {
  const { socket, serial } = await dial()
  socket.destroy()
  return serial
}

/** Reads a connection until it is closed, or has `enough`. */
async function hear(socket: TLSSocket, enough: (text: string) => boolean = () => false): Promise<string> {
  let text = ''
  for await (const bytes of socket) {
    text += bytes
    if (enough(text)) break
  }
  return text
}

const ask = (path: string, ...headers: readonly string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n')

test('requests, a stream and an upload survive changes of the certificate', async () => {
  const first = await serialNow()
  const cookie = `Cookie: ${firm.as.owner.headers.cookie}`
  // a stream and an upload begin before the changes of the certificate and end after them
  const stream = await dial('127.0.0.7')
  stream.socket.write(ask('/v1/stream', cookie))
  const events = hear(stream.socket, (text) => text.split('event: summary').length > 2)
  const upload = await dial('127.0.0.8')
  const body = JSON.stringify({ email: 'slow@client.test' }).padStart(150)
  const head = [`POST /v1/leads HTTP/1.1`, 'Host: localhost', `Origin: https://localhost`, cookie]
  const about = ['Content-Type: application/json', `Content-Length: ${body.length}`, '', '']
  upload.socket.write([...head, ...about].join('\r\n'))
  const uploaded = hear(upload.socket, (text) => text.includes('"slow@client.test"'))

  let [sent, answered] = [0, 0]
  const failures: unknown[] = []
  const serials = new Set<string>()
  const one = async (fresh: boolean, isAgain = false): Promise<void> => {
    if (!isAgain) sent += 1
    try {
      if (fresh) {
        // a new connection
        const { socket, serial } = await dial()
        serials.add(serial)
        socket.write(ask('/v1/setup'))
        const text = await hear(socket)
        if (!text.startsWith('HTTP/1.1 200')) throw new Error(text.slice(0, 100) || 'closed')
      } else {
        const answer = await fetch(`${running.url}/v1/setup`, trusting)
        if (answer.status !== 200) throw new Error(String(answer.status))
        await answer.text()
      }
      answered += 1
    } catch (error) {
      // a request that meets the change of the listener is reset and repeated, as clients do
      if (!isAgain) return one(fresh, true)
      failures.push(error)
    }
  }
  const inFlight: Promise<void>[] = []
  const waiting = () => sent - answered - failures.length
  let swaps = 0
  for (let tick = 0; tick < 200; tick += 1) {
    inFlight.push(one(tick % 2 === 0))
    // the certificate changes between requests, more often than in practice
    if (tick % 40 === 20) {
      renew()
      await running.renewTls()
      swaps += 1
    }
    upload.socket.write(body.slice(tick, tick + 1))
    // only a few requests are open at a time, and none from one change to the next
    await until('others are answered', () => waiting() < (tick % 40 === 0 ? 1 : 4))
  }
  await Promise.all(inFlight)
  process.stdout.write(`${swaps} changes: ${sent} requests, ${failures.length} failed\n`)
  expect(failures).toEqual([])
  expect([answered, swaps]).toEqual([200, 5])
  expect(serials.size).toBeGreaterThan(4)
  expect(await serialNow()).not.toBe(first)

  expect(await uploaded).toContain('HTTP/1.1 201')
  // the oldest connection, a stream, gets the event of the new lead
  expect(await events).toContain('"newLeads":1')
  const rows = running.platform.reader.all<{ ip: string }>(
    "SELECT ip FROM audit WHERE entity = 'lead' ORDER BY seq DESC LIMIT 1",
  )
  expect(rows).toEqual([{ ip: '127.0.0.8' }])
})

test('a change of the certificate closes idle connections, and new ones get the new certificate', async () => {
  const { socket, serial } = await dial()
  socket.write(['HEAD /v1/setup HTTP/1.1', 'Host: localhost', '', ''].join('\r\n'))
  expect(await new Promise<string>((done) => socket.once('data', (bytes) => done(String(bytes))))).toStartWith(
    'HTTP/1.1 200',
  )
  renew()
  await running.renewTls()
  expect(await serialNow()).not.toBe(serial)
  expect(await hear(socket)).toBe('')
})

test('plain HTTP is redirected to https for the server’s own hosts', async () => {
  const plain = `http://127.0.0.1:${running.httpPort}`
  const to = async (path: string, host: string, method = 'GET') => {
    const answer = await fetch(plain + path, { method, redirect: 'manual', headers: { host } })
    return [answer.status, answer.headers.get('location'), answer.headers.get('strict-transport-security')]
  }
  expect(await to('/admin/x?a=%0d%0aX:1&b=1', 'localhost:80')).toEqual([
    308,
    'https://localhost/admin/x?a=%0d%0aX:1&b=1',
    null,
  ])
  expect((await to('//evil.example/', 'localhost'))[1]).toStartWith('https://localhost/')
  expect((await to('/', 'evil.example'))[0]).toBe(421)
  expect((await to('/', 'localhost:99999'))[0]).toBe(421)
  expect((await to('/v1/traders', 'localhost', 'POST'))[0]).toBe(308)
  expect((await to('/.well-known/acme-challenge/x', 'localhost'))[0]).toBe(308)
  const health = await fetch(`${plain}/health`, { headers: { host: '10.0.0.1' } })
  expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }])
})

test('TLS answers send HSTS; old versions of TLS are refused', async () => {
  const answer = await fetch(`${running.url}/v1/setup`, trusting)
  expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000')
  const old = Promise.withResolvers<string>()
  const socket = connect({
    port,
    host: '127.0.0.1',
    rejectUnauthorized: false,
    maxVersion: 'TLSv1.1',
    minVersion: 'TLSv1',
  })
  socket.on('secureConnect', () => old.resolve('connected'))
  socket.on('error', () => old.resolve('refused'))
  expect(await old.promise).toBe('refused')
})

test('a server keeps its certificate if a new file is broken, and shows the error', async () => {
  const before = running.platform.tls.state()
  expect(before).toMatchObject({ source: 'files', names: ['localhost'], lastError: null })
  writeFileSync(key, makeKey())
  running.platform.log.error = () => {}
  await running.renewTls()
  expect(running.platform.tls.state()).toEqual({ ...before, lastError: 'the key does not belong to the certificate' })
  renew(['localhost', 'office.example'])
  await running.renewTls()
  expect(running.platform.tls.state()).toMatchObject({ names: ['localhost', 'office.example'], lastError: null })
})

test('a start with unusable certificate files stops with a sentence', async () => {
  const start = (env: Record<string, string>, to = '0') =>
    startServer(loadConfig({ 'data-dir': join(dataDir, 'other'), port: to }, { env: { ...environment, ...env } }))
  const absent = { BROKERBASE_TLS_KEY: join(dataDir, 'none') }
  await expect(start(absent)).rejects.toThrow(
    /BROKERBASE_TLS_CERT, BROKERBASE_TLS_KEY: .*none cannot be read \(ENOENT\)/,
  )
  await expect(start(absent)).rejects.toThrow(ConfigError)
})

test('a start at a port that is taken stops, and does not share it', async () => {
  const start = (env: Record<string, string>, to: string, where: string) =>
    startServer(loadConfig({ 'data-dir': join(dataDir, where), port: to }, { env: { ...environment, ...env } }))
  await expect(start({}, String(port), 'third')).rejects.toThrow(`BROKERBASE_PORT (--port) ${port}: the port is taken`)
  await expect(start({ BROKERBASE_HTTP_PORT: String(port) }, '0', 'fourth')).rejects.toThrow(
    `BROKERBASE_HTTP_PORT ${port}: the port is taken`,
  )
})
