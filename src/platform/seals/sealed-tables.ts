import type { Connection } from '../sqlite.ts'

/** A table whose rows are sealed, with the SQL that makes bytes of one of them. */
export type SealedTable = {
  name: string
  /** `alias` is what stands before each column, such as `NEW`. */
  buildRowSql: (alias: string) => string
}

/** Tables whose rows are not sealed, each with its reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  table_seals: 'it is the seal',
  // the replication engine writes them from a process of its own, and nothing of ours reads them
  _litestream_seq: 'the engine’s',
  _litestream_lock: 'the engine’s',
}

const TABLES = `SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`
const COLUMNS = 'SELECT name, type FROM pragma_table_info(?) ORDER BY cid'

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/**
 * The tables of a database whose rows are sealed, by name: all of them, but for what is declared above, what SQLite
 * keeps for itself (the schema, which is compared, statistics, which each start writes, and the last numbers of rows,
 * below which it never goes while the row is there), and the indexes of the search, which a restore makes anew. A row
 * becomes JSON, since that tells numbers, text and nothing apart, and cuts no text off; a `STRICT` column of bytes has
 * nothing else in it.
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
