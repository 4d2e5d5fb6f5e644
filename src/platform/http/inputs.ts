import { type FieldError, Problem } from './problem.ts'

type Declared = { method: string; path: string; hooks: { body?: unknown; query?: unknown } }

const refused = (names: readonly string[]) =>
  new Problem(
    422,
    'validation',
    'This operation does not take what was sent.',
    names.map((path): FieldError => ({ path, code: 'unknown_field', message: 'is not a field of this operation' })),
  )

/** Whether a body schema is an object without a required field. */
const requiresNothing = (schema: unknown): boolean =>
  typeof schema === 'object' &&
  schema !== null &&
  'properties' in schema &&
  !('required' in schema && Array.isArray(schema.required) && schema.required.length > 0)

/**
 * An operation that declares no body or no query takes none: what is sent all the same is refused, never ignored, because somebody meant something
 * by it. Elysia validates only what a route declares (and a schema of a plugin's guard wins over the route's own), so the routes are looked up here;
 * one that `learn` has not seen takes nothing. DESIGN §6.
 */
export function createInputs() {
  const bodies = new Set<string>()
  const queries = new Set<string>()
  const optional = new Set<string>()
  return {
    /** Called once with every route of the whole application. */
    learn: (routes: readonly Declared[]): void => {
      for (const { method, path, hooks } of routes) {
        if (hooks.body !== undefined) bodies.add(`${method} ${path}`)
        if (method === 'POST' && requiresNothing(hooks.body)) optional.add(`${method} ${path}`)
        if (hooks.query !== undefined) queries.add(`${method} ${path}`)
      }
    },
    /** What an absent body means: an empty one where an act takes a body and requires no field of it. */
    absent: (method: string, route: string): object | null => (optional.has(`${method} ${route}`) ? {} : null),
    /** Throws the 422; nothing, `null` and `{}` are no body. `route` is the path as declared. */
    check: ({ method, url }: Request, route: string, body: unknown): void => {
      const mark = url.indexOf('?')
      if (mark !== -1 && !queries.has(`${method} ${route}`)) {
        const names = [...new URLSearchParams(url.slice(mark)).keys()]
        if (names.length > 0) throw refused(names.map((name) => `query.${name.slice(0, 100)}`))
      }
      if (typeof body === 'object' && body !== null && !bodies.has(`${method} ${route}`)) {
        const names = Object.keys(body)
        if (names.length > 0) throw refused(names.map((name) => name.slice(0, 100)))
      }
    },
  }
}
export type Inputs = ReturnType<typeof createInputs>
