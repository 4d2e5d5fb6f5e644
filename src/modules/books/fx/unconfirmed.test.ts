import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE } from '../../../platform/clock.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'

let app: TestApp
let firm: Firm

beforeEach(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  await set('1.10')
  app.clock.advance(2 * DAY)
  firm.effects()
})
afterEach(() => app.close())

type Pair = { base: string; quote: string }
const EURUSD: Pair = { base: 'EUR', quote: 'USD' }
const send = (as: Caller, rates: object[], extra: object = {}) =>
  app.call('POST', '/v1/fx/rates/upsert', { as, body: { rates, ...extra } })
const set = async (rate: string, as = firm.as.admin, pair = EURUSD, extra: object = {}) =>
  (await send(as, [{ ...pair, rate }], extra)).body.data[0]
const converted = async ({ base, quote } = EURUSD, amount = '100') =>
  (await app.call('GET', `/v1/fx/convert?amount=${amount}&base=${base}&quote=${quote}`, { as: firm.as.viewer })).body
    .result
const list = async (as = firm.as.viewer) => (await app.call('GET', '/v1/fx/rates', { as })).body.data
const remove = (id: string, as = firm.as.admin) => app.call('DELETE', `/v1/fx/rates/${id}`, { as })
const work = async (as = firm.as.admin) =>
  (await app.call('GET', '/v1/admin/notifications/summary', { as })).body.unconfirmedRates
const mails = async () =>
  (await app.call('GET', '/v1/mails?recipient=owner@alpha.test', { as: firm.as.owner })).body.data.filter(
    ({ subject }: { subject: string }) => subject.startsWith('Exchange rates wait'),
  )
const leave = (...people: Caller[]) =>
  app.platform.writer.submit(() =>
    app.platform.connection.run(
      `UPDATE users SET status = 'disabled' WHERE id NOT IN (SELECT value FROM json_each(?))`,
      [JSON.stringify(people.map(({ id }) => id))],
    ),
  )

