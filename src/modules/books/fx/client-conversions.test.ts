import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DAY, HOUR } from '../../../platform/clock.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'

let app: TestApp
let count = 0

beforeAll(() => {
  app = createTestApp()
})
afterAll(() => app.close())

type Given = { base: string; quote: string; rate: string | number }

/** The firms' limits are in EUR, so without this rate no amount could be compared with them. */
const EUR: Given = { base: 'EUR', quote: 'USD', rate: '1.1' }

/** Makes a firm with its own rates, rates of the pool, and conversion settings. */
async function firmWith(rates: { own?: Given[]; pool?: Given[] }, conversion: object = {}): Promise<Firm> {
  count += 1
  const firm = await app.firm(`fx${count}`)
  await app.call('PATCH', '/v1/tenants/current', { as: firm.as.owner, body: { conversion } })
  await set(firm.as.platform_admin, [EUR, ...(rates.pool ?? [])], { global: true })
  if (rates.own) await set(firm.as.admin, rates.own)
  return firm
}
const set = (as: Caller, rates: Given[], extra: object = {}) =>
  app.call('POST', '/v1/fx/rates/upsert', { as, body: { rates, ...extra } })

/** Makes a signed-in client with money in the first currency and wallets in the others. */
async function client(firm: Firm, currencies: readonly string[], amount = '1000') {
  const traderId = await firm.trader({ kycLevel: 2 })
  for (const currency of currencies) {
    const credit = currency === currencies[0] ? amount : '1'
    const body = { traderId, currency, amount: credit, method: 'bank' }
    const deposit = await app.call('POST', '/v1/deposits', { as: firm.as.operator, body })
    const path = `/v1/deposits/${deposit.body.id}/settle`
    await app.call('POST', path, { as: firm.as.manager })
    // large amounts, and those without a rate, take a second approval
    await app.call('POST', path, { as: firm.as.admin })
  }
  const { data } = (await app.call('GET', `/v1/wallets?traderId=${traderId}`, { as: firm.as.viewer })).body
  const wallets: Record<string, string> = Object.fromEntries(
    data.map(({ id, currency }: { id: string; currency: string }) => [currency, id]),
  )
  const session = await firm.traderSession(traderId)
  return {
    traderId,
    convert: (from: string, to: string, sum: string, as: Caller = session) =>
      app.call('POST', '/v1/transfers', {
        as,
        body: { fromWalletId: wallets[from], toWalletId: wallets[to], amount: sum },
      }),
  }
}

/** Converts 1,000 in circles and returns what is left; stops early when the amount is too small to convert. */
async function goRound(firm: Firm, currencies: readonly string[], rounds: number): Promise<number> {
  const { convert } = await client(firm, currencies)
  let amount = '1000.00'
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, from] of currencies.entries()) {
      const to = currencies[(index + 1) % currencies.length] ?? ''
      const answer = await convert(from, to, amount)
      expect(answer.status).toBe(201)
      amount = answer.body.toAmount
    }
  }
  return Number(amount)
}

// The firm takes no spread and sets no limit here, so only the prices bound what the client gets.
const OPEN = { spread: 0, dailyLimit: '10000000' }

describe('a client’s own conversions make no profit', () => {
  test('a client’s conversions make no profit from three rates of the firm that are 0.58 % inconsistent', async () => {
    const own = [
      { base: 'CHF', quote: 'EUR', rate: '1.05' },
      { base: 'EUR', quote: 'USD', rate: '1.1' },
      { base: 'USD', quote: 'CHF', rate: '0.8708' },
    ]
    expect(await goRound(await firmWith({ own }, OPEN), ['CHF', 'EUR', 'USD'], 10)).toBeLessThanOrEqual(1000)
  })

  test('a client’s conversions make no profit from two rates of the pool, one in each direction', async () => {
    const pool = [
      { base: 'GBP', quote: 'SEK', rate: '13.45' },
      { base: 'SEK', quote: 'GBP', rate: '0.0745' },
      { base: 'GBP', quote: 'USD', rate: '1.27' },
      { base: 'USD', quote: 'SEK', rate: '10.59' },
    ]
    expect(await goRound(await firmWith({ pool }, OPEN), ['GBP', 'SEK'], 10)).toBeLessThanOrEqual(1000)
  })

  test('a client’s conversions make no profit from one feed that rounds to four decimals', async () => {
    const pool = [
      { base: 'USD', quote: 'CZK', rate: '25.2015' },
      { base: 'CZK', quote: 'USD', rate: '0.0397' },
    ]
    expect(await goRound(await firmWith({ pool }, OPEN), ['USD', 'CZK'], 20)).toBeLessThanOrEqual(1000)
  })

  test('a client’s conversions make no profit from rates of the firm in one direction and of the pool in the other', async () => {
    const own = [{ base: 'CHF', quote: 'CAD', rate: '1.6' }]
    const pool = [
      { base: 'CAD', quote: 'CHF', rate: '0.6666' },
      { base: 'CHF', quote: 'USD', rate: '1.1' },
      { base: 'USD', quote: 'CAD', rate: '1.4' },
    ]
    expect(await goRound(await firmWith({ own, pool }, OPEN), ['CHF', 'CAD'], 10)).toBeLessThanOrEqual(1000)
  })
})

