import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { OPERATIONS } from '../../admin-ui/operations.ts'
import { signedHeaders } from '../modules/firm/webhooks/webhooks.sign.ts'
import { createNames, isObject } from '../platform/http/openapi/schemas.ts'
import { findSchemaName, nameSchema as nameASchema } from '../platform/wire/schema-name.ts'
import { type Answer, createTestApp, SETUP_TOKEN, type TestApp } from '../testing/app.ts'
import { HOW_TO_UPDATE, readSnapshot } from '../testing/snapshot.ts'
import { schemaAt } from './places.ts'
import { type Route, undocumented, withKeys } from './routes.ts'
import { buildSample, send } from './samples.ts'
import type { Place } from './seed-firm.ts'
import { PASSWORD } from './seed-room.ts'
import { everyRoute, furnished } from './seeded-app.ts'

// reads come first, since a later operation may replace what they read
const routes = everyRoute().toSorted((a, b) => Number(a.mutates) - Number(b.mutates))

type Named = { $ref?: string }
type Content = Record<string, { schema: Named }>
type Response = Named & { description?: string; headers?: Record<string, Named>; content?: Content }
type Operation = {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  security?: object[]
  parameters?: (Named & { name?: string; in?: string })[]
  requestBody?: Named & { content?: Content }
  responses: Record<string, Response>
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  'x-webhooks': Record<string, { post: Operation }>
  info: { version: string }
  security: object[]
  components: {
    schemas: Record<string, { examples?: unknown[]; properties?: Record<string, { items?: Named }> }>
    responses: Record<string, Response>
    parameters: Record<string, { name: string; in: string }>
    headers: Record<string, object>
    requestBodies: Record<string, object>
  }
}
let app: TestApp
let place: Place
let world: Awaited<ReturnType<typeof furnished>>
// This runs before the first test: a document that cannot be made then fails the file once, with the reason.
const document = await readDocument()
beforeAll(async () => {
  world = await furnished()
  app = world.app
  place = world.place
})
afterAll(() => world.close())

/** Returns the document, or throws the reason why it cannot be made, which only the log has. */
async function readDocument(): Promise<Document> {
  const reasons: string[] = []
  const probe = createTestApp({
    log: (line) => {
      const { err, msg }: { err?: { message: string }; msg: string } = JSON.parse(line)
      reasons.push(err?.message ?? msg)
    },
  })
  const { status, body } = await probe.call('GET', '/docs/json')
  await probe.close()
  if (status !== 200) throw new Error(reasons.join('\n'))
  return body
}

const documentPath = (path: string): string => path.replace(/:(\w+)/g, '{$1}')
const findOperation = ({ method, path }: Route): Operation | undefined =>
  document.paths[documentPath(path)]?.[method.toLowerCase()]
/** Returns the last part of a reference, which is the name of its target. */
const nameIn = ({ $ref = '' }: Named): string => $ref.split('/').at(-1) ?? ''
const resolveResponse = (response: Response | undefined): Response | undefined =>
  response?.$ref === undefined ? response : document.components.responses[nameIn(response)]

