import { afterAll, beforeAll, expect, test } from 'bun:test'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { systemClock } from '../platform/clock.ts'
import { type Process, startProcess } from '../testing/executable.ts'
import { freePort, hasPebble, type Pebble, startPebble } from '../testing/pebble.ts'
import { until } from '../testing/until.ts'

const MAIN = join(import.meta.dir, '../main.ts')
const LIFE = 12
const cwd = mkdtempSync(join(tmpdir(), 'brokerbase-acme-'))
let pebble: Pebble
let server: Process
let httpPort: number

if (!hasPebble)
  process.stdout.write('no Pebble here (apt-get install pebble): the certificate authority is not tried\n')

beforeAll(async () => {
  if (!hasPebble) return
  httpPort = freePort()
  pebble = await startPebble(join(cwd, 'pebble'), { httpPort, lifeSeconds: LIFE, nonces: 5 })
  writeFileSync(join(cwd, 'authority.pem'), pebble.authority)
})
afterAll(async () => {
  await server?.kill('SIGKILL')
  pebble?.stop()
  rmSync(cwd, { recursive: true, force: true })
})

const environment = () => ({
  BROKERBASE_ACME: 'true',
  BROKERBASE_ACME_EMAIL: 'operator@office.broker.test',
  BROKERBASE_ACME_DIRECTORY: pebble.directory,
  BROKERBASE_HTTP_PORT: String(httpPort),
  BROKERBASE_PUBLIC_URL: 'https://office.broker.test',
  BROKERBASE_ALLOWED_NETWORKS: '127.0.0.0/8',
  NODE_EXTRA_CA_CERTS: join(cwd, 'authority.pem'),
})

/** Returns the certificate of the port, and whether a client that trusts the authority trusts it. */
async function seen(root: string): Promise<{ names: string; serial: string; isTrusted: boolean; notBefore: number }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ raw: Buffer; isTrusted: boolean }>()
  const socket = connect({
    port: Number(new URL(server.url).port),
    host: '127.0.0.1',
    servername: 'office.broker.test',
    ca: root,
    rejectUnauthorized: false,
  })
  socket.on('secureConnect', () => resolve({ raw: socket.getPeerCertificate().raw, isTrusted: socket.authorized }))
  socket.on('error', reject)
  const { raw, isTrusted } = await promise
  socket.destroy()
  const x509 = new X509Certificate(raw)
  return {
    names: x509.subjectAltName ?? '',
    serial: x509.serialNumber,
    isTrusted,
    notBefore: Date.parse(x509.validFrom),
  }
}

type Seen = Awaited<ReturnType<typeof seen>>
/** Waits for the first certificate on the port that fulfils a condition. */
async function certificate(root: string, isRight: (certificate: Seen) => boolean): Promise<Seen> {
  // a handshake during a change of the certificate may be reset: DECISIONS 0072
  const look = () => seen(root).catch(() => seen(root))
  let found = await look()
  await until('the certificate is there', async () => {
    found = await look()
    return isRight(found)
  })
  return found
}
const hurry = () => process.kill(server.pid, 'SIGHUP')

test.skipIf(!hasPebble)(
  'the server gets and renews a certificate with the domains of firms, even if one domain fails',
  async () => {
    const root = await pebble.root()
    server = await startProcess(['serve'], { cwd, env: environment(), program: [process.execPath, MAIN] })
    const first = await certificate(root, ({ isTrusted }) => isTrusted)
    expect(first.names).toBe('DNS:office.broker.test')

    // only the owner may read these files
    const folder = join(cwd, 'data/tls')
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    expect(files.map(({ name }) => name).sort()).toEqual(['account.key', 'certificate.pem', 'state.json'])
    for (const { parentPath, name } of files) expect(statSync(join(parentPath, name)).mode & 0o777).toBe(0o600)

    // the renewal is due at two thirds of the certificate's life
    await until('it is due', () => systemClock.now() > first.notBefore + (LIFE * 2000) / 3 + 1000)
    hurry()
    const second = await certificate(root, ({ serial }) => serial !== first.serial)
    expect(second).toMatchObject({ isTrusted: true, names: first.names })

    // one domain of a firm leads here, and another leads elsewhere
    await pebble.resolve('elsewhere.test', '127.0.0.2')
    const insecure = { tls: { rejectUnauthorized: false } }
    const base = server.url
    const call = async (method: string, path: string, body: unknown, headers: Record<string, string> = {}) => {
      const answer = await fetch(base + path, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
        ...insecure,
      })
      expect([path, answer.status, answer.status < 300 ? '' : await answer.text()]).toEqual([path, answer.status, ''])
      return answer
    }
    const owner = { email: 'owner@alpha.test', password: 'a long password of tests' }
    await call('POST', '/v1/setup', {
      ...owner,
      tenantName: 'Alpha',
      displayName: 'Owner',
      token: await server.setupToken,
    })
    const login = await call('POST', '/v1/auth/login', owner)
    const headers = { cookie: login.headers.get('set-cookie')?.split(';')[0] ?? '', origin: base }
    for (const name of ['desk', 'elsewhere']) {
      const founder = { email: `owner@${name}.test`, displayName: name }
      await call('POST', '/v1/tenants', { name, slug: name, domain: `${name}.test`, owner: founder }, headers)
    }
    hurry()
    const third = await certificate(root, ({ names }) => names.includes('desk'))
    expect(third).toMatchObject({ isTrusted: true, names: 'DNS:office.broker.test, DNS:desk.test' })
    expect(server.log()).toContain('the certificate does without a name that was refused')
    expect(server.log()).toContain('elsewhere.test')
    expect(await server.kill('SIGTERM')).toBe(0)
  },
  180_000,
)
