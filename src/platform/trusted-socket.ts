import { connect, type Socket } from 'node:net'
import { say } from '../words/say.ts'
import { EgressError } from './egress-error.ts'
import { errorCode, type Resolve, resolveHost, systemResolve, within } from './egress-resolve.ts'

const connectTo = (address: string, port: number): { socket: Socket; connected: Promise<Socket> } => {
  const socket = connect({ host: address, port })
  const connected = new Promise<Socket>((resolve, reject) => {
    socket.once('connect', () => {
      socket.removeListener('error', reject)
      resolve(socket)
    })
    socket.once('error', reject)
  })
  return { socket, connected }
}

/**
 * Opens a plain TCP connection to a host that the operator configured (a mail relay), which may have a private address.
 * The name is resolved once and its addresses are tried in turn, all within `timeoutMs`. Throws EgressError.
 */
export const openTrustedSocket = async (
  host: string,
  port: number,
  timeoutMs: number,
  resolve: Resolve = systemResolve,
): Promise<Socket> => {
  const endBy = performance.now() + timeoutMs
  const late = new EgressError('connect_timeout', say('egress.error.host_timeout', { host, port: String(port) }))
  const addresses = await within(resolveHost(host, resolve), timeoutMs, late)
  let last = new EgressError('connection_failed', say('egress.error.host_unreachable', { host, port: String(port) }))
  for (const [n, address] of addresses.entries()) {
    const { socket, connected } = connectTo(address, port)
    try {
      return await within(connected, (endBy - performance.now()) / (addresses.length - n), late)
    } catch (error) {
      // a later error of the socket, for which no promise waits any more, must not end the process
      socket.on('error', () => {})
      socket.destroy()
      last =
        error instanceof EgressError
          ? error
          : new EgressError(
              'connection_failed',
              say('egress.error.host_failed', { host, port: String(port), reason: errorCode(error) }),
            )
    }
  }
  throw last
}
