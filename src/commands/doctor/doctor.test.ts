import { afterAll, afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../config.ts'
import { backupsBy } from '../../modules/box/backups/backups.jobs.ts'
import { DAY, HOUR, MINUTE, systemClock } from '../../platform/clock.ts'
import { openWriter } from '../../platform/sqlite.ts'
import { makeKey, selfSigned } from '../../platform/tls/der.ts'
import { foundFirm } from '../../testing/app.ts'
import { startFakeSmtp } from '../../testing/fakes/smtp.ts'
import { FROZEN_KEY, frozenSchemas, nextMigrations, thaw } from '../../testing/frozen.ts'
import { health } from '../health.ts'
import { type Running, startServer } from '../serve.ts'
import { examine, formatReport } from './doctor.ts'

setDefaultTimeout(180_000)
const MAIN = join(import.meta.dir, '../../main.ts')

let root: string
let dataDir: string
let server: Running
let port: string
// the same as in the program
const umask = process.umask(0o077)
afterAll(() => process.umask(umask))
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'brokerbase-doctor-'))
  dataDir = join(root, 'data')
  const env = { BROKERBASE_LOG_LEVEL: 'error' }
  server = await startServer(loadConfig({ 'data-dir': dataDir, port: '0' }, { env }))
  port = new URL(server.url).port
  await foundFirm(server.platform, 'first')
})
afterEach(async () => {
  await server.stop().catch(() => {})
  rmSync(root, { recursive: true, force: true })
})

/** Returns the findings of one check, with other settings than the server's. */
async function found(check: string, env: Record<string, string> = {}, now?: number) {
  const { lines } = await examine({ 'data-dir': dataDir, port }, { env, ...(now === undefined ? {} : { now }) })
  return lines.filter((line) => line.check === check)
}
const bytes = () => readFileSync(join(dataDir, 'brokerbase.db'))

test('a new installation has no failure, and doctor shows what is still to be done', async () => {
  const report = await examine({ 'data-dir': dataDir, port }, { env: {} })
  expect(report.lines.filter(({ state }) => state === 'fail')).toEqual([])
  expect(report.ok).toBe(true)
  const warned = report.lines.filter(({ state }) => state === 'warn')
  expect(warned.map(({ check }) => check).sort()).toEqual(['drill', 'key', 'mail', 'replica', 'snapshots'])
  for (const { remedy } of warned) expect(remedy?.length).toBeGreaterThan(0)
  expect(formatReport(report)).toContain('ok    server')
  expect(formatReport(report)).toEndWith('Nothing failed, 5 warnings.\n')
})

test('doctor changes nothing, whether a server runs or not', async () => {
  await server.stop()
  const names = readdirSync(dataDir).sort()
  const before = bytes()
  expect(await found('server')).toMatchObject([{ state: 'warn' }])
  expect(readdirSync(dataDir).sort()).toEqual(names)
  expect(bytes()).toEqual(before)
  const nothing = join(root, 'nothing')
  const { ok } = await examine({ 'data-dir': nothing, port }, { env: {} })
  expect(ok).toBe(true)
  expect(readdirSync(root)).toEqual(['data'])
})

test('doctor asks the server of this machine without the configured proxy', async () => {
  const seen: string[] = []
  const answer = ({ url }: Request): Response => {
    seen.push(url)
    return new Response('null', { status: 502 })
  }
  const proxy = Bun.serve({ port: 0, fetch: answer })
  const env = { HTTP_PROXY: proxy.url.href, HTTPS_PROXY: proxy.url.href }
  Object.assign(process.env, env)
  try {
    expect(await found('server')).toMatchObject([{ state: 'ok' }])
    expect(seen).toEqual([])
    // another program has the port here
    const theirs = { host: '127.0.0.1', port: proxy.port ?? 0, tls: null }
    await expect(health(theirs)).rejects.toThrow('answered 502')
  } finally {
    for (const name of Object.keys(env)) delete process.env[name]
    await proxy.stop(true)
  }
})

