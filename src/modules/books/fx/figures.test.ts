import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DAY, HOUR } from '../../../platform/clock.ts'
import type { Ratio } from '../../../platform/money.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { isFar, repeats } from './fx.history.ts'
import {
  applyQuote,
  findPrice,
  newest,
  type Quote,
  type Rates,
  requireFreshMids,
  type StoredRate,
} from './fx.quotes.ts'

let app: TestApp
let firm: Firm
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
})
afterAll(() => app.close())

const buildRate = (base: string, quote: string, rate: string, createdAt = 0, id = 'fxr_1'): StoredRate => ({
  id,
  base,
  quote,
  rate,
  createdAt,
  source: 'manual',
  pool: 'tenant',
  createdBy: null,
  proposedBy: null,
})
const buildRates = (...rates: StoredRate[]): Rates => ({
  of: (base, quote) => rates.filter((rate) => rate.base === base && rate.quote === quote),
})
const ratio = (n: bigint): Ratio => ({ n, d: 10_000n })

test.each([
  ['EUR', 'USD', [9_500n, 10_500n], [9_499n, 10_501n]],
  ['BTC', 'USD', [8_000n, 12_000n], [7_999n, 12_001n]],
  ['USD', 'BTC', [8_000n, 12_000n], [7_999n, 12_001n]],
])('a price of %s in %s counts as far only above its limit of difference', (base, quote, near, far) => {
  const isFarFromOne = (n: bigint) => isFar({ base, quote }, ratio(n), ratio(10_000n))
  expect([near.map(isFarFromOne), far.map(isFarFromOne)]).toEqual([
    [false, false],
    [true, true],
  ])
})

test('a rate within one per cent of another one counts as a repetition', () => {
  expect(['0.9899', '0.99', '1.01', '1.0101'].map((rate) => repeats(rate, '1'))).toEqual([false, true, true, false])
})

describe('the mid price of a client’s conversion', () => {
  const isFresh = (createdAt: number, now: number, hours = 24): boolean => {
    try {
      requireFreshMids(buildRates(buildRate('EUR', 'USD', '1.1', createdAt)), 'EUR', 'USD', hours, now)
      return true
    } catch {
      return false
    }
  }
  const wednesday = Date.UTC(2026, 5, 3, 12)

  test('the mid price of a client’s conversion is fresh for as many hours as the firm sets, and not longer', () => {
    expect([isFresh(wednesday, wednesday + 24 * HOUR), isFresh(wednesday, wednesday + 24 * HOUR + 1)]).toEqual([
      true,
      false,
    ])
    expect([isFresh(wednesday, wednesday), isFresh(wednesday, wednesday, 0)]).toEqual([true, true])
  })

  test('a mid price ages on Fridays and Mondays, not on the weekend between them', () => {
    const friday = wednesday + 2 * DAY
    expect([isFresh(friday, friday + 3 * DAY), isFresh(friday, friday + 3 * DAY + 1)]).toEqual([true, false])
    const [saturday, monday] = [friday + DAY / 2, friday + 2.5 * DAY]
    expect([isFresh(saturday, monday, 0), isFresh(saturday, monday + 1, 0)]).toEqual([true, false])
    expect([isFresh(saturday - 1, monday, 0), isFresh(saturday + DAY, monday, 0)]).toEqual([false, true])
  })

  test('a conversion needs fresh mid prices of both currencies', () => {
    const rates = buildRates(
      buildRate('EUR', 'USD', '1.1', wednesday),
      buildRate('GBP', 'USD', '1.3', wednesday + HOUR),
    )
    const convert = (now: number) => () => requireFreshMids(rates, 'EUR', 'GBP', 24, now)
    expect(convert(wednesday + 24 * HOUR)).not.toThrow()
    expect(convert(wednesday + 24 * HOUR + 1)).toThrow()
  })
})

test('the newest rate is the latest; of two from the same moment, the one written last', () => {
  const rates = [
    buildRate('EUR', 'USD', '1', 1, 'b'),
    buildRate('EUR', 'USD', '2', 1, 'c'),
    buildRate('EUR', 'USD', '3', 1, 'a'),
  ]
  expect(newest(rates)?.id).toBe('c')
  expect(newest([...rates, buildRate('EUR', 'USD', '4', 2, 'a')])?.rate).toBe('4')
  expect(newest([buildRate('EUR', 'USD', '4', 2, 'a'), ...rates])?.rate).toBe('4')
})

