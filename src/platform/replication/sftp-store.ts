import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FileEntryWithStats, ServerHostKeyAlgorithm, SFTPWrapper, Stats } from 'ssh2'
import { SECOND } from '../clock.ts'
import { below, type ReplicaKeys, type ReplicaPlace } from './place.ts'
import { isAbsent, orAbsent, type Store } from './store.ts'

/** A host that does not answer is out of reach. */
const PATIENCE = 15 * SECOND
/** A connection on which nothing happens for so long is ended: the lease alone is renewed more often. */
const IDLE = 30 * SECOND
/**
 * The kinds of host keys in the order in which the engine asks for them (golang.org/x/crypto/ssh). Of several that a
 * host has it shows the first of these; asked for in another order, it would show us a key that the engine never sees.
 */
const HOST_KEYS: ServerHostKeyAlgorithm[] = [
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-256',
  'rsa-sha2-512',
  'ssh-rsa',
  'ssh-ed25519',
]

type Connection = { sftp: SFTPWrapper; end(): void; destroy(): void; hold(): void; release(): void }

/** The kind of a public key: the first word of its bytes (RFC 4253 §6.6). */
const kindOf = (key: Buffer): string => key.toString('latin1', 4, 4 + key.readUInt32BE(0))

/** Why a key that a host shows is not the one that is expected, in words. */
function deniedBecause(shown: Buffer, expected: Buffer): string {
  const [kind, wanted] = [kindOf(shown), kindOf(expected)]
  if (kind === wanted) return 'Host denied: it shows another key than the one that is expected'
  const word = /^(?:ssh-)?([a-z0-9]+)/.exec(kind)?.[1] ?? kind
  return `Host denied: of its keys it shows the one of the kind ${kind}, and a ${wanted} is expected: give the one that ssh-keyscan -t ${word} prints`
}

/** Connects to a host whose key is the one that is expected; another one is refused before anything is said to it. */
async function dial(
  place: ReplicaPlace & { kind: 'sftp' },
  keys: NonNullable<ReplicaKeys['ssh']>,
): Promise<Connection> {
  // most installations never need it, and it takes its time to load
  const { Client, utils } = await import('ssh2')
  const hostKey = utils.parseKey(keys.hostKey)
  if (hostKey instanceof Error) throw new Error(`the key of the host cannot be read: ${hostKey.message}`)
  const expected = hostKey.getPublicSSH()
  const { promise, resolve, reject } = Promise.withResolvers<Connection>()
  const client = new Client()
  const socket = connect({ host: place.host, port: place.port })
  let denied: Error | undefined
  client
    .on('ready', () => {
      client.sftp((error, sftp) => {
        if (error) return reject(error)
        // a process that has nothing else to do need not wait for the connection to end
        socket.unref()
        resolve({
          sftp,
          end: () => void client.end(),
          destroy: () => void client.destroy(),
          hold: () => void socket.ref(),
          release: () => void socket.unref(),
        })
      })
    })
    .on('error', (error) => reject(denied ?? error))
    .on('close', () => reject(new Error('the host closed the connection')))
    .connect({
      sock: socket,
      username: place.user,
      privateKey: keys.privateKey,
      readyTimeout: PATIENCE,
      algorithms: { serverHostKey: HOST_KEYS },
      hostVerifier: (key: Buffer) => {
        if (key.equals(expected)) return true
        denied = new Error(deniedBecause(key, expected))
        return false
      },
    })
  return promise
}

/** What one call of SFTP answers. */
const asked = <T>(call: (done: (error: Error | null | undefined, value: T) => void) => void): Promise<T> =>
  new Promise((resolve, reject) => call((error, value) => (error ? reject(error) : resolve(value))))