test('doctor names an unusable setting, and shows no secret', async () => {
  const env = { BROKERBASE_REPLICA_URL: 'ftp://x', BROKERBASE_SMTP_PASSWORD: 'the-secret-of-the-mail-server' }
  const report = await examine({ 'data-dir': dataDir, port }, { env })
  expect(report.ok).toBe(false)
  expect(report.lines.at(-1)).toMatchObject({ check: 'settings', state: 'fail' })
  expect(report.lines.at(-1)?.detail).toStartWith('BROKERBASE_REPLICA_URL')
  expect(JSON.stringify(report)).not.toContain('the-secret')
  expect(report.config.BROKERBASE_SMTP_PASSWORD).toBe('(set, not shown)')
  // an address with a key in it is refused, and the report does not print the key
  for (const [url, shown] of [
    ['s3://key-id:the-secret@bucket/path', 's3://(not shown)@bucket/path'],
    ['s3://b?endpoint=https://key-id:the-secret@host', 's3://b?endpoint=https://(not shown)@host'],
    ['s3://b?endpoint=https%3A%2F%2Fkey-id%3Athe-secret%40host', 's3://b?endpoint=https%3A%2F%2F(not shown)%40host'],
    ['sftp://user@host:22/path', 'sftp://user@host:22/path'],
  ] as const) {
    const told = await examine({}, { env: { BROKERBASE_REPLICA_URL: url } })
    expect([told.ok, JSON.stringify(told).includes('the-secret')]).toEqual([false, false])
    expect(told.config.BROKERBASE_REPLICA_URL).toBe(shown)
  }
  const office = { BROKERBASE_PUBLIC_URL: 'https://user:the-secret@office.example.com' }
  expect((await examine({}, { env: office })).ok).toBe(false)
})

test('a bucket that hangs does not stop doctor from finishing', async () => {
  const bucket = Bun.serve({ port: 0, idleTimeout: 0, fetch: () => new Promise<Response>(() => {}) })
  const env = {
    BROKERBASE_REPLICA_URL: `s3://bucket?endpoint=http://127.0.0.1:${bucket.port}`,
    BROKERBASE_REPLICA_ACCESS_KEY_ID: 'id',
    BROKERBASE_REPLICA_SECRET_ACCESS_KEY: 'key',
    BROKERBASE_LITESTREAM: 'litestream',
  }
  const command = ['doctor', '--json', '--data-dir', dataDir, '--port', port]
  const child = Bun.spawn([process.execPath, MAIN, ...command], { env, stdout: 'pipe', stderr: 'inherit' })
  const { lines } = await new Response(child.stdout).json()
  expect(lines).toContainEqual(expect.objectContaining({ check: 'replica', state: 'fail' }))
  expect(await child.exited).toBe(1)
  await bucket.stop(true)
})

test('doctor tells of trading servers that were not read for long, and fails for one that is stopped', async () => {
  await server.stop()
  const db = openWriter(join(dataDir, 'brokerbase.db'))
  const now = systemClock.now()
  const pace = JSON.stringify({ deals: 10, positions: 30, accounts: 60, prices: 300 })
  for (const name of ['London', 'Tokyo'])
    db.run(
      `INSERT INTO terminal_connections (tenant_id, id, name, driver, platform, server, address, trust, login, password,
          groups, since, read_every, requests_per_second, entered_by, entered_at, created_at, updated_at)
        SELECT id, ?1, ?1, 'terminal5', 'terminal5', ?1, 'https://x.test:443', 'public', '1', x'00', '[]', 0, ?2, 5, '[]', 0,
          ?3, ?3 FROM tenants LIMIT 1`,
      [name, pace, now],
    )
  expect(await found('terminals', {}, now + MINUTE)).toMatchObject([{ state: 'ok', detail: '2 read' }])
  db.run(`INSERT INTO terminal_health (tenant_id, id, state, state_since)
    SELECT id, 'Tokyo', 'stopped', 0 FROM tenants LIMIT 1`)
  db.close()
  expect(await found('terminals', {}, now + HOUR)).toMatchObject([
    { state: 'warn', detail: 'London was read 60 min ago' },
    { state: 'fail', detail: 'Tokyo was read 60 min ago, and is stopped' },
  ])
})

