import { Elysia } from 'elysia'
import { say } from '../../../words/say.ts'
import type { Access } from '../../access/catalogue.ts'
import { type BoxCtx, createCtx } from '../../access/ctx.ts'
import { decide } from '../../access/decide.ts'
import type { Platform } from '../../platform.ts'
import { invalid } from '../../problem.ts'
import { readMethod } from '../body/request-line.ts'
import type { Inputs } from '../body/unknown-fields.ts'
import type { Front } from './front.ts'
import { createAnswerer } from './guard-answer.ts'
import { createBodyReader } from './guard-body.ts'
import { createIdempotency } from './idempotency.ts'

/** Returns `If-Match` as a row version; `*` and an absent header mean any. */
function readIfMatch(request: Request): number | undefined {
  const header = request.headers.get('if-match')
  if (header === null || header === '*') return undefined
  const [, version] = /^(?:W\/)?"(\d{1,15})"$/.exec(header) ?? []
  if (version === undefined) throw invalid('header.if-match', 'format', say('problems.field.etag_format'))
  return Number(version)
}

/** Our own entries of the document; `readLimits` reads them from the routes. */
const extra = (entries: Record<`x-${string}`, number | boolean>) => entries

const describe = (access: Access) => {
  if (access === 'public') return { security: [], 'x-role': 'public', 'x-scope': '-' }
  const security = [{ apiKey: [] }, { session: [] }]
  const fresh = access.fresh === undefined ? {} : { 'x-fresh': access.fresh }
  if ('any' in access)
    return {
      security,
      ...fresh,
      'x-role': access.role ?? 'any',
      'x-scope': '-',
      ...(access.open ? { 'x-open': true } : {}),
      ...(access.also ? { 'x-also': access.also } : {}),
    }
  return {
    security,
    ...fresh,
    'x-role': [access.role, ...(access.audience ?? [])].join('+'),
    'x-scope': access.scope,
  }
}

/** Sets the status of a successful answer. */
const answersWith = (status: number) => (on: boolean) => ({
  transform: ({ set }: { set: { status?: number | string } }) => {
    if (on) set.status = status
  },
})

/** What a route declares beside its access. */
const declarations = {
  /** The most bytes of the route's JSON body, if not the default. */
  maxBytes: (bytes: number) => ({ detail: extra({ 'x-max-bytes': bytes }) }),
  /** The most objects, lists and members in it. */
  maxValues: (values: number) => ({ detail: extra({ 'x-max-values': values }) }),
  /** Numbers of the body are money, and read as they were written: `numberText`. */
  exactNumbers: (on: boolean) => ({ detail: extra({ 'x-exact-numbers': on }) }),
  /** Pages of any origin may call it, without credentials. */
  anyOrigin: (on: boolean) => ({ detail: extra({ 'x-any-origin': on }) }),
  /** A body that may be very large is written to disk while it arrives. */
  spooled: (on: boolean) => ({ detail: extra({ 'x-spooled': on }) }),
  creates: answersWith(201),
  accepts: answersWith(202),
  empty: answersWith(204),
}

type Resolved = { request: Request; body: unknown; path: string; set: { status?: number | string | undefined } }

/** Makes the context of an admitted request, with the claim of its Idempotency-Key, or finds the earlier answer. */
function createResolver(platform: Platform, front: Front) {
  const idempotency = createIdempotency(platform)
  return (access: Access, { request, body, path, set }: Resolved): { ctx: BoxCtx; expect: number | undefined } => {
    const caller = front.getCaller(request)
    const { principal, tenantId, requestId, ip } = caller
    // a public route does not identify its callers, so it keeps no answer for them
    const pins = request.method === 'POST' && access !== 'public' && principal.kind !== 'anonymous'
    const key = pins ? request.headers.get('idempotency-key') : null
    const expect = readMethod(request) === 'GET' ? undefined : readIfMatch(request)
    if (key === null) return { ctx: createCtx(platform, { principal, tenantId, requestId, ip, request }), expect }
    const outcome = idempotency({ tenantId, principal, key, route: `POST ${path}`, body }, () =>
      typeof set.status === 'number' ? set.status : 200,
    )
    if ('replay' in outcome) {
      caller.replay = outcome.replay
      return { ctx: createCtx(platform, { principal, tenantId, requestId, ip, request }), expect }
    }
    caller.release = outcome.release
    return { ctx: createCtx(platform, { principal, tenantId, requestId, ip, request, claim: outcome.claim }), expect }
  }
}

/**
 * The `access` macro. A route that declares it is authenticated, authorised before its body is read and again after the
 * body has arrived, and gets a typed `ctx` (and `expect`, the version in `If-Match`). `creates` answers 201, `accepts`
 * 202, `empty` 204.
 */
export function createGuard(platform: Platform, front: Front, inputs: Inputs) {
  const readBody = createBodyReader(platform, front, inputs)
  const resolve = createResolver(platform, front)
  const answer = createAnswerer(platform, front)
  const enforce = (access: Access, request: Request) => {
    const caller = front.getCaller(request)
    // a public route needs no credential, so it ignores a wrong one
    if (access !== 'public' && caller.refused) throw caller.refused
    decide(access, readMethod(request), { principal: caller.principal, now: () => platform.clock.now() })
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
      resolve: ({ request, body, path, set }) => resolve(access, { request, body, path, set }),
      beforeHandle: ({ request }: { request: Request }) => front.getCaller(request).replay,
      afterHandle: ({ request, responseValue, set }) => answer({ request, responseValue, set }),
    }),
    ...declarations,
  })
}
