import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { SECOND, toIso } from '../clock.ts'
import { DATABASES, type DatabaseName, engineEnvironment, writeEngineConfig } from './engine.ts'
import { engineDirectory } from './engine-binary.ts'
import type { ReplicaKeys, ReplicaPlace } from './place.ts'

/** Bytes of a paper are stored before the row that names them, and replicated by themselves: they may come later. */
const PAPERS_LATER = 10 * SECOND

const Fetched = Type.Object({ txid: Type.String() })

/** What the engine said when it failed, without the colours and the beginnings of its lines. */
const lastLine = (text: string): string => text.trim().split('\n').at(-1)?.slice(0, 500) || 'it said nothing'

/**
 * Fetches both databases of a lineage into a directory as they were at a moment (milliseconds; null: as new as they
 * are there). The papers are of that moment or a little later. Throws in words what the engine could not do.
 */
export async function fetchReplica(parts: {
  binary: string
  place: ReplicaPlace
  keys: ReplicaKeys
  lineage: string
  at: number | null
  into: string
  signal?: AbortSignal | undefined
}): Promise<void> {
  const { binary, place, keys, lineage, at, into, signal } = parts
  mkdirSync(engineDirectory(into), { recursive: true, mode: 0o700 })
  const config = writeEngineConfig({ dataDir: into, place, keys, lineage, socket: null, name: 'restore.json' })
  const bring = async (name: DatabaseName, until: number | null): Promise<void> => {
    const path = join(into, name)
    const child = Bun.spawn(
      [
        ...[binary, 'restore', '-no-expand-env', '-config', config, '-json', '-o', path],
        ...(until === null ? [] : ['-timestamp', toIso(until)]),
        path,
      ],
      { env: engineEnvironment(keys), stdin: 'ignore', stdout: 'pipe', stderr: 'pipe', ...(signal && { signal }) },
    )
    const [out, errors, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    if (code !== 0) throw new Error(`${name} could not be fetched from the replica: ${lastLine(errors || out)}`)
    Value.Decode(Fetched, JSON.parse(out))
  }
  try {
    for (const name of DATABASES) await bring(name, at === null || name === 'brokerbase.db' ? at : at + PAPERS_LATER)
  } finally {
    rmSync(engineDirectory(into), { recursive: true, force: true })
  }
}
