import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Connection, openReader, openStill } from '../../platform/sqlite.ts'
import type { Finding } from './finding.ts'

/** Asks the database; nothing where there is none. */
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
