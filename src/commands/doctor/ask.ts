import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Connection, openReader, openStill } from '../../platform/sqlite.ts'
import type { Finding } from './finding.ts'

/** Asks the database for findings; returns none without a database. */
export function ask(dataDir: string, question: (db: Connection) => Finding[]): Finding[] {
  const path = join(dataDir, 'brokerbase.db')
  if (!existsSync(path)) return []
  const db = existsSync(`${path}-wal`) ? openReader(path) : openStill(path)
  try {
    return question(db)
  } finally {
    db.close()
  }
}
