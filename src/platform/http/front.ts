import ipaddr from 'ipaddr.js'
import { createApiKeyIdentifier } from '../access/api-key.ts'
import { inNetworks, networkOf } from '../access/networks.ts'
import type { Principal } from '../access/principal.ts'
import { identifySession, readSessionCookie } from '../access/session.ts'
import { CommitFailed, WriterBusy } from '../db/writer.ts'
import { MoneyError } from '../money.ts'
import type { Platform } from '../platform.ts'
import { checkBodyHeaders, checkUrl } from './body.ts'
import { type FieldError, invalid, notFound, Problem, problemBody } from './problem.ts'
import { createRateLimiter } from './rate-limit.ts'
import { dropSpooled } from './spool.ts'
import { explain, type Finding } from './validation.ts'

/** What is known of a request before its route is. */
export type Caller = {
  requestId: string
  ip: string
  principal: Principal
  tenantId: string
  /** Why a state-changing cookie request is not believed (CSRF); thrown when the route is not public. */
  refused: Problem | null
  /** An earlier answer to the same Idempotency-Key. */
  replay?: Response
  /** Frees the Idempotency-Key when the request is over. */
  release?: () => void
}

type SetLike = { headers: Record<string, string | number>; status?: number | string }
type Addressed = { requestIP(request: Request): { address: string } | null } | null

const anonymous: Principal = { kind: 'anonymous' }
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Host name of a Host header without its port, brackets kept for IPv6. */
const hostName = (host: string): string => host.toLowerCase().replace(/:\d+$/, '')

/** The address of an X-Forwarded-For hop; some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function hopAddress(hop: string): string | null {
  const [, bracketed, dotted] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(hop) ?? []
  const address = bracketed ?? dotted ?? hop
  return ipaddr.isValid(address) ? address : null
}

const badCredential = () =>
  new Problem(401, 'unauthorized', 'The credential is not valid (any more).', [], { 'www-authenticate': 'ApiKey' })

/**
 * The front door, before any route: host allowlist, request id, identity, rate limit, response headers, and at the end the one error handler.
 * DESIGN §3, §6.
 */
