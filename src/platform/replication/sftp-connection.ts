import { connect } from 'node:net'
import type { ServerHostKeyAlgorithm, SFTPWrapper } from 'ssh2'
import { SECOND } from '../clock.ts'
import type { ReplicaKeys, ReplicaPlace } from './replica-place.ts'

/** A host that does not answer within this time is out of reach. */
export const PATIENCE = 15 * SECOND
/**
 * The kinds of host keys in the order in which the engine asks for them (golang.org/x/crypto/ssh). A host shows the
 * first of these that it has, so in another order this program would get another key than the engine.
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

/** A connection to a host; it keeps the process alive between `hold` and `release`. */
export type Connection<Sftp = SFTPWrapper> = { sftp: Sftp; end(): void; destroy(): void; hold(): void; release(): void }

/** Returns the kind of a public key, with which its bytes begin (RFC 4253 §6.6). */
const readKeyKind = (key: Buffer): string => key.toString('latin1', 4, 4 + key.readUInt32BE(0))

/** Returns a sentence that says why a host's key is not the expected one. */
function deniedBecause(shown: Buffer, expected: Buffer): string {
  const [kind, wanted] = [readKeyKind(shown), readKeyKind(expected)]
  if (kind === wanted) return 'Host denied: it shows another key than the one that is expected'
  const word = /^(?:ssh-)?([a-z0-9]+)/.exec(kind)?.[1] ?? kind
  return `Host denied: it showed a key of the kind ${kind}, and a ${wanted} is expected: give the one that ssh-keyscan -t ${word} prints`
}

/** Connects to a host with the expected key; a host with another one is refused before anything is sent to it. */
export async function dial(
  place: ReplicaPlace & { kind: 'sftp' },
  keys: NonNullable<ReplicaKeys['ssh']>,
): Promise<Connection> {
  // most installations do not need this package, and it is slow to load
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
        // an idle connection must not keep a process from ending
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