describe('a rate far from that of the day before', () => {
  test('a rate far from the day before is stored, mailed, shown, and used for nothing until another person sends it too', async () => {
    expect(await set('1.155')).toMatchObject({ unconfirmed: false, confirmation: null })
    app.clock.advance(MINUTE)
    const proposed = await set('1.1551')
    expect(proposed).toMatchObject({ unconfirmed: true, confirmation: { by: 'another_person', from: proposed.asOf } })
    expect(firm.effects()).toEqual({ events: [], actions: ['fx.supersede', 'fx.upsert', 'fx.propose'] })
    expect(await converted()).toBe('115.50')
    expect(await work()).toBe(1)
    expect(await mails()).toHaveLength(1)
    expect((await list()).map(({ rate, unconfirmed }: typeof proposed) => [rate, unconfirmed])).toEqual([
      ['1.155', false],
      ['1.1551', true],
    ])
    // the threshold of approvals does not use it either
    await app.call('PUT', '/v1/approval-policies', {
      as: firm.as.owner,
      body: { currency: 'USD', threshold: '115.51', minKycLevel: 0 },
    })
    const simulate = '/v1/approval-policies?amount=100&currency=EUR'
    const simulated = async () => (await app.call('GET', simulate, { as: firm.as.owner })).body.simulation.approvals
    expect(await simulated()).toBe(1)
    firm.effects()
    const confirmed = await set('1.1552', firm.as.owner)
    expect(confirmed).toMatchObject({ unconfirmed: false })
    expect(firm.effects().actions).toEqual(['fx.supersede', 'fx.supersede', 'fx.confirm'])
    expect([await converted(), await work(), await simulated()]).toEqual(['115.52', 0, 2])
    expect(await list()).toHaveLength(1)
  })

  test('a far rate is not confirmed by its sender, their key, or another account of theirs', async () => {
    const first = await set('2')
    expect(await set('2.01')).toEqual(first)
    expect(await set('2', await firm.key(['fx:write'], 'admin'))).toEqual(first)
    await app.platform.writer.submit(() =>
      app.platform.connection.run(
        `INSERT INTO account_acts (tenant_id, id, user_id, by_user_id, act, created_at) VALUES (?, 'act_1', ?, ?, 'password', ?)`,
        [firm.tenantId, firm.as.owner.id, firm.as.admin.id, app.clock.now()],
      ),
    )
    expect(await set('2', firm.as.owner)).toMatchObject({ id: first.id, unconfirmed: true })
    expect(await mails()).toHaveLength(1)
    expect(await set('2', await firm.key(['fx:write'], 'platform_admin'))).toMatchObject({ unconfirmed: false })
    expect(await converted()).toBe('200.00')
  })

  test('a different price by another person does not confirm a far rate and waits too; a usual rate ends both', async () => {
    const first = await set('2')
    const second = await set('2.03', firm.as.owner)
    expect(second).toMatchObject({ unconfirmed: true })
    expect(second.id).not.toBe(first.id)
    expect(await list()).toHaveLength(2)
    expect(await set('1.09')).toMatchObject({ unconfirmed: false })
    expect((await list()).map(({ rate }: typeof first) => rate)).toEqual(['1.09'])
    expect(await set('2.03', firm.as.platform_admin)).toMatchObject({ unconfirmed: true })
  })

  test('a rate that becomes far in many small steps waits too; a day later those steps count as the past', async () => {
    expect(await set('1.14')).toMatchObject({ unconfirmed: false })
    app.clock.advance(HOUR)
    expect(await set('1.18')).toMatchObject({ unconfirmed: true })
    app.clock.advance(DAY - HOUR - 1)
    expect(await set('1.18')).toMatchObject({ unconfirmed: true })
    app.clock.advance(1)
    expect(await set('1.18')).toMatchObject({ unconfirmed: false })
  })

  test('a far rate of a pair that is new within this hour waits too', async () => {
    const pair = { base: 'SEK', quote: 'USD' }
    expect(await set('0.10', firm.as.admin, pair)).toMatchObject({ unconfirmed: false })
    app.clock.advance(MINUTE)
    expect(await set('0.104', firm.as.admin, pair)).toMatchObject({ unconfirmed: false })
    app.clock.advance(MINUTE)
    expect(await set('0.108', firm.as.admin, pair)).toMatchObject({ unconfirmed: true })
    expect(await set('8', firm.as.admin, { base: 'USD', quote: 'SEK' })).toMatchObject({ unconfirmed: true })
    expect(await set('11', firm.as.admin, { base: 'EUR', quote: 'SEK' })).toMatchObject({ unconfirmed: false })
    expect(await set('0.08', firm.as.admin, { base: 'SEK', quote: 'EUR' })).toMatchObject({ unconfirmed: true })
  })

  test('a far rate of a pair without mids is compared with the pair’s own past', async () => {
    const pair = { base: 'NOK', quote: 'DKK' }
    expect(await set('0.6', firm.as.admin, pair)).toMatchObject({ unconfirmed: false })
    expect(await set('0.7', firm.as.admin, pair)).toMatchObject({ unconfirmed: true })
    expect(await set('2', firm.as.admin, { base: 'DKK', quote: 'NOK' })).toMatchObject({ unconfirmed: true })
  })

  describe('that is the first price in dollars of a currency with another price', () => {
    const [kwdEur, kwdUsd] = [
      { base: 'KWD', quote: 'EUR' },
      { base: 'KWD', quote: 'USD' },
    ]
    const waits = async (rate: string, pair = kwdUsd) => (await set(rate, firm.as.admin, pair)).unconfirmed

    test('a currency’s first dollar price is compared with its other price, new, a day old, or removed', async () => {
      const { id } = await set('3', firm.as.owner, kwdEur)
      expect([await waits('3300'), await waits('0.4', { base: 'USD', quote: 'KWD' })]).toEqual([true, true])
      app.clock.advance(2 * DAY)
      expect(await waits('3300')).toBe(true)
      expect((await remove(id, firm.as.owner)).status).toBe(204)
      app.clock.advance(2 * DAY)
      expect(await waits('3.5')).toBe(true)
      expect(await waits('3.4')).toBe(false)
    })

    test('a currency’s first dollar price is compared with other rates in the same body, through several currencies too', async () => {
      const rates = [
        { ...kwdEur, rate: '3' },
        { base: 'KWD', quote: 'EGP', rate: '1' },
        { base: 'EUR', quote: 'EGP', rate: '1' },
        { ...kwdUsd, rate: '3300' },
      ]
      const { data } = (await send(firm.as.admin, rates)).body
      expect(data.map((rate: { unconfirmed: boolean }) => rate.unconfirmed)).toEqual([false, false, true, true])
    })

    test('a currency’s dollar price is compared with the rates of a day ago, not with an earlier removed dollar price', async () => {
      await set('3', firm.as.owner, kwdEur)
      const { id } = await set('3.3', firm.as.owner, kwdUsd)
      expect((await remove(id, firm.as.owner)).status).toBe(204)
      for (const rate of ['3.1', '3.2', '3.3']) {
        app.clock.advance(2 * DAY)
        expect(await waits(rate, kwdEur)).toBe(false)
      }
      app.clock.advance(2 * DAY)
      expect([await waits('3.4'), await waits('3.6')]).toEqual([true, false])
    })

    test('a firm’s first dollar price is compared with rates of the firm or the pool, the pool’s with those of the pool', async () => {
      const pool = { global: true }
      await set('3.2', firm.as.platform_admin, kwdEur, pool)
      await set('1.1', firm.as.platform_admin, EURUSD, pool)
      app.clock.advance(2 * DAY)
      expect(await waits('3.3')).toBe(true)
      await set('3', firm.as.owner, kwdEur)
      await set('3', firm.as.platform_admin, kwdEur)
      app.clock.advance(2 * DAY)
      expect(await waits('3.3')).toBe(false)
      expect(await set('3.3', firm.as.platform_admin, kwdUsd, pool)).toMatchObject({ unconfirmed: true })
      expect(await set('3.52', firm.as.platform_admin, kwdUsd, pool)).toMatchObject({ unconfirmed: false })
    })
  })

  test('the first dollar price of a crypto currency may differ by 20 %', async () => {
    const pair = { base: 'BTC', quote: 'USD' }
    await set('100000', firm.as.admin, pair)
    app.clock.advance(2 * DAY)
    expect(await set('120000', firm.as.admin, pair)).toMatchObject({ unconfirmed: false })
    expect(await set('120001', firm.as.admin, pair)).toMatchObject({ unconfirmed: true })
  })
})