const done = (call: (ended: (error?: Error | null) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => call((error) => (error ? reject(error) : resolve())))

/** Passes pieces on, and says of each that it came. */
const watched = (alive: () => void) =>
  async function* (pieces: AsyncIterable<Uint8Array>) {
    for await (const piece of pieces) {
      alive()
      yield piece
    }
  }

/** Small things, and whole snapshots, on a host that speaks SFTP. One connection is kept while it is used. */
export function openHost(
  place: ReplicaPlace & { kind: 'sftp' },
  keys: NonNullable<ReplicaKeys['ssh']>,
  patience = PATIENCE,
): Store {
  let open: Promise<Connection> | undefined
  let idle: ReturnType<typeof setTimeout> | undefined
  let using = 0

  const forget = (): void => {
    const last = open
    open = undefined
    last?.then(({ end }) => end()).catch(() => {})
  }

  /**
   * Does something over the connection; what takes long calls `alive` while it gets on. After a failure the next one
   * begins with a new connection, and nothing waits for the old one any more.
   */
  async function over<T>(work: (sftp: SFTPWrapper, alive: () => void) => Promise<T>): Promise<T> {
    clearTimeout(idle)
    using += 1
    open ??= dial(place, keys)
    const mine = open
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new Error('the host did not answer in time')), patience)
    try {
      const connection = await Promise.race([open, late])
      connection.hold()
      const alive = (): void => void timer.refresh()
      return await Promise.race([work(connection.sftp, alive).finally(connection.release), late])
    } catch (error) {
      if (!isAbsent(error)) {
        if (open === mine) open = undefined
        mine.then(({ destroy }) => destroy()).catch(() => {})
      }
      throw error
    } finally {
      clearTimeout(timer)
      using -= 1
      if (using === 0) idle = setTimeout(forget, IDLE).unref()
    }
  }

  const nameOf = (name: string): string => below(place, name)

  async function makeDirectory(sftp: SFTPWrapper, path: string): Promise<void> {
    if (path === '/' || (await orAbsent(asked<Stats>((end) => sftp.stat(path, end))))) return
    await makeDirectory(sftp, dirname(path))
    await orAbsent(done((end) => sftp.mkdir(path, { mode: 0o700 }, end)))
  }

  /** Fills another file first, and puts it under the name in one step. */
  async function placeFile(sftp: SFTPWrapper, name: string, fill: (partial: string) => Promise<void>): Promise<void> {
    const path = nameOf(name)
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

  async function filesBelow(sftp: SFTPWrapper, name: string): Promise<string[]> {
    const entries = (await orAbsent(asked<FileEntryWithStats[]>((end) => sftp.readdir(nameOf(name), end)))) ?? []
    const found = await Promise.all(
      entries.map(async ({ filename, attrs }) => {
        const one = join(name, filename)
        if (attrs.isDirectory()) return filesBelow(sftp, one)
        return filename.endsWith('.partial') ? [] : [one]
      }),
    )
    return found.flat()
  }

  return {
    read: (name) => orAbsent(over((sftp) => asked<Buffer>((end) => sftp.readFile(nameOf(name), end)))),
    write: (name, bytes) =>
      over((sftp) =>
        placeFile(sftp, name, (partial) =>
          done((end) => sftp.writeFile(partial, Buffer.from(bytes), { mode: 0o600 }, end)),
        ),
      ),
    list: (name) => over((sftp) => filesBelow(sftp, name)),
    remove: async (name) => void (await orAbsent(over((sftp) => done((end) => sftp.unlink(nameOf(name), end))))),
    upload: (name, path) =>
      over((sftp, alive) =>
        placeFile(sftp, name, (partial) =>
          pipeline(createReadStream(path), watched(alive), sftp.createWriteStream(partial, { mode: 0o600 })),
        ),
      ),
    download: (name, path) =>
      over((sftp, alive) =>
        pipeline(
          sftp.createReadStream(nameOf(name)),
          watched(alive),
          createWriteStream(path, { mode: 0o600, flags: 'wx' }),
        ),
      ),
  }
}
