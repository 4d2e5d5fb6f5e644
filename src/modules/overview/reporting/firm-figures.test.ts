import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { CLOSE_WRITTEN_POSITIONS } from '../../../testing/closings.ts'

let app: TestApp
let firm: Firm
let serial = 0
beforeAll(() => {
  app = createTestApp()
})
beforeEach(async () => {
  serial += 1
  firm = await app.firm(`firm${serial}`)
  await app.call('PATCH', '/v1/tenants/current', { as: firm.as.owner, body: { currency: 'USD' } })
})
afterAll(() => app.close())

const at = (iso: string): number => Date.parse(iso)
const write = (sql: string, params: (string | number | null)[]) =>
  systemCtx(app.platform, firm.tenantId, 'test').write('test.row', (tx) => tx.execute(sql, params))
const dashboard = async (query = '', as: Caller = firm.as.manager) =>
  (await app.call('GET', `/v1/admin/reporting/dashboard?currency=USD${query}`, { as })).body
const revenue = async (query = '') => {
  const { status, body } = await app.call('GET', `/v1/admin/reporting/revenue-breakdown?currency=USD${query}`, {
    as: firm.as.manager,
  })
  expect([status, body]).toEqual([200, body])
  return body
}

const rate = async (base: string, text: string, iso: string) => {
  serial += 1
  await write(
    `INSERT INTO fx_rates (tenant_id, id, base, quote, rate, source, current, unconfirmed, created_at)
     VALUES (?1, ?2, ?3, 'USD', ?4, 'test', 1, 0, ?5)`,
    [`fxr_${serial}`, base, text, at(iso)],
  )
}
const wallet = async (traderId: string, currency: string, available: number, held = 0): Promise<string> => {
  serial += 1
  await write(
    `INSERT INTO wallets (tenant_id, id, trader_id, currency, available, held, created_at, updated_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, 0)`,
    [`wal_${serial}`, traderId, currency, available, held],
  )
  return `wal_${serial}`
}
const deposit = async (traderId: string, minor: number, iso: string) => {
  serial += 1
  await write(
    `INSERT INTO deposits (tenant_id, id, trader_id, method, currency, amount, settled_amount, status, settled_at, created_at, updated_at)
     VALUES (?1, ?2, ?3, 'bank', 'EUR', ?4, ?4, 'settled', ?5, 0, 0)`,
    [`dep_${serial}`, traderId, minor, at(iso)],
  )
}
type Trade = { demo?: boolean; closed?: string; profit?: number; commission?: number; swap?: number; spread?: number }
/** Inserts a position in EUR, open or closed, on an account of its own; if `demo` is absent, without an account. */
const position = async (traderId: string, { demo, closed, ...trade }: Trade) => {
  serial += 1
  const account = demo === undefined ? null : `acc_${serial}`
  if (account !== null)
    await write(
      `INSERT INTO accounts (tenant_id, id, trader_id, platform, account_number, currency, is_demo, created_at, updated_at)
       VALUES (?1, ?2, ?3, 'terminal5', ?2, 'EUR', ?4, 0, 0)`,
      [account, traderId, demo ? 1 : 0],
    )
  await write(
    `INSERT INTO positions (tenant_id, id, platform, server, ticket, account_number, account_id, trader_id, symbol, side,
       volume, opened_volume, open_price, current_price, currency, profit, swap, commission, spread, status, opened_at,
       closed_at, reported, created_at, updated_at)
     VALUES (?1, ?2, 'terminal5', 's', ?2, ?2, ?3, ?4, 'EURUSD', 'long', 1, 1, '1', '1', ?5, ?6, ?7, ?8, ?9, ?10, 0, ?11, ?12, 0, 0)`,
    [
      `pos_${serial}`,
      account,
      account === null ? null : traderId,
      account === null ? null : 'EUR',
      trade.profit ?? 0,
      trade.swap ?? 0,
      trade.commission ?? 0,
      trade.spread ?? null,
      closed === undefined ? 'open' : 'closed',
      closed === undefined ? null : at(closed),
      account === null ? '{}' : null,
    ],
  )
  await write(`${CLOSE_WRITTEN_POSITIONS} AND tenant_id = ?1 AND id = ?2`, [`pos_${serial}`])
}

