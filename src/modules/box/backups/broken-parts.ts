import type { Connection } from '../../../platform/sqlite.ts'

/** At most this many faults of one kind are listed. */
export const MOST_FAULTS = 20

/** Returns what SQLite finds wrong in a file: pages, indexes and references. Empty for an intact one. */
export function brokenParts(connection: Connection, name: string): string[] {
  const integrity = connection.raw
    .prepare<{ integrity_check: string }, []>(`PRAGMA integrity_check(${MOST_FAULTS})`)
    .all()
    .map((row) => row.integrity_check)
    .filter((line) => line !== 'ok')
  const keys = connection.raw.prepare<{ table: string; rowid: number | null }, []>('PRAGMA foreign_key_check').all()
  return [
    ...integrity.map((line) => `${name}: ${line}`),
    ...keys.slice(0, MOST_FAULTS).map((row) => `${name}: row ${row.rowid} of ${row.table} refers to nothing`),
  ]
}

/** As `brokenParts`, without the comparison of indexes and references with their rows, which takes most of the time. */
export const brokenPages = (connection: Connection, name: string): string[] =>
  connection.raw
    .prepare<{ quick_check: string }, []>(`PRAGMA quick_check(${MOST_FAULTS})`)
    .all()
    .map((row) => row.quick_check)
    .filter((line) => line !== 'ok')
    .map((line) => `${name}: ${line}`)
