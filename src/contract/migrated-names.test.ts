import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../platform/db/migrate.ts'
import { migrations } from '../platform/db/migrations.ts'
import { openWriter } from '../platform/sqlite.ts'

test('renames of before stand in the audit; equal names stay, and other changes of a colleague are no rename', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'brokerbase-migrate-'))
  const db = openWriter(join(dataDir, 'brokerbase.db'))
  const before = migrations.findIndex(({ name }) => name === '0038_leavers_and_names')
  migrate(db, { now: 1000, list: migrations.slice(0, before) })
  db.run(`INSERT INTO tenants (id, slug, name, created_at, updated_at) VALUES ('t', 't', 'T', 0, 0)`)
  for (const id of ['u', 'v'])
    db.run(
      `INSERT INTO users (tenant_id, id, email, display_name, roles, status, created_at, updated_at) VALUES ('t', ?1, ?1, 'Same', '["owner"]', 'active', 0, 0)`,
      [id],
    )
  const changed = (seq: number, was: object, is: object) => {
    db.run(
      `INSERT INTO audit (tenant_id, seq, id, at, actor_kind, action, entity, entity_id, data_hash, hash)
       VALUES ('t', ?1, ?1, ?1 * 10, 'user', 'user.update', 'user', 'u', '', '')`,
      [seq],
    )
    db.run(`INSERT INTO audit_data (tenant_id, seq, salt, before, after) VALUES ('t', ?1, '', ?2, ?3)`, [
      seq,
      JSON.stringify(was),
      JSON.stringify(is),
    ])
  }
  changed(1, { displayName: 'First' }, { displayName: 'Second' })
  changed(2, { status: 'active' }, { status: 'disabled' })
  changed(3, { displayName: 'Second' }, { displayName: 'Same' })
  migrate(db, { now: 2000, list: migrations })
  expect(db.all('SELECT user_id, name, until FROM user_names ORDER BY until')).toEqual([
    { user_id: 'u', name: 'First', until: 10 },
    { user_id: 'u', name: 'Second', until: 30 },
  ])
  expect(db.all('SELECT display_name FROM users')).toEqual([{ display_name: 'Same' }, { display_name: 'Same' }])
  db.close()
  rmSync(dataDir, { recursive: true, force: true })
})
