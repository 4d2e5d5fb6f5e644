import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { countMigrations } from '../../../platform/db/migrate.ts'
import { runTask } from '../../../platform/query-runner/task.ts'
import { DATABASES } from '../../../platform/replication/engine-config.ts'
import { openReader } from '../../../platform/sqlite.ts'
import { Manifest, packSnapshot, SNAPSHOT_REASONS } from './backups.archive.ts'
import { brokenParts } from './broken-parts.ts'
import { DEADLINE } from './check.tasks.ts'

const SnapshotIn = Type.Object({
  dataDir: Type.String(),
  target: Type.String(),
  key: Type.String(),
  facts: Type.Object({
    id: Type.String(),
    createdAt: Type.String(),
    reason: Type.Union(SNAPSHOT_REASONS.map((reason) => Type.Literal(reason))),
    version: Type.String(),
  }),
})

/** Copies both databases in a child, checks the copies and packs them into one file. */
export const snapshotTask = async (input: unknown): Promise<Manifest> => {
  const { dataDir, target, key, facts } = Value.Decode(SnapshotIn, input)
  const scratch = `${target}.copy`
  rmSync(scratch, { recursive: true, force: true })
  mkdirSync(scratch, { recursive: true, mode: 0o700 })
  try {
    let schema = 0
    // the documents are copied last, so that the bytes of every copied row are there
    for (const name of DATABASES) {
      const live = openReader(join(dataDir, name))
      // VACUUM INTO writes only into the copy
      live.raw.run('PRAGMA query_only = 0')
      live.raw.run('VACUUM INTO ?', [join(scratch, name)])
      live.close()
      const copy = openReader(join(scratch, name))
      const faults = brokenParts(copy, name)
      if (name === 'brokerbase.db') schema = countMigrations(copy)
      copy.close()
      if (faults.length > 0) throw new Error(`the copy is damaged, as the database may be: ${faults[0]}`)
    }
    return await packSnapshot(scratch, target, { ...facts, schema }, Buffer.from(key, 'base64'))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Starts the child that takes a snapshot; resolves with its manifest. */
export async function packApart(
  parts: Omit<Static<typeof SnapshotIn>, 'key'> & { key: Uint8Array },
  signal: AbortSignal | undefined,
): Promise<Manifest> {
  const input = { ...parts, key: Buffer.from(parts.key).toString('base64') }
  const options = { deadlineMs: DEADLINE, background: true, ...(signal && { signal }) }
  return Value.Decode(Manifest, await runTask('backups.snapshot', input, options))
}
