import { Elysia } from 'elysia'
import { say } from '../../words/say.ts'
import { KIB } from '../bytes.ts'
import { isAnew } from '../http/anew.ts'
import { createAnswerHeaders } from '../http/answer-headers.ts'
import { type Admission, type Admitted, bringsBody, checkContentType, parseJson, tooLarge } from '../http/body.ts'
import { downloadsOf } from '../http/downloads.ts'
import { matches } from '../http/encoded.ts'
import { parseExact } from '../http/exact-numbers.ts'
import type { Front } from '../http/front.ts'
import { createIdempotency } from '../http/idempotency.ts'
import type { Inputs } from '../http/inputs.ts'
import { createIntake } from '../http/intake.ts'
import type { Origin } from '../http/intake-room.ts'
import { invalid, Problem } from '../http/problem.ts'
import { methodOf } from '../http/request-line.ts'
import { dropSpooled, isLarge, readSpooled } from '../http/spool.ts'
import type { Platform } from '../platform.ts'
import { type Access, atLeast } from './catalogue.ts'
import { createCtx } from './ctx.ts'
import { networkOf } from './networks.ts'
import { impersonating, type Principal, roleOf, viewerOf } from './principal.ts'

const unauthorized = () =>
  new Problem(401, 'unauthorized', say('problems.error.sign_in_or_send'), [], {
    'www-authenticate': 'ApiKey',
  })
const forbidden = (detail: string) => new Problem(403, 'forbidden', detail)
const secondFactorRequired = () => new Problem(403, 'second_factor_required', say('problems.error.your_role_needs_two'))

/**
 * Whether a principal may call a route; throws the 401 or 403
 * otherwise. The one place where access is decided. src/README “Access”.
 */
function decide(access: Access, method: string, principal: Principal): void {
  if (viewerOf(principal) !== null) {
    if (access !== 'public' && 'any' in access && access.endsView) return
    if (method !== 'GET' || (access !== 'public' && access.closedToViews)) throw impersonating()
  }
  if (access === 'public') return
  if (principal.kind === 'anonymous') throw unauthorized()
  if (principal.kind === 'user' && principal.mustEnrol && !('any' in access && access.enrolling))
    throw secondFactorRequired()
  if ('any' in access) {
    if (access.role !== undefined) {
      const role = roleOf(principal)
      if (role === null) throw forbidden(say('problems.error.this_for_staff_only'))
      if (!atLeast(role, access.role)) throw forbidden(say('problems.error.needs_role', { role: access.role }))
    }
    if (principal.kind !== 'api_key' || access.open) return
    for (const scope of [method === 'GET' ? 'auth:read' : 'auth:write', access.also] as const)
      if (scope && !principal.scopes.has(scope)) throw forbidden(say('problems.error.key_lacks_scope', { scope }))
    return
  }
  if (principal.kind === 'trader') {
    if (access.audience?.includes('trader')) return
    if (!access.audience?.includes('ib')) throw forbidden(say('problems.error.this_for_staff_only'))
    if (!principal.affiliate) throw forbidden(say('affiliates.error.not_broker'))
    if (principal.affiliate.suspended && method !== 'GET') throw forbidden(say('affiliates.error.suspended'))
    return
  }
  if (principal.kind !== 'user' && principal.kind !== 'api_key') throw unauthorized()
  if (principal.kind === 'api_key' && !principal.scopes.has(access.scope)) {
    throw forbidden(say('problems.error.key_lacks_scope', { scope: access.scope }))
  }
  if (!atLeast(principal.role, access.role)) throw forbidden(say('problems.error.needs_role', { role: access.role }))
}

/** `If-Match` as a row version; `*` and an absent header mean any. */
function readIfMatch(request: Request): number | undefined {
  const header = request.headers.get('if-match')
  if (header === null || header === '*') return undefined
  const [, version] = /^(?:W\/)?"(\d{1,15})"$/.exec(header) ?? []
  if (version === undefined) throw invalid('header.if-match', 'format', say('problems.field.must_etag_such_as'))
  return Number(version)
}

