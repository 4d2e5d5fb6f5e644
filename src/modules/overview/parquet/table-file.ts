import { closeSync, createReadStream, fsyncSync, openSync } from 'node:fs'
import { fileWriter, ParquetWriter } from 'hyparquet-writer'
import { MIB } from '../../../platform/bytes.ts'
import type { SqlValue } from '../../../platform/sqlite.ts'
import { buildSchema, type Calendar, type FileColumn, type FileTable, type SourceRow } from './file-columns.ts'

/** A group is in memory while it is written. */
const ROWS_OF_GROUP = 50_000
/** So many different texts of a column are remembered: words of fixed lists, not ids. */
const MOST_KNOWN = 256
/** Below this memory nothing is freed early; above it each growth by a little is a reason to. */
const MUCH_MEMORY = 152 * MIB
const MUCH_MORE = 2 * MIB
const MANY_ROWS = 2500

/** Syncs a file to the disk and returns its length and digest. */
async function sealFile(path: string): Promise<{ bytes: number; sha256: string }> {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  const hash = new Bun.CryptoHasher('sha256')
  let bytes = 0
  for await (const piece of createReadStream(path)) {
    hash.update(piece)
    bytes += piece.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** The memory that this child had after it was freed. */
let settled = 0

/**
 * Frees the memory of columns that are written already once this child has taken much more: the runtime would let that
 * of several groups gather. Few rows leave little behind.
 */
function spareMemory(rows: number): void {
  if (rows < MANY_ROWS || process.memoryUsage.rss() < Math.max(MUCH_MEMORY, settled + MUCH_MORE)) return
  Bun.gc(true)
  settled = process.memoryUsage.rss()
}

/** A column of the rows of a group. */
type Gathered = { add: (value: SqlValue) => void; values: SqlValue[] }

/** Gathers the values of a column; SQLite makes a new text for each row, and of equal ones only the first is kept. */
function gather(): Gathered {
  const known = new Map<string, string>()
  const values: SqlValue[] = []
  const intern = (text: string): string => {
    const one = known.get(text)
    if (one !== undefined) return one
    if (known.size < MOST_KNOWN) known.set(text, text)
    return text
  }
  return { values, add: (value) => void values.push(typeof value === 'string' ? intern(value) : value) }
}

/** Returns a column for the writer, whose values are converted when they are written, for that takes most memory. */
const makeLazy = (
  { name, from, currency, convert }: FileColumn,
  group: ReadonlyMap<string, Gathered>,
  calendar: Calendar,
) => ({
  name,
  get data() {
    const values = group.get(from)?.values ?? []
    spareMemory(values.length)
    const beside = currency === null ? undefined : group.get(currency)?.values
    return values.map((value, at) => convert(value, beside?.[at] ?? null, calendar))
  },
})

/** Writes rows as one file, group by group, and returns what the manifest says of it. */
export async function writeTableFile(
  path: string,
  table: FileTable,
  rows: Iterable<SourceRow>,
  calendar: Calendar,
): Promise<{ rows: number; bytes: number; sha256: string }> {
  const writer = new ParquetWriter({ writer: fileWriter(path), schema: buildSchema(table), createdBy: 'brokerbase' })
  let written = 0
  let waiting = 0
  let group = new Map(table.read.map((name) => [name, gather()]))
  const flush = async (): Promise<void> => {
    const columnData = table.columns.map((column) => makeLazy(column, group, calendar))
    await writer.write({ columnData, rowGroupSize: ROWS_OF_GROUP })
    group = new Map(table.read.map((name) => [name, gather()]))
    written += waiting
    waiting = 0
  }
  for (const row of rows) {
    for (const [name, { add }] of group) add(row[name] ?? null)
    waiting += 1
    if (waiting % MANY_ROWS === 0) spareMemory(waiting)
    if (waiting === ROWS_OF_GROUP) await flush()
  }
  if (waiting > 0) await flush()
  await writer.finish()
  return { rows: written, ...(await sealFile(path)) }
}
