import { mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { MINUTE, SECOND, toIso } from '../clock.ts'
import { engineDirectory } from './engine-binary.ts'
import { DATABASES, type DatabaseName, engineEnvironment, writeEngineConfig } from './engine-config.ts'
import type { ReplicaKeys, ReplicaPlace } from './replica-place.ts'

/** Files are fetched as of this much later: they are stored before their rows, and copied separately. */
const PAPERS_LATER = 10 * SECOND

/** A place that has sent nothing for this long is out of reach; the engine would wait for days. */
const PATIENCE = 5 * MINUTE

const Fetched = Type.Object({ txid: Type.String() })

/** Kills a child whose file does not grow for `patience` ms. The returned function stops this, and says if it did. */
function endIfStuck(child: { kill(signal: 'SIGKILL'): void }, path: string, patience: number): () => boolean {
  let size = 0
  let movedAt = performance.now()
  let isStuck = false
  const watch = setInterval(() => {
    // the engine writes to a temporary file first
    const now = Math.max(...[`${path}.tmp`, path].map((one) => statSync(one, { throwIfNoEntry: false })?.size ?? 0))
    if (now !== size) movedAt = performance.now()
    size = now
    if (performance.now() - movedAt < patience) return
    isStuck = true
    child.kill('SIGKILL')
  }, patience / 10)
  return () => {
    clearInterval(watch)
    return isStuck
  }
}

/** Returns the last line that the engine printed. */
const lastLine = (text: string): string => text.trim().split('\n').at(-1)?.slice(0, 500) || 'it said nothing'

/**
 * Fetches both databases of a history into a directory as they were at a time (milliseconds; null for the newest). The
 * uploaded files are of that time or a little later. Throws an error for the operator if the engine fails.
 */
export async function fetchReplica(parts: {
  binary: string
  place: ReplicaPlace
  keys: ReplicaKeys
  lineage: string
  at: number | null
  into: string
  signal?: AbortSignal | undefined
  patience?: number
}): Promise<void> {
  const { binary, place, keys, lineage, at, into, signal, patience = PATIENCE } = parts
  mkdirSync(engineDirectory(into), { recursive: true, mode: 0o700 })
  const config = writeEngineConfig({ dataDir: into, place, keys, lineage, socket: null, name: 'restore.json' })
  const bring = async (name: DatabaseName, until: number | null): Promise<void> => {
    const path = join(into, name)
    const child = Bun.spawn(
      [
        binary,
        'restore',
        '-no-expand-env',
        '-config',
        config,
        '-json',
        '-o',
        path,
        ...(until === null ? [] : ['-timestamp', toIso(until)]),
        path,
      ],
      { env: engineEnvironment(keys), stdin: 'ignore', stdout: 'pipe', stderr: 'pipe', ...(signal && { signal }) },
    )
    const hasBeenStuck = endIfStuck(child, path, patience)
    const [out, errors, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    if (hasBeenStuck()) throw new Error(`${name} could not be fetched from the replica: it did not answer in time`)
    if (code !== 0) throw new Error(`${name} could not be fetched from the replica: ${lastLine(errors || out)}`)
    Value.Decode(Fetched, JSON.parse(out))
  }
  try {
    for (const name of DATABASES) await bring(name, at === null || name === 'brokerbase.db' ? at : at + PAPERS_LATER)
  } finally {
    rmSync(engineDirectory(into), { recursive: true, force: true })
  }
}
