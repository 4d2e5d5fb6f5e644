import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../platform/db/migrate.ts'
import { migrations } from '../platform/db/migrations.ts'
import { openWriter } from '../platform/sqlite.ts'

const CARDS = [
  ['a', '4111111111111111', 'Visa 1111', 'card VISA 1111'],
  ['b', '4012 8888 8888 1111', 'Visa 1111', 'card b'],
  ['c', 'MC 5555-5555-5555-4444 exp', 'Mastercard 4444', 'card MASTERCARD 4444'],
  ['d', '378282246310005', 'Amex 0005', 'card AMEX 0005'],
  ['e', 'Visa 4242', 'Visa 4242', 'card VISA 4242'],
  ['f', '9999999999999999', 'Card 9999', 'card CARD 9999'],
] as const

test('cards of before keep scheme and last four digits, and nothing that the rest is worked out of', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'brokerbase-migrate-'))
  const db = openWriter(join(dataDir, 'brokerbase.db'))
  migrate(db, { now: 1000, list: migrations.filter(({ name }) => name < '0039') })
  db.run(`INSERT INTO tenants (id, slug, name, created_at, updated_at) VALUES ('t', 't', 'T', 0, 0)`)
  db.run(`INSERT INTO traders (tenant_id, id, email, created_at, updated_at) VALUES ('t', 'c', 'c@t.test', 0, 0)`)
  const enter = (id: string, kind: string, reference: string, fingerprint: string) =>
    db.run(
      `INSERT INTO payout_destinations (tenant_id, id, trader_id, kind, reference, fingerprint, created_at)
       VALUES ('t', ?1, 'c', ?2, ?3, ?4, 0)`,
      [id, kind, reference, fingerprint],
    )
  for (const [id, reference] of CARDS) enter(id, 'card', reference, `digest of ${id}`)
  enter('gone', 'card', '(erased)', 'erased:gone')
  enter('bank', 'bank', '4111111111111111', 'digest of a bank account')
  migrate(db, { now: 2000, list: migrations })
  expect(db.all('SELECT id, reference, fingerprint FROM payout_destinations ORDER BY id')).toEqual([
    ...CARDS.slice(0, 1).map(([id, , reference, fingerprint]) => ({ id, reference, fingerprint })),
    ...CARDS.slice(1, 2).map(([id, , reference, fingerprint]) => ({ id, reference, fingerprint })),
    { id: 'bank', reference: '4111111111111111', fingerprint: 'digest of a bank account' },
    ...CARDS.slice(2).map(([id, , reference, fingerprint]) => ({ id, reference, fingerprint })),
    { id: 'gone', reference: '(erased)', fingerprint: 'erased:gone' },
  ])
  db.close()
  rmSync(dataDir, { recursive: true, force: true })
})
