import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../platform/db/migrate.ts'
import { migrations } from '../platform/db/migrations.ts'
import { openWriter } from '../platform/sqlite.ts'

test('receivers and gateways of before: the audit says who made a receiver, and exceptions keep their reasons', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'brokerbase-migrate-'))
  const db = openWriter(join(dataDir, 'brokerbase.db'))
  const before = migrations.findIndex(({ name }) => name === '0035_who_leaves')
  migrate(db, { now: 1000, list: migrations.slice(0, before) })
  db.run(`INSERT INTO tenants (id, slug, name, created_at, updated_at) VALUES ('t', 't', 'T', 0, 0)`)
  db.run(
    `INSERT INTO users (tenant_id, id, email, display_name, roles, status, created_at, updated_at) VALUES ('t', 'u', 'u@t.test', 'U', '["owner"]', 'active', 0, 0)`,
  )
  db.run(
    `INSERT INTO api_keys (tenant_id, id, public_id, user_id, label, secret_hash, scopes, created_at, updated_at) VALUES ('t', 'k', 'k', 'u', 'l', 'h', '[]', 0, 0)`,
  )
  for (const id of ['known', 'old'])
    db.run(
      `INSERT INTO webhook_subscriptions (tenant_id, id, url, events, secret, created_at, updated_at) VALUES ('t', ?, 'https://x', '[]', x'00', 0, 0)`,
      [id],
    )
  const acted = (seq: number, kind: string, actor: string | null, key: string | null, action: string) =>
    db.run(
      `INSERT INTO audit (tenant_id, seq, id, at, actor_kind, actor_id, api_key_id, action, entity, entity_id, data_hash, hash)
       VALUES ('t', ?1, ?1, 0, ?2, ?3, ?4, ?5, 'webhook_subscription', 'known', '', '')`,
      [seq, kind, actor, key, action],
    )
  acted(1, 'user', 'maker', null, 'webhook.create')
  acted(2, 'api_key', 'k', 'k', 'webhook.update')
  acted(3, 'system', null, null, 'webhook.disabled')
  for (const [id, version] of [
    ['same', 1],
    ['changed', 2],
  ] as const)
    db.run(
      `INSERT INTO psp_connections (tenant_id, id, name, kind, secret, version, created_at, updated_at) VALUES ('t', ?1, 'n', 'generic', x'00', ?2, 7, 7)`,
      [id, version],
    )
  db.run(
    `INSERT INTO psp_exceptions (tenant_id, id, connection_id, reference, status, reason, created_at, updated_at) VALUES ('t', 'x', 'same', 'r', 'success', 'unannounced', 0, 0)`,
  )
  migrate(db, { now: 2000, list: migrations })
  expect(db.all('SELECT id, made_by, changed_by, hands FROM webhook_subscriptions ORDER BY id')).toEqual([
    { id: 'known', made_by: 'maker', changed_by: 'u', hands: '["maker","u"]' },
    { id: 'old', made_by: null, changed_by: null, hands: '[]' },
  ])
  expect(db.all('SELECT id, secret_at FROM psp_connections ORDER BY id')).toEqual([
    { id: 'changed', secret_at: null },
    { id: 'same', secret_at: 7 },
  ])
  expect(db.all('SELECT id, reason FROM psp_exceptions')).toEqual([{ id: 'x', reason: 'unannounced' }])
  db.close()
  rmSync(dataDir, { recursive: true, force: true })
})
