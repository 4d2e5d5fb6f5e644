import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Connection, openReader, openStill } from '../../platform/sqlite.ts'
import type { Finding } from './finding.ts'

/** Asks a database something, whether or not a server has it open; nothing is written. */
export function askDatabase<T>(path: string, question: (db: Connection) => T): T {
  const db = existsSync(`${path}-wal`) ? openReader(path) : openStill(path)
  try {
    return question(db)
  } finally {
    db.close()
  }
}

/** Asks the database for findings; returns none without a database. */
export function ask(dataDir: string, question: (db: Connection) => Finding[]): Finding[] {
  const path = join(dataDir, 'brokerbase.db')
  return existsSync(path) ? askDatabase(path, question) : []
}
