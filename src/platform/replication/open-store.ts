import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { MIB } from '../bytes.ts'
import { SECOND } from '../clock.ts'
import { explained } from './network-words.ts'
import { below, type ReplicaKeys, type ReplicaPlace } from './replica-place.ts'
import { openHost } from './sftp-store.ts'
import { orAbsent, type Store } from './store.ts'

/** A bucket that does not answer within this time is out of reach. */
const PATIENCE = 15 * SECOND
const PART = 16 * MIB

/** Fills a temporary file, syncs it to the disk, and only then gives it its name. */
async function placeFile(path: string, fill: (partial: string) => Promise<void>): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const partial = `${path}.${randomBytes(6).toString('hex')}.partial`
  try {
    await fill(partial)
    const file = await open(partial, 'r')
    await file.sync().finally(() => file.close())
    await rename(partial, path)
    const directory = await open(dirname(path), 'r')
    await directory.sync().finally(() => directory.close())
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

/** Copies a file as a stream, since a whole snapshot would need too much memory. */
const copyFile = (from: string, to: string): Promise<void> =>
  pipeline(createReadStream(from), createWriteStream(to, { mode: 0o600 }))

const openDirectory = (directory: string): Store => ({
  read: (name) => orAbsent(readFile(join(directory, name))),
  write: (name, bytes) =>
    placeFile(join(directory, name), async (partial) => void (await Bun.write(partial, bytes, { mode: 0o600 }))),
  list: async (name) => {
    const found = await orAbsent(readdir(join(directory, name), { recursive: true, withFileTypes: true }))
    return (found ?? [])
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.partial'))
      .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
  },
  has: async (name) => (await orAbsent(stat(join(directory, name)))) !== undefined,
  folders: async () => {
    const found = await orAbsent(readdir(directory, { withFileTypes: true }))
    return (found ?? []).filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  },
  remove: (name) => rm(join(directory, name), { force: true }),
  upload: (name, path) => placeFile(join(directory, name), (partial) => copyFile(path, partial)),
  download: (name, path) => copyFile(join(directory, name), path),
})

/** Rejects if a call of a bucket takes too long. */
const inTime = async <T>(work: Promise<T>): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the bucket did not answer in time')), PATIENCE)
  })
  return await Promise.race([work, late]).finally(() => clearTimeout(timer))
}

function openBucket(place: ReplicaPlace & { kind: 's3' }, keys: NonNullable<ReplicaKeys['s3']>): Store {
  const client = new Bun.S3Client({
    ...keys,
    bucket: place.bucket,
    ...(place.endpoint && { endpoint: place.endpoint }),
    ...(place.region && { region: place.region }),
  })
  const toPath = (name: string): string => below(place, name)
  const strip = place.prefix === '' ? 0 : place.prefix.length + 1
  const within = <T>(work: Promise<T>): Promise<T> =>
    inTime(work).catch((error: unknown) => {
      throw explained(place.endpoint ?? 'the bucket’s host', error)
    })
  type Page = Awaited<ReturnType<typeof client.list>>
  /** Lists the names with a prefix page by page; `take` returns the names of a page. */
  const listed = async (prefix: string, take: (page: Page) => string[], delimiter?: string): Promise<string[]> => {
    const names: string[] = []
    let continuationToken: string | undefined
    do {
      const page = await within(
        client.list({ prefix, ...(delimiter && { delimiter }), ...(continuationToken && { continuationToken }) }),
      )
      names.push(...take(page))
      continuationToken = page.isTruncated ? page.nextContinuationToken : undefined
    } while (continuationToken)
    return names.map((name) => name.slice(strip))
  }
  return {
    read: (name) => within(orAbsent(client.file(toPath(name)).bytes())),
    write: async (name, bytes) => void (await within(client.write(toPath(name), bytes))),
    list: (name) => listed(`${toPath(name)}/`, ({ contents = [] }) => contents.map(({ key }) => key)),
    has: (name) => within(client.file(toPath(name)).exists()),
    folders: () =>
      listed(
        place.prefix === '' ? '' : `${place.prefix}/`,
        ({ commonPrefixes = [] }) => commonPrefixes.map(({ prefix }) => prefix.slice(0, -1)),
        '/',
      ),
    remove: async (name) => void (await within(orAbsent(client.delete(toPath(name))))),
    upload: async (name, path) => {
      const writer = client.file(toPath(name)).writer({ partSize: PART, queueSize: 2, retry: 3 })
      for await (const piece of createReadStream(path, { highWaterMark: MIB })) {
        writer.write(piece)
        await writer.flush()
      }
      await writer.end()
    },
    download: (name, path) =>
      pipeline(client.file(toPath(name)).stream(), createWriteStream(path, { mode: 0o600, flags: 'wx' })),
  }
}

/** Opens the store of a place, without connecting to it yet. Throws if its keys are missing. */
export const openStore = (place: ReplicaPlace, { s3, ssh }: ReplicaKeys): Store => {
  if (place.kind === 'file') return openDirectory(place.directory)
  if (place.kind === 'sftp') {
    if (!ssh) throw new Error('a host needs the keys of user and host')
    return openHost(place, ssh)
  }
  if (!s3) throw new Error('a bucket needs the keys that open it')
  return openBucket(place, s3)
}
