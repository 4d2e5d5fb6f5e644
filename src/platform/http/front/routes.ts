import type { Static, TSchema } from '@sinclair/typebox'
import type { AnyElysia, DocumentDecoration } from 'elysia'
import type { Access } from '../../access/catalogue.ts'
import type { BoxCtx } from '../../access/ctx.ts'

/** What a route declares beside its path and its handler. `op` makes `detail` and `answer`. */
type RouteOptions = {
  access: Access
  params?: TSchema
  query?: TSchema
  body?: TSchema
  detail: DocumentDecoration
  /** What the handler has to answer, for the compiler only: no answer is validated at run time. */
  answer: TSchema
  /** The most bytes of the JSON body, if not the default. */
  maxBytes?: number
  /** The most objects, lists and members in the body. */
  maxValues?: number
  /** Numbers of the body are money, and read as they were written: `numberText`. */
  exactNumbers?: true
  /** Pages of any origin may call it, without credentials. */
  anyOrigin?: true
  /** A body that may be very large is written to disk while it arrives. */
  spooled?: true
  /** Answers 201. */
  creates?: true
  /** Answers 202. */
  accepts?: true
  /** Answers 204. */
  empty?: true
}

type Read<Schema, Otherwise> = Schema extends TSchema ? Static<Schema> : Otherwise

/** What a handler gets of an admitted request. */
type Given<Options extends RouteOptions> = {
  ctx: BoxCtx
  /** The row version in `If-Match`; absent if any version will do. */
  expect: number | undefined
  request: Request
  set: { status?: number | string; headers: Record<string, string | number> }
  params: Read<Options['params'], Record<string, never>>
  query: Read<Options['query'], Record<string, never>>
  body: Read<Options['body'], undefined>
}

type Handler<Options extends RouteOptions> = (
  given: Given<Options>,
) => Static<Options['answer']> | Promise<Static<Options['answer']>>

type Declare = <const Options extends RouteOptions>(
  path: string,
  handler: Handler<Options>,
  options: Options,
) => RouteList

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Adds its route to an application whose guard enforces what it declares. */
type Route = (app: AnyElysia) => void

/** Routes in their order, with Elysia's method names. `and` adds those of another list. */
export type RouteList = {
  get: Declare
  post: Declare
  put: Declare
  patch: Declare
  delete: Declare
  and: (others: RouteList) => RouteList
  routes: readonly Route[]
}

const createRouteList = (chapter: string, routes: readonly Route[]): RouteList => {
  const declare =
    (method: Method): Declare =>
    (path, handler, options) => {
      const add: Route = (app) => {
        // Elysia writes what a guard adds into the options, so each application has its own
        const own: RouteOptions = { ...options, detail: { ...options.detail, tags: [chapter] } }
        // `Declare` checks what a handler is given and answers, since Elysia's types know nothing of a list
        app.route(method, path, handler as never, own)
      }
      return createRouteList(chapter, [...routes, add])
    }
  return {
    get: declare('GET'),
    post: declare('POST'),
    put: declare('PUT'),
    patch: declare('PATCH'),
    delete: declare('DELETE'),
    and: (others) => createRouteList(chapter, [...routes, ...others.routes]),
    routes,
  }
}

/**
 * Declares the routes of a chapter of the document one after another. Elysia's own chain has a type of all routes
 * before each, which tsc cannot follow through hundreds of them; here each route is checked by itself.
 */
export const declareRoutes = (chapter: string): RouteList => createRouteList(chapter, [])
