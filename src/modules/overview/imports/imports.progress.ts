import { sql } from 'drizzle-orm'
import { bare, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { imports, type Tally } from './imports.table.ts'

// progress is not audited, since every client that is made is
const PROGRESS = statement(
  sql`UPDATE ${imports} SET ${bare(imports.cursor)} = ?3, ${bare(imports.tallies)} = ?4,
    ${bare(imports.refused)} = ${imports.refused} + ?5, ${bare(imports.created)} = ${imports.created} + ?6,
    ${bare(imports.known)} = ${imports.known} + ?7, ${bare(imports.accounts)} = ${imports.accounts} + ?8,
    ${bare(imports.undone)} = ${imports.undone} + ?9, ${bare(imports.left)} = ${imports.left} + ?10
  WHERE ${imports.tenantId} = ?1 AND ${imports.id} = ?2`,
)

type Progress = {
  cursor: number
  tallies: Readonly<Record<string, Tally>>
  refused?: number
  created?: number
  known?: number
  accounts?: number
  undone?: number
  left?: number
}
/** Stores the progress of an import in the transaction of its step. */
export function keepProgress(tx: Tx, importId: string, progress: Progress): void {
  const { cursor, tallies, refused = 0, created = 0, known = 0, accounts = 0, undone = 0, left = 0 } = progress
  tx.execute(PROGRESS, [importId, cursor, JSON.stringify(tallies), refused, created, known, accounts, undone, left])
}
