import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pack } from 'tar-stream'
import { type Config, loadConfig } from '../config.ts'
import { type Manifest, packSnapshot, readManifest, unpackSnapshot } from '../modules/box/backups/backups.archive.ts'
import { backupsBy, getBackups } from '../modules/box/backups/backups.jobs.ts'
import { snapshotPath } from '../modules/box/backups/backups.places.ts'
import { hashPassword } from '../modules/firm/auth/auth.passwords.ts'
import { DAY } from '../platform/clock.ts'
import { openWriter } from '../platform/sqlite.ts'
import { createTestApp, SETUP_TOKEN, type TestApp } from '../testing/app.ts'
import { examine } from './doctor/doctor.ts'
import { type RestoreFlags, restoreNow } from './restore.ts'

setDefaultTimeout(180_000)
const OWNER = { email: 'boss@firm.test', password: 'correct horse battery' }
let root: string
let app: TestApp
let config: Config
let id: string
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'brokerbase-forged-'))
  const dataDir = join(root, 'data')
  mkdirSync(dataDir)
  app = createTestApp({ dataDir })
  config = loadConfig({ 'data-dir': dataDir }, { env: {} })
  const input = { tenantName: 'Firm', displayName: 'Boss', ...OWNER }
  await app.call('POST', '/v1/setup', { body: { token: SETUP_TOKEN, ...input } })
  const firm = await app.firm('second')
  await app.call('POST', '/v1/traders', { as: firm.as.operator, body: { email: 'ada@second.test', firstName: 'Ada' } })
  id = (await getBackups(app.platform).take('manual')).id
})
afterEach(async () => {
  await app.close()
  rmSync(root, { recursive: true, force: true })
})

const newest = (): string => snapshotPath(config.dataDir, id)
const restored = async (flags: RestoreFlags): Promise<string> => {
  const to = mkdtempSync(join(root, 'to-'))
  const given = { to, keyFile: join(config.dataDir, 'secret.key'), ...flags }
  await restoreNow(config, given, () => ({ ask: async () => '', tell: () => {} }))
  return to
}

/** Changes a snapshot without the key, but with right hashes of its parts. */
async function forge(change: (path: string) => void, mac = (known: Manifest): string | undefined => known.mac) {
  const directory = mkdtempSync(join(root, 'forge-'))
  const known = await unpackSnapshot(newest(), directory)
  change(join(directory, 'brokerbase.db'))
  const { format: _, parts: __, mac: ___, ...facts } = known
  const forged = join(root, 'forged.tar')
  await packSnapshot(directory, forged, facts, new Uint8Array(32).fill(1))
  return withManifest(forged, (manifest) => ({ ...manifest, mac: mac(known) }))
}

/** Makes an archive with another manifest, or with several. */
async function withManifest(path: string, change: (manifest: Manifest) => unknown, ...more: unknown[]) {
  const old = await readManifest(path)
  const directory = mkdtempSync(join(root, 'pack-'))
  Bun.spawnSync(['tar', 'xf', path, '-C', directory])
  const archive = pack()
  archive.entry({ name: 'manifest.json' }, JSON.stringify(change(old)))
  for (const { name } of old.parts) archive.entry({ name: `${name}.zst` }, readFileSync(join(directory, `${name}.zst`)))
  for (const manifest of more) archive.entry({ name: 'manifest.json' }, JSON.stringify(manifest))
  archive.finalize()
  const forged = join(root, 'with-manifest.tar')
  writeFileSync(forged, await new Response(archive as never).bytes())
  return forged
}

const edit = (path: string, ...statements: [string, ...(string | null)[]][]): void => {
  const db = openWriter(path)
  for (const [sql, ...values] of statements) db.run(sql, values)
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
}

const trigger = `CREATE TRIGGER payout AFTER INSERT ON payout_destinations BEGIN
  UPDATE payout_destinations SET reference = 'DE02' WHERE id = NEW.id; END`

test('restore and drill refuse a snapshot in which a password was changed without the key', async () => {
  const hash = await hashPassword('a password of somebody else')
  const own = (path: string): void => edit(path, ['UPDATE credentials SET password_hash = ?', hash])
  const forged = await forge(own)
  await expect(restored({ snapshot: forged })).rejects.toThrow(
    'nothing proves that this installation took the snapshot',
  )
  await expect(restored({ snapshot: forged })).rejects.toThrow(
    'rows of credentials are not those that this program wrote',
  )
  copyFileSync(forged, newest())
  const { ok, snapshot } = await getBackups(app.platform).drill()
  expect([ok, snapshot?.faults]).toEqual([
    false,
    [
      'nothing proves that this installation took the snapshot',
      'rows of credentials are not those that this program wrote',
    ],
  ])
})