/** Who sends a JSON body. A stranger is nobody but their network. */
const originOf = (principal: Principal, tenantId: string, network: string): Origin =>
  principal.kind === 'anonymous'
    ? { sender: 'public', network, holder: [network] }
    : { sender: principal.kind === 'trader' ? 'trader' : 'staff', network, holder: [tenantId, principal.id] }

/** Characters of an answer that fit into what the system keeps for a connection anyway. */
const MAX_UNCOUNTED = 64 * KIB

/** What a handler answers is sent as JSON; anything else, such as a file or a stream, brings its own headers. */
const isWireObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** Our own entries of the document; `limitsOf` reads them off the routes. */
const extra = (entries: Record<`x-${string}`, number | boolean>) => entries

const describe = (access: Access) => {
  if (access === 'public') return { security: [], 'x-role': 'public', 'x-scope': '-' }
  const security = [{ session: [] }, { apiKey: [] }]
  if ('any' in access)
    return {
      security,
      'x-role': access.role ?? 'any',
      'x-scope': '-',
      ...(access.open ? { 'x-open': true } : {}),
      ...(access.also ? { 'x-also': access.also } : {}),
    }
  return {
    security,
    'x-role': [access.role, ...(access.audience ?? [])].join('+'),
    'x-scope': access.scope,
  }
}

/**
 * The `access` macro: a route that declares it is authenticated, authorised before its
 * body is read and again when it is there, and handed a typed `ctx` (and `expect`, the
 * version in `If-Match`). `creates` answers 201, `accepts` 202, `empty` 204.
 */
