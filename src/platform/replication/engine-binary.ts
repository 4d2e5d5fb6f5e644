import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PackedBinary } from '../embedded.ts'

/** 0.5.17 may leave frames out of a snapshot; 0.3 has a SQLite whose checkpoint may corrupt a log. */
const OLDEST_ENGINE = '0.5.18'

/** Returns the directory of the engine and of its state, below the data directory. */
export const engineDirectory = (dataDir: string): string => join(dataDir, 'engine')

const hashSha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Unpacks the engine of this program (0700) unless it is there already; a changed file is replaced. */
async function unpack(packed: PackedBinary, directory: string): Promise<string> {
  const name = `litestream-${packed.sha256.slice(0, 16)}`
  const path = join(directory, name)
  if (existsSync(path) && hashSha256(readFileSync(path)) === packed.sha256) return path
  const bytes = Bun.zstdDecompressSync(await Bun.file(packed.path).bytes())
  if (hashSha256(bytes) !== packed.sha256) throw new Error('the engine inside this program is damaged')
  const partial = `${path}.${randomBytes(4).toString('hex')}.partial`
  writeFileSync(partial, bytes, { mode: 0o700 })
  chmodSync(partial, 0o700)
  renameSync(partial, path)
  for (const other of readdirSync(directory))
    if (other.startsWith('litestream-') && other !== name) rmSync(join(directory, other), { force: true })
  return path
}

/** Returns the version that a program reports; throws if it cannot run, or is no Litestream that may be used. */
async function readVersion(path: string): Promise<string> {
  let said = ''
  try {
    const child = Bun.spawn([path, 'version'], { stdin: 'ignore', stdout: 'pipe', stderr: 'ignore', env: {} })
    said = await new Response(child.stdout).text()
    await child.exited
  } catch (cause) {
    const why = `${path} cannot be run: is its directory mounted without leave to run programs? --litestream names another`
    throw new Error(why, { cause })
  }
  const version = /\bv?(\d+\.\d+\.\d+)\b/.exec(said)?.[1]
  if (!version || Bun.semver.order(version, OLDEST_ENGINE) < 0)
    throw new Error(
      `${path} is ${version ? `Litestream ${version}` : 'no Litestream'}; ${OLDEST_ENGINE} or later is needed`,
    )
  return version
}

/** The path and version of an engine that can be started. */
export type EngineBinary = { path: string; version: string }

/**
 * Returns the engine to replicate and restore with: the one that the operator names, or else the one in this program,
 * unpacked into `engine/` of the data directory. Throws an error for the operator if there is none that runs.
 */
export async function engineBinary(
  dataDir: string,
  { named, packed }: { named: string; packed: PackedBinary | null },
): Promise<EngineBinary> {
  const directory = engineDirectory(dataDir)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  if (named === '' && !packed)
    throw new Error('this program was built without Litestream; --litestream names one of version 0.5.18 or later')
  const path = named === '' && packed ? await unpack(packed, directory) : named
  return { path, version: await readVersion(path) }
}
