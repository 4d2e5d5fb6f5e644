import type { Config } from '../../../config.ts'
import { createNetworkTest, isAddress } from '../../access/networks.ts'

/** Returns the connection of a request; null while no server listens, as in tests. */
export type Addressed = { requestIP(request: Request): { address: string; port: number } | null } | null

/** At most this many own proxies in a row are supported; earlier entries of a longer header are ignored. */
const MAX_HOPS = 20
/** The headers that a proxy adds to a request. */
const FORWARDING = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'x-forwarded-host', 'x-forwarded-proto', 'via']
const isThisMachine = createNetworkTest(['127.0.0.0/8', '::1/128'])

/** Returns the address of an X-Forwarded-For hop. Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function hopAddress(hop: string): string | null {
  const [, bracketed, dotted] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(hop) ?? []
  const address = bracketed ?? dotted ?? hop
  return isAddress(address) ? address : null
}

/**
 * Determines where requests come from. The last hop that is not a trusted proxy is the client. Everything before it, or
 * before a hop that is not an address, is only what the client claims. `noteProxy` is called for peers that send
 * X-Forwarded-For without being trusted.
 */
export function createAddresses({ trustedProxies }: Pick<Config, 'trustedProxies'>, noteProxy: (peer: string) => void) {
  const isOurs = createNetworkTest(trustedProxies)
  let server: Addressed = null
  return {
    /** Called once with the listening server. */
    serveBy: (listening: Addressed): void => {
      server = listening
    },
    /** The address of the client. */
    of: (request: Request): string => {
      const peer = server?.requestIP(request)?.address ?? '127.0.0.1'
      const forwarded = request.headers.get('x-forwarded-for')
      if (trustedProxies.length === 0 || !isOurs(peer)) {
        if (forwarded !== null) noteProxy(peer)
        return peer
      }
      let client = peer
      for (const hop of [...(forwarded ?? '').split(',').slice(-MAX_HOPS), peer].reverse()) {
        const address = hopAddress(hop.trim())
        if (address === null) break
        client = address
        if (!isOurs(address)) break
      }
      return client
    },
    /** A name for the connection of a request; null if no server listens, as in tests. */
    findConnection: (request: Request): string | null => {
      const peer = server?.requestIP(request)
      return peer ? `${peer.address} ${peer.port}` : null
    },
    /** Returns whether the caller is a program on this machine that does not forward somebody else's request. */
    isLocal: (request: Request): boolean => {
      const peer = server?.requestIP(request)?.address
      return peer !== undefined && isThisMachine(peer) && !FORWARDING.some((name) => request.headers.has(name))
    },
  }
}
