import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestApp, type TestApp } from '../testing/app.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../testing/fakes/webhook-receiver.ts'
import { named, type Route, routesOf } from './routes.ts'
import type { Sample } from './sample.ts'
import { sampleOf } from './samples.ts'
import { furnish, type Place } from './world.ts'

type Bag = Readonly<Record<string, unknown>>
const isBag = (value: unknown): value is Bag => typeof value === 'object' && value !== null
type Call = (options: Bag) => Promise<unknown>
const isCall = (value: unknown): value is Call => typeof value === 'function'

const root = join(import.meta.dir, '../..')
const directory = mkdtempSync(join(tmpdir(), 'brokerbase-clients-'))
const routes = ((): Route[] => {
  const probe = createTestApp()
  const found = routesOf(probe)
  void probe.close()
  return found.toSorted((a, b) => Number(a.mutates) - Number(b.mutates))
})()

let app: TestApp
let place: Place
let receiver: WebhookReceiver
let server: ReturnType<typeof Bun.serve>
let paths: Bag
let sdk: Bag
/** Method and address of the requests that came, since they were last forgotten. */
let came: string[] = []

const run = async (...command: string[]): Promise<string> => {
  const child = Bun.spawn(command, { cwd: root, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const read = (stream: ReadableStream) => new Response(stream).text()
  const [out, errors, code] = await Promise.all([read(child.stdout), read(child.stderr), child.exited])
  return code === 0 ? '' : `${out}${errors}`.slice(-3000)
}

/** What somebody writes who uses the generated code; it must compile as well. */
const USE = `
import type { components, paths } from './types.ts'
import { type Deposit, type DepositPage, depositsList, depositsPartialSettle } from './sdk/index.ts'
import { eventsList, webhooksSubscriptionsRecover } from './sdk/index.ts'
type Page = paths['/v1/deposits']['get']['responses']['200']['content']['application/json']
export const amounts = (page: Page): string[] => page.data.map((deposit) => deposit.amount)
export const code = (problem: components['schemas']['Problem']): string => problem.code
export async function settle(id: string): Promise<Deposit | undefined> {
  const { data, error } = await depositsPartialSettle({ path: { id }, body: { settledAmount: '245.50', notes: 'fee' } })
  if (error) throw new Error(error.code)
  return data
}
export async function all(): Promise<Deposit[]> {
  const found: Deposit[] = []
  for (let query: { cursor?: string } | null = {}; query !== null; ) {
    const page: DepositPage | undefined = (await depositsList({ query })).data
    found.push(...(page?.data ?? []))
    query = page?.nextCursor ? { cursor: page.nextCursor } : null
  }
  return found
}
type Numbers = NonNullable<paths['/v1/events']['get']['parameters']['query']>['after']
type Feed = paths['/v1/events']['get']['responses']['200']['content']['application/json']
export const next = (feed: Feed): Numbers => feed.nextCursor ?? feed.lastSequence
export async function follow(id: string): Promise<number | undefined> {
  for (let after: string | number | undefined; ; ) {
    const { data } = await eventsList({ query: { after } })
    if (!data?.nextCursor) return data?.lastSequence
    await webhooksSubscriptionsRecover({ path: { id }, body: { after: data.nextCursor } })
    after = data.nextCursor
  }
}
`
const STRICT = {
  compilerOptions: {
    ...{ strict: true, noEmit: true, target: 'ESNext', module: 'ESNext', moduleResolution: 'bundler' },
    ...{ allowImportingTsExtensions: true, lib: ['ESNext', 'DOM', 'DOM.Iterable'], types: [] },
  },
  include: ['.'],
}

beforeAll(async () => {
  receiver = startWebhookReceiver()
  app = createTestApp({ config: { allowedNetworks: ['127.0.0.0/8'] } })
  place = await furnish(app, await app.firm('alpha'), `${receiver.url}/hook`)
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => {
      came.push(`${request.method} ${new URL(request.url).pathname}`)
      return app.send(request)
    },
  })
  const { body, text } = await app.call('GET', '/docs/json')
  ;({ paths } = body)
  const file = join(directory, 'openapi.json')
  await Bun.write(file, text)
  const preload = join(root, 'src/testing/old-typescript.ts')
  const generate = join(root, 'src/testing/generate-clients.ts')
  expect(await run(process.execPath, '--preload', preload, generate, file, directory)).toBe('')
  const index: unknown = await import(join(directory, 'sdk/index.ts'))
  sdk = isBag(index) ? index : {}
})
afterAll(async () => {
  await server.stop(true)
  await app.close()
  await receiver.stop()
  rmSync(directory, { recursive: true, force: true })
})

