/** What a dishonest colleague could try alone with a platform's reports; bridge and other people are honest. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE, SECOND } from '../../../platform/clock.ts'
import { createAccountDesk } from '../../../testing/account-desk.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'

let app: TestApp
let firm: Firm
let bridge: Caller
const { call, client, readWallet, open, patch, remove, home, fund, say, report, acknowledges, answer } =
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

test('a dishonest colleague’s own report does not block the bridge’s later reports', async () => {
  const mule = await client('5000')
  const { body: account } = await open(firm.as.operator, mule, '1')
  await fund(await firm.traderSession(mule), account.id, mule, '5000')
  await report('1', '5000')
  expect((await report('', '', { as: firm.as.manager, at: 900_000 })).body.applied).toBe(true)
  expect((await report('1', '0', { at: 3 })).body.applied).toBe(true)
  expect(answer(await home(firm.as.manager, account.id, mule, '5000'))).toEqual([409, 'transfers.above_balance'])
  // the bridge's repeated number changes nothing, even after a person's higher number
  expect((await report('', '', { as: firm.as.manager, at: 800_000 })).body.applied).toBe(false)
  for (const at of [2, 3])
    expect((await report('1', '4000', { at })).body).toMatchObject({ applied: false, sequence: 3 })
})

test('a dishonest colleague blocks neither the first report of a bridge nor its report of positions', async () => {
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

test('a dishonest colleague cannot take the same money twice by reporting the same balance again', async () => {
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

test('a dishonest colleague gains nothing by moving in and out between two reports of the same balance', async () => {
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

test('a dishonest colleague does not take money again that the platform has not acknowledged for days', async () => {
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
  // no report includes it yet
  expect(answer(await home(firm.as.admin, account.id, mule, '10000'))).toEqual([409, 'transfers.above_balance'])
})

test('a dishonest colleague takes no gain from a balance that is no longer reported', async () => {
  const mule = await client('1')
  const { body: account } = await open(firm.as.operator, mule, '1')
  await report('1', '9000')
  app.clock.advance(3 * DAY)
  expect(answer(await home(firm.as.admin, account.id, mule, '9000'))).toEqual([409, 'transfers.old_balance'])
  await report('1', '9000')
  expect((await home(firm.as.admin, account.id, mule, '9000')).status).toBe(201)
})

test('a gain may be taken from a balance of 72 hours ago, and not from an older one', async () => {
  const mule = await client('1')
  const [{ body: first }, { body: second }] = [
    await open(firm.as.operator, mule, '1'),
    await open(firm.as.operator, mule, '2'),
  ]
  await report('1', '9000')
  await report('2', '9000')
  // each call takes a second: one call until now, and two to take the money
  app.clock.advance(72 * HOUR - 3 * SECOND)
  expect((await home(firm.as.admin, first.id, mule, '9000')).status).toBe(201)
  expect(answer(await home(firm.as.admin, second.id, mule, '9000'))).toEqual([409, 'transfers.old_balance'])
})

test('money that the bridge booked over five minutes before its report is not subtracted from the reported balance', async () => {
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

test('a dishonest colleague does not take as a gain the money that they called refused', async () => {
  await acknowledges(true)
  const mule = await client('50000')
  const { body: account } = await open(firm.as.operator, mule, '1')
  const { body: sent } = await fund(await firm.traderSession(mule), account.id, mule, '50000')
  expect((await say(firm.as.admin, sent.id, 'refused')).status).toBe(200)
  firm.effects()
  for (let twice = 0; twice < 2; twice += 1) expect((await say(bridge, sent.id, 'booked')).status).toBe(409)
  expect(firm.effects().actions).toEqual(['transfer.contradicted'])
  const mails = await call(firm.as.owner, 'GET', '/v1/mails')
  expect(mails.body.data[0].subject).toBe('The platform says that it booked what was called refused')
  await report('1', '50000')
  expect(answer(await home(firm.as.admin, account.id, mule, '50000'))).toEqual([403, 'transfers.own_link'])
})

test('a dishonest colleague takes no money twice by calling it refused, neither a client’s whose other money was lost, nor a gift', async () => {
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

test('a dishonest colleague whom the bridge contradicted takes nothing from any account', async () => {
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

test('a dishonest colleague is involved in money that they called booked', async () => {
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

test('a dishonest colleague is involved in money that they took or priced, even if it is booked late', async () => {
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

test('a dishonest colleague is involved in a gift to another client’s account, even if it is booked late', async () => {
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

test('a dishonest colleague takes nothing from a balance whose author is unknown', async () => {
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

test('a dishonest colleague takes nothing from an account that the bridge never reported, or not for days', async () => {
  const mule = await client('50000')
  const session = await firm.traderSession(mule)
  await report('', '')
  // opened as in the console, with a balance of zero
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
  // a person's earlier balance says nothing about money that was moved there later
  await fund(session, account.id, mule, '100')
  expect(answer(await home(firm.as.manager, account.id, mule, '100'))).toEqual([409, 'transfers.not_reported'])
})

describe('an honest desk', () => {
  test('an honest desk takes the rest once the bridge has booked what was taken and reports the rest', async () => {
    await acknowledges(true)
    const winner = await client('1')
    const { body: account } = await open(firm.as.operator, winner, '1')
    await report('1', '10000')
    const { body: first } = await home(firm.as.admin, account.id, winner, '6000')
    await say(bridge, first.id, 'booked')
    // this report may have been made before the booking
    await report('1', '4000')
    expect(answer(await home(firm.as.admin, account.id, winner, '4000'))).toEqual([409, 'transfers.above_balance'])
    app.clock.advance(HOUR)
    await report('1', '4000')
    expect((await home(firm.as.admin, account.id, winner, '4000')).status).toBe(201)
    // a balance that a person entered may be outdated
    app.clock.advance(HOUR)
    await patch(firm.as.manager, account.id, { balance: '1000' })
    expect(answer(await home(firm.as.admin, account.id, winner, '1000'))).toEqual([409, 'transfers.above_balance'])
  })

  test('an honest desk corrects a balance, and the platform’s report replaces it', async () => {
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
    // the platform may report the taken money again, and a new account would not know that the money was taken
    expect(answer(await remove(firm.as.owner, account.id))).toEqual([409, 'accounts.has_balance'])
    app.clock.advance(3 * DAY)
    expect((await remove(firm.as.owner, account.id)).status).toBe(204)
  })
})

test('an honest desk takes nothing off an account while it is still on its way there', async () => {
  await acknowledges(true)
  const mule = await client('50000')
  const { body: account } = await open(firm.as.operator, mule, '1')
  const { body: sent } = await fund(await firm.traderSession(mule), account.id, mule, '50000')
  await acknowledges(false)
  expect(answer(await home(firm.as.admin, account.id, mule, '50000'))).toEqual([409, 'transfers.above_balance'])
  expect((await say(bridge, sent.id, 'booked')).status).toBe(200)
  expect((await home(firm.as.admin, account.id, mule, '50000')).status).toBe(201)
  expect((await readWallet(mule)).available).toBe('50000.00')
})

test('a colleague’s own key does not act as the platform', async () => {
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

test('the same balance is taken once, whatever a slow platform still reports', async () => {
  const mule = await client('1')
  const { body: account } = await open(firm.as.operator, mule, '1')
  await report('1', '10000')
  const take = (amount: string) => home(firm.as.admin, account.id, mule, amount)
  expect((await take('9000')).status).toBe(201)
  // the platform has not paid out yet; a cent of interest makes each report new
  await report('1', '9999.99')
  expect(answer(await take('1000'))).toEqual([409, 'transfers.above_balance'])
  expect((await take('999.99')).status).toBe(201)
  // neither a loss that is won back nor a person's false report proves that the money was paid out
  await report('1', '5000')
  await patch(firm.as.operator, account.id, { balance: '99999' })
  await patch(firm.as.manager, account.id, { balance: '0' })
  await report('1', '10000')
  expect(answer(await take('1'))).toEqual([409, 'transfers.above_balance'])
  // three days later the money was paid out, and every cent on the account was earned since
  app.clock.advance(3 * DAY)
  await report('1', '500')
  await report('1', '500')
  expect((await take('500')).status).toBe(201)
  expect(answer(await take('1'))).toEqual([409, 'transfers.above_balance'])
  app.clock.advance(3 * DAY)
  await report('1', '500')
  expect((await take('500')).status).toBe(201)
})

test('an honest desk cannot acknowledge a refusal after any report, changed or not', async () => {
  await acknowledges(true)
  const mule = await client('50000')
  const { body: account } = await open(firm.as.operator, mule, '1')
  await report('1', '100')
  const { body: sent } = await fund(await firm.traderSession(mule), account.id, mule, '50000')
  await report('1', '100')
  expect(answer(await say(firm.as.manager, sent.id, 'refused'))).toEqual([409, 'balance_reported'])
})

test('an honest desk takes again what the platform refused to pay out', async () => {
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
