import { languageNow, say } from '../../../words/say.ts'
import { toNetwork } from '../../access/networks.ts'
import type { Principal } from '../../access/principal.ts'
import { createRequestIds } from '../../ids.ts'
import { readAge } from '../../peer/answer-age.ts'
import type { Platform } from '../../platform.ts'
import { notFound, Problem } from '../../problem.ts'
import type { NotPrimary, Role } from '../../role.ts'
import { checkUrl, throwAwayRest } from '../body/body.ts'
import { isAmbiguous, readUrlPath } from '../body/request-line.ts'
import { dropSpooled } from '../body/spool.ts'
import { createAllowed } from './allowed-methods.ts'
import { type Addressed, createAddresses } from './client-address.ts'
import { createCors } from './cors.ts'
import { hasCallerLeft, isForeseen, notPrimary, problemAnswer, toProblem } from './failures.ts'
import { createHosts } from './host-name.ts'
import { createIdentify, type Identified } from './identify.ts'
import { findPathStart, isProbe, STREAM_PATH } from './probes.ts'
import { createRateLimiter, type Draw, listDraws } from './rate-limit.ts'
import { createRefusalLog } from './refusal-log.ts'
import { createRequestMeter } from './request-meter.ts'
import { createTurnLimit } from './turn-limit.ts'

