import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '../../package.json'
import type { TABLES } from './packed-tables.ts'

/** The encoding of a stored body: `identity` only for files that do not compress. */
export type Encoding = 'br' | 'gzip' | 'identity'

/** One static file of the console or the explorer. `bodies` has a path for `Bun.file` for each stored encoding. */
export type Asset = {
  type: string
  etag: string
  immutable: boolean
  bodies: { readonly [E in Encoding]?: string }
}

/** The replication engine packed into this program. `size` and `sha256` are of the unpacked bytes. */
export type PackedBinary = {
  path: string
  encoding: 'zstd'
  size: number
  sha256: string
  version: string
  /** The version of the SQLite inside it. */
  sqlite: string
}

type TableName = keyof typeof TABLES

/**
 * Everything that the build puts into the executable besides code. `tables` are paths of texts, packed with zstd, and
 * so is `notices`: the licences of other software in it.
 */
export type Embedded = {
  commit: string
  notices: string | null
  tables: { readonly [name in TableName]?: string }
  ui: { readonly [path: string]: Asset }
  docs: { readonly [path: string]: Asset }
  litestream: PackedBinary | null
}

const SOURCE_MANIFEST = join(import.meta.dir, '../../dist/assets/manifest.json')

let registered: Embedded | undefined

/** Registers the embedded files: the entry that build.ts generates calls it once, before main.ts runs. */
export const registerEmbedded = (assets: Embedded): void => {
  registered = assets
}

/**
 * Returns the embedded files. From source it reads the last `bun run build` from dist/ on each call, so that a rebuild
 * needs no restart; without a build every part is empty.
 */
export const embedded = (): Embedded => registered ?? readBuilt()

/**
 * Returns version and commit of this program, for `--version`, logs and /health. The commit is `source` without a
 * build.
 */
export const build = (): { version: string; commit: string } => ({
  version,
  commit: registered?.commit ?? 'source',
})

/**
 * Returns the text of a large table. Each call unpacks it, so callers keep it. From source it is made from its package,
 * as in the build.
 */
export function readTable(name: TableName): string {
  const path = registered?.tables[name]
  if (path !== undefined) return unpacked(path)
  // a computed path, or the executable would contain the packages too
  const source: { TABLES: typeof TABLES } = require(join(import.meta.dir, 'packed-tables.ts'))
  return source.TABLES[name]()
}

/** Returns the text of a file that the build packed with zstd. */
export const unpacked = (path: string): string => new TextDecoder().decode(Bun.zstdDecompressSync(readFileSync(path)))

const NOTHING: Embedded = { commit: 'source', notices: null, tables: {}, ui: {}, docs: {}, litestream: null }

const readBuilt = (): Embedded => {
  if (!existsSync(SOURCE_MANIFEST)) return NOTHING
  const manifest: Embedded = JSON.parse(readFileSync(SOURCE_MANIFEST, 'utf8'))
  return {
    commit: manifest.commit,
    notices: manifest.notices ? fromDist(manifest.notices) : null,
    tables: {},
    ui: resolvePaths(manifest.ui),
    docs: resolvePaths(manifest.docs),
    litestream: manifest.litestream && {
      ...manifest.litestream,
      path: fromDist(manifest.litestream.path),
    },
  }
}

const fromDist = (path: string): string => join(SOURCE_MANIFEST, '..', path)

const resolvePaths = (assets: Embedded['ui']): Embedded['ui'] =>
  Object.fromEntries(
    Object.entries(assets).map(([name, asset]) => [
      name,
      {
        ...asset,
        bodies: Object.fromEntries(Object.entries(asset.bodies).map(([encoding, path]) => [encoding, fromDist(path)])),
      },
    ]),
  )
