import type { TSchema } from '@sinclair/typebox'
import { ROLES, type Role, type Scope } from '../platform/access/catalogue.ts'
import { readLimits } from '../platform/http/body/body.ts'
import type { TestApp } from '../testing/app.ts'

/** Describes one operation as its route declares it. */
export type Route = {
  /** Method and path, such as `POST /v1/deposits/:id/settle`; samples are found by it. */
  key: string
  method: string
  path: string
  operationId: string
  /** The least staff role; `public` and `any` as in the catalogue. */
  role: Role | 'public' | 'any'
  audience: readonly string[]
  scope: string
  /** Whether a session must have given its password lately: `yes`, `no` or the case in which it must. */
  fresh: string
  detail: Readonly<Record<string, unknown>>
  /** The schema; undefined if the operation takes no body, or bytes. */
  body: TSchema | undefined
  takesBytes: boolean
  /** The header that carries the body's signature, with an invalid signature as its value. */
  signature: Readonly<Record<string, string>> | undefined
  maxBytes: number
  query: TSchema | undefined
  params: readonly string[]
  mutates: boolean
  /** Maps a success status to the schema of its JSON body; null if the body is no JSON. */
  success: ReadonlyMap<number, TSchema | null>
}

type Bag = Readonly<Record<string, unknown>>
const isBag = (value: unknown): value is Bag => typeof value === 'object' && value !== null && !Array.isArray(value)
const bag = (value: unknown): Bag => (isBag(value) ? value : {})
const isSchema = (value: unknown): value is TSchema =>
  isBag(value) && ('type' in value || 'anyOf' in value || 'allOf' in value)

/** Returns the properties of an object schema by name. */
export const getProperties = (schema: TSchema | undefined): Record<string, TSchema> =>
  Object.fromEntries(
    Object.entries(bag(schema?.properties)).filter((entry): entry is [string, TSchema] => isSchema(entry[1])),
  )

/** Returns the alternatives of a union without null, or the schema itself. */
export const listAlternatives = (schema: TSchema): TSchema[] =>
  Array.isArray(schema.anyOf)
    ? schema.anyOf.filter((item: unknown) => isSchema(item) && item.type !== 'null')
    : [schema]

function readSuccesses(detail: Bag): Map<number, TSchema | null> {
  const found = new Map<number, TSchema | null>()
  for (const [status, answer] of Object.entries(bag(detail.responses))) {
    if (!status.startsWith('2')) continue
    const json = bag(bag(bag(answer).content)['application/json']).schema
    found.set(Number(status), isSchema(json) ? json : null)
  }
  return found
}

const readSignature = ({ name, example }: Bag) =>
  typeof name === 'string' && typeof example === 'string' ? { [name]: example } : undefined

/** Returns every /v1 operation from the application's routes, so that each contract test covers a new one. */
export function collectRoutes(app: Pick<TestApp, 'routes'>): Route[] {
  return app.routes
    .filter(({ path }) => path.startsWith('/v1/'))
    .map(({ method, path, hooks }) => {
      const detail = bag(hooks.detail)
      const [least = '', ...audience] = String(detail['x-role']).split('+')
      const role = least === 'public' || least === 'any' ? least : ROLES.find((name) => name === least)
      if (role === undefined) throw new Error(`${method} ${path} names an unknown role ${least}`)
      const { body, query }: Bag = { ...hooks }
      return {
        key: `${method} ${path}`,
        method,
        path,
        operationId: String(detail.operationId),
        role,
        audience,
        scope: String(detail['x-scope']),
        fresh: detail['x-fresh'] === true ? 'yes' : String(detail['x-fresh'] ?? 'no'),
        detail,
        body: isSchema(body) && body.contentMediaType === undefined ? body : undefined,
        query: isSchema(query) ? query : undefined,
        takesBytes: readLimits(hooks).raw,
        signature: readSignature(bag(bag(body)['x-signature'])),
        maxBytes: readLimits(hooks).maxBytes,
        params: [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? ''),
        mutates: method !== 'GET',
        success: readSuccesses(detail),
      }
    })
}

/** Returns routes in the form that `test.each` needs: the name first. */
export const withKeys = (routes: readonly Route[]): [string, Route][] => routes.map((route) => [route.key, route])

/** Returns the paths of properties that a value has and its schema does not name; no answer may have any. */
export function undocumented(schema: TSchema, value: unknown, path = ''): string[] {
  if (Array.isArray(schema.anyOf)) {
    const findings = schema.anyOf.filter(isSchema).map((item) => undocumented(item, value, path))
    return findings.find((list) => list.length === 0) ?? findings[0] ?? []
  }
  if (Array.isArray(value)) {
    const { items } = schema
    return isSchema(items) ? value.flatMap((item, index) => undocumented(items, item, `${path}.${index}`)) : []
  }
  const properties = getProperties(schema)
  // an object without named properties is documented as free-form
  if (!isBag(value) || Object.keys(properties).length === 0) return []
  return Object.entries(value).flatMap(([key, item]) => {
    const known = properties[key]
    if (known) return undocumented(known, item, `${path}.${key}`)
    return schema.additionalProperties === true ? [] : [`${path}.${key}`]
  })
}

/** Maps each operation that no API key may call to the code of its refusal. */
export const CLOSED_TO_KEYS: Readonly<Record<string, string>> = {
  'GET /v1/mails/:id': 'mails.not_by_key',
  'GET /v1/admin/traders/:id/pii-export': 'privacy.not_by_key',
  'POST /v1/kept-records/:id/open': 'privacy.not_by_key',
  'POST /v1/admin/impersonate/start': 'views.not_by_key',
  'POST /v1/users/:id/impersonate': 'views.not_by_key',
  'POST /v1/auth/reauthenticate': 'auth.not_by_key',
  'POST /v1/users/:id/2fa/reset': 'users.not_by_key',
  'POST /v1/users/:id/vouch': 'users.not_by_key',
  'PATCH /v1/auth/me': 'users.not_by_key',
  'POST /v1/platforms/connections': 'system.not_by_key',
  'DELETE /v1/platforms/connections/:id': 'system.not_by_key',
  'POST /v1/platforms/connections/:id/confirm': 'system.not_by_key',
  'POST /v1/system/recovery-key/words': 'system.not_by_key',
  'GET /v1/system/backups/:id/download': 'system.not_by_key',
  'POST /v1/system/recovery-key/kept': 'system.not_by_key',
}

/** Maps an operation to the scope that a key needs for the tests' request besides the declared one. */
export const ALSO_NEEDS: Readonly<Record<string, Scope>> = {
  'GET /v1/stream': 'traders:read',
  'POST /v1/webhooks/subscriptions': 'traders:read',
  'PATCH /v1/webhooks/subscriptions/:id': 'traders:read',
  // the samples of these also change something that has its own scope
  'PATCH /v1/traders/:id': 'holds:write',
  'PATCH /v1/affiliates/:id': 'affiliate-decisions:write',
}