/** What is known of a request before its route is found. */
type Caller = {
  requestId: string
  /** Milliseconds of the monotonic clock. */
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

const anonymous: Principal = { kind: 'anonymous' }
/** Boxes ask each other under any host name; the whole address after the host is compared. */
const ASKED_BY_BOXES = new Set(['/peer/box', '/peer/task'])
/** A browser that came by https once uses nothing else for a year. */
const HSTS = 'max-age=31536000'

/** Makes the parts of the front door, once. */
function createParts(platform: Platform) {
  const { config, clock } = platform
  const refusals = createRefusalLog(platform)
  return {
    clock,
    log: platform.log,
    roles: platform.roles,
    standby: platform.standby,
    callers: new WeakMap<Request, Caller>(),
    limiter: createRateLimiter(config.rateLimits),
    addresses: createAddresses(config, refusals.noteProxy),
    identify: createIdentify(platform),
    isKnownHost: createHosts(config, platform.directory),
    cors: createCors(config.allowedOrigins),
    allowed: createAllowed(),
    refusals,
    meter: createRequestMeter(platform.metrics),
    isTooMuch: createTurnLimit(),
    docs: config.docs,
    overTls: config.tls !== null || config.publicUrl.startsWith('https:'),
    nextRequestId: createRequestIds(),
  }
}
type Parts = ReturnType<typeof createParts>

function getCaller({ callers }: Parts, request: Request): Caller {
  const caller = callers.get(request)
  if (!caller) throw new Error('a request passed the front door unseen')
  return caller
}

/** Counts a request in its buckets; refuses it with a 429 if one of them is used up. */
function limit({ limiter }: Parts, draws: readonly Draw[], now: number, headers: SetLike['headers']): void {
  const { retryAfter } = limiter.take(draws, now, headers)
  if (retryAfter === null) return
  throw new Problem(429, 'rate_limited', say('problems.error.rate_limited'), [], {
    'retry-after': String(retryAfter),
  })
}

/** Notes who a caller is; a caller whose credential is refused is anonymous. */
function become(caller: Caller, { identity, refused }: Identified): void {
  caller.refused = refused
  caller.principal = refused ? anonymous : (identity?.principal ?? anonymous)
  caller.tenantId = refused ? '' : (identity?.tenantId ?? '')
}

/** Lets a request in, or throws the reason why not. Answers a browser's preflight request. */
function enter(parts: Parts, request: Request, set: SetLike): Response | undefined {
  const startedAt = performance.now()
  const now = parts.clock.now()
  const requestId = parts.nextRequestId()
  const ip = parts.addresses.of(request)
  const caller: Caller = { requestId, startedAt, ip, principal: anonymous, tenantId: '', refused: null }
  parts.callers.set(request, caller)
  const { headers } = set
  headers['x-request-id'] = requestId
  headers['x-content-type-options'] = 'nosniff'
  // closing keeps the server from handling the rest of what came in the same piece
  if (parts.isTooMuch(() => parts.addresses.findConnection(request)))
    throw new Problem(429, 'rate_limited', say('problems.error.connection_limited'), [], {
      'retry-after': '1',
      connection: 'close',
    })
  if (parts.overTls) headers['strict-transport-security'] = HSTS
  const { url } = request
  const start = findPathStart(url)
  const role = parts.roles.current()
  if (role.name === 'replaced' && url.slice(start) !== '/health') return sendOn(request, role)
  // a load balancer and another box ask by address, and the answer does not depend on the host
  const isHostless = isProbe(request) || ASKED_BY_BOXES.has(url.slice(start))
  if (!isHostless && !parts.isKnownHost(request.headers.get('host'))) {
    limit(parts, listDraws(anonymous, undefined, toNetwork(ip)), now, headers)
    throw new Problem(421, 'unknown_host', say('problems.error.unknown_host'))
  }
  if (isAmbiguous(url, start)) {
    limit(parts, listDraws(anonymous, undefined, toNetwork(ip)), now, headers)
    throw new Problem(400, 'malformed_url', say('problems.error.path_read_in_two_ways'))
  }
  if (url.startsWith('/v1/', start)) {
    if (role.name === 'standby') enterStandby(parts, request, headers, role)
    return enterApi(parts, request, headers, caller, now)
  }
  if (parts.docs !== 'public' && /^\/docs(?![^/?#])/.test(url.slice(start, start + 6)))
    enterDocs(parts, request, headers, caller, now)
}

/** Admits to the description of the API only staff and their keys, or nobody, as the operator configured it. */
function enterDocs(parts: Parts, request: Request, headers: SetLike['headers'], caller: Caller, now: number): void {
  if (parts.docs === 'off') throw notFound()
  enterApi(parts, request, headers, caller, now)
  const { kind } = caller.principal
  if (kind !== 'user' && kind !== 'api_key')
    throw caller.refused ?? new Problem(401, 'unauthorized', say('problems.error.docs_for_staff'))
}

/** Returns the answer of a server that was replaced: people get a page that leads to its successor. */
function sendOn({ headers }: Request, role: Role & { name: 'replaced' }): Response {
  const problem = notPrimary(role)
  const { url } = role.by
  if (!headers.get('accept')?.includes('text/html')) throw problem
  const detail = Bun.escapeHTML(problem.message)
  const link = /^https?:/.test(url) ? `<p><a href="${Bun.escapeHTML(url)}">${Bun.escapeHTML(url)}</a></p>` : ''
  return new Response(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Brokerbase</title><p>${detail}</p>${link}</html>`,
    {
      status: problem.status,
      headers: {
        ...problem.headers,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'",
      },
    },
  )
}

/** Lets a read of a standby in, and says how old its copy is. Refuses anything else, and streams, which have no end. */
function enterStandby(
  { standby }: Parts,
  request: Request,
  headers: SetLike['headers'],
  role: NotPrimary['role'],
): void {
  const { method } = request
  headers['x-crm-role'] = 'standby'
  const ageSeconds = standby?.ageSeconds() ?? null
  if (ageSeconds !== null) headers['x-crm-age'] = ageSeconds
  if (role.name === 'standby' && role.by.url !== '') headers['x-crm-primary'] = role.by.url
  const isRead = method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
  const path = request.url.slice(findPathStart(request.url)).split(/[?#]/, 1)[0]
  if (!isRead || path === STREAM_PATH) throw notPrimary(role)
  standby?.demandReadable()
}

/** Runs what comes before every route of the API: rules for pages of other origins, identity and rate limits. */
function enterApi(
  parts: Parts,
  request: Request,
  headers: SetLike['headers'],
  caller: Caller,
  now: number,
): Response | undefined {
  headers['cache-control'] = 'no-store'
  headers['referrer-policy'] = 'no-referrer'
  const isAnsweredHere = parts.cors.allow(request, headers) && request.method === 'OPTIONS'
  const identified = parts.identify(request, caller.ip, now)
  become(caller, identified)
  const { identity } = identified
  // a refused caller is still counted under their own identity
  limit(parts, listDraws(identity?.principal ?? anonymous, identity?.tenantId, toNetwork(caller.ip)), now, headers)
  if (isAnsweredHere) {
    parts.meter.note(request, undefined, 204, caller.startedAt)
    return new Response(null, { status: 204 })
  }
  checkUrl(request.url)
}

/** A failure in a route, or, without `route`, before one was found. */
type Failure = { code: string | number; error: unknown; request: Request; route?: string | undefined; set: SetLike }

/** Frees what a request held, reports to the log and the meter, and answers with one problem+json. */
async function fail(parts: Parts, { code, error, request, route, set }: Failure): Promise<Response> {
  const caller = parts.callers.get(request)
  // frees what the request held first of all, since reporting the failure may fail too
  caller?.release?.()
  dropSpooled(request)
  const path = readUrlPath(request.url)
  const problem = toProblem(code, error, () => parts.allowed.of(path))
  const requestId = caller?.requestId ?? 'none'
  if (route === undefined && caller) parts.meter.note(request, undefined, problem.status, caller.startedAt)
  if (hasCallerLeft(error, request)) parts.log.debug({ requestId, method: request.method, path }, 'the caller left')
  else if (problem.status >= 500 && !isForeseen(error, problem))
    parts.log.error({ err: error, requestId, method: request.method, path }, 'request failed')
  else if (caller) parts.refusals.note(problem, request, caller)
  if (languageNow() !== 'en') set.headers['content-language'] = languageNow()
  const answer = problemAnswer(problem, requestId, set.headers)
  await throwAwayRest(request)
  return answer
}

/**
 * The front door, before any route: host allowlist, request id, identity, rate limit, response headers, and at the end
 * the one error handler. src/README “The way of a request”, “HTTP contract”. Each handler names its parameters, since
 * Elysia reads in a handler's text what to prepare for it and whether to wait for it.
 */
export function createFront(platform: Platform) {
  const parts = createParts(platform)
  const { clock, limiter, addresses, allowed, meter, cors, identify } = parts
  return {
    getCaller: (request: Request): Caller => getCaller(parts, request),
    limiter,
    /** Called once with every route of the whole application. */
    learn: (routes: Parameters<typeof allowed.learn>[0]): void => {
      allowed.learn(routes)
      meter.learn(routes)
      cors.learn(routes)
    },
    /**
     * Identifies the caller again as of now: a body may take minutes to arrive, and the key or session may be gone by
     * then. src/README “Sessions and keys”.
     */
    identifyAgain: (request: Request): void => {
      const caller = getCaller(parts, request)
      become(caller, identify(request, caller.ip, clock.now()))
    },
    /**
     * Root `onStart`: sets the server that knows the addresses of callers. It is stored here, since Elysia would define
     * it anew on the context of each request.
     */
    serveBy: (app: { server: Addressed }): void => addresses.serveBy(app.server),
    /** Root `onRequest`. Throws problems; a thrown one still carries the headers set here. */
    enter: ({ request, set }: { request: Request; set: SetLike }): Response | undefined => enter(parts, request, set),
    /**
     * Root `mapResponse`: every answer of a route passes here. `fail` counts what was refused before a route was found.
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
      const age = readAge(request)
      if (age !== undefined) set.headers['x-crm-age'] = age
      const status = responseValue instanceof Response ? responseValue.status : Number(set.status ?? 200)
      meter.note(request, route, status, getCaller(parts, request).startedAt)
    },
    /** Returns whether the caller is a program on this machine that does not forward somebody else's request. */
    isLocal: addresses.isLocal,
    /** Counts a request for its address, on a path whose requests are not counted otherwise. */
    countStranger: (request: Request, { headers }: Pick<SetLike, 'headers'>): void =>
      limit(parts, listDraws(anonymous, undefined, toNetwork(getCaller(parts, request).ip)), clock.now(), headers),
    /** Root `onError`: turns every failure, thrown or returned, into one problem+json. */
    fail: async ({ code, error, request, route, set }: Failure): Promise<Response> =>
      fail(parts, { code, error, request, route, set }),
  }
}
export type Front = ReturnType<typeof createFront>
