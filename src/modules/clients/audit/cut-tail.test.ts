import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { examine } from '../../../commands/doctor/doctor.ts'
import { type Connection, openWriter } from '../../../platform/sqlite.ts'
import { createTestApp, SETUP_TOKEN, type TestApp } from '../../../testing/app.ts'
import { getBackups } from '../../box/backups/backups.jobs.ts'

setDefaultTimeout(60_000)
const OWNER = { email: 'boss@firm.test', password: 'correct horse battery' }
let dataDir: string
let app: TestApp
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'brokerbase-cut-'))
  app = createTestApp({ dataDir })
  await app.call('POST', '/v1/setup', {
    body: { token: SETUP_TOKEN, tenantName: 'Firm', displayName: 'Boss', ...OWNER },
  })
  for (let nth = 0; nth < 5; nth += 1) await signIn()
})
afterEach(async () => {
  await app.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function signIn(): Promise<string> {
  const answer = await app.call('POST', '/v1/auth/login', { body: OWNER })
  expect(answer.status).toBe(200)
  return answer.headers.get('set-cookie')?.split(';')[0] ?? ''
}
const verified = async () => {
  const headers = { cookie: await signIn(), origin: 'http://localhost' }
  return (await app.call('GET', '/v1/audit/verify', { headers })).body
}

/** Stops the server, changes the file without the key, and starts it again. */
async function behindItsBack(change: (db: Connection) => void): Promise<void> {
  await app.close()
  const db = openWriter(join(dataDir, 'brokerbase.db'))
  const triggers = db.all<{ name: string; sql: string }>(
    `SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name LIKE 'audit%'`,
  )
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`)
  change(db)
  for (const { sql } of triggers) db.exec(sql)
  db.close()
  app = createTestApp({ dataDir })
}

const TAIL = 'seq > (SELECT max(seq) - 3 FROM audit)'
const cut = (db: Connection): void => {
  db.run(`DELETE FROM audit_data WHERE ${TAIL}`)
  db.run(`DELETE FROM audit WHERE ${TAIL}`)
}

/** Expects that every check reports the missing entries. */
async function expectReported(reason: string): Promise<void> {
  expect(await verified()).toMatchObject({ intact: false, firstBroken: { reason } })
  const ready = await app.call('GET', '/ready')
  expect([ready.status, ready.body.detail]).toEqual([503, expect.stringContaining('Not ready: audit.')])
  const { lines } = await examine({ 'data-dir': dataDir }, { env: {} })
  expect(lines.find(({ check }) => check === 'rows')).toMatchObject({
    state: 'fail',
    detail: expect.stringContaining('entries at the end of an audit log were removed'),
  })
  await getBackups(app.platform).take('manual')
  const { ok, snapshot } = await getBackups(app.platform).drill()
  expect([ok, snapshot?.faults]).toEqual([
    false,
    expect.arrayContaining(['rows of audit are not those that this program wrote']),
  ])
}

test('an audit that was cut off while the server was stopped is reported for ever, whatever is written later', async () => {
  expect(await verified()).toMatchObject({ intact: true })
  expect((await app.call('GET', '/ready')).status).toBe(200)
  await behindItsBack(cut)
  await expectReported('the last entries of the log are missing')
  await app.close()
  app = createTestApp({ dataDir })
  await expectReported('the last entries of the log are missing')
})

test('an audit that was cut off with its sealed head is reported', async () => {
  await behindItsBack((db) => {
    cut(db)
    db.run('DELETE FROM audit_heads')
  })
  await expectReported('the sealed head is missing')
})

test('an audit head that was altered to fit the shorter log is reported', async () => {
  await behindItsBack((db) => {
    cut(db)
    db.run('UPDATE audit_heads SET (seq, hash) = (SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1)')
  })
  await expectReported('the sealed head was altered')
})

test('an audit end that is removed while the server runs is found before the firm’s next commit', async () => {
  const db = openWriter(join(dataDir, 'brokerbase.db'))
  const triggers = db.all<{ name: string; sql: string }>(
    `SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name LIKE 'audit%'`,
  )
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`)
  cut(db)
  for (const { sql } of triggers) db.exec(sql)
  db.close()
  expect(await verified()).toMatchObject({ intact: false })
})
