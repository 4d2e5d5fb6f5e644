import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrations } from '../../../platform/db/migrations.ts'
import { TASK_PATH } from '../../../platform/peer/away.ts'
import { signAnswer, signCall } from '../../../platform/peer/peer-signature.ts'
import { TaskStopped, taskRunner } from '../../../platform/query-runner/task.ts'
import { openReader } from '../../../platform/sqlite.ts'
import { createSight } from '../../../platform/standby/sight.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'

const REPORT = '/v1/admin/reporting/dashboard'
let primary: TestApp
let standby: TestApp
let firm: Firm
let server: ReturnType<typeof Bun.serve>
let root: string
let path: string
let copiedAt: number
let schema: number
/** The statuses with which the standby answered. */
let answered: number[]

/** Copies the primary's present moment for the standby. */
function copyNow(): void {
  path = join(root, `${Bun.randomUUIDv7()}.db`)
  primary.platform.connection.raw.run('VACUUM INTO ?', [path])
  copiedAt = primary.clock.now()
}

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'brokerbase-away-'))
  answered = []
  schema = migrations.length
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  serve(async (request) => {
    const answer = await standby.send(request)
    answered.push(answer.status)
    return answer
  })
  const readFrom = { url: `http://127.0.0.1:${server.port}`, maxAgeSeconds: 60 }
  primary = createTestApp({ config: { readFrom } })
  firm = await primary.firm('away')
  await firm.trader()
  // whoever wrote just now is answered from here
  primary.clock.advance(10_000)
  copyNow()
  const facts = { history: 'h', url: '', version: '1', wait: 'off' } as const
  standby = createTestApp({
    sight: createSight({
      standby: {
        take: async () => ({
          generation: { path, heartbeat: { at: copiedAt, schema: migrations.length, ...facts } },
          release: () => {},
        }),
        seen: () => {
          throw new Error('nobody asks')
        },
      },
      empty: () => openReader(path),
      schema: migrations.length,
      maxAgeSeconds: 3_600,
      now: () => primary.clock.now(),
    }),
  })
  standby.clock.set(primary.clock.now())
})
afterEach(async () => {
  await server.stop(true)
  await Promise.all([primary.close(), standby.close()])
  rmSync(root, { recursive: true, force: true })
})
/** Sets the answers of the standby's server; beside them it shows that it lives. */
const serve = (fetch: (request: Request) => Response | Promise<Response>): void =>
  void server.reload({ fetch: (request) => (request.url.endsWith('/health') ? Response.json({}) : fetch(request)) })
/** Answers a call as a standby with the key does. */
const answer = async (request: Request, response: Response): Promise<Response> => {
  const { status, headers } = response
  const body = new Uint8Array(await response.arrayBuffer())
  const call = request.headers.get('x-crm-box') ?? ''
  const signature = signAnswer(primary.platform.secrets, call, { status, age: headers.get('x-crm-age') ?? '', body })
  headers.set('x-crm-box', signature)
  return new Response(body, { status, headers })
}
/** Reads a report, which is remembered for a minute by what is asked. */
const read = (currency = 'EUR', as: Caller = firm.as.owner) =>
  primary.call('GET', `${REPORT}?currency=${currency}`, { as })

