import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTestApp, SETUP_TOKEN, type TestApp } from '../../../testing/app.ts'
import { pickCookie } from '../../../testing/sign-in.ts'
import { until } from '../../../testing/until.ts'
import { readManifest, unpackSnapshot } from './backups.archive.ts'
import { backupsBy, drillBackups, getBackups, takeSnapshots } from './backups.jobs.ts'
import { snapshotIds, snapshotPath } from './backups.places.ts'

setDefaultTimeout(180_000)
const PASSWORD = 'correct horse battery'
let app: TestApp
let cookie: string
beforeEach(async () => {
  app = createTestApp()
  const input = { tenantName: 'Firm', email: 'boss@firm.test', displayName: 'Boss', password: PASSWORD }
  await app.call('POST', '/v1/setup', { body: { token: SETUP_TOKEN, ...input } })
  const signedIn = await app.call('POST', '/v1/auth/login', { body: { email: input.email, password: PASSWORD } })
  cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
})
afterEach(() => app.close())

const ask = async (method: string, path: string, body?: object) => {
  const answer = await app.call(method, path, {
    headers: { cookie, origin: 'http://localhost' },
    ...(body ? { body } : {}),
  })
  cookie = pickCookie(answer, 'crm_session') ?? cookie
  return answer
}
const backups = async () => (await ask('GET', '/v1/system/backups')).body
const idle = () => until('it is done', async () => (await backups()).running.length === 0)
const dataDir = () => app.platform.config.dataDir

test('a snapshot is taken at once, is listed, and has everything', async () => {
  expect(await backups()).toMatchObject({ data: [], running: [], replica: null, drill: null, provenAt: null })
  const begun = await ask('POST', '/v1/system/backups')
  expect([begun.status, begun.body.running]).toEqual([202, ['snapshot']])
  const again = await ask('POST', '/v1/system/backups')
  expect([again.status, again.body.code]).toEqual([409, 'backups.running'])
  await idle()
  const [snapshot] = (await backups()).data
  expect(snapshot).toMatchObject({ reason: 'manual' })
  const path = snapshotPath(dataDir(), snapshot.id)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const into = join(dataDir(), 'unpacked')
  mkdirSync(into)
  await unpackSnapshot(path, into)
  expect(existsSync(join(into, 'brokerbase.db'))).toBe(true)
  // only the packed file remains
  expect(existsSync(`${path}.copy`)).toBe(false)
  const entries = await ask('GET', '/v1/audit?action=backup.snapshot')
  expect(entries.body.data).toHaveLength(1)
})

