import { createServer, type TLSSocket } from 'node:tls'
import { DAY } from '../../../platform/clock.ts'
import { makeKey, selfSigned } from '../../../platform/tls/der.ts'
import type { Sink } from './simulator.answer.ts'
import { type Connection, type Parts, refusePipelined, serve } from './simulator.answering.ts'
import { makeSession } from './simulator.session.ts'

/** A certificate with its key, as PEM. */
export type Identity = { cert: string; key: string }

/** Makes a certificate for names, which nobody trusts until its fingerprint is confirmed. */
export function makeIdentity(names: readonly string[], now: number, days = 365): Identity {
  const key = makeKey()
  return { key, cert: selfSigned(names, key, { from: now - DAY, days: days + 1 }) }
}

function makeSink(socket: TLSSocket): Sink {
  let release: (() => void) | null = null
  const wake = (): void => {
    release?.()
    release = null
  }
  socket.on('drain', wake)
  socket.on('close', wake)
  return {
    write: async (bytes) => {
      if (socket.destroyed) return false
      if (socket.write(bytes)) return true
      const { promise, resolve } = Promise.withResolvers<void>()
      release = resolve
      await promise
      return !socket.destroyed
    },
    destroy: () => void socket.destroy(),
    rest: () => new Promise((resolve) => void setImmediate(resolve)),
  }
}

/** The port of a simulated server. */
export type TerminalServer = {
  readonly port: number
  /** Presents another certificate to new connections. */
  present(identity: Identity): void
  /** Ends every connection, as a restart does. */
  drop(): void
  stop(): Promise<void>
}

type Options = { port: number; hostname: string; identity: Identity; onError: (error: unknown) => void }

/** Takes a connection, unless the server lets no more in. */
function takeConnection(parts: Parts, socket: TLSSocket, id: number, onError: Options['onError']): void {
  const session = makeSession(parts.clock.now())
  const connection: Connection = { id, socket, sink: makeSink(socket), session, bytes: Buffer.alloc(0), isBusy: false }
  socket.on('error', () => void socket.destroy())
  const limit = parts.conditions.connections
  if (limit !== null) {
    limit.take -= 1
    if (limit.take < 0 && limit.how === 'reset') socket.destroy()
    if (limit.take < 0) return
  }
  socket.on('data', (bytes: Buffer) => {
    if (connection.isBusy) {
      refusePipelined(parts, connection)
      return
    }
    connection.bytes = Buffer.concat([connection.bytes, bytes])
    serve(parts, connection).catch((error: unknown) => {
      onError(error)
      socket.destroy()
    })
  })
}

/** Opens the port of a simulated server over TLS. Every session is bound to its connection. */
export async function listen(shared: Omit<Parts, 'takeSession'>, options: Options): Promise<TerminalServer> {
  const open = new Set<TLSSocket>()
  let [connections, sessions] = [0, 0]
  const takeSession = (): number => {
    sessions += 1
    return sessions
  }
  const parts: Parts = { ...shared, takeSession }
  const server = createServer(options.identity, (socket) => {
    connections += 1
    open.add(socket)
    socket.on('close', () => void open.delete(socket))
    takeConnection(parts, socket, connections, options.onError)
  })
  // a client that does not trust the certificate ends the handshake
  server.on('tlsClientError', () => undefined)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(options.port, options.hostname, resolve)
  await promise
  const address = server.address()
  const drop = (): void => {
    for (const socket of open) socket.destroy()
  }
  return {
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    present: (identity) => server.setSecureContext(identity),
    drop,
    stop: async () => {
      const closed = Promise.withResolvers<void>()
      server.close(() => closed.resolve())
      drop()
      await closed.promise
    },
  }
}
