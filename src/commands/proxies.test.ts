import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../config.ts'
import { hashPassword } from '../modules/firm/auth/auth.passwords.ts'
import { setPassword } from '../modules/firm/auth/auth.service.ts'
import { users } from '../modules/firm/users/users.table.ts'
import { systemCtx } from '../platform/access/ctx.ts'
import { MIB } from '../platform/bytes.ts'
import { DAY, systemClock } from '../platform/clock.ts'
import { makeKey, selfSigned } from '../platform/tls/der.ts'
import { type Firm, foundFirm } from '../testing/app.ts'
import { NO_LIMITS } from '../testing/executable.ts'
import { until } from '../testing/until.ts'
import { type Running, startServer } from './serve.ts'

setDefaultTimeout(120_000)

const manual = readFileSync(join(import.meta.dir, '../manual/proxies.md'), 'utf8')
/** Returns the configuration of a proxy as the manual has it. */
const readBlock = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(manual)?.[1] ?? ''

const directory = mkdtempSync(join(tmpdir(), 'brokerbase-proxies-'))
const path = (name: string): string => join(directory, name)
const PASSWORD = 'a long password for this test'
let running: Running
let firm: Firm
let port: number
let front: number

async function findFreePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const server = createServer().listen(0, '127.0.0.1', () => {
    const at = server.address()
    server.close(() => resolve(typeof at === 'object' && at ? at.port : 0))
  })
  return promise
}

beforeAll(async () => {
  const key = makeKey()
  const cert = selfSigned(['localhost'], key, { from: systemClock.now() - DAY, days: 90 })
  writeFileSync(path('office.crt'), cert)
  writeFileSync(path('office.key'), key)
  writeFileSync(path('office.pem'), `${cert}\n${key}`)
  front = await findFreePort()
  const env = {
    ...NO_LIMITS,
    BROKERBASE_LOG_LEVEL: 'error',
    BROKERBASE_PUBLIC_URL: `https://localhost:${front}`,
    BROKERBASE_TRUSTED_PROXIES: '127.0.0.1/32',
    // the rate limiter names its bucket after the address that the server takes for the client's
    BROKERBASE_RATE_LONG: '100000',
  }
  running = await startServer(loadConfig({ 'data-dir': path('data'), port: '0' }, { env }))
  firm = await foundFirm(running.platform, 'alpha')
  port = Number(new URL(running.url).port)
  const passwordHash = await hashPassword(PASSWORD)
  await systemCtx(running.platform, firm.tenantId, 'test').write('test.user', (tx) => {
    const user = tx.insert(users, { email: 'ann@alpha.test', displayName: 'Ann', roles: ['admin'], status: 'active' })
    setPassword(tx, { userId: user.id }, passwordHash)
    return null
  })
})
afterAll(async () => {
  await running.stop()
  rmSync(directory, { recursive: true, force: true })
})

/** Returns the manual's configuration with the names, ports and certificates of this test. */
const forHere = (text: string): string =>
  text
    .replaceAll('/etc/ssl/', `${directory}/`)
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
    .replace('listen 443 ', `listen 127.0.0.1:${front} `)
    .replace('bind :443 ', `bind 127.0.0.1:${front} `)
    .replace('office.example.com {', `https://localhost:${front} {\n  tls ${path('office.crt')} ${path('office.key')}`)
    .replaceAll('office.example.com', 'localhost')

const nginx = (): string => {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${path(name)};`,
  )
  const head = `daemon off; pid ${path('nginx.pid')}; error_log stderr; events {} http { access_log off; ${temporary.join(' ')}`
  return `${head}\n${forHere(readBlock('nginx'))}\n}`
}

const PROXIES = {
  nginx: { file: nginx, command: (file: string) => ['nginx', '-c', file] },
  caddy: {
    file: () => `{\n  admin off\n  auto_https off\n}\n${forHere(readBlock('caddy'))}`,
    command: (file: string) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', file],
  },
  haproxy: { file: () => forHere(readBlock('haproxy')), command: (file: string) => ['haproxy', '-db', '-f', file] },
}
const names = ['nginx', 'caddy', 'haproxy'] as const
for (const name of names) if (Bun.which(name) === null) process.stdout.write(`No ${name} here: its test is skipped.\n`)

const ask = (to: string, init: RequestInit = {}) =>
  fetch(`https://localhost:${front}${to}`, { ...init, tls: { rejectUnauthorized: false } })

/**
 * Returns the first piece of the stream. It uses the client of Node, since Bun's own never gets it through Caddy 2.6.
 */
function readFirstEvent(cookie: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const options = { headers: { cookie }, rejectUnauthorized: false }
  const request = get(`https://localhost:${front}/v1/stream`, options, (answer) => {
    answer.once('data', (chunk) => {
      resolve(String(chunk))
      request.destroy()
    })
  })
  request.on('error', reject)
  return promise
}

describe.each(names)('%s with the configuration of the manual', (name) => {
  test.skipIf(Bun.which(name) === null)(
    'the proxy signs people in, takes files of 15 MB, streams, and passes on no address that a visitor claims',
    async () => {
      const { file, command } = PROXIES[name]
      writeFileSync(path(name), file())
      const child = Bun.spawn(command(path(name)), {
        stdout: 'ignore',
        stderr: 'pipe',
        env: { ...process.env, HOME: directory },
      })
      try {
        await until(`${name} answers`, async () => (await ask('/ready').catch(() => null))?.status === 200)
        const origin = `https://localhost:${front}`
        const login = await ask('/v1/auth/login', {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin, 'x-forwarded-for': '203.0.113.9' },
          body: JSON.stringify({ email: 'ann@alpha.test', password: PASSWORD }),
        })
        expect([login.status, login.headers.get('set-cookie')]).toEqual([200, expect.stringContaining('Secure')])
        // Caddy gets this request over IPv6
        expect(login.headers.get('x-ratelimit-tracker')).toMatch(/^ip:(127\.0\.0\.1|0:0:0:0::\/64)$/)
        const cookie = (login.headers.getSetCookie() ?? []).map((one) => one.split(';')[0]).join('; ')
        const me = await ask('/v1/auth/me', { headers: { cookie } })
        expect((await me.json()).email).toBe('ann@alpha.test')
        expect((await ask('/metrics')).status).toBe(404)

        const traderId = await firm.trader()
        const announced = await ask('/v1/kyc/documents/upload', {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin, cookie },
          body: JSON.stringify({ traderId, contentType: 'application/pdf', fileSize: 15 * MIB }),
        })
        const { uploadUrl } = await announced.json()
        const bytes = new Uint8Array(15 * MIB).fill(32)
        bytes.set(new TextEncoder().encode('%PDF-1.7\n'))
        const put = await ask(uploadUrl, { method: 'PUT', headers: { 'content-type': 'application/pdf' }, body: bytes })
        expect([announced.status, put.status]).toEqual([200, 204])

        expect(await readFirstEvent(cookie)).toContain('summary')
      } catch (error) {
        child.kill()
        const said = await new Response(child.stderr).text()
        throw new Error(`${error instanceof Error ? error.message : String(error)}\n${said}`)
      } finally {
        child.kill()
        await child.exited
      }
    },
  )
})
