import type { TSchema } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import { say } from '../../../words/say.ts'
import { type FieldError, Problem } from '../../problem.ts'
import { type Limits, readLimits } from './body.ts'
import { readMethod } from './request-line.ts'
import { validationProblem } from './validation.ts'

type Declared = { method: string; path: string; hooks: { body?: unknown; query?: unknown; detail?: object } }

/** At most this many names are listed. */
const MAX_NAMES = 20

const refused = (names: readonly string[]) =>
  new Problem(
    422,
    'validation',
    say('problems.error.unknown_fields'),
    names.slice(0, MAX_NAMES).map(
      (path): FieldError => ({
        path,
        code: 'unknown_field',
        message: say('problems.field.unknown_field'),
      }),
    ),
  )

/** Returns whether a body schema is an object without a required field. */
const requiresNothing = (schema: unknown): boolean =>
  typeof schema === 'object' &&
  schema !== null &&
  'properties' in schema &&
  !('required' in schema && Array.isArray(schema.required) && schema.required.length > 0)
const isSchema = (value: unknown): value is TSchema =>
  typeof value === 'object' && value !== null && !('contentMediaType' in value)

/**
 * Refuses a body or a query of an operation that declares none, instead of ignoring it, since the caller meant
 * something by it. Elysia validates only what a route declares (and a schema of a plugin's guard wins over the route's
 * own), so the routes are looked up here. A route that `learn` was not given takes neither. src/README “HTTP contract”.
 */
export function createInputs() {
  const bodies = new Map<string, TypeCheck<TSchema> | null>()
  const limits = new Map<string, Limits>()
  const queries = new Set<string>()
  const optional = new Set<string>()
  const checkQuery = (request: Request, route: string): void => {
    const { url } = request
    const mark = url.indexOf('?')
    if (mark === -1 || queries.has(`${readMethod(request)} ${route}`)) return
    const names = [...new URLSearchParams(url.slice(mark)).keys()]
    if (names.length > 0) throw refused(names.map((name) => `query.${name.slice(0, 100)}`))
  }
  return {
    /** Takes every route of the whole application, once. */
    learn: (routes: readonly Declared[]): void => {
      for (const { method, path, hooks } of routes) {
        const route = `${method} ${path}`
        limits.set(route, readLimits(hooks))
        if (hooks.body !== undefined) bodies.set(route, isSchema(hooks.body) ? TypeCompiler.Compile(hooks.body) : null)
        if (method === 'POST' && requiresNothing(hooks.body)) optional.add(route)
        if (hooks.query !== undefined) queries.add(route)
      }
    },
    /** Returns the value of an absent body: an empty object if all fields of the body are optional. */
    absent: (method: string, route: string): object | null => (optional.has(`${method} ${route}`) ? {} : null),
    /** Throws the 422 of a query if none is declared. `route` is the path as declared. */
    checkQuery,
    /** Throws the 422 of a body if none is declared; nothing, `null` and `{}` are no body. */
    check: (request: Request, route: string, body: unknown): void => {
      checkQuery(request, route)
      const method = readMethod(request)
      if (method === 'GET') return
      const check = bodies.get(`${method} ${route}`)
      if (check === undefined) {
        if (typeof body !== 'object' || body === null) return
        const names = Object.keys(body)
        if (names.length > 0) throw refused(names.slice(0, MAX_NAMES).map((name) => name.slice(0, 100)))
        // checked before Elysia does: its own refusal puts the whole body into an error's text, and tests patterns on
        // texts that are too long
      } else if (check && !check.Check(body)) throw validationProblem('body', check.Schema(), body)
    },
    /** Returns the limits of a route's body; for a route that `learn` was not given, those of strangers. */
    getLimits: (method: string, route: string): Limits => limits.get(`${method} ${route}`) ?? readLimits({}),
  }
}
export type Inputs = ReturnType<typeof createInputs>