test('what two generators make of the document compiles, and so does what uses it', async () => {
  await Bun.write(join(directory, 'use.ts'), USE)
  await Bun.write(join(directory, 'tsconfig.json'), JSON.stringify(STRICT))
  expect(await run(join(root, 'node_modules/.bin/tsc'), '-p', directory)).toBe('')
})

/** `deposits.partialSettle` is `depositsPartialSettle` in the SDK. */
const nameOf = ({ operationId }: Route): string =>
  operationId.replace(/\.(\w)/g, (_, letter: string) => letter.toUpperCase())

/** A sample as the SDK takes it: what is in its address by name. */
function optionsOf(route: Route, { path, body, raw, headers }: Sample): Bag {
  const { pathname, searchParams } = new URL(path, 'http://localhost')
  const parts = pathname.split('/')
  const names = route.path.split('/').map((part, at) => [part, decodeURIComponent(parts[at] ?? '')] as const)
  const filled = names.filter(([part]) => part.startsWith(':')).map(([part, value]) => [part.slice(1), value])
  return {
    ...(filled.length === 0 ? {} : { path: Object.fromEntries(filled) }),
    ...(searchParams.size === 0 ? {} : { query: Object.fromEntries(searchParams) }),
    ...(body === undefined ? {} : { body }),
    // bytes go as they are: what signs or measures them would not fit another spelling
    ...(raw === undefined ? {} : { body: raw, bodySerializer: null }),
    ...(headers === undefined ? {} : { headers }),
  }
}

/** Calls an operation through the SDK; the status that came, of a stream once it has said something. */
async function statusOf(route: Route, options: Bag): Promise<number> {
  const call = sdk[nameOf(route)]
  if (!isCall(call)) throw new Error(`the SDK has no ${nameOf(route)}`)
  const abort = new AbortController()
  const answer = await call({ baseUrl: `http://127.0.0.1:${server.port}`, signal: abort.signal, ...options })
  if (!isBag(answer)) throw new Error('the SDK answers nothing')
  const { response, stream } = answer
  if (response instanceof Response) return response.status
  if (!isBag(stream) || !isCall(stream.next)) throw new Error('the SDK answers neither a response nor a stream')
  await stream.next({})
  abort.abort()
  return 200
}

describe('the generated client calls', () => {
  test.each(named(routes))('%s', async (_, route) => {
    const as = await place.make.member('platform_admin')
    const sample = await sampleOf(route, place, { as })
    const options = optionsOf(route, sample)
    const given = isBag(options.headers) ? options.headers : {}
    const headers = { ...(route.role === 'public' ? {} : as.headers), ...given }
    came = []
    const status = await statusOf(route, { ...options, headers })
    const operation = isBag(paths) ? paths[route.path.replace(/:(\w+)/g, '{$1}')] : undefined
    const declared = isBag(operation) ? operation[route.method.toLowerCase()] : undefined
    const documented = isBag(declared) && isBag(declared.responses) ? Object.keys(declared.responses) : []
    expect(came).toEqual([`${route.method} ${new URL(sample.path, 'http://localhost').pathname}`])
    expect(documented).toContain(String(status))
    // the sample is one that succeeds; founding the first firm is over here
    if (route.key === 'POST /v1/setup') expect([403, 409]).toContain(status)
    else expect(status).toBeLessThan(300)
  })

  test('with an API key in the way that the document says', async () => {
    const { key } = await place.firm.key(['traders:read'])
    const route = routes.find(({ operationId }) => operationId === 'traders.list')
    if (!route) throw new Error('no such route')
    expect(await statusOf(route, { auth: ({ name }: Bag) => (name === 'X-API-Key' ? key : undefined) })).toBe(200)
    expect(await statusOf(route, {})).toBe(401)
  })
})