test('the first sender of a confirmed rate is its author too: above the threshold they may not convert for clients by it', async () => {
  const traderId = await firm.trader({ kycLevel: 2 })
  for (const [currency, amount] of [
    ['EUR', '50000'],
    ['USD', '1'],
  ]) {
    const body = { traderId, currency, amount, method: 'bank' }
    const deposit = await app.call('POST', '/v1/deposits', { as: firm.as.operator, body })
    for (const as of [firm.as.manager, firm.as.owner])
      await app.call('POST', `/v1/deposits/${deposit.body.id}/settle`, { as })
  }
  const { data } = (await app.call('GET', `/v1/wallets?traderId=${traderId}`, { as: firm.as.viewer })).body
  const findWalletId = (code: string) => data.find(({ currency }: { currency: string }) => currency === code).id
  const move = (as: Caller) => {
    const body = { fromWalletId: findWalletId('EUR'), toWalletId: findWalletId('USD'), amount: '20000' }
    return app.call('POST', '/v1/transfers', { as, body })
  }
  await set('1.3')
  expect((await move(firm.as.manager)).body.code).toBe('fx_rate_stale')
  await set('1.3', firm.as.owner)
  for (const as of [firm.as.admin, firm.as.owner]) expect((await move(as)).body.code).toBe('second_person_needed')
  expect((await move(firm.as.manager)).body.toAmount).toBe('26000.00')
})