test('downloading a snapshot needs the password just before, and the audit names who downloaded it', async () => {
  const { id } = await getBackups(app.platform).take('manual')
  const path = `/v1/system/backups/${id}/download`
  const file = await app.send(new Request(`http://localhost${path}`, { headers: { cookie, host: 'localhost' } }))
  expect([file.status, file.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(new Uint8Array(await file.arrayBuffer())).toEqual(new Uint8Array(readFileSync(snapshotPath(dataDir(), id))))
  expect((await ask('GET', '/v1/audit?action=backup.download')).body.data).toMatchObject([{ after: { id } }])
  app.clock.advance(61_000)
  expect((await ask('GET', path)).body.code).toBe('reauthentication_required')
  await ask('POST', '/v1/auth/reauthenticate', { password: PASSWORD })
  expect((await ask('GET', '/v1/system/backups/20200101-000000-nightly/download')).status).toBe(404)
  for (const id of ['..%2Fsecret.key', 'secret.key', '20200101-000000-other'])
    expect([400, 404, 422]).toContain((await ask('GET', `/v1/system/backups/${id}/download`)).status)
})

test('only the administrator sees, takes or proves copies, and never with a key', async () => {
  const firm = await app.firm('other')
  for (const as of [firm.as.owner, await firm.key(['auth:read', 'auth:write'])])
    for (const [method, path] of [
      ['GET', '/v1/system/backups'],
      ['POST', '/v1/system/backups'],
      ['POST', '/v1/system/drills'],
      ['GET', '/v1/system/backups/20200101-000000-nightly/download'],
    ] as const)
      expect((await app.call(method, path, { as })).status).toBe(403)
})

test('a drill proves the newest snapshot against the books, and reports if there is nothing to prove', async () => {
  const nothing = await getBackups(app.platform).drill()
  expect([nothing.ok, nothing.snapshot, nothing.replica]).toEqual([false, null, null])
  expect((await backups()).provenAt).toBeNull()
  await getBackups(app.platform).take('manual')
  expect((await ask('POST', '/v1/system/drills')).body.running).toEqual(['drill'])
  await idle()
  const { drill, provenAt } = await backups()
  expect(drill).toMatchObject({ ok: true, replica: null, snapshot: { ok: true, faults: [] } })
  expect(provenAt).toBe(drill.at)
  expect(readdirSync(dataDir()).filter((name) => name.startsWith('brokerbase-scratch-'))).toEqual([])
})

test('a drill fails for a copy with other books, a damaged file or a missing document', async () => {
  const { connection, writer, blobs, reader } = app.platform
  const tenantId = reader.get<{ id: string }>('SELECT id FROM tenants')?.id ?? ''
  blobs.put(tenantId, 'fil_1', new Uint8Array([1]), 1)
  await writer.submit(() =>
    connection.run(
      `INSERT INTO files (tenant_id, id, purpose, content_type, size, status, public, created_at, expires_at)
        VALUES (?, 'fil_1', 'logo', 'image/png', 1, 'attached', 0, 1, 1)`,
      [tenantId],
    ),
  )
  blobs.remove(tenantId, 'fil_1')
  const { id } = await getBackups(app.platform).take('manual')
  // the live data lacks the document too, so no copy can have it
  expect((await getBackups(app.platform).drill()).ok).toBe(true)
  blobs.put(tenantId, 'fil_1', new Uint8Array([1]), 1)
  expect((await getBackups(app.platform).drill()).snapshot?.faults).toEqual(['the paper fil_1 is not in the copy'])
  const path = snapshotPath(dataDir(), id)
  const bytes = readFileSync(path)
  const at = bytes.length - 4_000
  bytes[at] = (bytes[at] ?? 0) ^ 0xff
  chmodSync(path, 0o600)
  writeFileSync(path, bytes)
  const damaged = await getBackups(app.platform).drill()
  expect(damaged.ok).toBe(false)
  expect(damaged.snapshot?.faults[0]).toMatch(/cannot be read|damaged/)
  expect((await backups()).drill.ok).toBe(false)
})

test('one snapshot and one drill are made each night', async () => {
  const run = { platform: app.platform, signal: new AbortController().signal }
  expect(await takeSnapshots.run(run)).toContain('taken')
  expect(await takeSnapshots.run(run)).toBeNull()
  expect(await drillBackups.run(run)).toContain('1 copies proven')
  expect(await drillBackups.run(run)).toBeNull()
  // first noon, then two o'clock at night, UTC
  app.clock.set(Date.UTC(2026, 0, 16, 1, 59))
  expect(await takeSnapshots.run(run)).toBeNull()
  app.clock.set(Date.UTC(2026, 0, 16, 2, 1))
  expect(await takeSnapshots.run(run)).toContain('20260116-020100-nightly taken')
  expect(await drillBackups.run(run)).toBeNull()
  app.clock.set(Date.UTC(2026, 0, 16, 3, 1))
  expect(await drillBackups.run(run)).toContain('proven')
})

test('a manual snapshot after the night is not replaced by a nightly one', async () => {
  const run = { platform: app.platform, signal: new AbortController().signal }
  app.clock.set(Date.UTC(2026, 0, 16, 2, 1))
  expect(await takeSnapshots.run(run)).toContain('nightly taken')
  app.clock.set(Date.UTC(2026, 0, 16, 14, 0))
  await getBackups(app.platform).take('manual')
  app.clock.set(Date.UTC(2026, 0, 16, 14, 10))
  expect(await takeSnapshots.run(run)).toBeNull()
  expect(snapshotIds(dataDir())).toEqual(['20260116-140000-manual'])
  app.clock.set(Date.UTC(2026, 0, 17, 2, 1))
  expect(await takeSnapshots.run(run)).toContain('nightly taken')
})

test('a command beside the server is refused while the server makes a copy, and does not disturb it', async () => {
  const beside = backupsBy(app.platform, null)
  const mine = getBackups(app.platform).take('nightly')
  await expect(beside.take('manual')).rejects.toThrow('This is being done already')
  await expect(beside.drill()).rejects.toThrow('This is being done already')
  const { id } = await mine
  expect(snapshotIds(dataDir(), app.clock.now())).toEqual([id])
  const proven = getBackups(app.platform).drill()
  await expect(beside.drill()).rejects.toThrow('This is being done already')
  expect((await proven).ok).toBe(true)
  expect((await beside.drill()).ok).toBe(true)
})

test('one of many simultaneous requests for a copy is accepted, and the others are refused as running', async () => {
  for (const path of ['/v1/system/backups', '/v1/system/drills']) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask('POST', path)))
    const statuses = answers.map(({ status }) => status)
    expect([path, statuses.sort()]).toEqual([path, [202, ...Array(9).fill(409)]])
    await idle()
  }
  expect((await backups()).drill).toMatchObject({ ok: true })
})

