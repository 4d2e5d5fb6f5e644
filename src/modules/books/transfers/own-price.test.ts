/** What a dishonest admin could try alone with rates that limit a price without being part of it. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { DAY, HOUR } from '../../../platform/clock.ts'
import { createAccountDesk } from '../../../testing/account-desk.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'

let app: TestApp
let firm: Firm
const { call, client, readWallet, move, answer } = createAccountDesk(() => ({ app, firm, bridge: firm.as.owner }))

const set = async (as: Caller, pair: string, rate: string, extra: object = {}) => {
  const [base, quote] = pair.split('/')
  return (await call(as, 'POST', '/v1/fx/rates/upsert', { rates: [{ base, quote, rate }], ...extra })).body.data[0]
}
const remove = (as: Caller, { id }: { id: string }) => call(as, 'DELETE', `/v1/fx/rates/${id}`)
/** Returns the colleagues who are noted as involved in a client's money through a rate. */
const hands = () =>
  app.platform.reader
    .all<{ id: string }>("SELECT DISTINCT user_id AS id FROM client_acts WHERE tenant_id = ? AND act = 'rate'", [
      firm.tenantId,
    ])
    .map(({ id }) => Object.entries(firm.as).find(([, caller]) => caller.id === id)?.[0])
    .sort()
/** Makes a client with euros, and a function that converts these to pounds. */
async function purse(amount: string) {
  const traderId = await client(amount)
  await call(firm.as.operator, 'POST', '/v1/deposits', { traderId, currency: 'GBP', amount: '0.01', method: 'bank' })
  const { data } = (await call(firm.as.owner, 'GET', `/v1/deposits?traderId=${traderId}&currency=GBP`)).body
  for (const { id } of data) await call(firm.as.owner, 'POST', `/v1/deposits/${id}/settle`)
  const [from, to] = [await readWallet(traderId), await readWallet(traderId, 'GBP')]
  const convert = (as: Caller, sum: string) => move(as, { fromWalletId: from.id, toWalletId: to.id, amount: sum })
  return { traderId, convert, session: await firm.traderSession(traderId) }
}

/** Sets an old EUR/GBP rate of 0.90 and fresh mids that allow 0.8615. */
beforeEach(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  const { owner } = firm.as
  await set(owner, 'EUR/USD', '1.17')
  await set(owner, 'GBP/USD', '1.30')
  await set(owner, 'EUR/GBP', '0.90')
  app.clock.advance(4 * DAY)
  await set(owner, 'EUR/USD', '1.12')
  app.clock.advance(DAY + HOUR)
  await set(owner, 'EUR/USD', '1.12')
  await set(owner, 'GBP/USD', '1.30')
})
afterEach(() => app.close())

test('a dishonest admin converts no large sum at a price that their own mid allows; with a small sum they are involved', async () => {
  const { convert } = await purse('30000')
  expect(await set(firm.as.admin, 'EUR/USD', '1.1704')).toMatchObject({ unconfirmed: false })
  expect((await convert(firm.as.admin, '9000')).body).toMatchObject({ rate: '0.9', toAmount: '8100.00' })
  expect(hands()).toEqual(['admin', 'owner'])
  expect(answer(await convert(firm.as.admin, '1000'))).toEqual([409, 'second_person_needed'])
  const other = await convert(firm.as.manager, '20000')
  expect(other.body.toAmount).toBe('18000.00')
  // the row stores only the rates that make its price
  const [row] = app.platform.reader.all<{ rateIds: string }>('SELECT rate_ids AS rateIds FROM transfers WHERE id = ?', [
    other.body.id,
  ])
  expect(JSON.parse(row?.rateIds ?? '')).toHaveLength(1)
})

test('a dishonest admin is involved in a client’s conversion at a price that their own mid allows', async () => {
  const { convert, session } = await purse('9000')
  await set(firm.as.admin, 'EUR/USD', '1.1704')
  expect((await convert(session, '9000')).body.toAmount).toBe('8059.50')
  expect(hands()).toEqual(['admin', 'owner'])
})

