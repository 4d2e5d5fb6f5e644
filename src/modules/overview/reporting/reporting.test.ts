import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY, MINUTE } from '../../../platform/clock.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { createBrokerDesk } from '../../../testing/broker-desk.ts'

let app: TestApp
let firm: Firm
let serial = 0
beforeAll(() => {
  app = createTestApp()
})
beforeEach(async () => {
  serial += 1
  firm = await app.firm(`firm${serial}`)
  firm.effects()
})
afterAll(() => app.close())

const at = (iso: string): number => Date.parse(iso)
const read = (path: string, as: Caller = firm.as.manager) => app.call('GET', `/v1/admin/${path}`, { as })
const write = (sql: string, params: (string | number | null)[], in_ = firm) =>
  systemCtx(app.platform, in_.tenantId, 'test').write('test.row', (tx) => tx.execute(sql, params))

const traderAt = async (iso: string): Promise<string> => {
  serial += 1
  const id = `trd_${serial}`
  await write('INSERT INTO traders (tenant_id, id, created_at, updated_at) VALUES (?1, ?2, ?3, ?3)', [id, at(iso)])
  return id
}
const deposit = async (traderId: string, iso: string, minor = 100, currency = 'EUR') => {
  serial += 1
  await write(
    `INSERT INTO deposits (tenant_id, id, trader_id, method, currency, amount, settled_amount, status, settled_at, created_at, updated_at)
     VALUES (?1, ?2, ?3, 'bank', ?4, ?5, ?5, 'settled', ?6, 0, 0)`,
    [`dep_${serial}`, traderId, currency, minor, at(iso)],
  )
}
const rate = async (base: string, quote: string, text: string, iso: string, endedAt: string | null = null) => {
  serial += 1
  await write(
    `INSERT INTO fx_rates (tenant_id, id, base, quote, rate, source, current, unconfirmed, created_at, ended_at)
     VALUES (?1, ?2, ?3, ?4, ?5, 'test', ?6, 0, ?7, ?8)`,
    [`fxr_${serial}`, base, quote, text, endedAt === null ? 1 : 0, at(iso), endedAt === null ? null : at(endedAt)],
  )
}
/** Inserts a commission line of a run, which counts if the run is closed. */
const line = async (run: string, sourceType: string, minor: number, iso: string) => {
  serial += 1
  await write(
    `INSERT INTO commission_lines (tenant_id, id, run_id, affiliate_id, level, model, source_type, source, occurred_at,
       plan_version_id, currency, amount, detail, created_at)
     SELECT ?1, ?2, ?3, a.id, 1, 'lot', ?4, ?2, ?6, v.id, 'EUR', ?5, '{}', 0 FROM affiliates a, commission_plan_versions v
     WHERE a.tenant_id = ?1 AND v.tenant_id = ?1`,
    [`cml_${serial}`, run, sourceType, minor, at(iso)],
  )
}
const runs = async () => {
  const desk = createBrokerDesk(app, firm)
  await desk.affiliate(await desk.plan([{ model: 'lot', symbols: ['*'], rate: '1' }]))
  for (const status of ['closed', 'computing'])
    await write(
      `INSERT INTO commission_runs (tenant_id, id, from_day, to_day, from_at, to_at, dry_run, status, snapshot_at, created_at, updated_at)
       VALUES (?1, ?2, '', '', 0, 1, 0, ?2, 0, 0, 0)`,
      [status],
    )
  firm.effects()
}
const inZone = (timeZone: string, currency = 'EUR') =>
  app.call('PATCH', '/v1/tenants/current', { as: firm.as.owner, body: { timeZone, currency } })

