import type { Connection } from '../sqlite.ts'
import type { Writer } from './writer.ts'

/** The full-text indexes, all of which have personal data. */
export const SEARCH_INDEXES = [
  'traders_search',
  'traders_phones',
  'leads_search',
  'leads_phones',
  'accounts_search',
] as const

/** Updates without a change, which put each row into the indexes again. */
const REBUILD: Readonly<Record<(typeof SEARCH_INDEXES)[number], string>> = {
  traders_search: 'UPDATE traders SET first_name = first_name',
  traders_phones: 'UPDATE traders SET phone = phone',
  leads_search: 'UPDATE leads SET first_name = first_name',
  leads_phones: 'UPDATE leads SET phone = phone',
  accounts_search: 'UPDATE accounts SET account_number = account_number',
}

/** Rebuilds the full-text indexes from the rows, if the schema has them; inside a transaction. */
export function rebuildSearch(connection: Connection): void {
  for (const index of SEARCH_INDEXES) {
    if (connection.get('SELECT 1 FROM sqlite_schema WHERE name = ?', [index]) === undefined) continue
    connection.exec(`INSERT INTO ${index} (${index}) VALUES ('delete-all')`)
    connection.exec(REBUILD[index])
  }
}

/** One merge step takes this many pages in a few milliseconds. */
const STEP = 200

/**
 * Removes words of deleted rows from a full-text index. Deleting only marks them; merging the index's segments into one
 * removes them, in steps between which other requests run.
 */
export async function forgetDeletedWords(
  { writer, connection }: { writer: Writer; connection: Connection },
  index: (typeof SEARCH_INDEXES)[number],
  signal: AbortSignal,
): Promise<void> {
  // a negative count starts merging everything, positive ones continue
  for (let pages = -STEP; !signal.aborted; pages = STEP) {
    const changes = await writer.submit(() => {
      const before = totalChanges()
      connection.raw.run(`INSERT INTO ${index} (${index}, rank) VALUES ('merge', ?)`, [pages])
      return totalChanges() - before
    })
    // two changes are the command's own row, so nothing was left to merge
    if (changes < 2 && pages > 0) return
  }
  function totalChanges(): number {
    return connection.get<{ n: number }>('SELECT total_changes() AS n')?.n ?? 0
  }
}
