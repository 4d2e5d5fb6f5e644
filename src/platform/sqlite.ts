import { constants, Database, type Statement } from 'bun:sqlite'
import { pathToFileURL } from 'node:url'
import { mustBeUsable } from './file-rights.ts'

/** The types of a SQL parameter: those of the driver, without any conversion. */
export type SqlValue = string | number | bigint | Uint8Array | null

/**
 * A connection that caches its statements: the cache of `db.query()` has room for only 20, and a frequent statement
 * must never be prepared twice.
 */
export type Connection = {
  readonly raw: Database
  all<R>(sql: string, params?: readonly SqlValue[]): R[]
  get<R>(sql: string, params?: readonly SqlValue[]): R | undefined
  run(sql: string, params?: readonly SqlValue[]): number
  exec(sql: string): void
  close(): void
}

const PRAGMAS = {
  busy_timeout: 5000, // first: every later statement may meet a lock held by the backup process
  journal_mode: 'wal',
  synchronous: 2, // FULL: an answer leaves only after its commit is on disk
  foreign_keys: 1,
  trusted_schema: 0,
  temp_store: 2,
  cache_size: -65536,
  mmap_size: 0, // a second process (Litestream) reads the file
  journal_size_limit: 67108864,
} as const

function setPragmas(db: Database, readonly: boolean): void {
  for (const [name, value] of Object.entries(PRAGMAS)) {
    if (readonly && name === 'journal_mode') continue // needs the write lock; the writer has set it
    db.run(`PRAGMA ${name} = ${value}`)
    const row: unknown = db.prepare(`PRAGMA ${name}`).get()
    const actual = typeof row === 'object' && row !== null ? Object.values(row)[0] : undefined
    // an SQLite that was built without memory mapping returns no row, which is as good as 0
    if (name === 'mmap_size' && actual === undefined) continue
    if (actual !== value) throw new Error(`SQLite refused PRAGMA ${name}=${value}: it is ${actual}`)
  }
}

const MAX_STATEMENTS = 1000

/** Makes a connection; `before` is called before each `run` and `exec`. */
function asConnection(raw: Database, before = (): void => {}): Connection {
  const statements = new Map<string, Statement>()
  const prepared = (sql: string): Statement => {
    let statement = statements.get(sql)
    if (!statement) {
      // an UPDATE names the columns it changes, so there are many texts, few of them frequent: the oldest is removed
      if (statements.size >= MAX_STATEMENTS) {
        const [oldest, evicted] = statements.entries().next().value ?? []
        evicted?.finalize()
        if (oldest !== undefined) statements.delete(oldest)
      }
      statement = raw.prepare(sql)
      statements.set(sql, statement)
    }
    return statement
  }
  return {
    raw,
    all: (sql, params = []) => prepared(sql).all(...params) as never,
    get: (sql, params = []) => (prepared(sql).get(...params) ?? undefined) as never,
    run: (sql, params = []) => {
      before()
      return prepared(sql).run(...params).changes
    },
    exec: (sql) => {
      before()
      raw.exec(sql)
    },
    close: () => {
      for (const statement of statements.values()) statement.finalize()
      statements.clear()
      raw.close(true)
    },
  }
}

/**
 * Opens the one read-write connection of a database file, which is created if it is absent. `before` is called before
 * each `run` and `exec`.
 */
export function openWriter(path: string, before?: () => void): Connection {
  mustBeUsable(path, { writes: true })
  const raw = new Database(path, { create: true, readwrite: true, strict: true })
  setPragmas(raw, false)
  return asConnection(raw, before)
}

/** Opens a connection that cannot write. */
export function openReader(path: string): Connection {
  mustBeUsable(path, { writes: false })
  return reading(new Database(path, { readonly: true, strict: true }))
}

/**
 * As `openReader`, for a database that no process has open: a usual reader would leave the files of a log beside it.
 */
export function openStill(path: string): Connection {
  mustBeUsable(path, { writes: false })
  const { SQLITE_OPEN_READONLY, SQLITE_OPEN_URI } = constants
  const url = pathToFileURL(path)
  url.searchParams.set('immutable', '1')
  return reading(new Database(url.href, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI))
}

/** Opens an empty database in memory, to make a schema for comparison. */
export const openScratch = (): Connection => asConnection(new Database(':memory:', { strict: true }))

function reading(raw: Database): Connection {
  setPragmas(raw, true)
  raw.run('PRAGMA query_only = 1')
  return asConnection(raw)
}

/** A reader whose reads of one tick of the event loop share a transaction. */
export type TickReader = Connection & {
  /** Ends the transaction, so that the next read sees everything that was committed until then. */
  refresh(): void
  /**
   * Returns the answer of `read`, from memory if nothing at all was committed since the last answer for this `key`.
   * `read` may use this reader only; `undefined` is not remembered.
   */
  recall<T extends object>(key: string, read: () => T | undefined): T | undefined
}

/** A few hundred people and keys are active at a time; above this number of answers all are forgotten. */
const MAX_RECALLED = 1000

/**
 * As `openReader`, for the many small reads of requests. A read outside a transaction takes and releases the locks of
 * the WAL, which costs as much as the read, so the reads of one tick share a transaction. The writer's connection calls
 * `refresh` before each of its statements, so that every later read sees its commits and no checkpoint waits for a
 * reader. Commits of other processes are seen from the next tick on.
 */
export const openTickReader = (path: string): TickReader => createTickReader(openReader(path))

/** As `openTickReader`, over a connection that cannot write, which is closed with it. */
export function createTickReader(connection: Connection): TickReader {
  const { raw } = connection
  const begin = raw.prepare('BEGIN')
  const end = raw.prepare('COMMIT')
  const dataVersion = raw.prepare<{ data_version: number }, []>('PRAGMA data_version')
  const recalled = new Map<string, object>()
  let version: number | undefined
  let reading = false
  const refresh = (): void => {
    if (!reading) return
    reading = false
    // an error of the disk may have ended the transaction already
    if (raw.inTransaction) end.run()
  }
  const enter = (): void => {
    if (reading) return
    begin.run()
    reading = true
    setImmediate(refresh)
    // this number changes with each commit of another connection; reading it fixes the state that this transaction sees
    const now = dataVersion.get()?.data_version
    if (now === version) return
    version = now
    recalled.clear()
  }
  return {
    ...connection,
    all: (sql, params) => {
      enter()
      return connection.all(sql, params)
    },
    get: (sql, params) => {
      enter()
      return connection.get(sql, params)
    },
    refresh,
    recall: <T extends object>(key: string, read: () => T | undefined) => {
      enter()
      const known = recalled.get(key)
      if (known) return known as T
      const answer = read()
      if (answer === undefined) return undefined
      if (recalled.size >= MAX_RECALLED) recalled.clear()
      recalled.set(key, answer)
      return answer
    },
    close: () => {
      refresh()
      begin.finalize()
      end.finalize()
      dataVersion.finalize()
      connection.close()
    },
  }
}
