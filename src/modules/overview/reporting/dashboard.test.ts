import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { HOUR, MINUTE } from '../../../platform/clock.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'

let app: TestApp
let firm: Firm
let serial = 0
beforeAll(() => {
  app = createTestApp()
})
beforeEach(async () => {
  serial += 1
  firm = await app.firm(`firm${serial}`)
})
afterAll(() => app.close())

const at = (iso: string): number => Date.parse(iso)
const read = (query = '', as = firm.as.viewer) => app.call('GET', `/v1/admin/reporting/dashboard${query}`, { as })
const inZone = (timeZone: string) => app.call('PATCH', '/v1/tenants/current', { as: firm.as.owner, body: { timeZone } })
const write = (sql: string, params: (string | number | null)[]) =>
  systemCtx(app.platform, firm.tenantId, 'test').write('test.row', (tx) => tx.execute(sql, params))

/** Inserts a credited deposit, or without a time a pending one. */
const deposit = async (traderId: string, minor: number, settledAt: number | null, currency = 'EUR') => {
  serial += 1
  await write(
    `INSERT INTO deposits (tenant_id, id, trader_id, method, currency, amount, settled_amount, status, settled_at, created_at, updated_at)
     VALUES (?1, ?2, ?3, 'bank', ?4, ?5, ?6, ?7, ?8, 0, 0)`,
    [
      `dep_${serial}`,
      traderId,
      currency,
      minor,
      settledAt === null ? null : minor,
      settledAt === null ? 'pending' : 'settled',
      settledAt,
    ],
  )
}
const withdrawal = async (traderId: string, minor: number, status: string, paidAt: number | null) => {
  serial += 1
  const id = `wdr_${serial}`
  await write(
    `INSERT INTO wallets (tenant_id, id, trader_id, currency, created_at, updated_at) VALUES (?1, ?2, ?3, 'EUR', 0, 0) ON CONFLICT DO NOTHING`,
    [`wal_${traderId}`, traderId],
  )
  await write(
    `INSERT INTO payout_destinations (tenant_id, id, trader_id, kind, reference, fingerprint, created_at) VALUES (?1, ?2, ?3, 'bank', ?2, ?2, 0)`,
    [`dst_${serial}`, traderId],
  )
  await write(
    `INSERT INTO withdrawals (tenant_id, id, trader_id, wallet_id, destination_id, currency, amount, status, paid_at, created_at, updated_at)
     VALUES (?1, ?2, ?3, ?4, ?5, 'EUR', ?6, ?7, ?8, 0, 0)`,
    [id, traderId, `wal_${traderId}`, `dst_${serial}`, minor, status, paidAt],
  )
}

