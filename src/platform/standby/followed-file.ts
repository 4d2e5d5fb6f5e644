import { Database } from 'bun:sqlite'
import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { HEARTBEAT, type Heartbeat } from '../replication/heartbeat.ts'

/** SQLite's header has 2 in bytes 18 and 19 for a database with a write-ahead log, and 1 for one without. */
const FORMAT_AT = 18
const WITHOUT_LOG = Buffer.from([1, 1])

/**
 * Marks a restored file as one without a log. It has none, but the header is that of the primary, and a reader that
 * believes it would lock the file for as long as its connection is open: the engine then waits, and says nothing.
 */
export function markWithoutLog(path: string): void {
  const file = openSync(path, 'r+')
  try {
    const format = Buffer.alloc(2)
    readSync(file, format, 0, 2, FORMAT_AT)
    if (!format.equals(WITHOUT_LOG)) writeSync(file, WITHOUT_LOG, 0, 2, FORMAT_AT)
  } finally {
    closeSync(file)
  }
}

/** Reads the number of the last applied change from the engine's note beside a followed file; 0 without one. */
export function readApplied(path: string): number {
  try {
    return Number.parseInt(readFileSync(`${path}-txid`, 'utf8'), 16) || 0
  } catch {
    return 0
  }
}

/**
 * Takes the lock under which the engine applies no change to a followed file, and returns how to give it up. Throws if
 * the engine applies one for longer than `patience` ms, for which this process is blocked. A process loses all its
 * locks of a file as soon as it closes that file once, in whatever way.
 */
export function lockFollowed(path: string, patience: number): () => void {
  // without the settings of a usual reader, each of which would wait for the lock by itself
  const reader = new Database(path, { readonly: true })
  try {
    reader.run(`PRAGMA busy_timeout = ${patience}`)
    reader.run('BEGIN')
    reader.prepare('SELECT count(*) FROM sqlite_schema').get()
  } catch (error) {
    reader.close()
    throw error
  }
  return () => reader.close()
}

const FactRow = Type.Object({ value: Type.String() })
const parseHeartbeat = (row: unknown): Heartbeat | undefined =>
  row === null ? undefined : Value.Decode(HEARTBEAT.shape, JSON.parse(Value.Decode(FactRow, row).value))

/** Reads the newest heartbeat in a followed file; undefined without one, or while the engine applies a change. */
export function readFollowedHeartbeat(path: string): Heartbeat | undefined {
  const reader = new Database(path, { readonly: true })
  try {
    reader.run('PRAGMA busy_timeout = 0')
    return parseHeartbeat(reader.prepare('SELECT value FROM box_facts WHERE name = ?').get(HEARTBEAT.name))
  } catch {
    return undefined
  } finally {
    reader.close()
  }
}
