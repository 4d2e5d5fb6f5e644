import { join } from 'node:path'
import { readKeyFile } from '../platform/key-file.ts'
import { keepSeal } from '../platform/seals/keep-seal.ts'
import { createSecretBox } from '../platform/secrets.ts'
import { type Connection, openWriter } from '../platform/sqlite.ts'

/** Changes rows of a stopped server and renews their seal as the server does, so that copies of them stay valid. */
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
 * Makes a colleague's account independent, directly in the database of a stopped server. A new firm has no third person
 * who could vouch, and a test cannot wait 72 hours.
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
 * Makes brokers' terms older by this many milliseconds, in the same way. A broker earns by yesterday's trades only if
 * the terms were there then, and whoever set the terms pays nothing for 72 hours.
 */
export function ageBrokers(dataDir: string, ms: number): void {
  change(dataDir, (db) => {
    db.run('UPDATE affiliate_terms SET valid_from = valid_from - ?', [ms])
    db.run('UPDATE commission_plan_versions SET valid_from = valid_from - ?1, created_at = created_at - ?1', [ms])
    db.run('UPDATE trader_affiliations SET valid_from = valid_from - ?', [ms])
    db.run('UPDATE accounts SET live_since = live_since - ?1, created_at = created_at - ?1', [ms])
  })
}
