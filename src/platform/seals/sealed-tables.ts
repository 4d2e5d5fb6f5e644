import type { Connection } from '../sqlite.ts'

/** A table whose rows are sealed, with the SQL that makes bytes of a row. */
export type SealedTable = {
  name: string
  /** `alias` is the prefix of each column, such as `NEW`. */
  buildRowSql: (alias: string) => string
}

/** Tables whose rows are not sealed, each with its reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  table_seals: 'it is the seal',
  // the replication engine writes them in its process, and this program does not read them
  _litestream_seq: 'the engine’s',
  _litestream_lock: 'the engine’s',
}

const TABLES = `SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`
const COLUMNS = 'SELECT name, type FROM pragma_table_info(?) ORDER BY cid'

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/**
 * Returns the tables of a database whose rows are sealed, by name. Not sealed are those in `LEFT_OUT`, the full-text
 * indexes, which a restore rebuilds, and the tables of SQLite: the schema is compared instead, each start rewrites the
 * statistics, and `sqlite_sequence` cannot lead to a number that an existing row has. A row becomes JSON, which
 * distinguishes numbers, text and NULL and cuts no text off; a BLOB column is quoted, and as the tables are `STRICT`,
 * it has nothing but bytes.
 */
export function sealedTables(connection: Connection): SealedTable[] {
  return connection
    .all<{ name: string; type: string }>(TABLES)
    .filter(({ name, type }) => type === 'table' && !Object.hasOwn(LEFT_OUT, name))
    .map(({ name }) => {
      const columns = connection.all<{ name: string; type: string }>(COLUMNS, [name])
      const of = (alias: string): string[] =>
        columns.map((column) => {
          const at = `${alias}.${quoted(column.name)}`
          return column.type === 'BLOB' ? `quote(${at})` : at
        })
      return { name, buildRowSql: (alias) => `CAST(json_array(${[literal(name), ...of(alias)].join(', ')}) AS BLOB)` }
    })
}
