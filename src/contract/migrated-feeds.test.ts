import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../platform/db/migrate.ts'
import { migrations } from '../platform/db/migrations.ts'
import { openWriter } from '../platform/sqlite.ts'

/** A database as it was before a migration; `upgrade` brings it to today. */
function databaseBefore(first: string) {
  const dataDir = mkdtempSync(join(tmpdir(), 'brokerbase-migrate-'))
  const db = openWriter(join(dataDir, 'brokerbase.db'))
  const run = (list: typeof migrations) => migrate(db, { now: 0, list })
  const at = migrations.findIndex(({ name }) => name === first)
  run(migrations.slice(0, at))
  const close = () => {
    db.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { db, upgrade: () => run(migrations), close }
}

test('rows of the schema before are carried over: positions of nobody, a rotation under way, what is gone', () => {
  const { db, upgrade, close } = databaseBefore('0008_feeds')
  const position = (id: string, account: string | null, currency: string, profit: number, swap: number) =>
    db.run(
      `INSERT INTO positions (tenant_id, id, platform, server, ticket, account_number, account_id, symbol, side, volume, open_price,
        current_price, currency, profit, swap, opened_at, created_at, updated_at)
      VALUES ('t', ?1, 'terminal5', 's', ?1, 'n', ?2, 'X', 'long', 1, '1', '1', ?3, ?4, ?5, 0, 0, 0)`,
      [id, account, currency, profit, swap],
    )
  db.run(
    `INSERT INTO tenants (id, slug, name, created_at, updated_at) VALUES ('t', 't', 'T', 0, 0), ('u', 'u', 'U', 0, 0)`,
  )
  db.run(`INSERT INTO traders (tenant_id, id, created_at, updated_at) VALUES ('t', 'trd_1', 0, 0)`)
  db.run(
    `INSERT INTO accounts (tenant_id, id, trader_id, platform, currency, created_at, updated_at) VALUES ('t', 'acc_1', 'trd_1', 'terminal5', 'JPY', 0, 0)`,
  )
  position('linked', 'acc_1', 'JPY', 125, 0)
  position('nobody', null, 'USD', -1205, 7)
  db.run(
    `INSERT INTO webhook_subscriptions (tenant_id, id, url, events, secret, next_secret_at, created_at, updated_at)
      VALUES ('t', 'whs_1', 'u', '[]', x'00', 1000, 0, 0), ('t', 'whs_2', 'u', '[]', x'00', NULL, 0, 0)`,
  )
  db.run(
    `INSERT INTO events (tenant_id, id, sequence, event, body, created_at) VALUES ('t', 'e', 41, 'x', '{}', 0), ('t', 'f', 42, 'x', '{}', 0)`,
  )
  db.run(`INSERT INTO job_state (name, value) VALUES ('events.sequence.t', '42'), ('events.sequence.u', '9')`)
  upgrade()
  expect(db.all('SELECT id, currency, profit, swap, reported FROM positions ORDER BY id')).toEqual([
    { id: 'linked', currency: 'JPY', profit: 125, swap: 0, reported: null },
    {
      ...{ id: 'nobody', currency: null, profit: 0, swap: 0 },
      reported: '{"profit":"-12.05","swap":"0.07","commission":"0.00"}',
    },
  ])
  expect(db.all('SELECT id, overlap_until AS until FROM webhook_subscriptions ORDER BY id')).toEqual([
    { id: 'whs_1', until: 86_401_000 },
    { id: 'whs_2', until: null },
  ])
  expect(db.all(`SELECT name, value FROM job_state WHERE name LIKE 'events.gone.%' ORDER BY name`)).toEqual([
    { name: 'events.gone.t', value: '40' },
    { name: 'events.gone.u', value: '9' },
  ])
  expect(() => db.run(`UPDATE positions SET currency = 'EUR' WHERE id = 'nobody'`)).toThrow('CHECK')
  close()
})

test('feeds and reports of the schema before last: a bridge goes on from its number, the last report is the last one', () => {
  const { db, upgrade, close } = databaseBefore('0015_whose_word')
  db.run(`INSERT INTO tenants (id, slug, name, created_at, updated_at) VALUES ('t', 't', 'T', 0, 0)`)
  for (const stream of ['position', 'account'])
    db.run(`INSERT INTO ${stream}_streams (tenant_id, platform, server, sequence, updated_at)
      VALUES ('t', 'terminal5', 's', 101, 0)`)
  db.run(`INSERT INTO traders (tenant_id, id, created_at, updated_at) VALUES ('t', 'trd_1', 0, 0)`)
  db.run(`INSERT INTO accounts (tenant_id, id, trader_id, platform, currency, balance_at, reported_at, created_at, updated_at)
    VALUES ('t', 'acc_1', 'trd_1', 'terminal5', 'EUR', 5, 9, 0, 0), ('t', 'acc_2', 'trd_1', 'terminal5', 'EUR', NULL, NULL, 0, 0)`)
  upgrade()
  for (const stream of ['position', 'account'])
    expect(db.all(`SELECT bridge_sequence AS last FROM ${stream}_streams`)).toEqual([{ last: 101 }])
  expect(db.all('SELECT id, balance_at AS at, by_bridge AS bridge FROM accounts ORDER BY id')).toEqual([
    { id: 'acc_1', at: 9, bridge: 0 },
    { id: 'acc_2', at: null, bridge: 0 },
  ])
  close()
})
