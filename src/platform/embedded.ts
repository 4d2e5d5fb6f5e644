import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '../../package.json'

/** How a body is stored: `identity` only for files that do not compress. */
export type Encoding = 'br' | 'gzip' | 'identity'

/**
 * One static file of the console or the explorer. `bodies` holds
 * paths that `Bun.file` can read, one for each encoding kept.
 */
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

/** Everything the build puts into the executable besides code. */
export type Embedded = {
  commit: string
  ui: { readonly [path: string]: Asset }
  docs: { readonly [path: string]: Asset }
  litestream: PackedBinary | null
}

const SOURCE_MANIFEST = join(import.meta.dir, '../../dist/assets/manifest.json')

let registered: Embedded | undefined

/** Called once by the entry that build.ts generates, before main.ts runs. */
export const registerEmbedded = (assets: Embedded): void => {
  registered = assets
}

/**
 * The embedded files. Running from source it reads what the last `bun run build` left in dist/,
 * on each call, so that a rebuild shows without a restart; without a build every part is empty.
 */
export const embedded = (): Embedded => registered ?? readBuilt()

/** Version and commit of this program, for `--version`, logs and /health. Commit is `source` when it was not built. */
export const build = (): { version: string; commit: string } => ({
  version,
  commit: registered?.commit ?? 'source',
})

const readBuilt = (): Embedded => {
  if (!existsSync(SOURCE_MANIFEST)) return { commit: 'source', ui: {}, docs: {}, litestream: null }
  const manifest: Embedded = JSON.parse(readFileSync(SOURCE_MANIFEST, 'utf8'))
  return {
    commit: manifest.commit,
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
