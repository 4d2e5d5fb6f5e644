import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Static, TSchema } from '@sinclair/typebox'
import { type BoxFact, readFact } from '../../platform/db/box-facts.ts'
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

/** Whether a database has a table; one of an older schema lacks some until it is upgraded. */
export const hasTable = (db: Connection, name: string): boolean =>
  db.get('SELECT 1 FROM sqlite_schema WHERE name = ?', [name]) !== undefined

/** What the installation noted of itself; nothing where its schema is older than such notes. */
export const noted = <S extends TSchema>(
  db: Connection,
  fact: BoxFact<S>,
): { value: Static<S>; at: number } | undefined => (hasTable(db, 'box_facts') ? readFact(db, fact) : undefined)
