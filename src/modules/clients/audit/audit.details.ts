import { sql } from 'drizzle-orm'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { MOST_CHARACTERS } from '../../../platform/http/lists/page.ts'
import { auditData } from './audit.table.ts'

type Placed = { readonly seq: number }
/** The clear text of one entry, as stored JSON. */
type ClearText = Placed & { before: string | null; after: string | null }

const OF_THESE = sql`${auditData.tenantId} = ?1 AND ${auditData.seq} IN (SELECT value FROM json_each(?2))`
const SIZES = statement(
  sql`SELECT ${listed({
    seq: auditData.seq,
    bytes: sql`coalesce(octet_length(${auditData.before}), 0) + coalesce(octet_length(${auditData.after}), 0)`,
  })} FROM ${auditData} WHERE ${OF_THESE}`,
)
const DATA = statement(
  sql`SELECT ${listed({ seq: auditData.seq, before: auditData.before, after: auditData.after })} FROM ${auditData}
  WHERE ${OF_THESE}`,
)

const among = (entries: readonly Placed[]): [string] => [JSON.stringify(entries.map(({ seq }) => seq))]

/**
 * Returns how many of these entries fit into an answer with their clear text; at least one. SQLite returns the sizes
 * without reading the texts.
 */
export function countFitting(db: Reader, entries: readonly Placed[], most = MOST_CHARACTERS): number {
  const sizes = new Map(
    db.query<{ seq: number; bytes: number }>(SIZES, among(entries)).map(({ seq, bytes }) => [seq, bytes]),
  )
  let left = most
  const beyond = entries.findIndex(({ seq }, index) => {
    left -= sizes.get(seq) ?? 0
    return left < 0 && index > 0
  })
  return beyond === -1 ? entries.length : beyond
}

/** Returns the clear text of entries by their place in the chain, without entries whose text was erased. */
export const readClearTexts = (db: Reader, entries: readonly Placed[]): Map<number, ClearText> =>
  new Map(db.query<ClearText>(DATA, among(entries)).map((row) => [row.seq, row]))

export const parseClear = (text: string | null | undefined): Record<string, unknown> | null =>
  text === null || text === undefined ? null : JSON.parse(text)
