import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { parse } from 'csv-parse/sync'
import { systemCtx } from '../platform/access/ctx.ts'
import { defuse } from '../platform/http/answers/csv.ts'
import { createTestApp, type Firm } from '../testing/app.ts'
import { getProperties, type Route } from './routes.ts'
import { everyRoute, furnished } from './seeded-app.ts'

const END = '/export.csv'
const routes = everyRoute()
const files = routes.filter(({ path }) => path.endsWith(END))
const toListPath = ({ path }: Route): string => path.slice(0, -END.length)

/** Lists the lists of records that have no CSV file, and why. */
const WITHOUT_FILE: Readonly<Record<string, string>> = {
  'GET /v1/ads/connections': 'what the firm set up',
  'GET /v1/platforms/connections': 'what the firm set up',
  'GET /v1/api-keys': 'what the firm set up',
  'GET /v1/commission-plans': 'what the firm set up',
  'GET /v1/psp/connections': 'what the firm set up',
  'GET /v1/webhooks/subscriptions': 'what the firm set up',
  'GET /v1/traders/import': 'what the firm did once or twice',
  'GET /v1/mails': 'written by machines, and kept for days',
  'GET /v1/kept-records': 'numbers alone; no export shows a kept record',
  'GET /v1/ledger/entries': 'a feed for machines',
  'GET /v1/psp/exceptions': 'a queue that is empty on a good day',
  'GET /v1/admin/sla/overdue': 'a part of the tickets, whose file tells what is late',
  'GET /v1/admin/impersonate': 'the file of the audit has it',
  'GET /v1/affiliates/commissions/runs': 'a line a month, whose own lines have a file',
  'GET /v1/admin/tax-report': 'a report with a file of its own',
}

let world: Awaited<ReturnType<typeof furnished>>
beforeAll(async () => {
  world = await furnished()
  const { make, client } = world.place
  await make.lead()
  await make.ticket(client)
  await make.withdrawal(client)
  await make.hit(client)
  await make.payout()
  await make.position(String((await ask('/v1/accounts')).body.data[0].accountNumber))
})
afterAll(async () => {
  await world.close()
})

const ask = (path: string, as = world.place.firm.as.manager) => world.app.call('GET', path, { as })
type Line = Record<string, string>
const parseLines = (text: string): Line[] => parse(text, { columns: true })

test('every list of records has a CSV file, or a reason to have none', () => {
  const lists = routes.filter(
    ({ method, path, query }) => method === 'GET' && !path.includes(':') && 'cursor' in getProperties(query),
  )
  const without = lists.filter(({ path }) => !files.some((file) => toListPath(file) === path)).map(({ key }) => key)
  expect(without.toSorted()).toEqual(Object.keys(WITHOUT_FILE).toSorted())
})