test('restore refuses triggers and views that no migration made by their names, even if the rows are accepted', async () => {
  const forged = await forge((path) => edit(path, [trigger], ['CREATE VIEW looking AS SELECT 1']))
  for (const trustContents of [{}, { trustContents: true as const }])
    await expect(restored({ snapshot: forged, ...trustContents })).rejects.toThrow(
      'the trigger payout on payout_destinations is not as this program makes it; the view looking',
    )
  const papers = await forge((path) =>
    edit(path.replace('brokerbase.db', 'files.db'), ['CREATE TRIGGER lost AFTER INSERT ON blobs BEGIN SELECT 1; END']),
  )
  await expect(restored({ snapshot: papers, trustContents: true })).rejects.toThrow(
    'files.db: the trigger lost on blobs',
  )
})

test('the manifest of a snapshot is refused if it was changed, extended, or lacks its proof', async () => {
  const whole = snapshotPath(config.dataDir, id)
  const manifest = await readManifest(whole)
  const doubt = 'nothing proves that this installation took the snapshot'
  for (const change of [
    { reason: 'nightly' },
    { createdAt: '2030-01-01T00:00:00.000Z' },
    { schema: manifest.schema - 1 },
    { mac: undefined },
    { mac: 'x' },
  ])
    await expect(restored({ snapshot: await withManifest(whole, (old) => ({ ...old, ...change })) })).rejects.toThrow(
      doubt,
    )
  const forged = await forge((path) => edit(path, ['DELETE FROM sessions']))
  const twice = await withManifest(forged, (old) => ({ ...old, mac: undefined }), manifest)
  await expect(restored({ snapshot: twice })).rejects.toThrow('has two manifests')
  // an older snapshot under the name of the newest is noticed
  app.clock.advance(DAY)
  const later = await backupsBy(app.platform, null).take('nightly')
  copyFileSync(whole, snapshotPath(config.dataDir, later.id))
  await expect(restored({ snapshot: later.id })).rejects.toThrow(`under the name of the snapshot ${later.id} is ${id}`)
  expect((await getBackups(app.platform).drill()).ok).toBe(false)
  // an unchanged one is accepted
  expect(existsSync(join(await restored({ snapshot: id }), 'brokerbase.db'))).toBe(true)
})

test('a copy without a seal is restored only on request, and is sealed from then on', async () => {
  const unsealed = await forge(
    (path) => edit(path, ['DELETE FROM table_seals']),
    () => undefined,
  )
  await expect(restored({ snapshot: unsealed })).rejects.toThrow(
    'nothing proves that its rows are those of this installation',
  )
  const to = await restored({ snapshot: unsealed, trustContents: true })
  const again = createTestApp({ dataDir: to })
  try {
    const signedIn = await again.call('POST', '/v1/auth/login', { body: OWNER })
    expect(signedIn.status).toBe(200)
    expect((await getBackups(again.platform).take('manual')).id).toBeString()
    expect(await getBackups(again.platform).drill()).toMatchObject({ ok: true, snapshot: { faults: [] } })
  } finally {
    await again.close()
  }
})

test('the search of a restored copy is built from its rows, not taken from the copy', async () => {
  const forged = await forge((path) => edit(path, ['DELETE FROM traders_search']))
  const to = await restored({ snapshot: forged, trustContents: true })
  const again = createTestApp({ dataDir: to })
  try {
    const firm = again.platform.reader.get<{ id: string }>(`SELECT id FROM tenants WHERE slug = 'second'`)?.id ?? ''
    const hits = again.platform.reader.all('SELECT rowid FROM traders_search WHERE traders_search MATCH ?', [
      `tenant:${firm} AND text:ada`,
    ])
    expect(hits).toHaveLength(1)
  } finally {
    await again.close()
  }
})

test('doctor and drill name a row that was changed from outside in the live data', async () => {
  await app.platform.writer.close()
  const path = join(config.dataDir, 'brokerbase.db')
  expect(
    (await examine({ 'data-dir': config.dataDir }, { env: {} })).lines.find(({ check }) => check === 'rows'),
  ).toMatchObject({ state: 'ok' })
  edit(path, [`UPDATE users SET display_name = 'Somebody'`])
  const { lines } = await examine({ 'data-dir': config.dataDir }, { env: {} })
  expect(lines.find(({ check }) => check === 'rows')).toMatchObject({
    state: 'fail',
    detail: 'rows of users are not those that this program wrote',
  })
  edit(path, [trigger])
  expect(
    (await examine({ 'data-dir': config.dataDir }, { env: {} })).lines.find(({ check }) => check === 'rows')?.detail,
  ).toContain('the trigger payout')
})