describe('cohorts', () => {
  test('cohorts count clients by month of registration in the firm’s time zone, and those who paid in since', async () => {
    await inZone('Europe/Nicosia')
    // 22:30 UTC on the last of November is in December there
    const [anna, berta] = [await traderAt('2025-11-30T22:30:00Z'), await traderAt('2025-12-31T21:59:00Z')]
    await traderAt('2025-12-10T00:00:00Z')
    const carla = await traderAt('2026-01-03T00:00:00Z')
    await deposit(anna, '2025-12-05T00:00:00Z')
    await deposit(anna, '2025-12-06T00:00:00Z')
    await deposit(anna, '2026-01-06T00:00:00Z')
    await deposit(berta, '2026-01-02T00:00:00Z')
    // this client was entered after the deposit, which counts in the month of registration
    await deposit(carla, '2025-12-20T00:00:00Z')
    const { status, body } = await read('reporting/cohorts?from=2025-11-01&to=2026-01-16')
    expect(status).toBe(200)
    expect(body).toMatchObject({ from: '2025-11-01', to: '2026-01-16', timeZone: 'Europe/Nicosia' })
    const month = (since: number, name: string, withFirstDeposit: number, depositing: number) => ({
      since,
      month: name,
      withFirstDeposit,
      depositing,
    })
    expect(body.cohorts).toEqual([
      {
        month: '2025-11',
        startsAt: '2025-10-31T22:00:00.000Z',
        endsAt: '2025-11-30T22:00:00.000Z',
        traders: 0,
        months: [month(0, '2025-11', 0, 0), month(1, '2025-12', 0, 0), month(2, '2026-01', 0, 0)],
      },
      {
        month: '2025-12',
        startsAt: '2025-11-30T22:00:00.000Z',
        endsAt: '2025-12-31T22:00:00.000Z',
        traders: 3,
        months: [month(0, '2025-12', 1, 1), month(1, '2026-01', 2, 2)],
      },
      {
        month: '2026-01',
        // the month ends where the query ends
        startsAt: '2025-12-31T22:00:00.000Z',
        endsAt: '2026-01-15T22:00:00.000Z',
        traders: 1,
        months: [month(0, '2026-01', 1, 1)],
      },
    ])
    expect(firm.effects().actions).not.toContain('report.export')
  })

  test('cohorts cover the last thirteen months by default, and can be a file', async () => {
    const { body } = await read('reporting/cohorts')
    expect([body.from, body.to, body.cohorts.length]).toEqual(['2025-01-01', '2026-01-16', 13])
    firm.effects()
    const file = await read('reporting/cohorts?format=csv&from=2026-01-01')
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="cohorts.csv"')
    expect(file.text).toBe('cohort,traders,monthsSince,month,withFirstDeposit,depositing\n2026-01,0,0,2026-01,0,0\n')
    expect(firm.effects()).toEqual({ events: [], actions: ['report.export'] })
  })
})

describe('the report of revenue', () => {
  test('the report of revenue has commission of closed runs, by source and at the rate of the day', async () => {
    await inZone('UTC', 'USD')
    await runs()
    await line('closed', 'trade', 350, '2026-01-05T10:00:00Z')
    await line('closed', 'trade', 350, '2026-01-06T10:00:00Z')
    await line('closed', 'correction', -50, '2026-01-06T11:00:00Z')
    await line('closed', 'override', 100, '2026-01-06T11:00:00Z')
    await line('computing', 'trade', 900, '2026-01-06T10:00:00Z')
    await line('closed', 'trade', 900, '2026-01-10T00:00:00Z')
    await rate('EUR', 'USD', '1.1', '2026-01-05T20:00:00Z', '2026-01-06T15:00:00Z')
    await rate('EUR', 'USD', '1.2', '2026-01-06T15:00:00Z')
    const { status, body } = await read('reporting/revenue-breakdown?from=2026-01-01&to=2026-01-10')
    expect(status).toBe(200)
    expect(body).toMatchObject({ currency: 'USD', total: '8.65', missingRates: [] })
    expect(body.sources).toEqual([
      { sourceType: 'trade', count: 2, converted: '8.05' },
      { sourceType: 'deposit', count: 0, converted: '0.00' },
      { sourceType: 'revenue', count: 0, converted: '0.00' },
      { sourceType: 'override', count: 1, converted: '1.20' },
      { sourceType: 'correction', count: 1, converted: '-0.60' },
    ])
    expect(body.data[0]).toEqual({ sourceType: 'trade', currency: 'EUR', count: 2, amount: '7.00', converted: '8.05' })
    expect(body.days.slice(0, 2)).toEqual([
      { day: '2026-01-05', sourceType: 'trade', converted: '3.85' },
      { day: '2026-01-06', sourceType: 'trade', converted: '4.20' },
    ])
    expect((await read('reporting/revenue-breakdown?from=2026-01-05&to=2026-01-06&format=csv')).text).toBe(
      'sourceType,currency,count,amount,converted,convertedCurrency,side\ntrade,EUR,1,3.50,3.85,USD,affiliate_costs\n',
    )
  })

  test('the report of revenue names a missing rate, and guesses none', async () => {
    await inZone('UTC', 'USD')
    await runs()
    await line('closed', 'trade', 350, '2026-01-05T10:00:00Z')
    // a rate of the next day does not count for this day
    await rate('EUR', 'USD', '1.1', '2026-01-06T00:00:00Z')
    const { body } = await read('reporting/revenue-breakdown?from=2026-01-01&to=2026-01-10')
    expect(body).toMatchObject({ total: null, missingRates: [{ currency: 'EUR', day: '2026-01-05', amount: '3.50' }] })
    expect(body.data[0]).toMatchObject({ amount: '3.50', converted: null })
  })
})