describe('the firm on its dashboard', () => {
  test('the firm’s dashboard shows what all wallets hold, by currency and in all; a missing rate is named', async () => {
    await rate('EUR', '1.2', '2026-01-01T00:00:00Z')
    const trader = await firm.trader()
    await wallet(trader, 'EUR', 1_000, 500)
    await wallet(await firm.trader(), 'EUR', 500)
    await wallet(trader, 'USD', 100)
    await wallet(trader, 'GBP', 0)
    const { firm: known } = await dashboard()
    expect(known.held).toEqual({
      total: '25.00',
      currencies: [
        { currency: 'EUR', wallets: 2, amount: '20.00', converted: '24.00' },
        { currency: 'USD', wallets: 1, amount: '1.00', converted: '1.00' },
      ],
    })
    expect(known.missingRates).toEqual([])
    await wallet(trader, 'CHF', 300)
    app.clock.advance(61_000)
    const { firm: unknown } = await dashboard()
    expect(unknown.held.total).toBeNull()
    expect(unknown.held.currencies.at(-1)).toEqual({ currency: 'CHF', wallets: 1, amount: '3.00', converted: null })
    expect(unknown.missingRates).toEqual([{ currency: 'CHF', day: '2026-01-15', amount: '3.00' }])
  })

  test('the firm’s dashboard names the clients with the most money in all wallets, for managers only', async () => {
    await rate('EUR', '1.2', '2026-01-01T00:00:00Z')
    // each of these 60 has a larger wallet than the largest client, who has most in two wallets together
    for (let n = 0; n < 60; n += 1) await wallet(await firm.trader(), n % 2 === 0 ? 'EUR' : 'USD', 10_000 + n)
    const largest = await firm.trader()
    await wallet(largest, 'EUR', 9_000)
    await wallet(largest, 'USD', 9_000)
    const { firm: seen } = await dashboard()
    expect(seen.largest).toHaveLength(10)
    expect(seen.largest[0]).toMatchObject({ traderId: largest, balance: '198.00' })
    expect(seen.largest[0].name).toStartWith('Test Trader')
    expect(seen.largest[1].balance).toBe('120.70')
    expect((await dashboard('', firm.as.operator)).firm.largest).toBeUndefined()
    const key = await firm.key(['reports:read'])
    expect((await dashboard('', key)).firm.largest?.[0]?.name ?? null).toBeNull()
  })

  test('the firm’s dashboard compares with as many days before, and counts the clients active in each period', async () => {
    await rate('EUR', '1.2', '2026-01-01T00:00:00Z')
    const [anna, berta] = [await firm.trader(), await firm.trader()]
    await deposit(anna, 100, '2026-01-12T00:00:00Z')
    await deposit(anna, 200, '2026-01-13T23:59:59.999Z')
    await deposit(anna, 400, '2026-01-14T00:00:00Z')
    await deposit(berta, 800, '2026-01-15T00:00:00Z')
    await position(berta, { demo: false, closed: '2026-01-13T00:00:00Z' })
    // this one is before the days of comparison
    await deposit(berta, 1_600, '2026-01-11T23:59:59.999Z')
    const { firm: shown, converted } = await dashboard('&from=2026-01-14&to=2026-01-16')
    expect(converted.deposits).toBe('14.40')
    expect(shown).toMatchObject({ active: 2, firstDeposits: 0, registrations: 2 })
    expect(shown.before).toEqual({
      from: '2026-01-12',
      to: '2026-01-14',
      deposits: '3.60',
      withdrawals: '0.00',
      net: '3.60',
      registrations: 0,
      firstDeposits: 1,
      active: 2,
      missingRates: [],
    })
  })

  test('a position that was opened long before it was first reported makes nobody active today', async () => {
    const [former, present] = [await firm.trader(), await firm.trader()]
    await position(former, { demo: false })
    await position(present, { demo: false })
    await write('UPDATE positions SET created_at = ?2 WHERE tenant_id = ?1', [at('2026-01-15T10:00:00Z')])
    await write('UPDATE positions SET opened_at = ?2 WHERE tenant_id = ?1 AND trader_id = ?3', [
      at('2026-01-15T09:00:00Z'),
      present,
    ])
    expect((await dashboard()).firm.active).toBe(1)
  })

  test('a client who trades only on demo accounts is not active', async () => {
    await position(await firm.trader(), { demo: true, closed: '2026-01-15T00:00:00Z' })
    const former = await firm.trader()
    await position(former, { demo: false, closed: '2026-01-15T00:00:00Z' })
    expect((await dashboard()).firm.active).toBe(1)
    await write('UPDATE accounts SET live_since = 1 WHERE tenant_id = ?1 AND trader_id = ?2', [former])
    app.clock.advance(61_000)
    expect((await dashboard()).firm.active).toBe(0)
  })

  test('the largest clients are named even if their balances exceed what SQLite can add up', async () => {
    const trader = await firm.trader()
    for (const currency of ['EUR', 'CHF']) {
      await rate(currency, '1000', '2026-01-01T00:00:00Z')
      await wallet(trader, currency, Number.MAX_SAFE_INTEGER - 1)
    }
    const { firm: shown } = await dashboard()
    expect(shown.largest).toMatchObject([{ traderId: trader, balance: '180143985094819800.00' }])
  })

  test('the firm’s dashboard shows the open positions of live accounts', async () => {
    await rate('EUR', '1.2', '2026-01-01T00:00:00Z')
    const trader = await firm.trader()
    await position(trader, { demo: false, profit: 1_000 })
    await position(trader, { demo: false, profit: -250 })
    await position(trader, { demo: true, profit: 99_999 })
    expect((await dashboard()).firm.open).toEqual({ positions: 2, traders: 1, profit: '9.00' })
    // a position that was opened on a demo account stays a demo trade
    await write('UPDATE accounts SET live_since = 1 WHERE tenant_id = ?1', [])
    app.clock.advance(61_000)
    expect((await dashboard()).firm.open).toEqual({ positions: 0, traders: 0, profit: '0.00' })
  })

  test('the firm’s figures are absent if no currency is asked for', async () => {
    const { body } = await app.call('GET', '/v1/admin/reporting/dashboard', { as: firm.as.owner })
    expect(body.firm).toBeUndefined()
  })
})