describe('the price of a client’s conversion', () => {
  test('the price of a client’s conversion is the mids less the spread, rounded down, and kept on the row', async () => {
    const own = [
      { base: 'EUR', quote: 'USD', rate: '1.1' },
      { base: 'USD', quote: 'JPY', rate: '150' },
    ]
    const firm = await firmWith({ own })
    const { convert } = await client(firm, ['EUR', 'USD', 'JPY'])
    const dollars = await convert('EUR', 'USD', '100.05')
    // 100.05 × 1.1 × 0.995 = 109.504725
    expect(dollars.body).toMatchObject({ toAmount: '109.50', rate: '1.0945' })
    // 1 × 1.1 × 150 × 0.995 = 164.175
    expect((await convert('EUR', 'JPY', '1')).body).toMatchObject({ toAmount: '164', rate: '164.175' })
    // staff convert at the mid at best, rounded down too
    expect((await convert('EUR', 'JPY', '1.01', firm.as.operator)).body).toMatchObject({ toAmount: '166', rate: '165' })
  })

  test('the price of a client’s conversion is the looked-up rate if that is worse than the mids', async () => {
    const own = [
      { base: 'EUR', quote: 'USD', rate: '1.1' },
      { base: 'GBP', quote: 'USD', rate: '1.25' },
      { base: 'EUR', quote: 'GBP', rate: '0.87' },
    ]
    const { convert } = await client(await firmWith({ own }, { spread: 0.01 }), ['EUR', 'GBP'])
    expect((await convert('EUR', 'GBP', '100')).body).toMatchObject({ toAmount: '86.13', rate: '0.8613' })
    // 1 / 0.87 would be more than the 1.1363… of the mids
    expect((await convert('GBP', 'EUR', '1')).body.toAmount).toBe('1.12')
  })

  test('one yen converted there and back by staff ends as one yen at most', async () => {
    const own = [
      { base: 'EUR', quote: 'USD', rate: '1.1' },
      { base: 'USD', quote: 'JPY', rate: '150' },
    ]
    const firm = await firmWith({ own })
    const { convert } = await client(firm, ['JPY', 'EUR'], '1000')
    const none = await convert('JPY', 'EUR', '1', firm.as.operator)
    expect([none.status, none.body.errors[0].path]).toEqual([422, 'amount'])
    expect((await convert('JPY', 'EUR', '3', firm.as.operator)).body.toAmount).toBe('0.01')
    expect((await convert('EUR', 'JPY', '0.01', firm.as.operator)).body.toAmount).toBe('1')
  })

  test('a client’s conversion is a 422 fx_rate_missing without both mids, even if the pair has a rate', async () => {
    const own = [
      { base: 'EUR', quote: 'USD', rate: '1.1' },
      { base: 'EUR', quote: 'NOK', rate: '11.6' },
    ]
    const firm = await firmWith({ own })
    const { convert } = await client(firm, ['EUR', 'NOK'])
    const refused = await convert('EUR', 'NOK', '10')
    expect([refused.status, refused.body.code]).toEqual([422, 'fx_rate_missing'])
    expect(refused.body.detail).toContain('NOK/USD')
    expect((await convert('EUR', 'NOK', '10', firm.as.operator)).body.toAmount).toBe('116.00')
  })

  test('a client’s conversion at an old rate is a 422 fx_rate_stale naming the pair; weekends do not age a rate', async () => {
    const friday = Date.UTC(2026, 5, 5, 20)
    app.clock.set(friday)
    const own = [
      { base: 'EUR', quote: 'USD', rate: '1.1' },
      { base: 'USD', quote: 'PLN', rate: '4' },
    ]
    const firm = await firmWith({ own })
    const { convert } = await client(firm, ['EUR', 'PLN', 'USD'], '50000')
    app.clock.set(friday + 3 * DAY)
    expect((await convert('EUR', 'PLN', '1')).status).toBe(201)
    await set(firm.as.admin, [{ base: 'EUR', quote: 'USD', rate: '1.1' }])
    app.clock.advance(1)
    const stale = await convert('EUR', 'PLN', '1')
    expect([stale.status, stale.body.code]).toEqual([422, 'fx_rate_stale'])
    expect(stale.body.detail).toContain('USD/PLN')
    // the dollar needs no rate, and the euro's is fresh
    expect((await convert('EUR', 'USD', '1')).status).toBe(201)
    // staff may convert below the threshold
    expect((await convert('EUR', 'PLN', '1', firm.as.operator)).status).toBe(201)
    const large = await convert('EUR', 'PLN', '9999', firm.as.operator)
    expect([large.status, large.body.code]).toEqual([422, 'fx_rate_stale'])
    app.clock.advance(DAY)
    expect((await convert('EUR', 'PLN', '9999', firm.as.operator)).body.toAmount).toBe('43995.60')
  })

  test('conversions above the limit of 24 hours, summed at the mids, are a 409 conversion_limit; staff convert the rest', async () => {
    app.clock.set(Date.UTC(2026, 7, 5, 9))
    const own = [
      { base: 'EUR', quote: 'USD', rate: '1.1' },
      { base: 'GBP', quote: 'USD', rate: '1.32' },
      { base: 'PLN', quote: 'USD', rate: '0.25' },
      { base: 'USD', quote: 'HUF', rate: '300' },
    ]
    const firm = await firmWith({ own }, { dailyLimit: '120' })
    const { convert } = await client(firm, ['GBP', 'EUR', 'USD', 'PLN', 'HUF'])
    expect((await convert('GBP', 'EUR', '50')).status).toBe(201)
    app.clock.advance(HOUR)
    // 50 GBP were 60 EUR; 66 USD are another 60
    await convert('GBP', 'USD', '60', firm.as.operator)
    expect((await convert('USD', 'EUR', '66')).status).toBe(201)
    // a fifth of a cent counts as a whole one
    const refused = await convert('PLN', 'HUF', '0.01')
    expect([refused.status, refused.body.code]).toEqual([409, 'conversion_limit'])
    expect((await convert('USD', 'EUR', '1', firm.as.operator)).status).toBe(201)
    app.clock.advance(DAY - HOUR)
    expect((await convert('USD', 'EUR', '1')).status).toBe(201)
  })
})
