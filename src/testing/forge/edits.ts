import type { Random } from '../../commands/demo/people.ts'
import type { Connection } from '../../platform/sqlite.ts'

/** A change that an attacker without the key makes to a copy by SQL; `apply` returns whether it changed anything. */
type Edit = { name: string; apply: (db: Connection, random: Random) => boolean }

type Column = { name: string; type: string }
const q = (name: string): string => `"${name.replaceAll('"', '""')}"`

const TABLES = `SELECT name FROM pragma_table_list
  WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'`

/** Returns the tables that have rows, without the indexes of the search, which a restore builds again. */
const tablesWithRows = (db: Connection): string[] =>
  db
    .all<{ name: string }>(TABLES)
    .map(({ name }) => name)
    .filter((name) => db.get(`SELECT 1 FROM ${q(name)} LIMIT 1`) !== undefined)

const pick = <T>(items: readonly T[], random: Random): T => {
  const item = items[random.between(0, items.length - 1)]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}
const listColumns = (db: Connection, table: string): Column[] =>
  db.all<Column>('SELECT name, type FROM pragma_table_info(?)', [table])

/** Runs one statement and returns how many rows it changed. */
const run = (db: Connection, sql: string, ...values: (string | number | null)[]): number =>
  db.raw.query(sql).run(...values).changes

/** Returns an SQL condition for one row of a table. */
function pickRow(db: Connection, table: string, random: Random): string {
  const keys = db.all<{ name: string }>('SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk', [table])
  const names = keys.length > 0 ? keys.map(({ name }) => name) : listColumns(db, table).map(({ name }) => name)
  const total = db.get<{ n: number }>(`SELECT count(*) AS n FROM ${q(table)}`)?.n ?? 0
  const shown = names.map((name) => `quote(${q(name)}) AS ${q(name)}`).join(', ')
  const at = random.between(0, total - 1)
  const row = db.get<Record<string, string>>(`SELECT ${shown} FROM ${q(table)} LIMIT 1 OFFSET ${at}`) ?? {}
  return names.map((name) => `${q(name)} IS ${row[name]}`).join(' AND ')
}

/** Other values of a column's type, besides those of other rows. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  TEXT: [`'forged'`, `''`, 'NULL', '$ || char(0)', `$ || 'x'`, `upper($)`, 'substr($, 2)'],
  INTEGER: ['$ + 1', '$ * 100', '-$', '0', 'NULL', '9007199254740993'],
  BLOB: [`x''`, 'NULL', `x'00'`, 'zeroblob(length($))', `CAST('NULL' AS BLOB)`],
}

const updateColumn: Edit = {
  name: 'a column of a row',
  apply: (db, random) => {
    const table = pick(tablesWithRows(db), random)
    const { name, type } = pick(listColumns(db, table), random)
    const where = pickRow(db, table, random)
    const ofAnother = `(SELECT ${q(name)} FROM ${q(table)} LIMIT 1 OFFSET ${random.between(0, 5)})`
    const value = pick([...(OTHERS[type] ?? []), ofAnother], random).replaceAll('$', q(name))
    return run(db, `UPDATE ${q(table)} SET ${q(name)} = ${value} WHERE ${where} AND ${q(name)} IS NOT ${value}`) > 0
  },
}

const deleteRow: Edit = {
  name: 'a row that goes',
  apply: (db, random) => {
    const table = pick(tablesWithRows(db), random)
    return run(db, `DELETE FROM ${q(table)} WHERE ${pickRow(db, table, random)}`) > 0
  },
}

/** Copies a row and gives columns that are usually unique other values. */
const copyRow: Edit = {
  name: 'a row that comes',
  apply: (db, random) => {
    const table = pick(tablesWithRows(db), random)
    const columns = listColumns(db, table)
    const fresh = `'f' || hex(randomblob(12))`
    const values = columns.map(({ name, type }) =>
      /(^|_)(id|hash|number|reference|email|key|slug|path)$/.test(name) && type === 'TEXT' && name !== 'tenant_id'
        ? fresh
        : /^(rid|id|seq|sequence|version)$/.test(name) && type === 'INTEGER'
          ? 'abs(random() / 4096)'
          : q(name),
    )
    const names = columns.map(({ name }) => q(name)).join(', ')
    return (
      run(
        db,
        `INSERT INTO ${q(table)} (${names}) SELECT ${values.join(', ')} FROM ${q(table)} WHERE ${pickRow(db, table, random)}`,
      ) > 0
    )
  },
}