describe('the dashboard', () => {
  test('the dashboard counts money exactly, by the day in the firm’s time zone when it came or left', async () => {
    await inZone('Europe/Nicosia')
    const trader = await firm.trader()
    // Nicosia is two hours ahead, so 22:00 UTC is the next day there.
    await deposit(trader, 10, at('2026-01-10T21:59:59.999Z'))
    await deposit(trader, 20, at('2026-01-10T22:00:00.000Z'))
    await deposit(trader, 5, at('2026-01-11T10:00:00Z'), 'USD')
    await withdrawal(trader, 1_000, 'paid', at('2026-01-11T12:00:00Z'))
    await deposit(trader, 7_000, at('2026-01-12T22:00:00Z'))
    const { status, body } = await read('?from=2026-01-10&to=2026-01-13')
    expect(status).toBe(200)
    expect(body).toMatchObject({ from: '2026-01-10', to: '2026-01-13', timeZone: 'Europe/Nicosia' })
    expect(body.days.map(({ day, startsAt, endsAt }: Record<string, string>) => [day, startsAt, endsAt])).toEqual([
      ['2026-01-10', '2026-01-09T22:00:00.000Z', '2026-01-10T22:00:00.000Z'],
      ['2026-01-11', '2026-01-10T22:00:00.000Z', '2026-01-11T22:00:00.000Z'],
      ['2026-01-12', '2026-01-11T22:00:00.000Z', '2026-01-12T22:00:00.000Z'],
    ])
    const none = { count: 0, amount: '0.00' }
    expect(body.money).toEqual([
      {
        currency: 'EUR',
        deposits: { count: 2, amount: '0.30' },
        withdrawals: { count: 1, amount: '10.00' },
        net: '-9.70',
        days: [
          { day: '2026-01-10', deposits: { count: 1, amount: '0.10' }, withdrawals: none, net: '0.10' },
          {
            day: '2026-01-11',
            deposits: { count: 1, amount: '0.20' },
            withdrawals: { count: 1, amount: '10.00' },
            net: '-9.80',
          },
        ],
      },
      {
        currency: 'USD',
        deposits: { count: 1, amount: '0.05' },
        withdrawals: none,
        net: '0.05',
        days: [{ day: '2026-01-11', deposits: { count: 1, amount: '0.05' }, withdrawals: none, net: '0.05' }],
      },
    ])
  })

  test('the dashboard sums exactly where SQLite’s own sum would not', async () => {
    const trader = await firm.trader()
    const most = Number.MAX_SAFE_INTEGER
    for (let n = 0; n < 3; n += 1) await deposit(trader, most, at('2026-01-15T01:00:00Z') + n)
    const { body } = await read()
    const [whole, rest] = [(BigInt(most) * 3n) / 100n, (BigInt(most) * 3n) % 100n]
    expect(body.money[0].deposits.amount).toBe(`${whole}.${rest}`)
  })

  test('the dashboard counts new clients, and each client’s first deposit once', async () => {
    const [anna, berta] = [await firm.trader(), await firm.trader()]
    await deposit(anna, 100, at('2026-01-01T09:00:00Z'))
    await deposit(anna, 100, at('2026-01-14T09:00:00Z'))
    await deposit(berta, 100, at('2026-01-14T09:00:00Z'))
    // two deposits at the same moment are one first deposit
    await deposit(berta, 100, at('2026-01-14T09:00:00Z'))
    await deposit(berta, 100, null)
    const { body } = await read('?from=2026-01-14&to=2026-01-16')
    expect(
      body.days.map(({ registrations, firstDeposits }: Record<string, number>) => [registrations, firstDeposits]),
    ).toEqual([
      [0, 1],
      [2, 0],
    ])
  })

  test('the dashboard counts the work that waits now, whatever the period is', async () => {
    const trader = await firm.trader()
    await deposit(trader, 150, null)
    await deposit(trader, 250, null)
    await withdrawal(trader, 100, 'requested', null)
    await withdrawal(trader, 300, 'approved', null)
    await withdrawal(trader, 900, 'rejected', null)
    const { body } = await read('?from=2020-01-01&to=2020-01-02')
    expect(body.money).toEqual([])
    expect(body.waiting).toEqual([
      {
        currency: 'EUR',
        deposits: { count: 2, amount: '4.00' },
        requestedWithdrawals: { count: 1, amount: '1.00' },
        approvedWithdrawals: { count: 1, amount: '3.00' },
      },
    ])
  })

  test('the dashboard shows the last 30 days in the firm’s time zone by default', async () => {
    await inZone('Pacific/Kiritimati')
    const { body } = await read()
    // noon of the 15th in UTC is already the 16th there
    expect([body.today, body.from, body.to, body.days.length]).toEqual(['2026-01-16', '2025-12-18', '2026-01-17', 30])
    expect((await read('?from=2026-01-01')).body.to).toBe('2026-01-17')
    expect((await read('?from=2027-01-01')).body.to).toBe('2027-01-02')
  })

  test.each([
    ['from=2026-02-30', 'query.from'],
    ['from=yesterday', 'query.from'],
    ['from=0026-01-01', 'query.from'],
    ['to=9999-12-31', 'query.to'],
    ['to=2026-1-1', 'query.to'],
    ['from=2026-01-02&to=2026-01-02', 'query.to'],
    ['from=2025-01-01&to=2026-01-03', 'query.from'],
  ])('the dashboard refuses %s and names the parameter', async (query, path) => {
    const { status, body } = await read(`?${query}`)
    expect([status, body.errors[0].path]).toEqual([422, path])
  })

  test('the dashboard is for staff and for keys with the scope, and has no money of another firm', async () => {
    const other = await app.firm(`other${serial}`)
    const trader = await firm.trader()
    await deposit(trader, 100, at('2026-01-15T09:00:00Z'))
    expect((await read('', other.as.owner)).body.money).toEqual([])
    expect((await read('', await firm.key(['reports:read']))).status).toBe(200)
    expect((await read('', await firm.key(['deposits:read']))).status).toBe(403)
    expect((await read('', await firm.traderSession(trader))).status).toBe(403)
  })
})

describe('the lists behind the dashboard', () => {
  test('the lists behind the dashboard have deposits by time of credit, withdrawals by time of payment', async () => {
    const trader = await firm.trader()
    const noon = at('2026-01-14T12:00:00Z')
    await deposit(trader, 100, noon)
    await deposit(trader, 200, noon + HOUR)
    await deposit(trader, 300, null)
    await withdrawal(trader, 400, 'paid', noon)
    await withdrawal(trader, 500, 'paid', noon + MINUTE)
    const amounts = async (path: string): Promise<string[]> =>
      (await app.call('GET', path, { as: firm.as.viewer })).body.data.map(({ amount }: { amount: string }) => amount)
    const [from, to] = [new Date(noon).toISOString(), new Date(noon + HOUR).toISOString()]
    expect(await amounts(`/v1/deposits?settledFrom=${from}&settledTo=${to}`)).toEqual(['1.00'])
    expect(await amounts(`/v1/deposits?settledFrom=${to}`)).toEqual(['2.00'])
    expect(await amounts(`/v1/withdrawals?paidTo=${to}&sort=createdAt`)).toEqual(['4.00', '5.00'])
    expect(await amounts(`/v1/withdrawals?paidTo=${from}`)).toEqual([])
    const refused = await app.call('GET', '/v1/withdrawals?paidFrom=yesterday', { as: firm.as.viewer })
    expect([refused.status, refused.body.errors[0].path]).toEqual([422, 'query.paidFrom'])
  })
})
