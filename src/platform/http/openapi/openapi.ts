import { toOpenAPISchema } from '@elysiajs/openapi/openapi'
import { type Static, type TSchema, type TUnsafe, Type } from '@sinclair/typebox'
import type { AnyElysia, DocumentDecoration } from 'elysia'
import { build } from '../../embedded.ts'
import { buildSampleEvent, describeEvent, EVENTS, type EventName, eventNames, firedBy } from '../../events/catalogue.ts'
import { Id, Time } from '../../wire/fields.ts'
import { nameSchema } from '../../wire/schema-name.ts'
import { sentHeaders, sharedParts } from './answers.ts'
import { forGenerators } from './for-generators.ts'
import { finish } from './operation.ts'
import { shareParameters } from './parameters.ts'
import { createNames, isObject, type Json, plain } from './schemas.ts'
import { listChapters } from './tags.ts'

/** A body that is not JSON: its handler returns a `Response` of its own. */
export const Csv = Type.Unsafe<Response>(Type.String({ description: 'text/csv', contentMediaType: 'text/csv' }))
export const Bytes = Type.Unsafe<Response>(
  Type.String({ format: 'binary', contentMediaType: 'application/octet-stream' }),
)
export const EventStream = (description: string) =>
  Type.Unsafe<Response>(Type.String({ description, contentMediaType: 'text/event-stream' }))
/** A success without a body (204): its handler returns null. */
export const None = Type.Null({ description: 'no body' })

const SUCCESSES: Readonly<Record<string, string>> = { 201: 'Made', 202: 'Accepted; not done yet' }

type Answers = Readonly<Record<number, TSchema>>

/**
 * What `op` puts into a route's options. The type of `answer` makes the handler answer one of the declared successes.
 */
type Declared<A extends Answers> = { detail: DocumentDecoration; answer: TUnsafe<Static<A[keyof A & number]>> }

/** What the document says of an operation beyond its answers. */
type Facts = {
  /** When another person must agree, as a whole sentence. */
  another?: string
  setsCookie?: boolean
  /** The operation also answers as a file on request. */
  csv?: boolean
}

/**
 * Declares one operation, to be spread into its route's options: its id, one line, the success that its handler answers
 * with, and the errors. `createDocument` adds the errors that follow from its access and its input.
 */
export function op<A extends Answers>(
  operationId: string,
  summary: string,
  success: A,
  errors?: readonly number[],
  facts?: Facts,
): Declared<A>
export function op(
  operationId: string,
  summary: string,
  success: Answers,
  errors: readonly number[] = [],
  { another, setsCookie, csv }: Facts = {},
): { detail: DocumentDecoration } {
  const responses: NonNullable<DocumentDecoration['responses']> = {}
  for (const [status, schema] of Object.entries(success)) {
    const type = typeof schema.contentMediaType === 'string' ? schema.contentMediaType : 'application/json'
    responses[status] =
      schema === None
        ? { description: 'Done' }
        : {
            description: SUCCESSES[status] ?? 'OK',
            content: { [type]: { schema }, ...(csv ? { 'text/csv': { schema: { type: 'string' } } } : {}) },
          }
  }
  const fires = firedBy(operationId)
  const detail = {
    operationId,
    summary,
    responses,
    'x-errors': errors,
    ...(fires.length === 0 ? {} : { 'x-fires': fires }),
    ...(another === undefined ? {} : { 'x-another': another }),
    ...(setsCookie ? { 'x-cookie': true } : {}),
  }
  return { detail }
}
const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete'])