describe.each(files.map((route) => [route.path, route] as const))('GET %s', (path, route) => {
  const list = toListPath(route)

  test('the file of the list has every row in its order, and is audited as data that left', async () => {
    const { body } = await ask(`${list}?limit=200`)
    expect(body.data.length).toBeGreaterThan(0)
    world.place.firm.effects()
    const answer = await ask(`${path}`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="[a-z-]+\.csv"$/)
    const lines = parseLines(answer.text)
    const rows: Record<string, unknown>[] = body.data
    // the first line of the audit's file records the export itself, and lines are named by their number
    const isAudit = path.startsWith('/v1/audit')
    if (isAudit) lines.shift()
    const key = isAudit ? 'seq' : 'id'
    expect(lines.map((line): unknown => line[key])).toEqual(rows.map((row) => String(row[key])))
    const where = `what the columns of the table behind ${list} say`
    for (const [at, row] of rows.entries()) {
      const shown = Object.keys(lines[at] ?? {}).filter((column) => typeof row[column] === 'string')
      expect(shown.length, where).toBeGreaterThan(3)
      expect(
        shown.map((column) => lines[at]?.[column]),
        where,
      ).toEqual(shown.map((column) => defuse(row[column])))
    }
    expect(world.place.firm.effects().actions).toEqual([expect.stringMatching(/^[a-z_]+\.export$/)])
  })

  test('the file of the list is for managers only, and has only rows of their own firm', async () => {
    const { operator, viewer } = world.place.firm.as
    expect([(await ask(path, operator)).status, (await ask(path, viewer)).status]).toEqual([403, 403])
    const other: Firm = await world.app.firm(`other-${files.indexOf(route)}`)
    const { text } = await ask(path, other.as.manager)
    // a new firm already has its own people, and its audit has lines about them and this export
    if (path.startsWith('/v1/audit')) expect(text).not.toContain(world.place.client)
    else if (path.startsWith('/v1/users')) expect(text).not.toContain(world.place.firm.as.owner.id)
    else expect(parseLines(text)).toEqual([])
  })

  test('the file of the list is refused if the list would be, and then leaves no line in the audit', async () => {
    world.place.firm.effects()
    for (const query of ['sort=-updatedAt', 'sort=amount', 'amountFrom=1', 'amountFrom=1.234&currency=EUR']) {
      const [inFile, inList] = [await ask(`${path}?${query}`), await ask(`${list}?${query}`)]
      if (query === 'sort=-updatedAt') expect([query, inFile.status]).toEqual([query, 422])
      else expect([query, inFile.status]).toEqual([query, inList.status])
      if (inFile.status === 422) expect(world.place.firm.effects()).toMatchObject({ actions: [] })
    }
  })

  test('the file of the list refuses an unknown filter and names it', async () => {
    const { status, body } = await ask(`${path}?colour=red`)
    expect([status, body.errors[0].path]).toEqual([422, 'query.colour'])
  })
})

test('the audit entry of a file has its filters, and no text that may name a person', async () => {
  const { firm } = world.place
  const id = firm.as.operator.id
  for (const [list, action, query, filters] of [
    ['traders', 'trader', 'q=victim@mail.example&country=PT', { q: '…', country: 'PT' }],
    ['traders', 'trader', 'assignedTo=ada.lovelace@example.com&tag=Ada Lovelace', { assignedTo: '…', tag: '…' }],
    ['traders', 'trader', `assignedTo=${id}&sort=createdAt`, { assignedTo: id, sort: 'createdAt' }],
    ['leads', 'lead', 'source=Ada Lovelace&status=new', { source: '…', status: 'new' }],
    [
      'deposits',
      'deposit',
      `traderId=${world.place.client}&currency=EUR`,
      { traderId: world.place.client, currency: 'EUR' },
    ],
    ['audit', 'audit', 'people=true&action=trader.update', { people: 'true', action: 'trader.update' }],
  ] as const) {
    expect([query, (await ask(`/v1/${list}/export.csv?${query}`)).status]).toEqual([query, 200])
    const { body } = await ask(`/v1/audit?action=${action}.export&limit=1`, firm.as.owner)
    expect(body.data[0].after).toEqual({ filters })
  }
})

test('three files at once are made for a person and six for a firm, and a refused one leaves no audit line', async () => {
  const { manager, admin, owner } = world.place.firm.as
  world.place.firm.effects()
  const answers = await Promise.all(
    [manager, manager, manager, manager, admin, admin, admin, owner].map((as) =>
      world.app.send(
        new Request('http://localhost/v1/traders/export.csv', { headers: { host: 'localhost', ...as.headers } }),
      ),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 200, 200, 200, 429])
  for (const answer of answers) await answer.text()
  expect(world.place.firm.effects().actions).toHaveLength(6)
  expect((await ask('/v1/traders/export.csv')).status).toBe(200)
})

