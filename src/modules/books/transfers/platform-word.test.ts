/** What one dishonest colleague tries with what a platform says, alone; a bridge and everybody else are honest. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE, SECOND } from '../../../platform/clock.ts'
import { createAccountDesk } from '../../../testing/account-desk.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'

let app: TestApp
let firm: Firm
let bridge: Caller
const { call, client, walletOf, open, patch, remove, home, fund, say, report, acknowledges, answer } =
  createAccountDesk(() => ({ app, firm, bridge }))
beforeEach(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  bridge = await firm.key(['accounts:write', 'bridge:write'], 'owner')
})
afterEach(() => app.close())

const POSITION = {
  ticket: '1',
  accountNumber: '1',
  symbol: 'EURUSD',
  side: 'long',
  volume: '1',
  openPrice: '1.1',
  currentPrice: '1.1',
  swap: '0',
  commission: '0',
  openedAt: '2026-01-01T00:00:00Z',
}

test('does not silence the bridge by a report of their own', async () => {
  const mule = await client('5000')
  const { body: account } = await open(firm.as.operator, mule, '1')
  await fund(await firm.traderSession(mule), account.id, mule, '5000')
  await report('1', '5000')
  expect((await report('', '', { as: firm.as.manager, at: 900_000 })).body.applied).toBe(true)
  expect((await report('1', '0', { at: 3 })).body.applied).toBe(true)
  expect(answer(await home(firm.as.manager, account.id, mule, '5000'))).toEqual([409, 'transfers.above_balance'])
  // a repeat of the bridge's own changes nothing, also behind another number of a person's
  expect((await report('', '', { as: firm.as.manager, at: 800_000 })).body.applied).toBe(false)
  for (const at of [2, 3])
    expect((await report('1', '4000', { at })).body).toMatchObject({ applied: false, sequence: 3 })
})

test('does not silence a bridge that has not reported yet, nor its positions', async () => {
  const mule = await client('5000')
  const { body: account } = await open(firm.as.operator, mule, '1')
  await fund(await firm.traderSession(mule), account.id, mule, '5000')
  expect((await report('1', '5000', { as: firm.as.manager, at: 2 ** 52 })).body.applied).toBe(true)
  expect((await report('1', '0', { at: 1 })).body.applied).toBe(true)
  expect(answer(await home(firm.as.manager, account.id, mule, '5000'))).toEqual([409, 'transfers.above_balance'])
  const feed = await firm.key(['positions:write'], 'owner')
  const positions = (as: Caller, at: number, profit?: string) =>
    call(as, 'POST', '/v1/positions/sync', {
      platform: 'terminal5',
      server: 's',
      sequence: at,
      mode: 'snapshot',
      positions: profit === undefined ? [] : [{ ...POSITION, profit }],
    })
  expect((await positions(feed, 1_700_000_000, '1')).body).toMatchObject({ opened: 1 })
  expect((await positions(firm.as.operator, 1_701_000_000)).body).toMatchObject({ closed: 1 })
  expect((await positions(feed, 1_700_000_060, '2')).body).toMatchObject({ applied: true, updated: 1 })
})

test('frees nothing that they took by saying the same balance again', async () => {
  const mule = await client('1')
  const { body: account } = await open(firm.as.operator, mule, '1')
  await patch(firm.as.manager, account.id, { balance: '10000' })
  expect((await home(firm.as.admin, account.id, mule, '10000')).status).toBe(201)
  app.clock.advance(3 * DAY + HOUR)
  await patch(firm.as.admin, account.id, { balance: '10000' })
  expect(answer(await home(firm.as.admin, account.id, mule, '10000'))).toEqual([403, 'transfers.own_balance'])
  await report('1', '10000', { as: await firm.key(['accounts:write'], 'admin') })
  expect(answer(await home(firm.as.admin, account.id, mule, '10000'))).toEqual([403, 'transfers.own_balance'])
})

test('is not paid by going in and out between two reports of the same balance', async () => {
  const mule = await client('1001')
  const session = await firm.traderSession(mule)
  const { body: account } = await open(firm.as.operator, mule, '1')
  await fund(session, account.id, mule, '1')
  await report('1', '1')
  for (let round = 0; round < 5; round += 1) {
    await fund(session, account.id, mule, '1000')
    expect((await home(firm.as.admin, account.id, mule, '1000')).status).toBe(201)
  }
  for (let day = 0; day < 4; day += 1) {
    app.clock.advance(DAY)
    await report('1', '1')
  }
  expect(answer(await home(firm.as.admin, account.id, mule, '5000'))).toEqual([409, 'transfers.above_balance'])
})

test('takes nothing again that the platform has not acknowledged for days', async () => {
  await acknowledges(true)
  const mule = await client('1')
  const { body: account } = await open(firm.as.operator, mule, '1')
  await report('1', '10000')
  const { body: first } = await home(firm.as.admin, account.id, mule, '10000')
  app.clock.advance(4 * DAY)
  await report('1', '10000')
  expect((await acknowledges(false, firm.as.admin)).status).toBe(403)
  await acknowledges(false)
  expect(answer(await home(firm.as.admin, account.id, mule, '10000'))).toEqual([409, 'transfers.above_balance'])
  expect((await say(bridge, first.id, 'booked')).status).toBe(200)
  // no report knows of it yet
  expect(answer(await home(firm.as.admin, account.id, mule, '10000'))).toEqual([409, 'transfers.above_balance'])
})

test('books no gain on a balance that nobody reports any more', async () => {
  const mule = await client('1')
  const { body: account } = await open(firm.as.operator, mule, '1')
  await report('1', '9000')
  app.clock.advance(3 * DAY)
  expect(answer(await home(firm.as.admin, account.id, mule, '9000'))).toEqual([409, 'transfers.old_balance'])
  await report('1', '9000')
  expect((await home(firm.as.admin, account.id, mule, '9000')).status).toBe(201)
})

test('books a gain on a balance of 72 hours ago, and not on an older one', async () => {
  const mule = await client('1')
  const [{ body: first }, { body: second }] = [
    await open(firm.as.operator, mule, '1'),
    await open(firm.as.operator, mule, '2'),
  ]
  await report('1', '9000')
  await report('2', '9000')
  // each call takes a second: one until now, two for the way home
  app.clock.advance(72 * HOUR - 3 * SECOND)
  expect((await home(firm.as.admin, first.id, mule, '9000')).status).toBe(201)
  expect(answer(await home(firm.as.admin, second.id, mule, '9000'))).toEqual([409, 'transfers.old_balance'])
})

test('does not count what the bridge booked more than five minutes before its report', async () => {
  await acknowledges(true)
  const mule = await client('1')
  const { body: account } = await open(firm.as.operator, mule, '1')
  await report('1', '10000')
  const { body: taken } = await home(firm.as.admin, account.id, mule, '4000')
  expect((await say(bridge, taken.id, 'booked')).status).toBe(200)
  app.clock.advance(5 * MINUTE - SECOND)
  await report('1', '6000')
  expect(answer(await home(firm.as.admin, account.id, mule, '6000'))).toEqual([409, 'transfers.above_balance'])
  await report('1', '6000')
  expect((await home(firm.as.admin, account.id, mule, '6000')).status).toBe(201)
})

test('books as a gain nothing that the platform refused by their word', async () => {
  await acknowledges(true)
  const mule = await client('50000')
  const { body: account } = await open(firm.as.operator, mule, '1')
  const { body: sent } = await fund(await firm.traderSession(mule), account.id, mule, '50000')
  expect((await say(firm.as.admin, sent.id, 'refused')).status).toBe(200)
  firm.effects()
  for (let twice = 0; twice < 2; twice += 1) expect((await say(bridge, sent.id, 'booked')).status).toBe(409)
  expect(firm.effects().actions).toEqual(['transfer.contradicted'])
  const mails = await call(firm.as.owner, 'GET', '/v1/mails')
  expect(mails.body.data[0].subject).toBe('The platform says that it booked what a colleague said it refused')
  await report('1', '50000')
  expect(answer(await home(firm.as.admin, account.id, mule, '50000'))).toEqual([403, 'transfers.own_link'])
})

test('takes nothing home twice by a refusal, of a client who lost before or of a gift', async () => {
  await acknowledges(true)
  const mule = await client('100000')
  const session = await firm.traderSession(mule)
  const { body: account } = await open(firm.as.operator, mule, '1')
  const { body: lost } = await fund(session, account.id, mule, '50000')
  await say(bridge, lost.id, 'booked')
  await report('1', '0')
  const { body: sent } = await fund(session, account.id, mule, '50000')
  expect((await say(firm.as.manager, sent.id, 'refused')).status).toBe(200)
  await report('1', '50000')
  expect(answer(await home(firm.as.manager, account.id, mule, '50000'))).toEqual([403, 'transfers.own_link'])
  const [giver, taker] = [await client('9500'), await client('1')]
  const { body: theirs } = await open(firm.as.operator, taker, '2')
  const { body: gift } = await fund(firm.as.manager, theirs.id, giver, '9500')
  expect((await say(firm.as.admin, gift.id, 'refused')).status).toBe(200)
  app.clock.advance(HOUR)
  await report('2', '9500')
  expect(answer(await home(firm.as.admin, theirs.id, taker, '9500'))).toEqual([403, 'transfers.own_link'])
})

test('brings nothing home from anybody once the bridge denied their word', async () => {
  await acknowledges(true)
  const [first, second] = [await client('50000'), await client('1')]
  const { body: lost } = await open(firm.as.operator, first, '1')
  const { body: won } = await open(firm.as.operator, second, '2')
  const { body: sent } = await fund(await firm.traderSession(first), lost.id, first, '50000')
  expect((await say(firm.as.admin, sent.id, 'refused')).status).toBe(200)
  expect((await say(bridge, sent.id, 'booked')).status).toBe(409)
  await report('2', '50000')
  expect(answer(await home(firm.as.admin, won.id, second, '50000'))).toEqual([403, 'transfers.own_link'])
  expect((await home(firm.as.platform_admin, won.id, second, '50000')).status).toBe(201)
})

test('is the hand that brought what they called booked', async () => {
  await acknowledges(true)
  const mule = await client('1')
  const { body: account } = await open(firm.as.operator, mule, '1')
  await report('1', '9500')
  const { body: take } = await home(firm.as.admin, account.id, mule, '9500')
  expect((await say(firm.as.manager, take.id, 'booked')).status).toBe(200)
  const destination = { kind: 'bank', reference: 'LT12 1000 0111 0100 1000' }
  const asked = { currency: 'EUR', amount: '9500', destination }
  const { body } = await call(await firm.traderSession(mule), 'POST', '/v1/withdrawals', asked)
  const vote = await call(firm.as.manager, 'POST', `/v1/withdrawals/${body.id}/approve`, { note: 'looked' })
  expect(vote.body.status).not.toBe('approved')
})

test('is the hand that brought what comes home, and whose rate it comes by, also when it comes late', async () => {
  await acknowledges(true)
  await call(firm.as.owner, 'POST', '/v1/fx/rates/upsert', { rates: [{ base: 'USD', quote: 'EUR', rate: '0.9' }] })
  const mule = await client('1')
  const { body: account } = await open(firm.as.operator, mule, '1', { currency: 'USD' })
  await report('1', '9000')
  const { body: taken } = await home(firm.as.admin, account.id, mule, '9000')
  expect(taken.state).toBe('sent')
  app.clock.advance(31 * DAY)
  expect((await say(bridge, taken.id, 'booked')).status).toBe(200)
  const acts = app.platform.reader.all(
    'SELECT user_id AS by, act FROM client_acts WHERE trader_id = ? AND created_at = ? ORDER BY act',
    [mule, app.clock.now()],
  )
  expect(acts).toEqual([
    { by: firm.as.owner.id, act: 'rate' },
    { by: firm.as.admin.id, act: 'transfer' },
  ])
  const destination = { kind: 'bank', reference: 'LT12 1000 0111 0100 1000' }
  const asked = { currency: 'EUR', amount: '8000', destination }
  const { body } = await call(await firm.traderSession(mule), 'POST', '/v1/withdrawals', asked)
  const vote = await call(firm.as.admin, 'POST', `/v1/withdrawals/${body.id}/approve`, { note: 'looked' })
  expect(vote.body.status).toBe('requested')
})

test('is the hand that brought a gift to another client’s account, also when it comes late', async () => {
  await acknowledges(true)
  const [giver, mule] = [await client('5000'), await client('1')]
  const { body: account } = await open(firm.as.operator, mule, '1')
  const { body: sent } = await fund(firm.as.manager, account.id, giver, '5000')
  app.clock.advance(31 * DAY)
  expect((await say(bridge, sent.id, 'booked')).status).toBe(200)
  const acts = app.platform.reader.all('SELECT act FROM client_acts WHERE trader_id = ? AND created_at = ?', [
    mule,
    app.clock.now(),
  ])
  expect(acts).toEqual([{ act: 'transfer' }])
})

test('books nothing on a balance of which nobody knows whose word it is', async () => {
  const mule = await client('100')
  const { body: account } = await open(firm.as.operator, mule, '1')
  await fund(await firm.traderSession(mule), account.id, mule, '100')
  await patch(firm.as.admin, account.id, { balance: '90000' })
  await app.platform.writer.submit(() => app.platform.connection.run('UPDATE accounts SET balance_by = NULL'))
  for (const amount of ['90000', '100'])
    expect(answer(await home(firm.as.owner, account.id, mule, amount))).toEqual([409, 'transfers.not_reported'])
  await patch(firm.as.manager, account.id, { balance: '90000' })
  expect((await home(firm.as.owner, account.id, mule, '90000')).status).toBe(201)
})

test('takes nothing home that the bridge has never reported, or not for days', async () => {
  const mule = await client('50000')
  const session = await firm.traderSession(mule)
  await report('', '')
  // as the console opens one, with nothing on it
  const { body: account } = await open(firm.as.operator, mule, '1', { balance: '0', equity: '0' })
  await fund(session, account.id, mule, '50000')
  const take = () => home(firm.as.manager, account.id, mule, '50000')
  expect(answer(await take())).toEqual([409, 'transfers.not_reported'])
  await report('1', '50000')
  app.clock.advance(4 * DAY)
  expect(answer(await take())).toEqual([409, 'transfers.old_balance'])
  await patch(firm.as.operator, account.id, { balance: '50000' })
  app.clock.advance(4 * DAY)
  expect(answer(await take())).toEqual([409, 'transfers.old_balance'])
  await patch(firm.as.operator, account.id, { balance: '50000' })
  expect((await take()).status).toBe(201)
  // a person's figure from before says nothing of what was paid in since
  await fund(session, account.id, mule, '100')
  expect(answer(await home(firm.as.manager, account.id, mule, '100'))).toEqual([409, 'transfers.not_reported'])
})

describe('an honest desk', () => {
  test('goes on with what is left, once the bridge has booked what was taken and reports the rest', async () => {
    await acknowledges(true)
    const winner = await client('1')
    const { body: account } = await open(firm.as.operator, winner, '1')
    await report('1', '10000')
    const { body: first } = await home(firm.as.admin, account.id, winner, '6000')
    await say(bridge, first.id, 'booked')
    // this one may have been on its way
    await report('1', '4000')
    expect(answer(await home(firm.as.admin, account.id, winner, '4000'))).toEqual([409, 'transfers.above_balance'])
    app.clock.advance(HOUR)
    await report('1', '4000')
    expect((await home(firm.as.admin, account.id, winner, '4000')).status).toBe(201)
    // a person's figure may be older than they know
    app.clock.advance(HOUR)
    await patch(firm.as.manager, account.id, { balance: '1000' })
    expect(answer(await home(firm.as.admin, account.id, winner, '1000'))).toEqual([409, 'transfers.above_balance'])
  })

  test('corrects a balance, and the platform’s word takes the place of theirs', async () => {
    const winner = await client('1')
    const { body: account } = await open(firm.as.operator, winner, '1')
    await report('1', '100')
    await patch(firm.as.admin, account.id, { balance: '60' })
    expect(answer(await home(firm.as.admin, account.id, winner, '60'))).toEqual([403, 'transfers.own_balance'])
    await report('1', '60')
    expect((await home(firm.as.admin, account.id, winner, '60')).status).toBe(201)
    await patch(firm.as.admin, account.id, { balance: '0' })
    expect(answer(await remove(firm.as.admin, account.id))).toEqual([409, 'accounts.has_balance'])
    await report('1', '0')
    // the platform may show again what was taken, and a new account would not know of it
    expect(answer(await remove(firm.as.owner, account.id))).toEqual([409, 'accounts.has_balance'])
    app.clock.advance(3 * DAY)
    expect((await remove(firm.as.owner, account.id)).status).toBe(204)
  })
})

test('takes nothing on the strength of what is still on its way', async () => {
  await acknowledges(true)
  const mule = await client('50000')
  const { body: account } = await open(firm.as.operator, mule, '1')
  const { body: sent } = await fund(await firm.traderSession(mule), account.id, mule, '50000')
  await acknowledges(false)
  expect(answer(await home(firm.as.admin, account.id, mule, '50000'))).toEqual([409, 'transfers.above_balance'])
  expect((await say(bridge, sent.id, 'booked')).status).toBe(200)
  expect((await home(firm.as.admin, account.id, mule, '50000')).status).toBe(201)
  expect((await walletOf(mule)).available).toBe('50000.00')
})

test('is not the platform by a key of their own', async () => {
  await acknowledges(true)
  const mule = await client('50000')
  const { body: account } = await open(firm.as.operator, mule, '1')
  const { body: sent } = await fund(await firm.traderSession(mule), account.id, mule, '50000')
  await report('1', '50000')
  const key = await firm.key(['bridge:write'], 'admin')
  expect(answer(await say(key, sent.id, 'refused'))).toEqual([409, 'balance_reported'])
  expect((await say(bridge, sent.id, 'booked')).status).toBe(200)
  const { body: taken } = await home(firm.as.admin, account.id, mule, '50000')
  expect(answer(await say(key, taken.id, 'booked'))).toEqual([403, 'transfers.own_request'])
  expect((await say(bridge, taken.id, 'booked')).body.state).toBe('booked')
})

test('takes the same balance once, whatever a late platform goes on reporting', async () => {
  const mule = await client('1')
  const { body: account } = await open(firm.as.operator, mule, '1')
  await report('1', '10000')
  const take = (amount: string) => home(firm.as.admin, account.id, mule, amount)
  expect((await take('9000')).status).toBe(201)
  // the platform has not paid out yet; a swap of a cent makes each report a new one
  await report('1', '9999.99')
  expect(answer(await take('1000'))).toEqual([409, 'transfers.above_balance'])
  expect((await take('999.99')).status).toBe(201)
  // neither a loss that is won back nor anybody's false word in between shows that it was paid out
  await report('1', '5000')
  await patch(firm.as.operator, account.id, { balance: '99999' })
  await patch(firm.as.manager, account.id, { balance: '0' })
  await report('1', '10000')
  expect(answer(await take('1'))).toEqual([409, 'transfers.above_balance'])
  // three days later it was, and every cent that is there now was earned since
  app.clock.advance(3 * DAY)
  await report('1', '500')
  await report('1', '500')
  expect((await take('500')).status).toBe(201)
  expect(answer(await take('1'))).toEqual([409, 'transfers.above_balance'])
  app.clock.advance(3 * DAY)
  await report('1', '500')
  expect((await take('500')).status).toBe(201)
})

test('says no refusal after any report, also of what did not change', async () => {
  await acknowledges(true)
  const mule = await client('50000')
  const { body: account } = await open(firm.as.operator, mule, '1')
  await report('1', '100')
  const { body: sent } = await fund(await firm.traderSession(mule), account.id, mule, '50000')
  await report('1', '100')
  expect(answer(await say(firm.as.manager, sent.id, 'refused'))).toEqual([409, 'balance_reported'])
})

test('what the platform refused to pay out is there again', async () => {
  await acknowledges(true)
  const mule = await client('1')
  const { body: account } = await open(firm.as.operator, mule, '1')
  await report('1', '100')
  const { body: taken } = await home(firm.as.admin, account.id, mule, '100')
  expect(answer(await home(firm.as.admin, account.id, mule, '1'))).toEqual([409, 'transfers.above_balance'])
  expect((await say(bridge, taken.id, 'refused')).body.state).toBe('refused')
  await report('1', '101')
  expect((await home(firm.as.admin, account.id, mule, '101')).status).toBe(201)
})