export function createGuard(platform: Platform, front: Front, inputs: Inputs) {
  const idempotency = createIdempotency(platform)
  const intake = createIntake()
  const answerHeaders = createAnswerHeaders()
  const downloads = downloadsOf(platform.capabilities)
  const { directory, capabilities, clock } = platform
  const admission: Admission = { directory, signatures: capabilities.signatures, now: () => clock.now() }
  const enforce = (access: Access, request: Request) => {
    const caller = front.callerOf(request)
    // a public route needs no credential, so a wrong one is none of its business
    if (access !== 'public' && caller.refused) throw caller.refused
    decide(access, methodOf(request), caller.principal)
  }
  const readBody = async (request: Request, route: string, params: Readonly<Record<string, string>>) => {
    const { raw, spooled, admit, maxBytes, maxValues, exactNumbers } = inputs.limitsOf(request.method, route)
    if (!raw && !bringsBody(request)) return undefined
    const { ip, principal, tenantId } = front.callerOf(request)
    const network = networkOf(ip)
    const most = { maxBytes, tooLarge: () => tooLarge(maxBytes) }
    if (raw) {
      const admitted: Admitted = admit?.(admission, request, params) ?? most
      // a callback's signature is of the whole body: until that is there, anybody may have sent it to that address
      const origin: Origin = admitted.holder
        ? { sender: 'upload', network, holder: admitted.holder }
        : { sender: 'callback', network, holder: [...Object.values(params), network] }
      return intake.read(request, { ...admitted, ...origin })
    }
    // from the headers alone: a body that is declared too large is not asked for its type
    if (Number(request.headers.get('content-length')) > maxBytes) throw most.tooLarge()
    checkContentType(request)
    if (spooled && isLarge(request)) return readSpooled(request, tenantId, platform.config.dataDir, maxBytes)
    const bytes = await intake.read(request, { ...most, ...originOf(principal, tenantId, network) })
    return await parseJson(bytes, maxValues, exactNumbers ? parseExact : undefined)
  }
  return new Elysia({ name: 'guard' }).macro({
    access: (access: Access) => ({
      detail: describe(access),
      parse: async ({
        request,
        route,
        params,
      }: {
        request: Request
        route: string
        params: Record<string, string>
      }) => {
        enforce(access, request)
        inputs.checkQuery(request, route)
        const given = await readBody(request, route, params ?? {})
        const body = given === undefined ? inputs.absent(request.method, route) : given
        front.identifyAgain(request)
        return body
      },
      transform: ({ request, route, body }: { request: Request; route: string; body: unknown }) => {
        enforce(access, request)
        inputs.check(request, route, body)
      },
      resolve: ({ request, body, path, set }) => {
        const caller = front.callerOf(request)
        const { principal, tenantId, requestId, ip } = caller
        // who calls a public route is not asked who they are, so nothing of theirs is pinned
        const pins = request.method === 'POST' && access !== 'public' && principal.kind !== 'anonymous'
        const key = pins ? request.headers.get('idempotency-key') : null
        const expect = methodOf(request) === 'GET' ? undefined : readIfMatch(request)
        if (key === null) return { ctx: createCtx(platform, { principal, tenantId, requestId, ip, request }), expect }
        const outcome = idempotency({ tenantId, principal, key, route: `POST ${path}`, body }, () =>
          typeof set.status === 'number' ? set.status : 200,
        )
        if ('replay' in outcome) {
          caller.replay = outcome.replay
          return { ctx: createCtx(platform, { principal, tenantId, requestId, ip, request }), expect }
        }
        caller.release = outcome.release
        return {
          ctx: createCtx(platform, { principal, tenantId, requestId, ip, request, claim: outcome.claim }),
          expect,
        }
      },
      beforeHandle: ({ request }: { request: Request }) => front.callerOf(request).replay,
      afterHandle: ({ request, responseValue, set }) => {
        const caller = front.callerOf(request)
        caller.release?.()
        dropSpooled(request)
        if (!isWireObject(responseValue)) return
        const isRead = methodOf(request) === 'GET'
        if ('version' in responseValue) {
          const etag = `"${responseValue.version}"`
          set.headers.etag = etag
          if (isRead && !isAnew(responseValue) && matches(request.headers.get('if-none-match'), etag))
            return new Response(null, { status: 304, headers: { etag } })
        }
        // several cookies are several headers of one name, which Elysia writes itself
        if ('set-cookie' in set.headers) return
        set.headers['content-type'] = 'application/json;charset=utf-8'
        const text = JSON.stringify(responseValue)
        const headers = answerHeaders(set.headers)
        // a page that nobody fetches keeps memory that others need; what a write has done is told in any case
        const answer =
          isRead && text.length > MAX_UNCOUNTED
            ? downloads.sendText(caller, text, headers)
            : new Response(text, { status: Number(set.status ?? 200), headers })
        // it is whole: Elysia adds nothing to it
        Object.assign(set, { headers: {}, status: 200 })
        return answer
      },
    }),
    /** Bytes that the route's JSON body may have, where not the usual. */
    maxBytes: (bytes: number) => ({ detail: extra({ 'x-max-bytes': bytes }) }),
    /** Objects, lists and their members that it may hold. */
    maxValues: (values: number) => ({ detail: extra({ 'x-max-values': values }) }),
    /** Numbers of the body are money, and read as they were written: `numberText`. */
    exactNumbers: (on: boolean) => ({ detail: extra({ 'x-exact-numbers': on }) }),
    /** Pages of any origin may call it, without credentials. */
    anyOrigin: (on: boolean) => ({ detail: extra({ 'x-any-origin': on }) }),
    /** A body that may be very large goes to disk while it arrives. */
    spooled: (on: boolean) => ({ detail: extra({ 'x-spooled': on }) }),
    creates: (on: boolean) => ({
      transform: ({ set }: { set: { status?: number | string } }) => {
        if (on) set.status = 201
      },
    }),
    accepts: (on: boolean) => ({
      transform: ({ set }: { set: { status?: number | string } }) => {
        if (on) set.status = 202
      },
    }),
    empty: (on: boolean) => ({
      transform: ({ set }: { set: { status?: number | string } }) => {
        if (on) set.status = 204
      },
    }),
  })
}

/** What every module's routes are built with. */
export type Guard = ReturnType<typeof createGuard>
