import { toOpenAPISchema } from '@elysiajs/openapi'
import { type TSchema, Type } from '@sinclair/typebox'
import type { AnyElysia, DocumentDecoration } from 'elysia'
import { build } from '../embedded.ts'
import { EVENTS } from '../events/catalogue.ts'

const Problem = Type.Object({
  type: Type.String(),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String(),
  code: Type.String({ description: 'stable, for programs' }),
  errors: Type.Array(Type.Object({ path: Type.String(), code: Type.String(), message: Type.String() })),
  requestId: Type.String(),
})

const REASONS: Readonly<Record<number, string>> = {
  400: 'Malformed',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not there, or not yours',
  408: 'Body too slow',
  409: 'The current state does not allow it',
  410: 'Used or expired',
  412: 'Changed meanwhile (If-Match)',
  413: 'Body too large',
  415: 'Not JSON',
  422: 'Fields are not valid',
  429: 'Too many requests',
  502: 'The other side did not answer',
  503: 'Not saved; repeat',
}

/** Bodies that are not JSON objects in the document's words. */
export const Csv = Type.String({ description: 'text/csv', contentMediaType: 'text/csv' })
export const Bytes = Type.String({ format: 'binary', contentMediaType: 'application/octet-stream' })
const NO_BODY = Type.Null({ description: 'no body' })

type Answers = Readonly<Record<number, TSchema>>

/**
 * The documentation of one operation: its id, one line, the success it answers with and the errors beyond 401, 403 and 429 (and 400, 415, 422 where
 * it has input), which every operation shares.
 */
export function op(operationId: string, summary: string, success: Answers, errors: readonly number[] = []) {
  const responses: NonNullable<DocumentDecoration['responses']> = {}
  for (const [status, schema] of Object.entries(success)) {
    const type = typeof schema.contentMediaType === 'string' ? schema.contentMediaType : 'application/json'
    responses[status] =
      schema === None ? { description: 'done' } : { description: 'OK', content: { [type]: { schema } } }
  }
  for (const status of [...new Set([401, 403, 429, ...errors])].sort()) {
    responses[status] = {
      description: REASONS[status] ?? 'Error',
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    }
  }
  return { operationId, summary, responses }
}
/** A success without a body (204). */
export const None = NO_BODY

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A number in a query is text to the validator and an integer to the reader of the document. */
function plainNumbers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainNumbers)
  if (!isObject(value)) return value
  const { 'x-integer': range, pattern: _, ...rest } = value
  if (isObject(range)) return { ...rest, ...range, type: 'integer' }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plainNumbers(item)]))
}

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete'])

/** The OpenAPI document of the whole application, with the webhooks it sends. DESIGN §6. */
export function createDocument(app: AnyElysia): Json {
  const { paths } = toOpenAPISchema(app, { staticFile: false })
  // our own body parser hides the schema's content type from the generator, so bodies are read off the routes
  const bodies = new Map(
    app.routes.map((route) => [
      `${route.method.toLowerCase()} ${route.path.replace(/:(\w+)/g, '{$1}')}`,
      route.hooks.body,
    ]),
  )
  const result: Json = {}
  for (const [path, item] of Object.entries(paths)) {
    if (!path.startsWith('/v1/') && path !== '/health' && path !== '/ready') continue
    const methods: Json = {}
    for (const [method, operation] of Object.entries(item ?? {})) {
      if (!METHODS.has(method) || !isObject(operation)) continue
      methods[method] = finish(method, operation, bodies.get(`${method} ${path}`))
    }
    if (Object.keys(methods).length > 0) result[path] = methods
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Brokerbase',
      version: build().version,
      description:
        'The back office of a small trading brokerage. Amounts are decimal strings; lists are `{data, nextCursor}`; errors are RFC 9457 problems.',
    },
    servers: [{ url: '/' }],
    paths: plainNumbers(result),
    webhooks: Object.fromEntries(
      Object.entries(EVENTS).map(([name, { description, payload }]) => [
        name,
        {
          post: {
            operationId: `webhook.${name}`,
            summary: description,
            tags: ['Webhooks sent'],
            requestBody: { content: { 'application/json': { schema: envelopeOf(name, payload) } } },
            responses: { '200': { description: 'Any 2xx takes the delivery' } },
          },
        },
      ]),
    ),
    components: {
      schemas: { Problem },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'crm_session' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
    },
  }
}

const envelopeOf = (name: string, payload: TSchema) =>
  Type.Object({
    id: Type.String(),
    event: Type.Literal(name),
    createdAt: Type.String({ format: 'date-time' }),
    tenantId: Type.String(),
    sequence: Type.Integer({ description: 'per tenant, rising by one' }),
    payload,
  })

/** Shared parts of every operation: one body type, the header parameters, the errors that input brings. */
function finish(method: string, operation: Json, body: unknown): Json {
  const problem = (status: number) => ({
    description: REASONS[status],
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  })
  const responses: Json = { ...(isObject(operation.responses) ? operation.responses : {}) }
  const parameters: unknown[] = Array.isArray(operation.parameters) ? [...operation.parameters] : []
  const signed = Array.isArray(operation.security) && operation.security.length > 0
  if (method === 'post' && signed) {
    parameters.push({ name: 'Idempotency-Key', in: 'header', schema: { type: 'string', maxLength: 255 } })
    responses['409'] ??= problem(409)
  }
  if ((method === 'patch' || method === 'delete') && signed) {
    parameters.push({ name: 'If-Match', in: 'header', schema: { type: 'string' } })
    responses['412'] ??= problem(412)
  }
  const media = isObject(body) && typeof body.contentMediaType === 'string' ? body.contentMediaType : undefined
  // an upload's bytes are of the announced type, whatever that is: its summary says so, a fixed media type here would be wrong
  const documented = body !== undefined && media !== 'application/octet-stream'
  if (body) for (const status of [400, 408, 413, 415]) responses[status] ??= problem(status)
  if (body || parameters.length > 0) responses['422'] ??= problem(422)
  const { requestBody: _, ...rest } = operation
  return {
    ...rest,
    parameters,
    ...(documented
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: media === undefined ? body : Bytes } },
          },
        }
      : {}),
    responses,
  }
}