const swapRows: Edit = {
  name: 'values of two rows, swapped',
  apply: (db, random) => {
    const table = pick(tablesWithRows(db), random)
    const { name } = pick(listColumns(db, table), random)
    const [a, b] = [pickRow(db, table, random), pickRow(db, table, random)]
    const of = (where: string): string =>
      db.get<{ v: string }>(`SELECT quote(${q(name)}) AS v FROM ${q(table)} WHERE ${where}`)?.v ?? 'NULL'
    const [one, two] = [of(a), of(b)]
    if (a === b || one === two) return false
    run(db, `UPDATE ${q(table)} SET ${q(name)} = ${two} WHERE ${a}`)
    run(db, `UPDATE ${q(table)} SET ${q(name)} = ${one} WHERE ${b}`)
    return true
  },
}

const otherFirm: Edit = {
  name: 'a row of another firm',
  apply: (db, random) => {
    const tables = tablesWithRows(db).filter((table) => listColumns(db, table).some(({ name }) => name === 'tenant_id'))
    const table = pick(tables, random)
    const where = pickRow(db, table, random)
    return (
      run(
        db,
        `UPDATE ${q(table)} SET tenant_id = (SELECT id FROM tenants WHERE id <> tenant_id LIMIT 1) WHERE ${where}`,
      ) > 0
    )
  },
}

const oldRows: Edit = {
  name: 'old rows of a table, put back',
  apply: (db, random) => {
    const table = pick(tablesWithRows(db), random)
    const newer = `SELECT * FROM main.${q(table)} EXCEPT SELECT * FROM old.${q(table)} LIMIT 1`
    if (db.get(newer) === undefined) return false
    run(db, `DELETE FROM main.${q(table)}`)
    run(db, `INSERT INTO main.${q(table)} SELECT * FROM old.${q(table)}`)
    return true
  },
}

const seals: Edit = {
  name: 'the seal',
  apply: (db, random) => {
    const what = pick(
      [
        'DELETE FROM table_seals',
        'UPDATE table_seals SET sealed = (SELECT sealed FROM old.table_seals)',
        'UPDATE table_seals SET sealed = zeroblob(length(sealed))',
        'UPDATE table_seals SET sealed = substr(sealed, 1, length(sealed) - 1)',
        `UPDATE table_seals SET sealed = (SELECT sealed FROM key_proof)`,
      ],
      random,
    )
    return run(db, what) > 0
  },
}

/** Changes of the schema; `T` and `U` stand for tables. */
const SCHEMA = [
  'CREATE TRIGGER forged_1 AFTER INSERT ON T BEGIN DELETE FROM U; END',
  'CREATE TRIGGER forged_2 BEFORE UPDATE ON T BEGIN SELECT 1; END',
  'CREATE VIEW forged_3 AS SELECT * FROM T',
  'CREATE TABLE forged_4 (a)',
  'CREATE TABLE _litestream_forged (id INTEGER)',
  'CREATE INDEX forged_5 ON T (C)',
  'ALTER TABLE T ADD COLUMN forged_6 TEXT',
  'CREATE VIRTUAL TABLE forged_7 USING fts5 (a)',
]

const schema: Edit = {
  name: 'the schema',
  apply: (db, random) => {
    const table = pick(tablesWithRows(db), random)
    const column = pick(listColumns(db, table), random)
    const drops = db
      .all<{ type: string; name: string }>(
        `SELECT type, name FROM sqlite_schema WHERE type = 'trigger' OR (type = 'index' AND sql IS NOT NULL)`,
      )
      .map(({ type, name }) => `DROP ${type} ${q(name)}`)
    const made = SCHEMA.map((text) =>
      text
        .replace('ON T', `ON ${q(table)}`)
        .replace('FROM T', `FROM ${q(table)}`)
        .replace('TABLE T', `TABLE ${q(table)}`)
        .replace('FROM U', `FROM ${q(pick(tablesWithRows(db), random))}`)
        .replace('(C)', `(${q(column.name)})`),
    )
    db.exec(random.chance(0.3) ? pick(drops, random) : pick(made, random))
    return true
  },
}

const age: Edit = {
  name: 'an older schema',
  apply: (db) => {
    db.exec('DROP TABLE table_seals; DROP TABLE audit_breaks')
    return run(db, 'DELETE FROM schema_migrations') > 0
  },
}

/** The kinds of edits; those of rows are the most frequent. */
export const EDITS: readonly [Edit, ...Edit[]] = [
  updateColumn,
  updateColumn,
  updateColumn,
  updateColumn,
  deleteRow,
  copyRow,
  copyRow,
  swapRows,
  otherFirm,
  oldRows,
  seals,
  schema,
  schema,
  age,
]
