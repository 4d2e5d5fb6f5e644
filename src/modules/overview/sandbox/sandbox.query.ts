import { DatabaseSync } from 'node:sqlite'
import { MIB } from '../../../platform/bytes.ts'
import { formatAmount, isCurrency } from '../../../platform/money.ts'
import { toDay, wallClock } from '../../../platform/zone.ts'
import { createAuthorizer, type Denied } from './sandbox.authorizer.ts'
import { READABLE, type ReadableTable } from './sandbox.catalogue.ts'

const MOST_ROWS = 10_000
const MOST_BYTES = 8 * MIB

const LIMITS = {
  length: 1_000_000,
  sqlLength: 100_000,
  column: 200,
  exprDepth: 100,
  compoundSelect: 20,
  vdbeOp: 50_000,
  functionArg: 50,
  attach: 0,
  likePatternLength: 1000,
  variableNumber: 0,
  triggerDepth: 1,
} as const

type ColumnType = 'integer' | 'number' | 'text' | 'mixed' | 'empty'
export type QueryAnswer = { text: string } | { denied: Denied } | { failed: string }
type Cell = string | number | null
type Value = string | number | bigint | Uint8Array | null

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
const isSafe = (n: bigint): boolean => n >= BigInt(Number.MIN_SAFE_INTEGER) && n <= BigInt(Number.MAX_SAFE_INTEGER)

