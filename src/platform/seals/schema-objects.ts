import { KEY_PROOF } from '../db/key-proof.ts'
import { migrate } from '../db/migrate.ts'
import type { Migration } from '../db/migrations.ts'
import { type Connection, openScratch } from '../sqlite.ts'

type SchemaObject = { type: string; name: string; tbl: string; sql: string | null }

const OBJECTS = 'SELECT type, name, tbl_name AS tbl, sql FROM sqlite_schema ORDER BY type, name'

/** What others make: SQLite for its statistics, which each start writes anew, and the replication engine. */
const OF_OTHERS = [
  /^CREATE TABLE sqlite_stat[134]\([a-z,]+\)$/,
  /^CREATE TABLE _litestream_seq \(id INTEGER PRIMARY KEY, seq INTEGER\)$/,
  /^CREATE TABLE _litestream_lock \(id INTEGER\)$/,
]

/** Line ends count, since a comment goes as far as the end of its line. */
const normalizeObject = ({ type, tbl, sql }: SchemaObject): string =>
  JSON.stringify([type, tbl, sql?.replace(/[^\S\n]+/g, ' ')])
const isOfOthers = ({ type, name, tbl, sql }: SchemaObject): boolean =>
  type === 'table' && name === tbl && OF_OTHERS.some((text) => text.test(sql ?? '') && sql?.includes(` ${name}`))

/** What is in a schema that `make` makes, by name. */
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
 * What the schema of a database has or lacks beside what `make` makes, in words: a trigger or view of somebody else
 * would act on whatever is written later. Empty where it is as it should be.
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

/** What the schema of `brokerbase.db` has or lacks beside what these migrations make, in words. */
export const strangeObjects = (connection: Connection, list: readonly Migration[]): string[] =>
  strangersTo(connection, (scratch) => {
    scratch.exec(KEY_PROOF)
    migrate(scratch, { now: 0, list })
  })