test('doctor names files that other users may read, with a remedy', async () => {
  chmodSync(join(dataDir, 'secret.key'), 0o644)
  expect(await found('permissions')).toMatchObject([
    { state: 'warn', remedy: `chmod go= ${join(dataDir, 'secret.key')}` },
  ])
})

test('doctor fails for a missing or wrong key, and is satisfied once somebody noted that a copy of the key is kept', async () => {
  const path = join(dataDir, 'secret.key')
  const right = readFileSync(path)
  const { connection, recoveryKey, writer } = server.platform
  await writer.submit(() => recoveryKey.noteKept({ how: 'words', statement: null, by: null }, systemClock.now()))
  expect(connection.raw.inTransaction).toBe(false)
  expect(await found('key')).toMatchObject([{ state: 'ok' }])
  rmSync(path)
  expect(await found('key')).toMatchObject([{ state: 'fail', detail: 'secret.key is missing' }])
  writeFileSync(path, Buffer.alloc(32, 7).toString('base64'), { mode: 0o600 })
  expect(await found('key')).toMatchObject([{ state: 'fail', remedy: 'put the right secret.key back' }])
  writeFileSync(path, right, { mode: 0o600 })
})

test('doctor distinguishes a damaged database from a newer one', async () => {
  await server.stop()
  const path = join(dataDir, 'brokerbase.db')
  const db = openWriter(path)
  db.run(`INSERT INTO schema_migrations SELECT max(version) + 1, 'later', 'x', 1 FROM schema_migrations`)
  expect(await found('database')).toMatchObject([{ state: 'fail' }])
  db.run(`DELETE FROM schema_migrations WHERE name = 'later'`)
  expect(await found('database')).toMatchObject([{ state: 'ok' }])
  db.close()
  const whole = readFileSync(path)
  writeFileSync(path, whole.fill(0x5a, whole.length / 2))
  expect(await found('database')).toMatchObject([{ state: 'fail' }])
})

test('doctor reports data that the next start will upgrade, and this is no failure', async () => {
  for (const schema of frozenSchemas) {
    const directory = join(root, `schema-${schema}`)
    thaw(schema, directory)
    writeFileSync(join(directory, 'secret.key'), FROZEN_KEY)
    const { lines } = await examine({ 'data-dir': directory, port }, { env: {}, list: nextMigrations })
    expect([schema, lines.filter(({ state }) => state === 'fail')]).toEqual([schema, []])
    expect(lines.find(({ check }) => check === 'database')).toMatchObject({ state: 'warn' })
  }
})

test('doctor reports a clock behind the audit log, old snapshots, old drills and leftovers of a restore', async () => {
  expect(await found('clock')).toMatchObject([{ state: 'ok' }])
  expect(await found('clock', {}, systemClock.now() - HOUR)).toMatchObject([
    { state: 'fail', remedy: 'set it: timedatectl' },
  ])
  await backupsBy(server.platform, null).take('manual')
  await backupsBy(server.platform, null).drill()
  expect(await found('snapshots')).toMatchObject([{ state: 'ok' }])
  expect(await found('drill')).toMatchObject([{ state: 'ok', detail: 'restore proven 0 h ago' }])
  expect(await found('snapshots', {}, systemClock.now() + 2 * DAY)).toMatchObject([{ state: 'warn' }])
  expect(await found('drill', {}, systemClock.now() + 2 * DAY)).toMatchObject([{ state: 'warn' }])
  mkdirSync(join(dataDir, 'before-restore-x'))
  writeFileSync(join(dataDir, 'before-restore-x', 'brokerbase.db'), Buffer.alloc(3 << 20))
  const [left] = await found('left over')
  expect(left?.detail).toContain('3.0 MiB')
})

test('doctor reports an address without https or behind an unconfigured proxy', async () => {
  const url = (to: string) => ({ BROKERBASE_PUBLIC_URL: to })
  expect(await found('address', url('http://office.example.com'))).toMatchObject([{ state: 'fail' }])
  expect(await found('address', { BROKERBASE_HOST: '0.0.0.0' })).toMatchObject([{ state: 'fail' }])
  expect(await found('address', url('https://office.example.com'))).toMatchObject([{ state: 'warn' }])
  const behind = { ...url('https://office.example.com'), BROKERBASE_TRUSTED_PROXIES: '10.0.0.0/8' }
  expect(await found('address', behind)).toMatchObject([{ state: 'ok' }])
})

