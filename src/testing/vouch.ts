import { join } from 'node:path'
import { openWriter } from '../platform/db/client.ts'

/**
 * Makes a colleague's account their own alone, straight in the database of a stopped server: a new firm
 * has no third person who could vouch, and the 72 hours that it would wait are too long for a test.
 */
export function vouchFor(dataDir: string, email: string): void {
  const db = openWriter(join(dataDir, 'brokerbase.db'))
  try {
    db.run(
      `INSERT INTO account_vouches (tenant_id, id, user_id, note, created_at)
       SELECT tenant_id, 'avo_~' || id, id, 'test', 0 FROM users WHERE email = ?`,
      [email],
    )
  } finally {
    db.close()
  }
}