describe('what the firm earned', () => {
  const period = '&from=2026-01-14&to=2026-01-16'

  test('the firm’s earnings are spread, commission and swap of closed live trades; gains from prices are shown separately', async () => {
    await rate('EUR', '1.2', '2026-01-01T00:00:00Z')
    const trader = await firm.trader()
    const costs = { commission: -300, swap: -50, spread: 200, profit: 5_000 }
    await position(trader, { demo: false, closed: '2026-01-14T00:00:00Z', ...costs })
    await position(trader, { demo: false, closed: '2026-01-15T23:59:59.999Z', swap: 20, profit: -1_000 })
    await position(trader, { demo: false, closed: '2026-01-13T23:59:59.999Z', commission: -100 })
    await position(trader, { demo: false, closed: '2026-01-16T00:00:00Z', commission: -700 })
    await position(trader, { demo: true, closed: '2026-01-14T00:00:00Z', ...costs })
    await position(trader, { closed: '2026-01-14T00:00:00Z', ...costs })
    const { earned, earnedBefore, net } = await revenue(period)
    expect(earned).toEqual({
      from: '2026-01-14',
      to: '2026-01-16',
      total: '6.36',
      parts: [
        { part: 'spread', converted: '2.40' },
        { part: 'commission', converted: '3.60' },
        { part: 'swap', converted: '0.36' },
        { part: 'conversion', converted: '0.00' },
        { part: 'house', converted: '-48.00' },
      ],
      data: [
        { part: 'spread', currency: 'EUR', amount: '2.00', converted: '2.40' },
        { part: 'commission', currency: 'EUR', amount: '3.00', converted: '3.60' },
        { part: 'swap', currency: 'EUR', amount: '0.30', converted: '0.36' },
        { part: 'house', currency: 'EUR', amount: '-40.00', converted: '-48.00' },
      ],
      trades: 2,
      withoutSpread: 1,
      unlinked: 1,
      missingRates: [],
    })
    expect(earnedBefore).toMatchObject({ from: '2026-01-12', to: '2026-01-14', total: '1.20', trades: 1 })
    expect(net).toBe('6.36')
  })

  test('the firm earns on a conversion what the looked-up rate would have given, less what the client got', async () => {
    await rate('EUR', '1.2', '2026-01-14T00:00:00Z')
    const trader = await firm.trader()
    const [from, to] = [await wallet(trader, 'EUR', 0), await wallet(trader, 'USD', 0)]
    const convert = async (iso: string, got: number, state = 'booked') => {
      serial += 1
      await write(
        `INSERT INTO transfers (tenant_id, id, trader_id, kind, from_wallet_id, to_wallet_id, from_currency, from_amount,
           to_currency, to_amount, rate, reference, state, created_at, updated_at)
         VALUES (?1, ?2, ?3, 'wallet_to_wallet', ?4, ?5, 'EUR', 10000, 'USD', ?6, '1.19', ?2, ?7, ?8, ?8)`,
        [`trf_${serial}`, trader, from, to, got, state, at(iso)],
      )
    }
    await convert('2026-01-14T10:00:00Z', 11_940)
    await convert('2026-01-15T10:00:00Z', 11_990)
    const { earned } = await revenue(period)
    expect(earned.data).toEqual([{ part: 'conversion', currency: 'USD', amount: '0.70', converted: '0.70' }])
    expect(earned.total).toBe('0.70')
    // a mistyped rate shows in the sum and does not stop the report
    await write('UPDATE fx_rates SET current = 0 WHERE tenant_id = ?1', [])
    await rate('EUR', '1000000000000', '2026-01-15T11:00:00Z')
    await convert('2026-01-15T11:00:00Z', 12_000)
    app.clock.advance(61_000)
    expect((await revenue(period)).earned.data[0].amount).toBe('99999999999880.70')
    // there was no rate yet, so the margin and the sum are unknown
    await convert('2026-01-13T10:00:00Z', 11_900)
    app.clock.advance(61_000)
    const { earnedBefore } = await revenue(period)
    expect([earnedBefore.total, earnedBefore.missingRates]).toEqual([
      null,
      [{ currency: 'EUR', day: '2026-01-13', amount: '100.00' }],
    ])
  })

  test('earnings without a rate are shown as unknown, and the missing rate is named', async () => {
    const trader = await firm.trader()
    await position(trader, { demo: false, closed: '2026-01-14T00:00:00Z', commission: -300 })
    const { earned, net } = await revenue(period)
    expect([earned.total, net]).toEqual([null, null])
    expect(earned.data).toEqual([{ part: 'commission', currency: 'EUR', amount: '3.00', converted: null }])
    expect(earned.missingRates).toEqual([{ currency: 'EUR', day: '2026-01-14', amount: '3.00' }])
  })
})
