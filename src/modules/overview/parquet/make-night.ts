import { mkdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { MIB } from '../../../platform/bytes.ts'
import { type Clock, HOUR, toIso } from '../../../platform/clock.ts'
import { runTask } from '../../../platform/query-runner/task.ts'
import { openStore } from '../../../platform/replication/open-store.ts'
import { listFileTables } from './file-columns.ts'
import { type NightPlace, putManifest, removeNight } from './nights.ts'
import { FirmFilesOut } from './parquet.model.ts'

const DEADLINE = 2 * HOUR
/** This much disk space must remain for the server. */
const SPARE = 256 * MIB

/** What a night is made of. */
export type NightParts = NightPlace & {
  /** The database, and whether no process writes to it. */
  source: { path: string; isStill: boolean }
  firms: readonly { id: string; slug: string }[]
  withPeople: boolean
  version: string
  clock: Clock
  /** A directory for files on their way to a bucket. */
  scratch: string
  signal?: AbortSignal
}
type Firm = { id: string; slug: string } & Omit<Static<typeof FirmFilesOut>, 'schema'>

/** Throws a sentence if there is no room for the files, which are smaller than the rows with their indices. */
function demandRoom(directory: string, { path }: NightParts['source']): void {
  const { bavail, bsize } = statfsSync(directory)
  const needed = statSync(path).size / 2 + SPARE
  if (bavail * bsize >= needed) return
  const [free, wanted] = [bavail * bsize, needed].map((bytes) => Math.ceil(bytes / MIB))
  throw new Error(`There is no room for the files for analysis in ${directory}: ${free} MiB are free of ${wanted} MiB.`)
}

/** Writes the files of a firm into a directory, in a child. */
async function writeFirm(parts: NightParts, tenantId: string, directory: string) {
  const { source, withPeople, signal } = parts
  const input = { database: source.path, isStill: source.isStill, tenantId, directory, withPeople }
  const options = { deadlineMs: DEADLINE, background: true, ...(signal && { signal }) }
  return Value.Decode(FirmFilesOut, await runTask('parquet.firm', input, options))
}

/** Writes the files of all firms, firm after firm, and sends those of a bucket there. */
async function writeFirms(parts: NightParts, date: string): Promise<{ firms: Firm[]; schema: number }> {
  const { place, keys, source, scratch } = parts
  const store = openStore(place, keys)
  const directory = place.kind === 'file' ? join(place.directory, date) : scratch
  const firms: Firm[] = []
  let newest = 0
  for (const { id, slug } of parts.firms) {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    demandRoom(directory, source)
    const { schema, ...made } = await writeFirm(parts, id, directory)
    newest = schema
    firms.push({ id, slug, ...made })
    if (place.kind === 'file') continue
    for (const { path } of made.files) await store.upload(`${date}/${path}`, join(directory, path))
    rmSync(directory, { recursive: true, force: true })
  }
  return { firms, schema: newest }
}

/** Says in words that a disk is full, which a child says in those of the system. */
function explainFull(error: unknown, { place, scratch }: NightParts): unknown {
  if (!(error instanceof Error) || !/ENOSPC|no space left/i.test(error.message)) return error
  const directory = place.kind === 'file' ? place.directory : scratch
  return new Error(`The disk of ${directory} is full: the files for analysis were not made.`, { cause: error })
}

/**
 * Makes the files of a night, those of each firm from one read transaction, and its manifest last. What a failure
 * leaves behind is removed at once where that is possible, and by the next run otherwise.
 */
export async function makeNight(
  parts: NightParts,
  date: string,
): Promise<{ files: number; rows: number; bytes: number }> {
  const { withPeople, version, clock, scratch, signal } = parts
  const at = toIso(clock.now())
  try {
    const { firms, schema } = await writeFirms(parts, date)
    const tables = listFileTables({ withPeople }).map(({ name, columns }) => ({
      name,
      columns: columns.map((column) => ({ name: column.name, type: column.type })),
    }))
    await putManifest(parts, date, { format: 1, date, at, version, schema, withPeople, tables, firms })
    const files = firms.flatMap((firm) => firm.files)
    const sum = (key: 'rows' | 'bytes'): number => files.reduce((total, file) => total + file[key], 0)
    return { files: files.length, rows: sum('rows'), bytes: sum('bytes') }
  } catch (error) {
    if (!signal?.aborted) await removeNight(parts, date).catch(() => {})
    throw explainFull(error, parts)
  } finally {
    if (parts.place.kind !== 'file') rmSync(scratch, { recursive: true, force: true })
  }
}