export function createFront(platform: Platform) {
  const { config, clock } = platform
  const callers = new WeakMap<Request, Caller>()
  const limiter = createRateLimiter(config.rateLimits)
  const identifyKey = createApiKeyIdentifier(platform)
  const hosts = new Set([
    'localhost',
    '127.0.0.1',
    '[::1]',
    hostName(new URL(config.publicUrl).host),
    ...config.allowedHosts.map(hostName),
  ])
  const origins = new Set(config.allowedOrigins)
  let requests = 0
  const boot = crypto.randomUUID().slice(0, 8)

  const knownHost = (header: string | null): boolean => {
    const name = hostName(header ?? '')
    return (
      hosts.has(name) ||
      (name !== '' && platform.reader.get('SELECT 1 FROM tenants WHERE domain = ?', [name]) !== undefined)
    )
  }

  const addressOf = (request: Request, server: Addressed): string => {
    const peer = server?.requestIP(request)?.address ?? '127.0.0.1'
    if (config.trustedProxies.length === 0) return peer
    // the last hop that is not ours is the client; everything before it, and before a hop that is no address, is what the client claims
    let client = peer
    for (const hop of [...(request.headers.get('x-forwarded-for') ?? '').split(','), peer].reverse()) {
      const address = hopAddress(hop.trim())
      if (address === null) break
      client = address
      if (!inNetworks(address, config.trustedProxies)) break
    }
    return client
  }

  /** A browser says where a request comes from; a cookie alone proves nothing when something is changed. */
  const sameOrigin = (request: Request): boolean => {
    const site = request.headers.get('sec-fetch-site')
    if (site !== null) return site === 'same-origin'
    const origin = request.headers.get('origin')
    if (origin === null || !URL.canParse(origin)) return false
    return new URL(origin).host === request.headers.get('host')
  }

  const identify = (request: Request, ip: string, now: number) => {
    const key = request.headers.get('x-api-key')
    if (key !== null) {
      const identity = identifyKey(key, ip, now)
      return { identity, refused: identity ? null : badCredential() }
    }
    const token = readSessionCookie(request.headers.get('cookie'))
    if (token === undefined) return { identity: null, refused: null }
    const identity = identifySession(platform, token, now)
    const forged = identity !== null && !SAFE_METHODS.has(request.method) && !sameOrigin(request)
    return {
      identity,
      refused: forged
        ? new Problem(
            403,
            'cross_site',
            'A signed-in browser may change things from our own pages only (Origin or Sec-Fetch-Site is missing or foreign).',
          )
        : null,
    }
  }

  const cors = (request: Request, set: SetLike) => {
    const origin = request.headers.get('origin')
    if (origin === null || !origins.has(origin)) return
    set.headers['access-control-allow-origin'] = origin
    set.headers['access-control-allow-headers'] = 'content-type, x-api-key, idempotency-key, if-match'
    set.headers['access-control-allow-methods'] = 'GET, POST, PUT, PATCH, DELETE'
    set.headers['access-control-expose-headers'] = 'etag, x-request-id, retry-after, idempotent-replayed'
    set.headers.vary = 'Origin'
  }

  const callerOf = (request: Request): Caller => {
    const caller = callers.get(request)
    if (!caller) throw new Error('a request passed the front door unseen')
    return caller
  }

  return {
    callerOf,
    limiter,
    /** Who is asking, as of now: a body may take minutes to arrive, and the key or session may be gone by then. Interface §5, “immediately”. */
    identifyAgain: (request: Request): void => {
      const caller = callerOf(request)
      const { identity, refused } = identify(request, caller.ip, clock.now())
      Object.assign(caller, {
        refused,
        principal: refused ? anonymous : (identity?.principal ?? anonymous),
        tenantId: refused ? '' : (identity?.tenantId ?? ''),
      } satisfies Partial<Caller>)
    },
    /** Root `onRequest`. Throws problems; a thrown one still carries the headers set here. */
    enter: ({ request, set, server }: { request: Request; set: SetLike; server: Addressed }): Response | undefined => {
      requests += 1
      const now = clock.now()
      const requestId = `${boot}-${requests.toString(36)}`
      const ip = addressOf(request, server)
      const caller: Caller = { requestId, ip, principal: anonymous, tenantId: '', refused: null }
      callers.set(request, caller)
      const { headers } = set
      headers['x-request-id'] = requestId
      headers['x-content-type-options'] = 'nosniff'
      if (!knownHost(request.headers.get('host')))
        throw new Problem(421, 'unknown_host', 'This server does not answer to that host name.')
      const { url } = request
      const start = url.indexOf('/', 8)
      if (!url.startsWith('/v1/', start)) return
      headers['cache-control'] = 'no-store'
      headers['referrer-policy'] = 'no-referrer'
      if (origins.size > 0) cors(request, set)
      const { identity, refused } = identify(request, ip, now)
      caller.refused = refused
      if (identity && !refused) {
        caller.principal = identity.principal
        caller.tenantId = identity.tenantId
      }
      const { principal } = caller
      const tracker =
        principal.kind === 'api_key'
          ? `key:${principal.id}`
          : identity
            ? `tenant:${identity.tenantId}`
            : `ip:${networkOf(ip)}`
      const { retryAfter } = limiter.take(tracker, now, headers)
      if (retryAfter !== null) {
        throw new Problem(429, 'rate_limited', 'Too many requests; wait and repeat.', [], {
          'retry-after': String(retryAfter),
        })
      }
      if (request.method === 'OPTIONS' && origins.size > 0) return new Response(null, { status: 204 })
      checkUrl(url)
      const mark = url.indexOf('?', start)
      checkBodyHeaders(request, mark === -1 ? url.slice(start) : url.slice(start, mark))
    },
    /** Root `onError`: every failure, thrown or returned, becomes one problem+json. */
    fail: ({
      code,
      error,
      request,
      set,
    }: {
      code: string | number
      error: unknown
      request: Request
      set: SetLike
    }): Response => {
      const caller = callers.get(request)
      const problem = toProblem(code, error)
      const requestId = caller?.requestId ?? 'none'
      if (problem.status >= 500)
        platform.log.error(
          { err: error, requestId, method: request.method, path: new URL(request.url).pathname },
          'request failed',
        )
      const headers = new Headers({ 'content-type': 'application/problem+json' })
      for (const [name, value] of Object.entries(set.headers))
        if (name !== 'content-type' && name !== 'set-cookie') headers.set(name, String(value))
      for (const [name, value] of Object.entries(problem.headers)) headers.set(name, value)
      caller?.release?.()
      dropSpooled(request)
      return new Response(JSON.stringify(problemBody(problem, requestId)), { status: problem.status, headers })
    },
  }
}
export type Front = ReturnType<typeof createFront>

type Invalid = { type: string; all: readonly Finding[] }
const isInvalid = (error: unknown): error is Invalid =>
  typeof error === 'object' && error !== null && 'all' in error && 'type' in error

/** `/address/city` of a body → `address.city`; query and path parameters keep their place in front. */
function fieldPath(place: string, pointer: string): string {
  const dotted = pointer.replace(/^\//, '').replaceAll('/', '.')
  if (place === 'body') return dotted || 'body'
  return `${place === 'params' ? 'path' : place}.${dotted}`
}

function toProblem(code: string | number, error: unknown): Problem {
  if (error instanceof Problem) return error
  // what the body reader throws arrives wrapped
  if (code === 'PARSE' && error instanceof Error && error.cause instanceof Problem) return error.cause
  if (code === 'NOT_FOUND') return notFound()
  if (code === 'VALIDATION' && isInvalid(error)) {
    const seen = new Set<string>()
    const errors: FieldError[] = []
    for (const item of error.all) {
      const path = fieldPath(error.type, item.path ?? '')
      if (seen.has(path)) continue
      seen.add(path)
      const message = explain(item)
      const unexpected = message === 'Unexpected property'
      errors.push({
        path,
        code: unexpected ? 'unknown_field' : 'invalid',
        message: unexpected ? 'is not a field of this operation' : message,
      })
    }
    return new Problem(
      422,
      'validation',
      'Some fields are not valid.',
      errors.length > 0 ? errors : invalid('body', 'invalid', 'is not valid').errors,
    )
  }
  if (code === 'PARSE') return new Problem(400, 'malformed_body', 'The body could not be read.')
  // an amount that was good in itself and leads beyond what we count with
  if (error instanceof MoneyError) return invalid('amount', error.code, error.message)
  if (error instanceof CommitFailed || error instanceof WriterBusy) {
    return new Problem(503, 'unavailable', 'The change could not be saved now; nothing was changed. Repeat it.', [], {
      'retry-after': '1',
    })
  }
  return new Problem(500, 'internal', 'Something went wrong here; it is in the log under this request id.')
}
