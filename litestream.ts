/**
 * `bun run litestream` makes dist/tools/litestream, the replication engine that build.ts embeds, if Go is there.
 * Nothing of it is trusted by name: the one digest below pins Litestream's source, and the `go.sum` inside that source
 * pins everything else that is compiled in.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** This version is built, and it is the oldest that is embedded: 0.5.17 and before may omit frames of a snapshot. */
const ENGINE_VERSION = '0.5.18'
const MODULE = 'github.com/benbjohnson/litestream'
/** The digest of the module's source, as Go's checksum database has it. */
const MODULE_SUM = 'h1:kelmbbFQvlgrm8dRrpt9bqvDrJ69OgWQca8hSflNF2U='
/** SQLite from 3.7.0 to 3.51.2 may corrupt a database when it restarts its log. */
const OLDEST_SQLITE = '3.51.3'

/**
 * Google's storage client has a second transport with its own control plane, which is a quarter of the whole program.
 * These tags leave it out; the first transport, which Litestream uses, stays.
 */
const TAGS = 'disable_grpc_modules,grpcnotrace'

const root = import.meta.dir
/** `bun run litestream` writes its result here. */
const MADE = join(root, 'dist/tools/litestream')

/** An engine that may be embedded. `sha256` is the digest of the whole file. */
export type Engine = { path: string; bytes: Uint8Array; version: string; sqlite: string; sha256: string }

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Returns whether a version is `oldest` or later; both are numbers with dots. */
const isAtLeast = (version: string, oldest: string): boolean => Bun.semver.order(version, oldest) >= 0

/** Returns what a command printed; null if it does not exist or failed. */
function printed(command: string[], options: { cwd?: string; env?: Record<string, string | undefined> } = {}) {
  try {
    const run = Bun.spawnSync(command, { ...options, stdin: 'ignore', stderr: 'inherit' })
    return run.success ? run.stdout.toString().trim() : null
  } catch {
    return null
  }
}

/** Returns the SQLite version inside an engine, which has no command for it: the one C text with such a version. */
const findSqliteVersion = (bytes: Uint8Array): string | undefined =>
  /\0(3\.\d{1,3}\.\d{1,3})\0/.exec(Buffer.from(bytes).toString('latin1'))?.[1]

/** Returns the engine at a path; throws with an explanation if it may not be embedded. */
export function engineAt(path: string): Engine {
  const said = printed([path, 'version'])
  const version = said && /\bv?(\d+\.\d+\.\d+)\b/.exec(said)?.[1]
  if (!version) throw new Error(`${path} is no Litestream: “version” answered ${said ?? 'nothing'}`)
  if (!isAtLeast(version, ENGINE_VERSION))
    throw new Error(`${path} is Litestream ${version}; ${ENGINE_VERSION} or later is needed`)
  const bytes = readFileSync(path)
  const sqlite = findSqliteVersion(bytes)
  if (!sqlite || !isAtLeast(sqlite, OLDEST_SQLITE))
    throw new Error(`${path} holds SQLite ${sqlite ?? 'of no known version'}; ${OLDEST_SQLITE} or later is needed`)
  return { path, bytes, version, sqlite, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/**
 * Returns the engine for the build: the one that `LITESTREAM_BINARY` names (`none` for none at all), the one that `bun
 * run litestream` made, or a `litestream` on PATH; null if there is none. Throws if it may not be embedded.
 */
export function findEngine(): Engine | null {
  const named = process.env.LITESTREAM_BINARY
  if (named === 'none') return null
  if (named) return engineAt(named)
  if (existsSync(MADE)) return engineAt(MADE)
  const onPath = Bun.which('litestream')
  return onPath ? engineAt(onPath) : null
}

/** A module of Go that is compiled into an engine; `source` is the folder of its files, if they are here. */
type GoModule = { name: string; version: string; source: string | undefined }

/** Returns the modules that Go lists in an engine, with Go itself. */
export function listModules(bytes: Uint8Array): GoModule[] {
  const text = Buffer.from(bytes).toString('latin1')
  const cache = printed(['go', 'env', 'GOMODCACHE'])
  const there = (path: string | undefined) => (path !== undefined && existsSync(path) ? path : undefined)
  // in the names of folders of Go's cache, a capital letter is an exclamation mark and the small letter
  const inCache = (name: string) =>
    cache?.concat(
      '/',
      name.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`),
    )
  const modules = [...text.matchAll(/^dep\t([^\t\n]+)\t(v[^\t\n]+)(?:\t|$)/gm)].map(([, name = '', version = '']) => ({
    name,
    version,
    source: there(`${inCache(name)}@${version}`),
  }))
  const go = {
    name: 'Go',
    version: /Go buildinf:[\s\S]{0,80}?go(\d+\.\d+(?:\.\d+)?)/.exec(text)?.[1] ?? '',
    source: there(goRoot()),
  }
  return [go, ...new Map(modules.map((module) => [module.name, module])).values()]
}

const goRoot = (): string | undefined => printed(['go', 'env', 'GOROOT']) ?? undefined

/** Builds the pinned version from its checked source; throws if Go is missing or anything differs. */
function make(): void {
  const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly', GOWORK: 'off' }
  const answer = printed(['go', 'mod', 'download', '-json', `${MODULE}@v${ENGINE_VERSION}`], { cwd: tmpdir(), env })
  if (answer === null) throw new Error('Go is needed to build Litestream, and the way to its module proxy')
  const { Dir: source, Sum: sum }: { Dir?: string; Sum?: string } = JSON.parse(answer)
  if (!source || sum !== MODULE_SUM)
    throw new Error(`the source of Litestream ${ENGINE_VERSION} has the digest ${sum}, not ${MODULE_SUM}`)
  mkdirSync(dirname(MADE), { recursive: true })
  const partial = `${MADE}.partial`
  rmSync(partial, { force: true })
  const flags = ['-trimpath', '-buildvcs=false', '-tags', TAGS, '-ldflags', `-s -w -X main.Version=v${ENGINE_VERSION}`]
  if (printed(['go', 'build', '-C', source, ...flags, '-o', partial, './cmd/litestream'], { env }) === null)
    throw new Error('Litestream could not be built')
  engineAt(partial)
  renameSync(partial, MADE)
}

/** Returns whether an earlier run made an engine that may still be embedded. */
function isMade(): boolean {
  try {
    return engineAt(MADE).version === ENGINE_VERSION
  } catch {
    return false
  }
}

if (import.meta.main) {
  try {
    if (!isMade()) make()
    const { version, sqlite, bytes, sha256 } = engineAt(MADE)
    print(
      `litestream   ${version} with SQLite ${sqlite}, ${(bytes.length / 1e6).toFixed(1)} MB, ${sha256.slice(0, 16)}`,
    )
  } catch (error) {
    print(`litestream   ${error instanceof Error ? error.message : error}`)
    process.exitCode = 1
  }
}
