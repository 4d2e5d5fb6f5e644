import { sql } from 'drizzle-orm'
import { bare, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { importLines, imports } from './imports.table.ts'

// the check gives lines of an earlier client their own state, whether they change anything or not
const madeNothing = sql`${importLines.tenantId} = ?1 AND ${importLines.importId} = ?2
  AND ${importLines.status} IN ('waiting', 'ready', 'refused')`
const GONE = statement(
  sql`DELETE FROM ${importLines} WHERE ${importLines.tenantId} = ?1 AND rowid IN (SELECT rowid FROM ${importLines}
    WHERE ${madeNothing} AND (${importLines.errors} = '[]' OR ?4) LIMIT ?3)`,
)
const CLEARED = statement(
  sql`UPDATE ${importLines} SET ${bare(importLines.cells)} = '{}', ${bare(importLines.emailKey)} = NULL,
    ${bare(importLines.accountKey)} = NULL, ${bare(importLines.externalId)} = ''
  WHERE ${importLines.tenantId} = ?1 AND rowid IN (SELECT rowid FROM ${importLines}
    WHERE ${madeNothing} AND ${importLines.cells} <> '{}' LIMIT ?3)`,
)
const FORGOTTEN = statement(
  sql`UPDATE ${imports} SET ${bare(imports.forgotten)} = ?3 WHERE ${imports.tenantId} = ?1 AND ${imports.id} = ?2`,
)
/**
 * Removes up to `most` lines that made nothing in a finished import. Lines without mistakes are removed, and of the
 * others only the texts, or with `withErrors` all of them. Returns how many there were, and marks the import once none
 * is left.
 */
export function forgetLines(tx: Tx, importId: string, most: number, withErrors: boolean): number {
  const gone = tx.execute(GONE, [importId, most, withErrors ? 1 : 0])
  const count = gone > 0 ? gone : tx.execute(CLEARED, [importId, most])
  if (count === 0) tx.execute(FORGOTTEN, [importId, withErrors ? 2 : 1])
  return count
}
