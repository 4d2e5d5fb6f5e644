import { say } from '../../words/say.ts'
import { createHosts, hostName } from '../http/front/host-name.ts'
import type { Platform } from '../platform.ts'
import { Problem, problemBody } from '../problem.ts'
import { listenError } from './listeners.ts'

const CHALLENGE = '/.well-known/acme-challenge/'
/** The limit of a body (bytes), which is not read, since it is meant for the other port. */
const MOST_BYTES = 16_384
const PLAIN = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }

/** The answers of HTTP-01 challenges by their token, while an authority may ask for them. */
export type Challenges = Map<string, string>

/**
 * Returns the handler of requests without TLS. It answers a challenge of the certificate authority and `/health`, and
 * redirects other requests to the same address with https, but only on known hosts, so that the server cannot be used
 * to redirect to other sites.
 */
function createPlainDoor(
  { config, directory }: Pick<Platform, 'config' | 'directory'>,
  challenges: Challenges,
): (request: Request) => Response {
  const isKnown = createHosts(config, directory)
  const { port } = new URL(config.publicUrl)
  return (request) => {
    // the path is not normalized, since a client may mean another one by it
    const target = request.url.slice(request.url.indexOf('/', 8))
    const [pathname = ''] = target.split('?', 1)
    const answer = pathname.startsWith(CHALLENGE) ? challenges.get(pathname.slice(CHALLENGE.length)) : undefined
    if (answer !== undefined) return new Response(answer, { headers: { ...PLAIN, 'content-type': 'text/plain' } })
    if (pathname === '/health') return Response.json({ status: 'ok' }, { headers: PLAIN })
    const host = request.headers.get('host')
    if (!isKnown(host)) {
      const problem = new Problem(421, 'unknown_host', say('problems.error.unknown_host'))
      return new Response(JSON.stringify(problemBody(problem, 'none')), {
        status: problem.status,
        headers: { ...PLAIN, 'content-type': 'application/problem+json' },
      })
    }
    const there = `https://${hostName(host ?? '')}${port === '' ? '' : `:${port}`}${target}`
    return new Response(null, { status: 308, headers: { ...PLAIN, location: there } })
  }
}

/** Opens the port for HTTP without TLS; throws an error for the operator if it cannot be opened. */
export function openPlainDoor(
  platform: Pick<Platform, 'config' | 'directory' | 'log'>,
  challenges: Challenges,
  port: number,
): { readonly port: number; stop(): Promise<void> } {
  try {
    const server = Bun.serve({
      port,
      hostname: platform.config.host,
      idleTimeout: 10,
      maxRequestBodySize: MOST_BYTES,
      reusePort: false,
      development: false,
      fetch: createPlainDoor(platform, challenges),
      error: (error) => {
        platform.log.error({ err: error }, 'a request to the port beside https failed')
        return new Response(null, { status: 500 })
      },
    })
    return { port: server.port ?? port, stop: () => server.stop() }
  } catch (error) {
    throw listenError('BROKERBASE_HTTP_PORT', port, error)
  }
}