describe('the document', () => {
  test('the API document is the committed one', () => {
    // the shared part is left out, and each operation has one line, so that a reviewer can read the difference
    const actual = Object.fromEntries(
      Object.entries(document.paths).flatMap(([path, item]) =>
        Object.entries(item).map(([method, { responses, ...rest }]): [string, object] => {
          const success = Object.entries(responses).filter(([status]) => status.startsWith('2'))
          const errors = Object.keys(responses).filter((status) => !status.startsWith('2'))
          return [`${method.toUpperCase()} ${path}`, { ...rest, success: Object.fromEntries(success), errors }]
        }),
      ),
    )
    const { schemas, ...shared } = document.components
    for (const [name, schema] of Object.entries(schemas)) Object.assign(actual, { [`schema ${name}`]: schema })
    Object.assign(actual, { webhooks: document['x-webhooks'], shared })
    const committed = readSnapshot(join(import.meta.dir, 'openapi.snapshot.json'), actual)
    expect<unknown>(actual, HOW_TO_UPDATE).toEqual(committed)
  })

  test('the API document has every route and nothing else, each with its own id', () => {
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const declared = routes.map(({ method, path }) => `${method} ${documentPath(path)}`)
    expect(operations.filter((name) => name.includes(' /v1/')).sort()).toEqual(declared.sort())
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    )
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9]*(\.[a-z][A-Za-z0-9]*)+$/)
  })

  test.each(withKeys(routes))('the document says of %s what it is, who may call it and what it answers', (_, route) => {
    const operation = findOperation(route)
    if (!operation) throw new Error('is not in the document')
    expect(operation.summary).toMatch(/\S{2}/)
    expect(operation.tags).toHaveLength(1)
    const statuses = Object.keys(operation.responses)
    const successes = statuses.filter((status) => status.startsWith('2'))
    // 202 beside another success means that more has to happen: a second approval, or a job
    expect(successes.filter((status) => status !== '202' || successes.length === 1)).toHaveLength(1)
    for (const status of successes) {
      const content = operation.responses[status]?.content
      if (status === '204') expect(content).toBeUndefined()
      else expect(Object.values(content ?? {})[0]?.schema).toBeObject()
    }
    for (const status of statuses.filter((name) => !name.startsWith('2')))
      expect(Object.keys(resolveResponse(operation.responses[status])?.content ?? {})).toEqual(
        status === '304' ? [] : ['application/problem+json'],
      )
    const security = operation.security ?? document.security
    if (route.role === 'public') expect(security).toEqual([])
    else {
      expect(security).toEqual([{ apiKey: [] }, { session: [] }])
      expect(statuses).toContain('401')
      expect(statuses).toContain('403')
    }
    if (route.params.length > 0 && route.role !== 'public') expect(statuses).toContain('404')
    const brought = (operation.parameters ?? []).map((one) => document.components.parameters[nameIn(one)] ?? one)
    const inPath = brought.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
    expect(inPath).toEqual([...route.params])
  })

  test.each(withKeys(routes))(
    'the document has a named schema, an example and the headers for body and answer of %s',
    (_, route) => {
      const operation = findOperation(route)
      if (!operation) throw new Error('is not in the document')
      const { schemas, headers, requestBodies, parameters } = document.components
      expect(operation.description).toMatch(/^\S.*\.$/)
      const isShown = (schema: Named): boolean => {
        const { examples, properties } = schemas[nameIn(schema)] ?? {}
        const rows = properties?.data?.items
        return examples?.length === 1 || (rows !== undefined && isShown(rows))
      }
      for (const [status, response] of Object.entries(operation.responses)) {
        if (!status.startsWith('2')) {
          expect(document.components.responses).toHaveProperty([nameIn(response)])
          continue
        }
        const json = response.content?.['application/json']?.schema
        if (json) expect([json, isShown(json)]).toEqual([{ $ref: expect.any(String) }, true])
        const named = Object.keys(response.headers ?? {})
        expect(named).toContain('X-Request-Id')
        for (const name of named) expect(headers).toHaveProperty([name])
        if (json && route.success.get(Number(status))?.properties?.version) expect(named).toContain('ETag')
        if (route.method === 'POST' && route.role !== 'public') expect(named).toContain('Idempotent-Replayed')
      }
      const body = operation.requestBody
      expect(body !== undefined).toBe(route.body !== undefined || route.takesBytes)
      if (body?.$ref !== undefined) expect(requestBodies).toHaveProperty([nameIn(body)])
      else if (body) expect(isShown(body.content?.['application/json']?.schema ?? {})).toBe(true)
      const statuses = Object.keys(operation.responses)
      expect(statuses).toContain('400')
      expect(statuses).toContain('422')
      const brought = (operation.parameters ?? []).map((one) => one.name ?? parameters[nameIn(one)]?.name)
      expect(brought.includes('If-Match')).toBe(statuses.includes('412'))
      expect(brought.includes('Idempotency-Key')).toBe(route.method === 'POST' && route.role !== 'public')
    },
  )

  test('the examples of the API document are accepted, and answered as documented', () => {
    const wrong: string[] = []
    const look = (schema: TSchema, what: string) => {
      const name = findSchemaName(schema)
      const [example] = document.components.schemas[name ?? '']?.examples ?? []
      // a page has the example of its rows
      if (example === undefined) return
      for (const { path, message } of Value.Errors(schema, example))
        wrong.push(`${schemaAt(name)} ${what}${path}: ${message}`)
    }
    for (const { key, body, success } of routes) {
      if (body) look(body, key)
      for (const schema of success.values()) if (schema) look(schema, key)
    }
    expect(wrong).toEqual([])
  })

  test('the examples of the API document also pass the rules behind the schemas', async () => {
    const { app: fresh, place: own, close } = await furnished()
    const admin = await own.make.member('platform_admin')
    for (const [name, method, path, as] of [
      ['FxRateIn', 'POST', '/v1/fx/rates/upsert', own.firm.as.owner],
      ['FxGlobalRateIn', 'POST', '/v1/admin/fx-rates', admin],
      ['SlaPoliciesIn', 'PUT', '/v1/support/sla-policies', own.firm.as.owner],
      ['TenantPatch', 'PATCH', '/v1/tenants/current', own.firm.as.owner],
      [
        'WebhookRecoverIn',
        'POST',
        `/v1/webhooks/subscriptions/${await own.make.subscription()}/recover`,
        own.firm.as.owner,
      ],
    ] as const) {
      const [body] = document.components.schemas[name]?.examples ?? []
      const answer = await fresh.call(method, path, { as, body: Object(body) })
      expect([name, answer.status, answer.text]).toEqual([name, 200, expect.any(String)])
    }
    await close()
  })

  test('the examples of the days of a report are a period that every report takes', async () => {
    const { schemas, parameters } = document.components
    const [from, to] = ['FromDay', 'ToDay'].map((name) => String(schemas[name]?.examples?.[0]))
    const reports = Object.entries(document.paths).filter(([path, { get }]) =>
      get?.parameters?.some(
        (one) => !path.includes('{') && String(JSON.stringify(parameters[nameIn(one)])).includes('/FromDay'),
      ),
    )
    const refused: string[] = []
    for (const [path] of reports) {
      const answer = await app.call('GET', `${path}?from=${from}&to=${to}`, { as: place.firm.as.owner })
      if (answer.status !== 200) refused.push(`${path}: ${answer.text}`)
    }
    expect([reports.length > 3, refused]).toEqual([true, []])
  })

  test('the API document refers only to parts that exist, and to all of them', () => {
    const printed = JSON.stringify(document)
    const referred = new Set([...printed.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, path = '']) => path))
    const { schemas, responses, parameters, headers, requestBodies } = document.components
    const present = Object.entries({ schemas, responses, parameters, headers, requestBodies }).flatMap(
      ([kind, parts]) => Object.keys(parts).map((name) => `${kind}/${name}`),
    )
    expect([...referred].sort()).toEqual(present.sort())
    expect(printed).not.toContain('"x-name"')
  })

  test('the API document declares the headers of a delivery that receivers check, as they are sent', () => {
    const facts = { body: '{}', event: 'a.b', eventId: 'evt_1', deliveryId: 'whd_1', attempt: 1, now: 0 }
    const sent = Object.keys(signedHeaders({ ...facts, secrets: ['whsec_'] }))
    for (const { post } of Object.values(document['x-webhooks'])) {
      const declared = (post.parameters ?? []).map((one) => document.components.parameters[nameIn(one)]?.name)
      expect(declared).toEqual(sent.filter((name) => name.startsWith('webhook-')))
    }
  })

  test('the list of webhook events shows no internal name of a schema', async () => {
    const { text } = await app.call('GET', '/v1/webhooks/events', { as: place.firm.as.owner })
    expect(text).toContain('"payload"')
    expect(text).not.toContain('x-name')
  })

  test('two different schemas of one name are refused', () => {
    const names = createNames()
    names.refer(nameASchema('Thing', Type.Object({ a: Type.String() })))
    names.refer(nameASchema('Thing', Type.Object({ a: Type.String() })))
    expect(() => names.refer(nameASchema('Thing', Type.Object({ a: Type.Integer() })))).toThrow('named Thing')
  })

  test('the API document has nothing that the usual generators of clients cannot read', () => {
    const found: string[] = []
    const isNamed = (schema: unknown): schema is { $ref: string } => isObject(schema) && typeof schema.$ref === 'string'
    const isScalar = (schema: unknown): boolean => {
      const named = isNamed(schema) ? document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] : schema
      return isObject(named) && ['string', 'integer', 'number', 'boolean'].some((type) => type === named.type)
    }
    const look = (value: unknown, path: string): void => {
      if (Array.isArray(value)) for (const [index, item] of value.entries()) look(item, `${path}.${index}`)
      if (!isObject(value) || path.endsWith('.examples')) return
      const { type, anyOf, allOf } = value
      if (type === 'null' && !/anyOf\.\d+$/.test(path)) found.push(`${path} may only be null: say Nullable(…)`)
      if (Array.isArray(type) && type.filter((one) => one !== 'null').length > 1) found.push(`${path} has two types`)
      if (Array.isArray(allOf)) found.push(`${path} is composed by allOf`)
      if (
        Array.isArray(anyOf) &&
        anyOf.length === 2 &&
        anyOf.some(isScalar) &&
        anyOf.some((one) => one.type === 'null')
      )
        found.push(`${path} is null by anyOf, not by its type`)
      for (const [key, item] of Object.entries(value)) look(item, `${path}.${key}`)
    }
    look(document, '')
    const names = Object.keys(document.components.schemas)
    // in Go, a function that makes an ApiKey is called NewApiKey
    found.push(...names.filter((name) => name.startsWith('New') && names.includes(name.slice(3))))
    if ('webhooks' in document) found.push('webhooks')
    if (JSON.stringify(document.security[0]) !== '{"apiKey":[]}') found.push('security does not begin with the key')
    expect(found).toEqual([])
  })

  test('the API document stays small', () => {
    const printed = JSON.stringify(document)
    expect(Buffer.byteLength(printed) / routes.length).toBeLessThan(2_720)
    expect(Bun.gzipSync(printed).byteLength).toBeLessThan(80_000)
  })
})

