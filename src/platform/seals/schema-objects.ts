import { KEY_PROOF } from '../db/key-proof.ts'
import { migrate } from '../db/migrate.ts'
import type { Migration } from '../db/migrations.ts'
import { type Connection, openScratch } from '../sqlite.ts'

type SchemaObject = { type: string; name: string; tbl: string; sql: string | null }

const OBJECTS = 'SELECT type, name, tbl_name AS tbl, sql FROM sqlite_schema ORDER BY type, name'

/** The tables that other programs make: SQLite for its statistics, rewritten at each start, and the engine. */
const OF_OTHERS = [
  /^CREATE TABLE sqlite_stat[134]\([a-z,]+\)$/,
  /^CREATE TABLE _litestream_seq \(id INTEGER PRIMARY KEY, seq INTEGER\)$/,
  /^CREATE TABLE _litestream_lock \(id INTEGER\)$/,
]

/** Returns an object's SQL with blanks made equal, and with its line ends, since a comment ends with its line. */
const normalizeObject = ({ type, tbl, sql }: SchemaObject): string =>
  JSON.stringify([type, tbl, sql?.replace(/[^\S\n]+/g, ' ')])
const isOfOthers = ({ type, name, tbl, sql }: SchemaObject): boolean =>
  type === 'table' && name === tbl && OF_OTHERS.some((text) => text.test(sql ?? '') && sql?.includes(` ${name}`))

/** Returns the objects of the schema that `make` makes, by name. */
function madeBy(make: (scratch: Connection) => void): Map<string, string> {
  const scratch = openScratch()
  try {
    make(scratch)
    return new Map(scratch.all<SchemaObject>(OBJECTS).map((object) => [object.name, normalizeObject(object)]))
  } finally {
    scratch.close()
  }
}

/**
 * Returns a sentence for each difference between the schema of a database and the one that `make` makes: a foreign
 * trigger or view would act on everything that is written later.
 */
export function strangersTo(connection: Connection, make: (scratch: Connection) => void): string[] {
  const made = madeBy(make)
  const found = connection.all<SchemaObject>(OBJECTS)
  const names = new Set(found.map(({ name }) => name))
  return [
    ...found
      .filter((object) => made.get(object.name) !== normalizeObject(object) && !isOfOthers(object))
      .map(
        ({ type, name, tbl }) =>
          `the ${type} ${name}${name === tbl ? '' : ` on ${tbl}`} is not as this program makes it`,
      ),
    ...[...made.keys()].filter((name) => !names.has(name)).map((name) => `${name} is not in its schema`),
  ]
}

/** Returns a sentence for each difference between the schema of `brokerbase.db` and the one of these migrations. */
export const strangeObjects = (connection: Connection, list: readonly Migration[]): string[] =>
  strangersTo(connection, (scratch) => {
    scratch.exec(KEY_PROOF)
    migrate(scratch, { now: 0, list })
  })