/** Creates the OpenAPI document of the whole application, with the webhooks it sends. src/README “HTTP contract”. */
export function createDocument(app: AnyElysia): Json {
  const generated = toOpenAPISchema(app, { staticFile: false })
  // our own body parser hides the schema's content type from the generator, so bodies are read from the routes
  const bodies = new Map(
    app.routes.map((route) => [
      `${route.method.toLowerCase()} ${route.path.replace(/:(\w+)/g, '{$1}')}`,
      route.hooks.body,
    ]),
  )
  const result: Json = {}
  for (const [path, item] of Object.entries(generated.paths)) {
    const methods: Json = {}
    for (const [method, operation] of Object.entries(item ?? {})) {
      if (!METHODS.has(method) || !isObject(operation)) continue
      methods[method] = finish(method, operation, bodies.get(`${method} ${path}`))
    }
    if (Object.keys(methods).length > 0) result[path] = methods
  }
  const names = createNames()
  const paths = names.refer(plain(result))
  const parameters = isObject(paths) ? shareParameters(paths) : {}
  const webhooks = names.refer(buildWebhooks())
  const shared = names.referAll(sharedParts())
  const schemas = names.schemas()
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Brokerbase',
      version: build().version,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      description:
        'The back office of a small trading brokerage. Amounts are decimal strings; lists are `{data, nextCursor}`; errors are RFC 9457 problems. Every answer carries X-Request-Id and, for each limit that is on, X-RateLimit-Limit, -Remaining and -Reset. The [guide](/docs/guide/start) has the first call, all [error codes](/docs/guide/errors), [repeating](/docs/guide/retries), [webhooks](/docs/guide/webhooks) with code that receives them, a sample of each [event](/docs/guide/events), and what [may change](/docs/guide/versions).',
    },
    servers: [{ url: '/' }],
    // Most programs that read the document use the first of these. The token of a view is left out, since some would
    // send a key as that as well.
    security: [{ apiKey: [] }, { session: [] }],
    tags: listChapters(listTags(result)),
    paths,
    // OpenAPI's own name for them, `webhooks`, makes generated clients that do not compile
    'x-webhooks': webhooks,
    components: {
      schemas,
      ...shared,
      parameters: { ...(isObject(shared.parameters) ? shared.parameters : {}), ...parameters },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'crm_session' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
    },
  }
  return forGenerators(document, schemas)
}

/** Returns the statuses that each operation of a document names, by its id. */
export function listStatuses({ paths }: Json): Map<string, number[]> {
  const operations = Object.values(isObject(paths) ? paths : {}).flatMap((item) => Object.values(item ?? {}))
  return new Map(
    operations
      .filter(isObject)
      .map(({ operationId, responses }) => [String(operationId), Object.keys(responses ?? {}).map(Number)]),
  )
}

/** Returns the chapters of all operations, and of the webhooks. */
const listTags = (paths: Json): Set<string> =>
  new Set([
    ...Object.values(paths).flatMap((item) =>
      Object.values(isObject(item) ? item : {}).flatMap((operation) =>
        isObject(operation) && Array.isArray(operation.tags) ? operation.tags.map(String) : [],
      ),
    ),
    WEBHOOKS,
  ])

const WEBHOOKS = 'Webhooks sent'

const buildWebhooks = (): Json =>
  Object.fromEntries(
    eventNames.map((name) => [
      name,
      {
        post: {
          operationId: `webhook.${name}`,
          summary: describeEvent(name),
          description: `Fired by ${EVENTS[name].by.map((id) => `\`${id}\``).join(', ')}. Sent to each subscription until it is taken.`,
          tags: [WEBHOOKS],
          security: [],
          parameters: sentHeaders(),
          requestBody: { content: { 'application/json': { schema: buildEnvelopeSchema(name) } } },
          responses: { '200': { description: 'Any 2xx takes the delivery' } },
        },
      },
    ]),
  )

/** Returns the wire form that a receiver of an event gets. */
export const buildEnvelopeSchema = (name: EventName) =>
  nameSchema(
    `${name.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`,
    Type.Object(
      {
        id: Id,
        event: Type.Literal(name),
        createdAt: Time,
        tenantId: Id,
        sequence: Type.Integer({ description: 'per tenant, rising by one' }),
        payload: EVENTS[name].payload,
      },
      { examples: [buildSampleEvent(name)] },
    ),
  )