/** Returns the differences between an answer and its documentation, in both directions. */
function drift(route: Route, answer: Answer): string[] {
  const schema = route.success.get(answer.status)
  if (schema === undefined) return [`answers ${answer.status}, which is not documented: ${answer.text.slice(0, 200)}`]
  const at = schema === null ? '' : schemaAt(findSchemaName(schema))
  if (answer.status === 204) return answer.text === '' ? [] : ['has a body']
  if (schema === null) {
    const [documented = ''] = Object.keys(findOperation(route)?.responses[answer.status]?.content ?? {})
    const type = answer.headers.get('content-type') ?? ''
    // a file has the content type of its bytes
    return documented === 'application/octet-stream' || type.startsWith(documented)
      ? []
      : [`is ${type}, not ${documented}`]
  }
  return [
    ...[...Value.Errors(schema, answer.body)].map(({ path, message }) => `${at}: ${path}: ${message}`),
    ...undocumented(schema, answer.body).map((path) => `${at}: ${path} is not documented`),
  ]
}

describe('what an operation answers is what its documentation says', () => {
  test.each(withKeys(routes.filter(({ key }) => key !== 'POST /v1/setup')))(
    'the answer of %s is as documented',
    async (_, route) => {
      const as = await place.make.member('platform_admin')
      const sample = await buildSample(route, place, { as })
      expect(drift(route, await send(route, place, sample, route.role === 'public' ? {} : { as }))).toEqual([])
    },
  )

  test('the answer of POST /v1/setup is as documented', async () => {
    const empty = createTestApp()
    const route = routes.find(({ key }) => key === 'POST /v1/setup')
    if (!route) throw new Error('no such route')
    const body = { token: SETUP_TOKEN, tenantName: 'Firm', email: 'a@b.test', displayName: 'A', password: PASSWORD }
    expect(drift(route, await empty.call('POST', '/v1/setup', { body }))).toEqual([])
    await empty.close()
  })

  test('the answers of lists to a trader are as documented', async () => {
    const trader = await place.make.traderSession(place.client)
    for (const route of routes.filter(({ audience, mutates }) => audience.includes('trader') && !mutates)) {
      const sample = await buildSample(route, place, { as: trader, trader: place.client })
      expect([route.key, drift(route, await send(route, place, sample, { as: trader }))]).toEqual([route.key, []])
    }
  })
})

describe('the console', () => {
  test('the console’s list of operations has exactly the ids, methods and paths of the API document', () => {
    // paths outside /v1 are for supervisors
    const documented = Object.entries(document.paths)
      .filter(([path]) => path.startsWith('/v1/'))
      .flatMap(([path, item]) =>
        Object.entries(item).map(([method, { operationId = '' }]) => [
          operationId,
          `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
        ]),
      )
    expect<Record<string, string>>(OPERATIONS).toEqual(Object.fromEntries(documented))
  })

  test('the console writes no path of the API as text', async () => {
    const root = join(import.meta.dir, '../../admin-ui')
    const written: string[] = []
    for await (const file of new Bun.Glob('**/*.{ts,tsx}').scan(root)) {
      if (file === 'operations.ts' || file.includes('.test.')) continue
      const text = await Bun.file(join(root, file)).text()
      // a prefix with which addresses are compared is not an address
      for (const [path] of text.matchAll(/(['"`])\/v1\/[^'"`]*\1/g))
        if (!path.endsWith("/'")) written.push(`${file}: ${path}`)
    }
    expect(written).toEqual([])
  })
})