test('doctor reports a certificate that ends soon, has ended, or is for another name', async () => {
  await server.stop()
  const files = (name: string, days: number) => {
    const key = makeKey()
    const [cert, keyFile] = [join(root, 'c.pem'), join(root, 'k.pem')]
    writeFileSync(cert, selfSigned([name], key, { from: systemClock.now() - 100 * DAY, days: 100 + days }))
    writeFileSync(keyFile, key)
    return {
      BROKERBASE_TLS_CERT: cert,
      BROKERBASE_TLS_KEY: keyFile,
      BROKERBASE_PUBLIC_URL: 'https://office.example.com',
    }
  }
  expect(await found('certificate', files('office.example.com', 40))).toMatchObject([{ state: 'ok' }])
  expect(await found('certificate', files('office.example.com', 5))).toMatchObject([{ state: 'warn' }])
  expect(await found('certificate', files('office.example.com', -5))).toMatchObject([{ state: 'fail' }])
  expect(await found('certificate', files('other.example.com', 40))).toMatchObject([{ state: 'fail' }])
})

test('doctor fails while the server still uses its stand-in certificate, because none was issued yet', async () => {
  const key = makeKey()
  const cert = selfSigned(['office.example.com'], key, { from: systemClock.now() - DAY, days: 365 })
  const shows = Bun.serve({ port: 0, hostname: '127.0.0.1', tls: { cert, key }, fetch: () => new Response() })
  const acme = {
    BROKERBASE_PORT: String(shows.port),
    BROKERBASE_HTTP_PORT: '0',
    BROKERBASE_ACME: 'true',
    BROKERBASE_PUBLIC_URL: 'https://office.example.com',
  }
  const { lines } = await examine({ 'data-dir': dataDir }, { env: acme })
  await shows.stop(true)
  expect(lines.filter(({ check }) => check === 'certificate')).toMatchObject([
    { state: 'fail', detail: expect.stringContaining('stand-in') },
  ])
})

test('doctor reports a mail server unless it greets, encrypts and lets this server sign in', async () => {
  const relay = await startFakeSmtp({ password: 'right' })
  const settings = (extra: object = {}) => ({
    BROKERBASE_SMTP_HOST: relay.host,
    BROKERBASE_SMTP_PORT: String(relay.port),
    BROKERBASE_SMTP_FROM: 'desk@broker.example',
    ...extra,
  })
  const signIn = (password: string) => settings({ BROKERBASE_SMTP_USER: 'desk', BROKERBASE_SMTP_PASSWORD: password })
  expect(await found('mail', settings())).toMatchObject([{ state: 'ok' }])
  expect(await found('mail', signIn('right'))).toMatchObject([
    { state: 'ok', detail: expect.stringContaining('sign in') },
  ])
  const [wrong] = await found('mail', signIn('wrong'))
  expect([wrong?.state, wrong?.detail]).toEqual(['fail', expect.stringContaining('535')])
  expect(await found('mail', settings({ BROKERBASE_SMTP_FROM: 'desk@localhost' }))).toMatchObject([{ state: 'warn' }])
  expect(relay.mails).toEqual([])
  relay.answers.EHLO = '502 no'
  relay.answers.HELO = '502 no'
  expect(await found('mail', settings())).toMatchObject([{ state: 'fail' }])
  await relay.stop()
  expect(await found('mail', settings())).toMatchObject([{ state: 'fail' }])
})

test('doctor reports a replica that cannot be reached', async () => {
  writeFileSync(join(root, 'file'), '')
  const engine = { BROKERBASE_LITESTREAM: '/nowhere/litestream' }
  const place = (path: string) => ({ ...engine, BROKERBASE_REPLICA_URL: `file://${path}` })
  const inFile = join(root, 'file', 'in-it')
  expect(await found('replica', place(inFile))).toMatchObject([
    { state: 'fail', detail: expect.stringMatching(new RegExp(`^file://${inFile}: .+`)) },
  ])
  expect(await found('replica', place(join(root, 'empty')))).toMatchObject([{ state: 'warn' }])
})