describe('the dashboard in one currency', () => {
  test('the dashboard in one currency converts each movement at the rate of its day, and keeps days without one', async () => {
    await inZone('UTC', 'EUR')
    const trader = await firm.trader()
    await rate('USD', 'EUR', '0.9', '2026-01-02T00:00:00Z')
    // each of these three half cents is rounded separately
    for (let n = 0; n < 3; n += 1) await deposit(trader, '2026-01-03T10:00:00Z', 5, 'USD')
    await deposit(trader, '2026-01-03T11:00:00Z', 100)
    await deposit(trader, '2026-01-04T11:00:00Z', 700, 'GBP')
    const { status, body } = await read('reporting/dashboard?from=2026-01-03&to=2026-01-05&currency=EUR')
    expect(status).toBe(200)
    expect(body.converted).toEqual({
      currency: 'EUR',
      deposits: null,
      withdrawals: '0.00',
      net: null,
      days: [
        { day: '2026-01-03', deposits: '1.12', withdrawals: '0.00', net: '1.12' },
        { day: '2026-01-04', deposits: null, withdrawals: '0.00', net: null },
      ],
      missingRates: [{ currency: 'GBP', day: '2026-01-04', amount: '7.00' }],
    })
    expect((await read('reporting/dashboard')).body.converted).toBeUndefined()
  })
})

describe('the report of activity', () => {
  test('the report of activity has each user’s acts of the last seven days, those by keys included', async () => {
    const key = await firm.key(['traders:write'])
    const create = (as: Caller, email: string) => app.call('POST', '/v1/traders', { as, body: { email } })
    await create(firm.as.admin, 'a@example.com')
    await create(firm.as.admin, 'b@example.com')
    await create(key, 'c@example.com')
    const { status, body } = await read('activity')
    expect(status).toBe(200)
    expect(body.days).toEqual([9, 10, 11, 12, 13, 14, 15].map((day) => `2026-01-${String(day).padStart(2, '0')}`))
    expect(body.dayEdges).toHaveLength(8)
    const lengths = body.dayEdges
      .slice(1)
      .map((at: string, day: number) => Date.parse(at) - Date.parse(body.dayEdges[day]))
    expect(new Set(lengths)).toEqual(new Set([DAY]))
    expect(Date.parse(body.dayEdges[7])).toBeGreaterThan(app.clock.now())
    expect(body.users).toEqual([
      {
        userId: firm.as.admin.id,
        name: `admin of ${firm.slug}`,
        total: 2,
        byKey: 0,
        asClient: 0,
        days: [0, 0, 0, 0, 0, 0, 2],
        actions: [{ action: 'trader.create', count: 2 }],
      },
      {
        userId: firm.as.owner.id,
        name: `owner of ${firm.slug}`,
        total: 1,
        byKey: 1,
        asClient: 0,
        days: [0, 0, 0, 0, 0, 0, 1],
        actions: [{ action: 'trader.create', count: 1 }],
      },
    ])
    app.clock.advance(7 * DAY)
    expect((await read('activity')).body.users).toEqual([])
    app.clock.advance(-7 * DAY)
  })
})

describe('every report', () => {
  const PATHS = ['reporting/cohorts', 'reporting/revenue-breakdown', 'activity', 'tax-report'] as const

  test.each(PATHS)('the report %s is for managers, and for keys with the scope', async (path) => {
    expect((await read(path, firm.as.operator)).status).toBe(403)
    expect((await read(path, await firm.traderSession(await firm.trader()))).status).toBe(403)
    expect((await read(path, await firm.key(['deposits:read']))).status).toBe(403)
    expect((await read(path, await firm.key([path === 'activity' ? 'audit:read' : 'reports:read']))).status).toBe(200)
    expect((await read(`${path}?colour=red`)).status).toBe(422)
  })

  test.each([
    ['reporting/cohorts?from=2026-02-30', 'query.from'],
    ['reporting/cohorts?from=2019-01-01&to=2026-01-01', 'query.from'],
    ['reporting/revenue-breakdown?from=2026-01-02&to=2026-01-02', 'query.to'],
    ['reporting/revenue-breakdown?currency=XXX', 'query.currency'],
    ['tax-report?to=9999-01-01', 'query.to'],
    ['tax-report?cursor=abc.def', 'query.cursor'],
    ['activity?format=xml', 'query.format'],
  ])('the report %s is refused with the field’s name', async (path, field) => {
    const { status, body } = await read(path)
    expect([status, body.errors[0].path]).toEqual([422, field])
  })

  test('a report is computed again after a minute, and for other parameters', async () => {
    const total = async (query = '') => (await read(`reporting/cohorts?from=2026-01-01${query}`)).body
    const first = await total()
    await firm.trader()
    app.clock.advance(MINUTE - 1)
    expect(await total()).toEqual(first)
    expect((await total('&to=2026-02-01')).cohorts[0].traders).toBe(1)
    const other = await app.firm(`other${serial}`)
    expect((await read('reporting/cohorts?from=2026-01-01', other.as.owner)).body.cohorts[0].traders).toBe(0)
    app.clock.advance(1)
    expect((await total()).cohorts[0].traders).toBe(1)
  })
})