test('a price is the worse of looked-up rate and cross, and the looked-up rate if both are equal', () => {
  const price = (rate: string) =>
    findPrice(
      buildRates(buildRate('EUR', 'GBP', rate), buildRate('EUR', 'USD', '1'), buildRate('GBP', 'USD', '1')),
      'EUR',
      'GBP',
    )
  expect([price('1')?.via, price('1.01')?.via, price('0.99')?.via]).toEqual(['direct', 'pivot', 'direct'])
})

test('a rate of 1e15 is accepted, and one above it is refused', async () => {
  const { as } = await app.firm('beta')
  const send = async (rate: number): Promise<number> => {
    const body = { rates: [{ base: 'KWD', quote: 'IRR', rate }] }
    return (await app.call('POST', '/v1/fx/rates/upsert', { as: as.admin, body })).status
  }
  expect([await send(1e15 + 1), await send(0), await send(1e15)]).toEqual([422, 422, 200])
})

test('a cross is named after its single mid if it is worse than the looked-up rate', () => {
  const rates = buildRates(buildRate('EUR', 'USD', '1.1', 1), buildRate('USD', 'EUR', '0.95', 2))
  expect(findPrice(rates, 'EUR', 'USD')?.via).toBe('inverse')
})

test('an amount for comparison is rounded half to even', () => {
  const half: Quote = { ratio: { n: 1n, d: 2n }, via: 'direct', rates: [] }
  expect([1n, 3n].map((minor) => applyQuote(minor, 'EUR', 'USD', half))).toEqual([0n, 2n])
})

describe('a firm keeps', () => {
  /** Inserts rates of pairs that no other test uses. */
  const keep = (count: number, unconfirmed: 0 | 1) =>
    app.platform.writer.submit(() =>
      app.platform.connection.run(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
         INSERT INTO fx_rates (tenant_id, id, base, quote, rate, source, current, unconfirmed, created_at)
         SELECT ?1, 'fxr_' || ?3 || '_' || i, 'A' || i, 'B' || ?3, '1', 'test', 1, ?3, 0 FROM n`,
        [firm.tenantId, count, unconfirmed],
      ),
    )
  const set = async (base: string, rate: string): Promise<number> => {
    const body = { rates: [{ base, quote: 'USD', rate }] }
    const answer = await app.call('POST', '/v1/fx/rates/upsert', { as: firm.as.admin, body })
    const message = 'a firm keeps at most 5000 rates, and 1000 that wait'
    if (answer.status === 422) expect(answer.body.errors).toEqual([{ path: 'rates', code: 'too_many', message }])
    return answer.status
  }

  test('a firm keeps 5,000 rates in use and 1,000 that wait, and not one more', async () => {
    await keep(4998, 0)
    expect([await set('EUR', '1.1'), await set('GBP', '1.3'), await set('CHF', '1.2')]).toEqual([200, 200, 422])
    await keep(999, 1)
    expect([await set('EUR', '2'), await set('GBP', '2')]).toEqual([200, 422])
    expect(await set('EUR', '1.11')).toBe(200)
  })

  const enter = async (base: string, since: string): Promise<number> => {
    const body = { rates: [{ base, quote: 'USD', rate: '1', since }] }
    return (await app.call('POST', '/v1/fx/rates/upsert', { as: firm.as.admin, body })).status
  }

  test('a firm keeps rates for days from 1990 to yesterday', async () => {
    const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
    expect([await enter('SEK', '1989-12-31'), await enter('SEK', '1990-01-01')]).toEqual([422, 200])
    const [today, yesterday] = [day(app.clock.now()), day(app.clock.now() - DAY)]
    expect([await enter('NOK', today), await enter('NOK', yesterday)]).toEqual([422, 200])
  })

  test('a firm keeps 2,000 rates for past days, and not one more', async () => {
    await app.platform.writer.submit(() =>
      app.platform.connection.run(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1997)
         INSERT INTO fx_past_rates (tenant_id, id, base, quote, rate, source, since, since_at, created_at)
         SELECT ?1, 'fxp_' || i, 'A' || i, 'B', '1', 'test', '2020-01-01', 0, 1 FROM n`,
        [firm.tenantId],
      ),
    )
    expect([await enter('DKK', '2025-01-01'), await enter('PLN', '2025-01-01')]).toEqual([200, 422])
  })
})