describe('removing a rate', () => {
  test('removing a rate does not replace a confirmation, at once or days later', async () => {
    const [{ id }] = await list()
    expect((await remove(id)).status).toBe(204)
    expect(await set('2')).toMatchObject({ unconfirmed: true })
    app.clock.advance(3 * DAY)
    expect(await set('2.2')).toMatchObject({ unconfirmed: true })
    const [waiting] = await list()
    expect((await remove(waiting.id)).status).toBe(204)
    expect([await list(), await work()]).toEqual([[], 0])
    expect(await set('2.2')).toMatchObject({ unconfirmed: true })
    expect(await set('1.12')).toMatchObject({ unconfirmed: false })
  })

  test('removing a rate quoted from the dollar does not bring back a rate that is far from it', async () => {
    const pair = { base: 'USD', quote: 'SEK' }
    await set('8', firm.as.platform_admin, pair, { global: true })
    app.clock.advance(2 * DAY)
    await set('10', firm.as.admin, pair)
    const { id } = await set('10', firm.as.owner, pair)
    expect((await remove(id)).body.code).toBe('second_person_needed')
  })

  test('removing a rate does not bring back another price that is far from yesterday’s', async () => {
    const pool = { global: true }
    await set('1.3', firm.as.platform_admin, EURUSD, pool)
    const [{ id }] = await list()
    const refused = await remove(id)
    expect([refused.status, refused.body.code]).toEqual([409, 'second_person_needed'])
    expect(await converted()).toBe('110.00')
    app.clock.advance(MINUTE)
    await set('1.3')
    const { id: agreed } = await set('1.3', firm.as.owner)
    app.clock.advance(2 * DAY)
    expect((await remove(agreed)).status).toBe(204)
    expect(await converted()).toBe('130.00')
  })

  test('removing a rate does not change the present price far, in either direction', async () => {
    await set('1.145', firm.as.platform_admin, EURUSD, { global: true })
    const { id } = await set('1.05')
    expect((await remove(id)).body.code).toBe('second_person_needed')
    expect(await converted()).toBe('105.00')
    const { id: nearer } = await set('1.1')
    expect((await remove(nearer)).status).toBe(204)
    expect(await converted()).toBe('114.50')
  })

  test('removing a mid does not bring back an old price of another pair that the mid limited', async () => {
    const pair = { base: 'EUR', quote: 'GBP' }
    await set('1.25', firm.as.admin, { base: 'GBP', quote: 'USD' })
    await set('0.9', firm.as.admin, pair)
    app.clock.advance(2 * DAY)
    for (const rate of ['1.3', '1.36', '1.42']) {
      await set(rate, firm.as.admin, { base: 'GBP', quote: 'USD' })
      app.clock.advance(2 * DAY)
    }
    const [{ id }] = (await list()).filter(({ base }: Pair) => base === 'GBP')
    expect(await converted(pair)).toBe('77.46')
    expect((await remove(id)).body.code).toBe('second_person_needed')
    await set('0.78', firm.as.admin, pair)
    expect((await remove(id)).status).toBe(204)
    expect(await converted(pair)).toBe('78.00')
  })

  test('the person who removes a rate is stored', async () => {
    const [{ id }] = await list()
    await remove(id, firm.as.owner)
    const { id: second } = await set('1.1')
    await set('1.11')
    const rows = app.platform.reader.all('SELECT ended_by FROM fx_rates WHERE id IN (?, ?) ORDER BY id', [id, second])
    expect(rows).toEqual([{ ended_by: firm.as.owner.id }, { ended_by: null }])
  })
})

describe('a firm without a second person', () => {
  test('an owner without a second person confirms a rate by sending it again with force after an hour', async () => {
    const { owner, manager, viewer } = firm.as
    await leave(owner, manager, viewer)
    const proposed = await set('1.3', owner)
    expect(proposed.confirmation.by).toBe('owner')
    expect(Date.parse(proposed.confirmation.from) - app.clock.now()).toBe(HOUR)
    const force = { force: true }
    app.clock.advance(HOUR - 1)
    expect(await set('1.3', owner, EURUSD, force)).toMatchObject({ unconfirmed: true })
    app.clock.advance(1)
    expect(await set('1.3', owner)).toMatchObject({ unconfirmed: true })
    // another price starts the hour again
    expect(await set('1.32', owner, EURUSD, force)).toMatchObject({ unconfirmed: true })
    app.clock.advance(HOUR)
    expect(await set('1.32', owner, EURUSD, force)).toMatchObject({ unconfirmed: false })
    expect(await converted()).toBe('132.00')
  })

  test('force has no effect if another person could confirm the rate, or if the sender is an admin', async () => {
    const { owner, admin } = firm.as
    const force = { force: true }
    await leave(owner, admin)
    await set('1.3', owner)
    app.clock.advance(2 * HOUR)
    expect(await set('1.3', owner, EURUSD, force)).toMatchObject({
      unconfirmed: true,
      confirmation: { by: 'another_person' },
    })
    await set('1.5', admin)
    await leave(admin)
    app.clock.advance(2 * HOUR)
    expect(await set('1.5', admin, EURUSD, force)).toMatchObject({ unconfirmed: true })
  })
})