describe('a heavy read', () => {
  test('is done by the standby, as of its copy, and the answer says how old that is', async () => {
    primary.clock.advance(7_000)
    standby.clock.advance(7_000)
    const away = await read()
    expect([away.status, away.headers.get('x-crm-age'), answered]).toEqual([200, '7', [200]])
    expect(away.body.asOf).toBe(new Date(copiedAt).toISOString())
  })

  test('is done here if the copy is too old, and the standby is left alone for 30 seconds then', async () => {
    primary.clock.advance(61_000)
    standby.clock.advance(61_000)
    const here = await read()
    expect([here.status, here.headers.get('x-crm-age'), answered]).toEqual([200, null, [503]])
    copyNow()
    primary.clock.advance(29_000)
    await read('USD')
    expect(answered).toEqual([503])
    primary.clock.advance(2_000)
    standby.clock.set(primary.clock.now())
    await read('GBP')
    expect(answered).toEqual([503, 200])
  })

  test('is done here for whoever wrote within ten seconds, and for others there', async () => {
    await primary.call('POST', '/v1/traders', { as: firm.as.owner, body: { email: 'new@clients.test' } })
    const own = await read()
    expect([own.headers.get('x-crm-age'), answered]).toEqual([null, []])
    await read('USD', firm.as.admin)
    expect(answered).toEqual([200])
  })

  test('is refused as busy if no more may wait there, and the standby is asked again at once', async () => {
    let asked = 0
    serve((request) => {
      asked += 1
      return asked === 1 ? answer(request, new Response(null, { status: 429 })) : standby.send(request)
    })
    const refused = await read()
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([503, 'busy', '5'])
    expect((await read()).headers.has('x-crm-age')).toBe(true)
  })

  test.each([
    ['its status', (one: Response) => new Response(one.body, { headers: one.headers, status: 422 })],
    [
      'its age',
      (one: Response) => {
        one.headers.set('x-crm-age', '0')
        return one
      },
    ],
    ['its words', (one: Response) => Response.json({}, { headers: one.headers })],
    ['its signature', (one: Response) => new Response(one.body, { headers: { 'x-crm-age': '7' } })],
    ['everything', () => new Response(null, { status: 429 })],
  ])('is done here if something between changed %s', async (_, change) => {
    primary.clock.advance(7_000)
    standby.clock.advance(7_000)
    serve(async (request) => change(await standby.send(request)))
    const here = await read()
    expect([here.status, here.headers.get('x-crm-age')]).toEqual([200, null])
  })

  test.each([
    ['no age', () => Response.json({})],
    ['an age that is none', () => Response.json({}, { headers: { 'x-crm-age': 'NaN' } })],
    ['what is no JSON', () => new Response('{{{', { headers: { 'x-crm-age': '1' } })],
    ['a fault without its words', () => Response.json({ x: 1 }, { status: 422, headers: { 'x-crm-age': '1' } })],
  ])('is done here if the standby answers %s, and the standby is left alone then', async (_, say) => {
    let asked = 0
    serve((request) => {
      asked += 1
      return answer(request, say())
    })
    for (const currency of ['EUR', 'USD']) {
      const here = await read(currency)
      expect([here.status, here.headers.get('x-crm-age'), asked]).toEqual([200, null, 1])
    }
  })

  test('is done here, at once for all, if the standby takes calls and answers none', async () => {
    const end = Promise.withResolvers<Response>()
    let looks = 0
    server.reload({
      fetch: () => {
        looks += 1
        return end.promise
      },
    })
    const all = await Promise.all([read('EUR'), read('USD', firm.as.admin), read('GBP', firm.as.manager)])
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await read('CHF')).status).toBe(200)
    expect(looks).toBe(1)
    end.resolve(new Response())
  })

  test('is done here if the standby is away', async () => {
    await server.stop(true)
    const here = await read()
    expect([here.status, here.headers.get('x-crm-age')]).toEqual([200, null])
  })
})

describe('a read that nobody waits for any more', () => {
  test('is left at once, and the standby is asked again', async () => {
    const { away } = primary.platform
    const asked = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    serve((request) => {
      asked.resolve()
      return end.promise.then(() => answer(request, Response.json({}, { headers: { 'x-crm-age': '1' } })))
    })
    const leaving = new AbortController()
    const input = { tenantId: firm.tenantId }
    const options = { deadlineMs: 30_000, signal: leaving.signal }
    const read = away?.run('ledger.trial-balance', input, options, 'somebody')
    await asked.promise
    leaving.abort()
    await expect(read).rejects.toBeInstanceOf(TaskStopped)
    end.resolve()
    const again = await away?.run('ledger.trial-balance', input, { deadlineMs: 30_000 }, 'somebody')
    expect(again).toMatchObject({ ageSeconds: 1 })
  })
})

describe('an order', () => {
  const send = async (order: object, header?: string): Promise<Response> => {
    const body = JSON.stringify(order)
    const signed = signCall(primary.platform.secrets, { method: 'POST', path: TASK_PATH, body }, standby.clock.now())
    return standby.send(
      new Request(`http://localhost${TASK_PATH}`, {
        method: 'POST',
        headers: { 'x-crm-box': header ?? signed, 'content-length': String(body.length) },
        body,
      }),
    )
  }
  const order = (more: object = {}) => ({
    name: 'ledger.trial-balance',
    input: { tenantId: firm.tenantId },
    deadlineMs: 1_000,
    maxAgeSeconds: 60,
    schema,
    ...more,
  })

  test('without the key of the installation, or of something else than an old read, is the 404 of an unknown path', async () => {
    expect((await send(order())).status).toBe(200)
    expect((await send(order(), 'v1 nothing')).status).toBe(404)
    for (const wrong of [{ name: 'backups.check' }, { name: 'sanctions.screen' }, { deadlineMs: 0 }, { input: 'x' }])
      expect([wrong, (await send(order(wrong))).status]).toEqual([wrong, 404])
    const there = await primary.send(new Request(`http://localhost${TASK_PATH}`, { method: 'POST', body: '{}' }))
    expect(there.status).toBe(404)
  })

  test('waits for a place as at home: a person with two that run and three that wait is refused', async () => {
    const { run } = taskRunner
    const end = Promise.withResolvers<void>()
    taskRunner.run = () => end.promise.then(() => ({}))
    try {
      const from = (person: string) => send(order({ holder: firm.tenantId, person })).then(({ status }) => status)
      const waiting = Array.from({ length: 5 }, () => from('one'))
      expect(await from('one')).toBe(429)
      const other = from('other')
      const query = send(order({ hasPlace: true })).then(({ status }) => status)
      end.resolve()
      expect(await Promise.all([...waiting, other, query])).toEqual([200, 200, 200, 200, 200, 200, 200])
    } finally {
      taskRunner.run = run
    }
  })

  test('of a primary with another schema, or for a newer copy, is refused', async () => {
    expect((await send(order({ schema: schema - 1 }))).status).toBe(503)
    standby.clock.advance(0)
    primary.clock.advance(61_000)
    expect((await send(order())).status).toBe(503)
  })
})
