import type { Config } from '../../../config.ts'
import { isAddress, networksOf } from '../../access/networks.ts'

/** Who tells by which connection a request came; null while no server listens, as in tests. */
export type Addressed = { requestIP(request: Request): { address: string; port: number } | null } | null

/** Nobody has more proxies of their own in a row; what a longer header says before them is not looked at. */
const MAX_HOPS = 20
/** What a proxy adds to a request that it passes on. */
const FORWARDING = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'x-forwarded-host', 'x-forwarded-proto', 'via']
const isThisMachine = networksOf(['127.0.0.0/8', '::1/128'])

/** The address of an X-Forwarded-For hop; some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function hopAddress(hop: string): string | null {
  const [, bracketed, dotted] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(hop) ?? []
  const address = bracketed ?? dotted ?? hop
  return isAddress(address) ? address : null
}

/**
 * Tells where requests come from. The last hop that is no trusted proxy is the client; everything before it, and before
 * a hop that is no address, is what the client claims. `noteProxy` hears of peers that send X-Forwarded-For without
 * being trusted.
 */
export function createAddresses({ trustedProxies }: Pick<Config, 'trustedProxies'>, noteProxy: (peer: string) => void) {
  const isOurs = networksOf(trustedProxies)
  let server: Addressed = null
  return {
    /** Called once with the server that listens. */
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
    /** A name of the connection that a request came by; null where it came by none. */
    connectionOf: (request: Request): string | null => {
      const peer = server?.requestIP(request)
      return peer ? `${peer.address} ${peer.port}` : null
    },
    /** Whether a program on this machine asks, itself: a proxy on it may speak for anybody. */
    isLocal: (request: Request): boolean => {
      const peer = server?.requestIP(request)?.address
      return peer !== undefined && isThisMachine(peer) && !FORWARDING.some((name) => request.headers.has(name))
    },
  }
}