/** Returns a value for JSON: numbers that JSON cannot represent become text, and bytes are not shown. */
function toCell(value: Value): Cell {
  if (typeof value === 'bigint') return isSafe(value) ? Number(value) : String(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  return value instanceof Uint8Array ? `[${value.byteLength} bytes]` : value
}
const toColumnType = (value: Value): ColumnType | null => {
  if (value === null) return null
  if (typeof value === 'bigint') return 'integer'
  return typeof value === 'number' ? 'number' : 'text'
}
const mergeTypes = (known: ColumnType, one: ColumnType | null): ColumnType => {
  if (one === null || known === one) return known
  if (known === 'empty') return one
  return known !== 'text' && one !== 'text' && known !== 'mixed' ? 'number' : 'mixed'
}

function addFunctions(db: DatabaseSync, timeZone: string): void {
  const options = { deterministic: true, useBigIntArguments: true } as const
  const decimal = (minor: unknown, scale: number): string | null => {
    if (typeof minor !== 'bigint') return null
    const digits = String(minor < 0n ? -minor : minor).padStart(scale + 1, '0')
    const point = digits.length - scale
    return `${minor < 0n ? '-' : ''}${digits.slice(0, point)}${scale === 0 ? '' : `.${digits.slice(point)}`}`
  }
  const timed = (make: (at: number) => string) => (at: unknown) => {
    const known = typeof at === 'bigint' ? Number(at) : at
    return typeof known === 'number' && Math.abs(known) < 8.64e15 ? make(known) : null
  }
  const days = new Map<number, string>()
  const firmDay = (at: number): string => {
    const quarter = Math.floor(at / 900_000)
    const day = days.get(quarter) ?? toDay(at, timeZone)
    if (days.size < 100_000) days.set(quarter, day)
    return day
  }
  db.function('money', options, (minor, currency) =>
    typeof minor === 'bigint' && typeof currency === 'string' && isCurrency(currency)
      ? formatAmount(minor, currency)
      : null,
  )
  db.function('decimal_of', options, (minor, scale) =>
    typeof scale === 'bigint' && scale >= 0n && scale <= 18n ? decimal(minor, Number(scale)) : null,
  )
  db.function('firm_day', options, timed(firmDay))
  db.function(
    'firm_month',
    options,
    timed((at) => firmDay(at).slice(0, 7)),
  )
  db.function(
    'firm_time',
    options,
    timed((at) => new Date(wallClock(at, timeZone)).toISOString().slice(0, 19)),
  )
}

/**
 * Makes two views for each table: the inner one, with a random name, has the firm’s rows; queries read the outer one.
 * The inner one ends with a limit that has no effect but keeps SQLite from mixing the query's conditions with the
 * firm’s. Otherwise, with an index that does not begin with the firm, SQLite would test the query's condition first, on
 * rows of all firms; a condition that fails (`abs` of the least integer) would reveal something about these rows.
 */
function addViews(db: DatabaseSync, tenantId: string): Map<string, ReadableTable> {
  const views = new Map<string, ReadableTable>()
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('hex')
  for (const table of READABLE) {
    const inner = `_s_${nonce}_${table.name}`
    const columns = table.columns.map(({ name, expression }) => `${expression} AS ${name}`).join(', ')
    const names = table.columns.map(({ name }) => name).join(', ')
    db.exec(
      `CREATE TEMP VIEW ${inner} AS SELECT ${columns} FROM main.${table.name}
      WHERE tenant_id = ${quoted(tenantId)} LIMIT -1`,
    )
    db.exec(`CREATE TEMP VIEW ${table.name} AS SELECT ${names} FROM ${inner}`)
    views.set(inner, table)
  }
  return views
}

/** Returns every name in the database and of SQLite's modules; a query must not define one of these. */
function takenNames(db: DatabaseSync): Set<string> {
  const rows = db
    .prepare('SELECT lower(name) AS name FROM main.sqlite_schema UNION SELECT lower(name) FROM pragma_module_list')
    .all()
  const names = new Set(rows.map(({ name }) => String(name)))
  for (const { name } of READABLE) names.delete(name)
  return names
}

/** Reads rows up to a number and a size, and returns the answer as JSON text. */
function buildAnswer(db: DatabaseSync, sql: string, started: number): string {
  const prepared = db.prepare(sql)
  prepared.setReadBigInts(true)
  prepared.setReturnArrays(true)
  const names = prepared.columns().map(({ name }) => String(name))
  const types: ColumnType[] = names.map(() => 'empty')
  const rows: string[] = []
  let bytes = JSON.stringify(names).length
  let truncated = false
  for (const found of prepared.iterate()) {
    const row: unknown = found
    const values: Value[] = Array.isArray(row) ? row : []
    const text = JSON.stringify(values.map(toCell))
    bytes += Buffer.byteLength(text) + 1
    truncated = rows.length === MOST_ROWS || bytes > MOST_BYTES
    if (truncated) break
    for (const [index, value] of values.entries())
      types[index] = mergeTypes(types[index] ?? 'empty', toColumnType(value))
    rows.push(text)
  }
  const columns = names.map((name, index) => ({ name, type: types[index] ?? 'empty' }))
  const elapsedMs = Math.round(performance.now() - started)
  const facts = JSON.stringify({ columns, rowCount: rows.length, truncated, elapsedMs })
  return `${facts.slice(0, -1)},"rows":[${rows.join(',')}]}`
}

/**
 * Runs one query of a firm on its own read-only connection, which sees the firm's rows only through views; if other
 * access is refused, the answer says why. It is synchronous and may never end, so it runs in a child that can be
 * killed.
 */
export function runQuery(of: { database: string; tenantId: string; timeZone: string; sql: string }): QueryAnswer {
  const started = performance.now()
  const db = new DatabaseSync(of.database, { readOnly: true, limits: LIMITS, timeout: 5000 })
  try {
    db.exec('PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384; PRAGMA mmap_size = 0')
    addFunctions(db, of.timeZone)
    const taken = takenNames(db)
    const views = addViews(db, of.tenantId)
    db.exec('PRAGMA trusted_schema = 0; PRAGMA query_only = 1')
    db.enableDefensive(true)
    const { authorize, denied } = createAuthorizer(views, taken, of.sql)
    db.setAuthorizer(authorize)
    try {
      return { text: buildAnswer(db, of.sql, started) }
    } catch (error) {
      const [first] = denied
      if (first) return { denied: first }
      const message = error instanceof Error ? error.message : String(error)
      return { failed: message.replace(/_s_[0-9a-f]{48}_/g, '').slice(0, 500) }
    }
  } finally {
    db.close()
  }
}