test('copies made with a clock in the future do not count for later nights', async () => {
  const run = { platform: app.platform, signal: new AbortController().signal }
  app.clock.set(Date.UTC(2046, 0, 15, 12))
  expect(await takeSnapshots.run(run)).toContain('20460115')
  expect(await drillBackups.run(run)).toContain('proven')
  app.clock.set(Date.UTC(2026, 0, 16, 3, 1))
  expect(await takeSnapshots.run(run)).toContain('20260116-030100-nightly taken')
  expect(await drillBackups.run(run)).toContain('proven')
  expect((await getBackups(app.platform).list()).drill?.snapshot?.source).toContain('20260116')
  expect(await takeSnapshots.run(run)).toBeNull()
  expect(await drillBackups.run(run)).toBeNull()
  // the snapshot of the wrong clock does not count as the newest, and is kept
  const now = Date.UTC(2026, 0, 16, 3, 1)
  expect(snapshotIds(dataDir(), now)).toEqual(['20260116-030100-nightly', '20460115-120000-nightly'])
})

test('a file that is no snapshot, one with other names, and a truncated one are refused with a sentence', async () => {
  const { id } = await getBackups(app.platform).take('manual')
  const path = snapshotPath(dataDir(), id)
  const into = join(dataDir(), 'unpacked')
  mkdirSync(into)
  writeFileSync(join(dataDir(), 'text.tar'), 'this is no archive')
  await expect(readManifest(join(dataDir(), 'text.tar'))).rejects.toThrow('no snapshot')
  const half = readFileSync(path)
  writeFileSync(join(dataDir(), 'half.tar'), half.subarray(0, Math.floor(half.length / 2)))
  await expect(unpackSnapshot(join(dataDir(), 'half.tar'), into)).rejects.toThrow('cannot be read')
  cpSync(path, join(dataDir(), 'other.tar'))
  const renamed = Buffer.from(
    readFileSync(path).toString('latin1').replaceAll('files.db.zst', '../../e.zst\0'),
    'latin1',
  )
  writeFileSync(join(dataDir(), 'other.tar'), renamed)
  await expect(unpackSnapshot(join(dataDir(), 'other.tar'), into)).rejects.toThrow('cannot be read')
  expect(existsSync(join(into, 'brokerbase.db'))).toBe(false)
})