test('a dishonest admin who removed a rate or a mid is involved for 24 hours in the price that applies instead', async () => {
  const { convert, session } = await purse('90000')
  const first = await set(firm.as.owner, 'EUR/GBP', '0.83')
  expect((await remove(firm.as.admin, first)).status).toBe(204)
  expect((await convert(session, '1')).status).toBe(201)
  expect(hands()).toEqual(['admin', 'owner'])
  expect(answer(await convert(firm.as.admin, '10000'))).toEqual([409, 'second_person_needed'])
  expect((await convert(firm.as.owner, '1')).status).toBe(201)
  app.clock.advance(DAY)
  for (const [pair, rate] of [
    ['EUR/USD', '1.12'],
    ['GBP/USD', '1.30'],
  ] as const)
    await set(firm.as.owner, pair, rate)
  expect((await convert(firm.as.admin, '10000')).status).toBe(201)
  const second = await set(firm.as.owner, 'USD/GBP', '0.77')
  expect((await remove(firm.as.admin, second)).status).toBe(204)
  expect(answer(await convert(firm.as.admin, '10000'))).toEqual([409, 'second_person_needed'])
})

test('removing an unconfirmed rate, or one of another pair, makes no one the author of a price', async () => {
  const { convert } = await purse('30000')
  expect((await remove(firm.as.admin, await set(firm.as.owner, 'EUR/GBP', '2'))).status).toBe(204)
  expect((await remove(firm.as.admin, await set(firm.as.owner, 'CHF/USD', '1.1'))).status).toBe(204)
  expect((await convert(firm.as.admin, '10000')).status).toBe(201)
  expect(hands()).toEqual(['owner'])
})

test('a rate of the pool involves nobody of another firm', async () => {
  const { convert } = await purse('30000')
  const other = await app.firm('beta')
  await set(other.as.platform_admin, 'EUR/USD', '1.12', { global: true })
  const own = await set(firm.as.owner, 'EUR/USD', '1.12')
  expect((await remove(firm.as.platform_admin, own)).status).toBe(204)
  expect((await convert(firm.as.operator, '10')).status).toBe(201)
  expect(hands()).toEqual(['owner', 'platform_admin'])
})

test('a dishonest admin does not approve alone an amount that is small only because they removed a rate', async () => {
  const { owner, admin, manager } = firm.as
  // the pool's price is a little below the firm's
  await set(firm.as.platform_admin, 'GBP/EUR', '1.11', { global: true })
  const own = await set(owner, 'GBP/EUR', '1.16')
  const traderId = await client('9000', 'GBP')
  const ask = async () => {
    const destination = { kind: 'bank', reference: 'LT12 1000 0111 0100 1000' }
    const body = { currency: 'GBP', amount: '8800', destination }
    return (await call(await firm.traderSession(traderId), 'POST', '/v1/withdrawals', body)).body.id
  }
  expect((await remove(admin, own)).status).toBe(204)
  const id = await ask()
  const approve = (as: Caller) => call(as, 'POST', `/v1/withdrawals/${id}/approve`, { note: 'looked' })
  expect((await approve(admin)).body.status).toBe('requested')
  expect((await approve(manager)).body.status).toBe('approved')
})

test('a newer rate does not make a small earlier conversion large', async () => {
  const { owner, admin } = firm.as
  app.clock.advance(5 * DAY)
  await set(admin, 'GBP/EUR', '1.13')
  const { traderId } = await purse('100')
  await call(firm.as.operator, 'POST', '/v1/deposits', { traderId, currency: 'USD', amount: '1', method: 'bank' })
  const { data } = (await call(owner, 'GET', `/v1/deposits?traderId=${traderId}&currency=USD`)).body
  for (const { id } of data) await call(owner, 'POST', `/v1/deposits/${id}/settle`)
  const [pounds, dollars] = [await readWallet(traderId, 'GBP'), await readWallet(traderId, 'USD')]
  const small = { fromWalletId: pounds.id, toWalletId: dollars.id, amount: '0.01' }
  expect((await move(admin, small)).status).toBe(201)
})
