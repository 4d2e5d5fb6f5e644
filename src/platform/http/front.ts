import type { TSchema } from '@sinclair/typebox'
import { say } from '../../words/say.ts'
import { createApiKeyIdentifier } from '../access/api-key.ts'
import { isAddress, networkOf, networksOf } from '../access/networks.ts'
import type { Principal } from '../access/principal.ts'
import { identifySession, identifyView, readSessionCookie } from '../access/session.ts'
import { CommitFailed, WriterBusy } from '../db/writer.ts'
import { MoneyError } from '../money.ts'
import type { Platform } from '../platform.ts'
import { ReplicaAway, ReplicaBehind } from '../replication/gate.ts'
import { createAllowed } from './allowed.ts'
import { checkUrl, throwAwayRest } from './body.ts'
import { createHosts } from './hosts.ts'
import { internal, invalid, notFound, Problem, problemBody } from './problem.ts'
import { createRateLimiter, type Draw, drawsOf } from './rate-limit.ts'
import { createRefusalLog } from './refusals.ts'
import { pathOf } from './request-line.ts'
import { createRequestMeter } from './request-meter.ts'
import { dropSpooled } from './spool.ts'
import { createTurnLimit } from './turn-limit.ts'
import { validationProblem } from './validation.ts'

/** What is known of a request before its route is. */
type Caller = {
  requestId: string
  /** By the clock that measures, in milliseconds. */
  startedAt: number
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
type Addressed = { requestIP(request: Request): { address: string; port: number } | null } | null

const anonymous: Principal = { kind: 'anonymous' }
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** The address of an X-Forwarded-For hop; some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function hopAddress(hop: string): string | null {
  const [, bracketed, dotted] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(hop) ?? []
  const address = bracketed ?? dotted ?? hop
  return isAddress(address) ? address : null
}

/** Nobody has more proxies of their own in a row; what a longer header says before them is not looked at. */
const MAX_HOPS = 20

/** What a page of another origin may read of our answers. */
const EXPOSED = [
  ...['etag', 'x-request-id', 'retry-after', 'idempotent-replayed', 'allow', 'x-ratelimit-tracker'],
  ...['limit', 'remaining', 'reset'].flatMap((what) =>
    ['short', 'medium', 'long'].map((tier) => `x-ratelimit-${what}-${tier}`),
  ),
].join(', ')
/** What is answered under any host name. */
const HOSTLESS = new Set(['/health', '/ready', '/metrics'])
/** What a proxy adds to a request that it passes on. */
const FORWARDING = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'x-forwarded-host', 'x-forwarded-proto', 'via']
const isThisMachine = networksOf(['127.0.0.0/8', '::1/128'])
/** A browser that came by https once comes by nothing else for a year. */
const HSTS = 'max-age=31536000'

const badCredential = () =>
  new Problem(401, 'unauthorized', say('problems.error.credential_not_valid_any_more'), [], {
    'www-authenticate': 'ApiKey',
  })

/**
 * The front door, before any route: host allowlist, request id, identity, rate
 * limit, response headers, and at the end the one error handler. src/README “The way of a request”, “HTTP contract”.
 */
