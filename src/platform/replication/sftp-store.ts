import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FileEntryWithStats, SFTPWrapper, Stats } from 'ssh2'
import { below, type ReplicaKeys, type ReplicaPlace } from './replica-place.ts'
import { dial, PATIENCE } from './sftp-connection.ts'
import { keepConnection } from './sftp-kept.ts'
import { orAbsent, type Store } from './store.ts'

/** Makes a call of SFTP and resolves with its answer. */
const asked = <T>(call: (done: (error: Error | null | undefined, value: T) => void) => void): Promise<T> =>
  new Promise((resolve, reject) => call((error, value) => (error ? reject(error) : resolve(value))))
const done = (call: (ended: (error?: Error | null) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => call((error) => (error ? reject(error) : resolve())))

/** Passes pieces of a stream on, and calls `alive` for each. */
const watched = (alive: () => void) =>
  async function* (pieces: AsyncIterable<Uint8Array>) {
    for await (const piece of pieces) {
      alive()
      yield piece
    }
  }

async function makeDirectory(sftp: SFTPWrapper, path: string): Promise<void> {
  if (path === '/' || (await orAbsent(asked<Stats>((end) => sftp.stat(path, end))))) return
  await makeDirectory(sftp, dirname(path))
  await orAbsent(done((end) => sftp.mkdir(path, { mode: 0o700 }, end)))
}

/** Fills a temporary file, and renames it to the path in one step. */
async function placeFile(sftp: SFTPWrapper, path: string, fill: (partial: string) => Promise<void>): Promise<void> {
  const partial = `${path}.${randomBytes(6).toString('hex')}.partial`
  await makeDirectory(sftp, dirname(path))
  try {
    await fill(partial)
    // the plain rename of SFTP refuses a name that is taken
    await done((end) => sftp.ext_openssh_rename(partial, path, end))
  } catch (error) {
    await done((end) => sftp.unlink(partial, end)).catch(() => {})
    throw error
  }
}

/** Returns the names of all files below a name, without those that are still being written. */
async function filesBelow(sftp: SFTPWrapper, place: ReplicaPlace & { kind: 'sftp' }, name: string): Promise<string[]> {
  const path = below(place, name)
  const entries = (await orAbsent(asked<FileEntryWithStats[]>((end) => sftp.readdir(path, end)))) ?? []
  const found = await Promise.all(
    entries.map(async ({ filename, attrs }) => {
      const one = join(name, filename)
      if (attrs.isDirectory()) return filesBelow(sftp, place, one)
      return filename.endsWith('.partial') ? [] : [one]
    }),
  )
  return found.flat()
}

/** Opens the store on a host with SFTP. One connection is kept while it is used. */
export function openHost(place: ReplicaPlace & { kind: 'sftp' }, keys: NonNullable<ReplicaKeys['ssh']>): Store {
  const over = keepConnection(() => dial(place, keys), PATIENCE)
  const toPath = (name: string): string => below(place, name)
  return {
    read: (name) => orAbsent(over((sftp) => asked<Buffer>((end) => sftp.readFile(toPath(name), end)))),
    write: (name, bytes) =>
      over((sftp) =>
        placeFile(sftp, toPath(name), (partial) =>
          done((end) => sftp.writeFile(partial, Buffer.from(bytes), { mode: 0o600 }, end)),
        ),
      ),
    list: (name) => over((sftp) => filesBelow(sftp, place, name)),
    has: async (name) =>
      (await orAbsent(over((sftp) => asked<Stats>((end) => sftp.stat(toPath(name), end))))) !== undefined,
    folders: () =>
      over(async (sftp) => {
        const entries = await orAbsent(asked<FileEntryWithStats[]>((end) => sftp.readdir(place.directory, end)))
        return (entries ?? []).filter(({ attrs }) => attrs.isDirectory()).map(({ filename }) => filename)
      }),
    remove: async (name) => void (await orAbsent(over((sftp) => done((end) => sftp.unlink(toPath(name), end))))),
    upload: (name, path) =>
      over((sftp, alive) =>
        placeFile(sftp, toPath(name), (partial) =>
          pipeline(createReadStream(path), watched(alive), sftp.createWriteStream(partial, { mode: 0o600 })),
        ),
      ),
    download: (name, path) =>
      over((sftp, alive) =>
        pipeline(
          sftp.createReadStream(toPath(name)),
          watched(alive),
          createWriteStream(path, { mode: 0o600, flags: 'wx' }),
        ),
      ),
  }
}