describe('a search over many rows', () => {
  const app = createTestApp()
  let firm: Firm
  /** Adds clients who share a name and a segment, each created a millisecond after the one before. */
  const addClients = (from: number, to: number) =>
    systemCtx(app.platform, firm.tenantId, 'test').write('test.many', (tx) =>
      tx.execute(
        `WITH RECURSIVE n (i) AS (SELECT ?2 UNION ALL SELECT i + 1 FROM n WHERE i < ?3)
        INSERT INTO traders (tenant_id, id, first_name, segments, created_at, updated_at)
        SELECT ?1, 'many' || i, 'Many', '["vip"]', i, i FROM n`,
        [from, to],
      ),
    )
  const file = (query: string) => app.call('GET', `/v1/traders/export.csv?${query}`, { as: firm.as.manager })
  beforeAll(async () => {
    firm = await app.firm('many')
    await addClients(1, 1203)
  })
  afterAll(() => app.close())

  test.each(['q=many', 'segment=vip', 'q=many&sort=-createdAt', 'status=active,suspended', ''])(
    'the file of %s has each row once, newest first, across its batches',
    async (query) => {
      const lines = parseLines((await file(query)).text)
      expect(lines.map(({ id }) => id)).toEqual(Array.from({ length: 1203 }, (_, at) => `many${1203 - at}`))
    },
  )

  test('a file of more than 10,000 found rows is refused, unless it has the list’s own order', async () => {
    await addClients(1204, 10_001)
    for (const query of ['q=many', 'segment=vip&sort=createdAt']) {
      const { status, body } = await file(query)
      const [name] = query.split('=')
      expect([status, body.errors[0].path, body.errors[0].code]).toEqual([422, `query.${name}`, 'too_many'])
    }
    for (const query of ['segment=vip', '']) expect(parseLines((await file(query)).text)).toHaveLength(10_001)
  })

  test('a search that matches more clients than it can examine says so, and its file is refused', async () => {
    for (const [traderId, amount] of [
      ['many1', '7.00'],
      ['many10001', '5.00'],
    ]) {
      const body = { traderId, amount, currency: 'EUR', method: 'bank' }
      expect((await app.call('POST', '/v1/deposits', { as: firm.as.operator, body })).status).toBe(201)
    }
    const read = async (path: string) => (await app.call('GET', path, { as: firm.as.manager })).body
    const broad = await read('/v1/deposits?q=many&count=true&sums=true')
    expect(broad).toMatchObject({ data: [{ traderId: 'many10001' }], total: 1, totalIsMinimum: true, sums: null })
    const refused = await read('/v1/deposits/export.csv?q=many')
    expect(refused.errors).toMatchObject([{ path: 'query.q', code: 'too_many' }])
    const whole = await read('/v1/deposits?q=many1&count=true&sums=true')
    expect(whole).toMatchObject({ data: [{ traderId: 'many1' }], total: 1, sums: [{ amount: '7.00' }] })
    expect('totalIsMinimum' in whole).toBe(false)
    expect(await read('/v1/audit?q=many&count=true')).toMatchObject({ totalIsMinimum: true })
  })

  test('a search that matches more references than it can examine says so, even beside other filters', async () => {
    await systemCtx(app.platform, firm.tenantId, 'test').write('test.many', (tx) =>
      tx.execute(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10001)
        INSERT INTO deposits (tenant_id, id, trader_id, provider_reference, method, currency, amount, status, provider_payload, by_trader,
          version, created_at, updated_at)
        SELECT ?1, 'ref' || i, 'many1', 'WIRE' || (100000 + i), 'bank', 'EUR', 1, 'pending', '{}', 0, 1, i, i FROM n`,
        [],
      ),
    )
    const read = async (query: string) => (await app.call('GET', `/v1/deposits${query}`, { as: firm.as.manager })).body
    const broad = await read('?q=wire&status=settled&count=true&sums=true')
    expect(broad).toMatchObject({ data: [], total: 0, totalIsMinimum: true, sums: null })
    expect((await read('/export.csv?q=wire&status=settled')).errors[0].code).toBe('too_many')
    const narrow = await read('?q=wire1000&count=true')
    expect([narrow.total, narrow.totalIsMinimum]).toEqual([99, undefined])
  })
})
