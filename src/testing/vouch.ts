import { join } from 'node:path'
import { readKeyFile } from '../platform/key-file.ts'
import { keepSeal } from '../platform/seals/keep-seal.ts'
import { createSecretBox } from '../platform/secrets.ts'
import { type Connection, openWriter } from '../platform/sqlite.ts'

/** Changes rows of a stopped server as it would itself, so that its copies stay good. */
function change(dataDir: string, run: (db: Connection) => void): void {
  const key = readKeyFile(join(dataDir, 'secret.key'))
  if (!key) throw new Error(`${dataDir} has no key`)
  const db = openWriter(join(dataDir, 'brokerbase.db'))
  try {
    const renewSeal = keepSeal(db, createSecretBox(key))
    db.exec('BEGIN IMMEDIATE')
    run(db)
    renewSeal()
    db.exec('COMMIT')
  } finally {
    db.close()
  }
}

/**
 * Makes a colleague's account their own alone, straight in the database of a stopped server: a new firm
 * has no third person who could vouch, and the 72 hours that it would wait are too long for a test.
 */
export function vouchFor(dataDir: string, email: string): void {
  change(dataDir, (db) =>
    db.run(
      `INSERT INTO account_vouches (tenant_id, id, user_id, note, created_at)
       SELECT tenant_id, 'avo_~' || id, id, 'test', 0 FROM users WHERE email = ?`,
      [email],
    ),
  )
}

/**
 * Puts what brokers earn by so many milliseconds back, likewise: trades of yesterday earn for a broker who is there
 * since then, and whoever set the terms pays nothing for 72 hours.
 */
export function ageBrokers(dataDir: string, ms: number): void {
  change(dataDir, (db) => {
    db.run('UPDATE affiliate_terms SET valid_from = valid_from - ?', [ms])
    db.run('UPDATE commission_plan_versions SET valid_from = valid_from - ?1, created_at = created_at - ?1', [ms])
    db.run('UPDATE trader_affiliations SET valid_from = valid_from - ?', [ms])
    db.run('UPDATE accounts SET live_since = live_since - ?1, created_at = created_at - ?1', [ms])
  })
}
