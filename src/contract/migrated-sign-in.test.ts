import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../platform/db/migrate.ts'
import { migrations } from '../platform/db/migrations.ts'
import { openWriter } from '../platform/sqlite.ts'

test('rows of the schema before are carried over: decisions that keys lost, sessions without an end', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'brokerbase-migrate-'))
  const db = openWriter(join(dataDir, 'brokerbase.db'))
  const until = (name: string, now: number) =>
    migrate(db, {
      now,
      list: migrations.slice(
        0,
        migrations.findIndex((one) => one.name === name),
      ),
    })
  until('0005_two_people', 1000)
  db.run(`INSERT INTO tenants (id, slug, name, created_at, updated_at) VALUES ('t', 't', 'T', 0, 0)`)
  db.run(
    `INSERT INTO users (tenant_id, id, email, display_name, roles, status, created_at, updated_at) VALUES ('t', 'u', 'u@t.test', 'U', '["owner"]', 'active', 0, 0)`,
  )
  const key = (id: string, scopes: string[], createdAt: number) =>
    db.run(
      `INSERT INTO api_keys (tenant_id, id, public_id, user_id, label, secret_hash, scopes, created_at, updated_at) VALUES ('t', ?1, ?1, 'u', 'l', 'h', ?2, ?3, ?3)`,
      [id, JSON.stringify(scopes), createdAt],
    )
  const money = ['deposits:write', 'withdrawals:write', 'wallets:write']
  key('old', ['traders:read', ...money], 1)
  key('reader', ['deposits:read'], 1)
  until('0010_sign_in', 2000)
  key('later', money, 3000)
  key('sync', ['traders:write', 'kyc:write', 'affiliates:write'], 3000)
  const session = (id: string, createdAt: number, expiresAt: number) =>
    db.run(
      `INSERT INTO sessions (tenant_id, id, token_hash, user_id, ip, created_at, last_seen_at, expires_at) VALUES ('t', ?1, ?1, 'u', '', ?2, ?2, ?3)`,
      [id, createdAt, expiresAt],
    )
  const day = 86_400_000
  session('long', 0, 400 * day)
  session('short', 0, day)
  migrate(db, { now: 4000, list: migrations })
  expect(db.all('SELECT id, role, lost_scopes AS lost FROM api_keys ORDER BY id')).toEqual([
    { id: 'later', role: null, lost: '["gifts:write","bridge:write"]' },
    {
      id: 'old',
      role: null,
      lost: '["deposit-decisions:write","withdrawal-decisions:write","payouts:write","adjustment-decisions:write","gifts:write","bridge:write"]',
    },
    { id: 'reader', role: null, lost: '[]' },
    {
      id: 'sync',
      role: null,
      lost: '["affiliate-decisions:write","kyc-decisions:write","sanctions-decisions:write","holds:write","merges:write"]',
    },
  ])
  expect(db.all('SELECT id, expires_at AS until FROM sessions ORDER BY id')).toEqual([
    { id: 'long', until: 30 * day },
    { id: 'short', until: day },
  ])
  db.close()
  rmSync(dataDir, { recursive: true, force: true })
})