export function createFront(platform: Platform) {
  const { config, clock } = platform
  const callers = new WeakMap<Request, Caller>()
  const limiter = createRateLimiter(config.rateLimits)
  const identifyKey = createApiKeyIdentifier(platform)
  const knownHost = createHosts(config, platform.directory)
  const origins = new Set(config.allowedOrigins)
  const allowed = createAllowed()
  const refusals = createRefusalLog(platform)
  const meter = createRequestMeter(platform.metrics)
  const isTooMuch = createTurnLimit()
  const isOurs = networksOf(config.trustedProxies)
  const overTls = config.tls !== null || config.publicUrl.startsWith('https:')
  let server: Addressed = null
  let requests = 0
  const boot = crypto.randomUUID().slice(0, 8)

  const addressOf = (request: Request): string => {
    const peer = server?.requestIP(request)?.address ?? '127.0.0.1'
    const forwarded = request.headers.get('x-forwarded-for')
    if (config.trustedProxies.length === 0 || !isOurs(peer)) {
      if (forwarded !== null) refusals.noteProxy(peer)
      return peer
    }
    // the last hop that is not ours is the client; everything before it,
    // and before a hop that is no address, is what the client claims
    let client = peer
    for (const hop of [...(forwarded ?? '').split(',').slice(-MAX_HOPS), peer].reverse()) {
      const address = hopAddress(hop.trim())
      if (address === null) break
      client = address
      if (!isOurs(address)) break
    }
    return client
  }

  const connectionOf = (request: Request): string | null => {
    const peer = server?.requestIP(request)
    return peer ? `${peer.address} ${peer.port}` : null
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
    const view = request.headers.get('x-crm-view')
    if (view !== null) {
      // the cookie counts for nothing beside it; no page of another origin can send this header
      const identity = key === null ? identifyView(platform, view, now) : null
      return { identity, refused: identity ? null : badCredential() }
    }
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
      refused: forged ? new Problem(403, 'cross_site', say('problems.error.signed_in_browser_may')) : null,
    }
  }

  /** Addresses that pages of any origin may call, without credentials: nothing there is anybody's. */
  const open = new Set<string>()
  const openCors = ({ headers }: SetLike) => {
    headers['access-control-allow-origin'] = '*'
    headers['access-control-allow-headers'] = 'content-type'
    headers['access-control-allow-methods'] = 'POST'
    headers['access-control-max-age'] = '86400'
  }

  const cors = (request: Request, set: SetLike) => {
    const origin = request.headers.get('origin')
    if (origin === null || !origins.has(origin)) return
    set.headers['access-control-allow-origin'] = origin
    set.headers['access-control-allow-headers'] = 'content-type, x-api-key, idempotency-key, if-match, if-none-match'
    set.headers['access-control-allow-methods'] = 'GET, POST, PUT, PATCH, DELETE'
    set.headers['access-control-expose-headers'] = EXPOSED
    set.headers.vary = 'Origin'
  }

  const callerOf = (request: Request): Caller => {
    const caller = callers.get(request)
    if (!caller) throw new Error('a request passed the front door unseen')
    return caller
  }

  const limit = (draws: readonly Draw[], now: number, headers: SetLike['headers']): void => {
    const { retryAfter } = limiter.take(draws, now, headers)
    if (retryAfter === null) return
    throw new Problem(429, 'rate_limited', say('problems.error.too_many_requests_wait'), [], {
      'retry-after': String(retryAfter),
    })
  }

  return {
    callerOf,
    limiter,
    /** Called once with every route of the whole application. */
    learn: (routes: Parameters<typeof allowed.learn>[0]): void => {
      allowed.learn(routes)
      meter.learn(routes)
      for (const { path, hooks } of routes) if (hooks?.detail && 'x-any-origin' in hooks.detail) open.add(path)
    },
    /**
     * Who is asking, as of now: a body may take minutes to arrive, and the
     * key or session may be gone by then. src/README “Sessions and keys”.
     */
    identifyAgain: (request: Request): void => {
      const caller = callerOf(request)
      const { identity, refused } = identify(request, caller.ip, clock.now())
      Object.assign(caller, {
        refused,
        principal: refused ? anonymous : (identity?.principal ?? anonymous),
        tenantId: refused ? '' : (identity?.tenantId ?? ''),
      } satisfies Partial<Caller>)
    },
    /**
     * Root `onStart`: who tells the addresses of callers. It is kept, since Elysia would define it anew on the context
     * of each request.
     */
    serveBy: (app: { server: Addressed }): void => {
      server = app.server
    },
    /** Root `onRequest`. Throws problems; a thrown one still carries the headers set here. */
    enter: ({ request, set }: { request: Request; set: SetLike }): Response | undefined => {
      const startedAt = performance.now()
      requests += 1
      const now = clock.now()
      const requestId = `${boot}-${requests.toString(36)}`
      const ip = addressOf(request)
      const caller: Caller = { requestId, startedAt, ip, principal: anonymous, tenantId: '', refused: null }
      callers.set(request, caller)
      const { headers } = set
      headers['x-request-id'] = requestId
      headers['x-content-type-options'] = 'nosniff'
      // closing is what stops the server from going on with what came in the same piece
      if (isTooMuch(() => connectionOf(request)))
        throw new Problem(429, 'rate_limited', say('problems.error.too_many_requests_at'), [], {
          'retry-after': '1',
          connection: 'close',
        })
      if (overTls) headers['strict-transport-security'] = HSTS
      const { url } = request
      const start = url.indexOf('/', 8)
      // A load balancer asks by address; what it learns is the same for everybody. All of the address counts: below a
      // short host name the router would take what follows a “?” for the path.
      if (!HOSTLESS.has(url.slice(start)) && !knownHost(request.headers.get('host'))) {
        limit(drawsOf(anonymous, undefined, networkOf(ip)), now, headers)
        throw new Problem(421, 'unknown_host', say('problems.error.this_server_does_not'))
      }
      if (!url.startsWith('/v1/', start)) return
      headers['cache-control'] = 'no-store'
      headers['referrer-policy'] = 'no-referrer'
      const isOpen = open.size > 0 && open.has(pathOf(url))
      if (isOpen) openCors(set)
      else if (origins.size > 0) cors(request, set)
      const { identity, refused } = identify(request, ip, now)
      caller.refused = refused
      if (identity && !refused) {
        caller.principal = identity.principal
        caller.tenantId = identity.tenantId
      }
      limit(drawsOf(identity?.principal ?? anonymous, identity?.tenantId, networkOf(ip)), now, headers)
      if (request.method === 'OPTIONS' && (isOpen || origins.size > 0)) {
        meter.note(request, undefined, 204, startedAt)
        return new Response(null, { status: 204 })
      }
      checkUrl(url)
    },
    /**
     * Root `mapResponse`: every answer of a route passes here, refusals too. What was refused before a route was found
     * is noted by `fail`.
     */
    answered: ({
      request,
      route,
      responseValue,
      set,
    }: {
      request: Request
      route: string
      responseValue: unknown
      set: SetLike
    }): undefined => {
      const status = responseValue instanceof Response ? responseValue.status : Number(set.status ?? 200)
      meter.note(request, route, status, callerOf(request).startedAt)
    },
    /** Whether a program on this machine asks, itself: a proxy on it may speak for anybody. */
    isLocal: (request: Request): boolean => {
      const peer = server?.requestIP(request)?.address
      return peer !== undefined && isThisMachine(peer) && !FORWARDING.some((name) => request.headers.has(name))
    },
    /** Counts a request among those of its address, where the path alone is not counted. */
    countStranger: (request: Request, { headers }: Pick<SetLike, 'headers'>): void =>
      limit(drawsOf(anonymous, undefined, networkOf(callerOf(request).ip)), clock.now(), headers),
    /** Root `onError`: every failure, thrown or returned, becomes one problem+json. */
    fail: async ({
      code,
      error,
      request,
      route,
      set,
    }: {
      code: string | number
      error: unknown
      request: Request
      route?: string | undefined
      set: SetLike
    }): Promise<Response> => {
      const caller = callers.get(request)
      // first of all: what a request held it gives back, whatever happens while its refusal is put into words
      caller?.release?.()
      dropSpooled(request)
      const path = pathOf(request.url)
      const problem = toProblem(code, error, () => allowed.of(path))
      const requestId = caller?.requestId ?? 'none'
      if (route === undefined && caller) meter.note(request, undefined, problem.status, caller.startedAt)
      if (problem.status >= 500 && !isForeseen(error, problem))
        platform.log.error({ err: error, requestId, method: request.method, path }, 'request failed')
      else if (caller) refusals.note(problem, request, caller)
      const headers = new Headers({ 'content-type': 'application/problem+json' })
      for (const [name, value] of set.headers instanceof Headers ? set.headers : Object.entries(set.headers))
        if (name !== 'content-type' && name !== 'set-cookie') headers.set(name, String(value))
      for (const [name, value] of Object.entries(problem.headers)) headers.set(name, value)
      await throwAwayRest(request)
      return new Response(JSON.stringify(problemBody(problem, requestId)), { status: problem.status, headers })
    },
  }
}
export type Front = ReturnType<typeof createFront>

