import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { extract, pack } from 'tar-stream'
import { MIB } from '../../../platform/bytes.ts'
import { DATABASES } from '../../../platform/replication/engine-config.ts'
import { isNoteMac, noteMac } from '../../../platform/replication/note-seal.ts'

/** Why a snapshot was taken. */
export const SNAPSHOT_REASONS = ['nightly', 'manual', 'upgrade'] as const

const Part = Type.Object({
  name: Type.String(),
  bytes: Type.Integer(),
  packedBytes: Type.Integer(),
  /** The hash of the unpacked bytes. */
  sha256: Type.String(),
})

/** The first part of a snapshot. */
export const Manifest = Type.Object({
  format: Type.Literal(1),
  id: Type.String(),
  createdAt: Type.String(),
  reason: Type.Union(SNAPSHOT_REASONS.map((reason) => Type.Literal(reason))),
  schema: Type.Integer(),
  version: Type.String(),
  parts: Type.Array(Part),
  /** Proves that this box packed these parts. */
  mac: Type.Optional(Type.String()),
})
export type Manifest = Static<typeof Manifest>

const MANIFEST = 'manifest.json'
/** Returns whether the box with this key packed the parts of a manifest, and nobody changed the manifest since. */
export const isOfKey = ({ mac, ...facts }: Manifest, key: Uint8Array): boolean =>
  mac !== undefined && isNoteMac(key, MANIFEST, facts, mac)

const packedName = (name: string): string => `${name}.zst`
/** Uploaded documents are sealed and so cannot be compressed; level 3 reduces the other database to a third. */
const pickLevel = (name: string): number => (name === 'files.db' ? 1 : 3)

/** Passes bytes on while counting and hashing them. */
function counting(): { through: Transform; result: () => { sha256: string; bytes: number } } {
  const hash = createHash('sha256')
  let bytes = 0
  const through = new Transform({
    transform: (chunk: Uint8Array, _, done) => {
      hash.update(chunk)
      bytes += chunk.byteLength
      done(null, chunk)
    },
  })
  return { through, result: () => ({ sha256: hash.digest('hex'), bytes }) }
}

/** Packs the databases of a directory into one file (0600), which appears complete or not at all. */
export async function packSnapshot(
  directory: string,
  target: string,
  facts: Omit<Manifest, 'format' | 'parts' | 'mac'>,
  key: Uint8Array,
): Promise<Manifest> {
  const parts: Static<typeof Part>[] = []
  for (const name of DATABASES) {
    const { through, result } = counting()
    const packed = join(directory, packedName(name))
    await pipeline(
      createReadStream(join(directory, name), { highWaterMark: MIB }),
      through,
      createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: pickLevel(name) } }),
      createWriteStream(packed, { mode: 0o600 }),
    )
    parts.push({ name, packedBytes: statSync(packed).size, ...result() })
  }
  const unsigned = { format: 1 as const, ...facts, parts }
  const manifest: Manifest = { ...unsigned, mac: noteMac(key, MANIFEST, unsigned) }
  const archive = pack()
  const partial = `${target}.partial`
  const written = pipeline(archive, createWriteStream(partial, { mode: 0o600 }))
  written.catch(() => {})
  archive.entry({ name: MANIFEST, mode: 0o600 }, `${JSON.stringify(manifest, null, 1)}\n`)
  for (const { name, packedBytes } of parts) {
    const entry = archive.entry({ name: packedName(name), size: packedBytes, mode: 0o600 })
    await pipeline(createReadStream(join(directory, packedName(name)), { highWaterMark: MIB }), entry)
  }
  archive.finalize()
  await written
  const file = await open(partial, 'r')
  await file.sync().finally(() => file.close())
  await rename(partial, target)
  return manifest
}

async function readText(entry: AsyncIterable<unknown>): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of entry) if (piece instanceof Uint8Array) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

/** Reads the manifest of a snapshot; throws a sentence if the file is not a snapshot. */
export async function readManifest(path: string): Promise<Manifest> {
  const archive = extract()
  const source = createReadStream(path)
  const fed = pipeline(source, archive).catch(() => {})
  try {
    for await (const entry of archive) {
      if (entry.header.name !== MANIFEST || (entry.header.size ?? 0) > MIB) break
      return Value.Decode(Manifest, JSON.parse(await readText(entry)))
    }
  } catch (cause) {
    throw new Error(`${path} is no snapshot of this program`, { cause })
  } finally {
    source.destroy()
    archive.destroy()
    await fed
  }
  throw new Error(`${path} is no snapshot of this program`)
}

/** Unpacks a snapshot into a directory and checks each byte. Throws a sentence if the file is damaged. */
export async function unpackSnapshot(path: string, directory: string): Promise<Manifest> {
  const archive = extract()
  const fed = pipeline(createReadStream(path, { highWaterMark: MIB }), archive)
  // its error is thrown where it is awaited below, so it must not count as unhandled before
  fed.catch(() => {})
  let manifest: Manifest | undefined
  const seen = new Set<string>()
  try {
    for await (const entry of archive) {
      const { name } = entry.header
      if (name === MANIFEST) {
        // the parts are compared with one manifest, and only that one was verified
        if (manifest) throw new Error(`${path} has two manifests`)
        manifest = Value.Decode(Manifest, JSON.parse(await readText(entry)))
        continue
      }
      // only known names are unpacked, since an archive may contain any path
      const part = manifest?.parts.find((one) => packedName(one.name) === name)
      const database = DATABASES.find((one) => one === part?.name)
      if (!part || !database) throw new Error(`${path} holds “${name}”, which no snapshot does`)
      const { through, result } = counting()
      const target = join(directory, database)
      await pipeline(entry, createZstdDecompress(), through, createWriteStream(target, { mode: 0o600, flags: 'wx' }))
      const { sha256, bytes } = result()
      if (sha256 !== part.sha256 || bytes !== part.bytes) throw new Error(`${database} in ${path} is damaged`)
      seen.add(database)
    }
    await fed
  } catch (cause) {
    for (const name of DATABASES) await rm(join(directory, name), { force: true })
    throw new Error(`The snapshot cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
  if (!manifest || DATABASES.some((name) => !seen.has(name))) throw new Error(`${path} is no whole snapshot`)
  return manifest
}