test('a rate of the pool waits for a second administrator, who may be in another firm', async () => {
  const other = await app.firm('beta')
  const pair = { base: 'GBP', quote: 'USD' }
  const pool = { global: true }
  const one = (rate: string, as: Caller, extra: object = {}) =>
    app.call('POST', '/v1/admin/fx-rates', { as, body: { ...pair, rate, ...extra } })
  await one('1.25', firm.as.platform_admin)
  app.clock.advance(2 * DAY)
  firm.effects()
  const proposed = await one('1.5', firm.as.platform_admin)
  expect(proposed.body.data[0]).toMatchObject({ unconfirmed: true, pool: 'global' })
  expect(firm.effects().actions).toContain('fx.propose_global')
  expect(await converted(pair)).toBe('125.00')
  expect([await work(), await work(firm.as.platform_admin)]).toEqual([0, 1])
  expect((await list()).some(({ unconfirmed }: { unconfirmed: boolean }) => unconfirmed)).toBe(false)
  expect(await list(firm.as.platform_admin)).toHaveLength(3)
  // the firm's own price is compared with the rates that applied to the firm before
  expect(await set('1.5', firm.as.admin, pair)).toMatchObject({ unconfirmed: true, pool: 'tenant' })
  expect((await one('1.5', firm.as.platform_admin, { force: true })).body.data[0]).toMatchObject({ unconfirmed: true })
  expect(await set('1.5', other.as.platform_admin, pair, pool)).toMatchObject({ unconfirmed: false, pool: 'global' })
  expect(other.effects().actions).toContain('fx.confirm_global')
  expect(await converted(pair)).toBe('150.00')
  const told = app.platform.reader.all<{ after: string }>(
    `SELECT d.after FROM audit_data d JOIN audit a USING (tenant_id, seq)
      WHERE a.action LIKE 'fx.%_global' ORDER BY a.action DESC`,
  )
  const said = told.map(({ after }) => JSON.parse(after))
  const { id: proposedBy } = firm.as.platform_admin
  expect(said).toMatchObject([{ rate: '1.25' }, { unconfirmed: true }, { proposedBy }])
})

test('the only administrator of the pool confirms a rate by sending it again with force after an hour', async () => {
  const { platform_admin: only } = firm.as
  const one = async (rate: string, extra: object = {}): Promise<boolean> => {
    const body = { base: 'GBP', quote: 'USD', rate, ...extra }
    return (await app.call('POST', '/v1/admin/fx-rates', { as: only, body })).body.data[0].unconfirmed
  }
  await leave(only)
  await one('1.25')
  app.clock.advance(2 * DAY)
  expect(await one('1.5')).toBe(true)
  app.clock.advance(HOUR)
  expect([await one('1.5'), await one('1.5', { force: true })]).toEqual([true, false])
})

describe('a rate as a JSON number', () => {
  const raw = async (rate: string, path = '/v1/fx/rates/upsert', as = firm.as.admin) => {
    const pair = `"base":"NOK","quote":"JPY","rate":${rate}`
    const text = path === '/v1/fx/rates/upsert' ? `{"rates":[{${pair}}]}` : `{${pair}}`
    const headers = { 'content-type': 'application/json' }
    const { status, body } = await app.call('POST', path, { as, raw: text, headers })
    return status === 200 ? body.data[0].rate : [status, body.errors[0].path, body.errors[0].code]
  }

  test('a rate as a JSON number is read digit for digit', async () => {
    expect(await raw('0.12345678901234567')).toBe('0.12345678901234567')
    expect(await raw('9007199254740993e-15')).toBe('9.007199254740993')
    expect(await raw('0.1250E+2')).toBe('12.50')
    expect(await raw('1E2')).toBe('100')
    expect(await raw('1.1, "rate": 1.2')).toBe('1.2')
    expect(await raw('0.12345678901234567', '/v1/admin/fx-rates', firm.as.platform_admin)).toBe('0.12345678901234567')
  })

  test('a rate as a JSON number with more than 17 digits is refused with its place in the body', async () => {
    expect(await raw('1.23456789012345678')).toEqual([422, 'rates.0.rate', 'too_many_digits'])
    expect(await raw('0.0123456789012345678')).toEqual([422, 'rates.0.rate', 'too_many_digits'])
    const single = await raw('1.23456789012345678', '/v1/admin/fx-rates', firm.as.platform_admin)
    expect(single).toEqual([422, 'rate', 'too_many_digits'])
    expect(await raw('"1.234567890123456789"')).toBe('1.234567890123456789')
    expect(await raw('1e-300')).toEqual([422, 'rates.0.rate', 'rate_range'])
  })
})
