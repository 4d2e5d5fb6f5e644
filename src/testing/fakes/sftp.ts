import { existsSync } from 'node:fs'
import { Server, utils } from 'ssh2'

/** OpenSSH's program that serves SFTP on a real host after the sign-in (Debian's package `openssh-sftp-server`). */
const PROGRAM = ['/usr/lib/openssh/sftp-server', '/usr/libexec/openssh/sftp-server', '/usr/lib/ssh/sftp-server'].find(
  (path) => existsSync(path),
)
export const hasSftp = PROGRAM !== undefined

/** A host that speaks SFTP over SSH, for one user. */
export type SftpHost = {
  port: number
  /** The public key, in the form of a line of `known_hosts` after the name. */
  hostKey: string
  /** Further keys; the host shows one first to a client that asks for its kind. */
  otherKeys: string[]
  user: string
  /** The private key that may sign in. */
  privateKey: string
  /** Accepts everything from now on, and answers nothing. */
  hang(): void
  stop(): Promise<void>
}

/** Makes an ed25519 key and tries it, since one in hundreds that the library makes cannot be read. */
function makeEd25519(): string {
  for (;;) {
    const { private: made } = utils.generateKeyPairSync('ed25519')
    if (!(utils.parseKey(made) instanceof Error)) return made
  }
}

/** Starts a host with the files of this machine, with a key of each kind that OpenSSH makes by default. */
export async function startSftp(): Promise<SftpHost> {
  if (!PROGRAM) throw new Error('there is no sftp-server here')
  const program = PROGRAM
  const host = utils.generateKeyPairSync('ecdsa', { bits: 256 })
  const client = utils.generateKeyPairSync('ecdsa', { bits: 256 })
  const known = utils.parseKey(client.public)
  if (known instanceof Error) throw known
  const open = new Set<{ end(): void }>()
  const children = new Set<{ kill(signal: 'SIGSTOP' | 'SIGKILL'): void }>()
  const more = [utils.generateKeyPairSync('rsa', { bits: 2048 }).private, makeEd25519()]
  const formatKey = (key: string): string => {
    const read = utils.parseKey(key)
    if (read instanceof Error) throw read
    return `${read.type} ${read.getPublicSSH().toString('base64')}`
  }
  const server = new Server({ hostKeys: [...more, host.private] }, (connection) => {
    open.add(connection)
    connection
      .on('error', () => {})
      .on('close', () => open.delete(connection))
      .on('authentication', (attempt) => {
        const isKnown =
          attempt.method === 'publickey' &&
          attempt.username === 'backup' &&
          attempt.key.data.equals(known.getPublicSSH()) &&
          // without a signature the client only asks whether this key would be accepted
          (!attempt.signature || (attempt.blob && known.verify(attempt.blob, attempt.signature) === true))
        if (isKnown) attempt.accept()
        else attempt.reject(['publickey'])
      })
      .on('ready', () => {
        connection.on('session', (accept) => {
          accept().on('subsystem', (take, refuse, { name }) => {
            if (name !== 'sftp') return void refuse?.()
            const channel = take()
            const child = Bun.spawn([program, '-e'], { stdin: 'pipe', stdout: 'pipe', stderr: 'ignore' })
            channel.on('data', (bytes: Buffer) => {
              child.stdin.write(bytes)
              void child.stdin.flush()
            })
            children.add(child)
            channel.on('close', () => child.kill('SIGKILL'))
            void (async () => {
              for await (const bytes of child.stdout) channel.write(Buffer.from(bytes))
              channel.end()
            })()
          })
        })
      })
  })
  const { promise, resolve } = Promise.withResolvers<number>()
  server.listen(0, '127.0.0.1', () => {
    const at = server.address()
    resolve(typeof at === 'object' && at ? at.port : 0)
  })
  const port = await promise
  return {
    port,
    hostKey: formatKey(host.private),
    otherKeys: more.map(formatKey),
    user: 'backup',
    privateKey: client.private,
    hang: () => {
      for (const child of children) child.kill('SIGSTOP')
    },
    stop: () =>
      new Promise((done) => {
        for (const child of children) child.kill('SIGKILL')
        for (const connection of open) connection.end()
        server.close(() => done())
      }),
  }
}