type Invalid = { type: string; validator: { schema: TSchema }; value: unknown }
const isInvalid = (error: unknown): error is Invalid =>
  typeof error === 'object' && error !== null && 'validator' in error && 'value' in error && 'type' in error

const wrongMethod = (methods: readonly string[]) =>
  new Problem(
    405,
    'method_not_allowed',
    say('problems.error.here_only_answered', { methods: methods.join(', ') }),
    [],
    {
      allow: methods.join(', '),
    },
  )

/** Whether a refusal was meant: it says all there is to say, while anything else is told with its stack. */
const isForeseen = (error: unknown, problem: Problem): boolean =>
  problem.status !== 500 &&
  (error === problem ||
    error instanceof CommitFailed ||
    error instanceof WriterBusy ||
    error instanceof ReplicaAway ||
    error instanceof ReplicaBehind ||
    (error instanceof Error && error.cause === problem))

function toProblem(code: string | number, error: unknown, allowed: () => readonly string[]): Problem {
  if (error instanceof Problem) return error
  // what the body reader throws arrives wrapped
  if (code === 'PARSE' && error instanceof Error && error.cause instanceof Problem) return error.cause
  if (code === 'NOT_FOUND') {
    const methods = allowed()
    return methods.length === 0 ? notFound() : wrongMethod(methods)
  }
  if (code === 'VALIDATION' && isInvalid(error))
    return validationProblem(error.type, error.validator.schema, error.value)
  if (code === 'PARSE') return new Problem(400, 'malformed_body', say('problems.error.body_could_not_read'))
  // an amount that was good in itself and leads beyond what we count with
  if (error instanceof MoneyError) return invalid('amount', error.code, error.message)
  if (error instanceof ReplicaBehind)
    return new Problem(503, 'replica_behind', say('problems.error.change_made_here_but'), [], { 'retry-after': '5' })
  if (error instanceof ReplicaAway)
    return new Problem(503, 'replica_away', say('problems.error.replica_out_reach_nothing'), [], {
      'retry-after': '5',
    })
  if (error instanceof CommitFailed || error instanceof WriterBusy) {
    return new Problem(503, 'unavailable', say('problems.error.change_could_not_saved'), [], {
      'retry-after': '1',
    })
  }
  return internal()
}
