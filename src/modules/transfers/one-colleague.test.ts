/** What one dishonest colleague tries with trading accounts, alone; a bridge and everybody else are honest. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, HOUR, SECOND } from '../../platform/clock.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../testing/app.ts'

let app: TestApp
let firm: Firm
let bridge: Caller
let sequence = 0

beforeEach(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  bridge = await firm.key(['accounts:write', 'wallets:write'], 'owner')
  sequence = 0
})
afterEach(() => app.close())

const call = (as: Caller, method: string, path: string, body?: object) => {
  app.clock.advance(SECOND)
  return app.call(method, path, body === undefined ? { as } : { as, body })
}
async function client(amount: string, currency = 'EUR'): Promise<string> {
  const traderId = await firm.trader({ kycLevel: 2 })
  const deposit = { traderId, currency, amount, method: 'bank' }
  const { body } = await call(firm.as.operator, 'POST', '/v1/deposits', deposit)
  await call(firm.as.owner, 'POST', `/v1/deposits/${body.id}/settle`)
  return traderId
}
const walletOf = async (traderId: string, currency = 'EUR') =>
  (await call(firm.as.viewer, 'GET', `/v1/wallets?traderId=${traderId}&currency=${currency}`)).body.data[0]
const open = (as: Caller, traderId: string, accountNumber: string, extra: object = {}) =>
  call(as, 'POST', '/v1/accounts', { traderId, platform: 'terminal5', currency: 'EUR', accountNumber, ...extra })
const patch = (as: Caller, id: string, body: object) => call(as, 'PATCH', `/v1/accounts/${id}`, body)
const remove = (as: Caller, id: string) => call(as, 'DELETE', `/v1/accounts/${id}`)
const move = (as: Caller, body: object) => call(as, 'POST', '/v1/transfers', body)
const home = async (as: Caller, accountId: string, traderId: string, amount: string) =>
  move(as, { fromAccountId: accountId, toWalletId: (await walletOf(traderId)).id, amount })
const fund = async (as: Caller, accountId: string, traderId: string, amount: string) =>
  move(as, { fromWalletId: (await walletOf(traderId)).id, toAccountId: accountId, amount })
const say = (as: Caller, id: string, state: 'booked' | 'refused') =>
  call(as, 'POST', `/v1/transfers/${id}/acknowledge`, { state, reason: 'x' })
/** The platform's report, by its bridge unless somebody else sends it. */
function report(accountNumber: string, balance: string, { as = bridge, at = sequence + 1 } = {}) {
  sequence = Math.max(sequence, at)
  const accounts = accountNumber === '' ? [] : [{ accountNumber, balance, equity: balance }]
  return call(as, 'POST', '/v1/accounts/sync', { platform: 'terminal5', server: 's', sequence: at, accounts })
}
const acknowledges = (platformAcknowledges: boolean, as: Caller = firm.as.owner) =>
  call(as, 'PATCH', '/v1/tenants/current', { platformAcknowledges })
const POSITION = {
  ...{ ticket: '1', accountNumber: '1', symbol: 'EURUSD', side: 'long', volume: '1', openPrice: '1.1' },
  ...{ currentPrice: '1.1', swap: '0', commission: '0', openedAt: '2026-01-01T00:00:00Z' },
}
const answer = ({ status, body }: Awaited<ReturnType<typeof call>>) => [status, body?.code]

test('deletes no account whose money only they say is gone, and none with money on its way', async () => {
  const victim = await client('200000')
  const { body: account } = await open(firm.as.operator, victim, '1')
  expect((await fund(firm.as.admin, account.id, victim, '200000')).status).toBe(201)
  await report('1', '200000')
  expect((await patch(firm.as.admin, account.id, { balance: '0' })).status).toBe(200)
  expect(answer(await remove(firm.as.admin, account.id))).toEqual([409, 'accounts.has_balance'])
  await acknowledges(true)
  const second = await client('50')
  const { body: fresh } = await open(firm.as.operator, second, '2')
  expect((await fund(await firm.traderSession(second), fresh.id, second, '50')).body.state).toBe('sent')
  await report('2', '0')
  expect(answer(await remove(firm.as.manager, fresh.id))).toEqual([409, 'accounts.has_balance'])
})

test('leaves an account that money was moved to in its currency', async () => {
  const mule = await client('2000', 'JPY')
  const { body: account } = await open(firm.as.operator, mule, '1', { currency: 'JPY' })
  const session = await firm.traderSession(mule)
  await move(session, { fromWalletId: (await walletOf(mule, 'JPY')).id, toAccountId: account.id, amount: '1000' })
  const refused = await patch(firm.as.admin, account.id, { currency: 'BTC' })
  expect([...answer(refused), refused.body.errors[0].path]).toEqual([409, 'accounts.in_use', 'currency'])
})

test.each([
  ['a demo account', { isDemo: true }, { isDemo: false }],
  ['an account in yen', { currency: 'JPY' }, { currency: 'EUR' }],
  ['an account of another number', { accountNumber: '77' }, { accountNumber: '1' }],
] as const)('does not book what %s became by their own word', async (_, was, becomes) => {
  const mule = await client('1')
  const { body: account } = await open(firm.as.operator, mule, '1', was)
  await report('1', '100000')
  await patch(firm.as.operator, account.id, { balance: '0', equity: '0' })
  expect((await patch(firm.as.admin, account.id, becomes)).status).toBe(200)
  await report('1', '100001')
  expect(answer(await home(firm.as.admin, account.id, mule, '100'))).toEqual([403, 'transfers.own_link'])
})

test('has no use of an own zero: the account may hold money', async () => {
  const mule = await client('1')
  const { body: account } = await open(firm.as.operator, await client('1'), '1')
  await report('1', '70000')
  expect((await patch(firm.as.manager, account.id, { balance: '0' })).status).toBe(200)
  for (const change of [{ traderId: mule }, { accountNumber: '2' }, { isDemo: true }])
    expect(answer(await patch(firm.as.manager, account.id, change))).toEqual([409, 'accounts.in_use'])
  expect(answer(await remove(firm.as.manager, account.id))).toEqual([409, 'accounts.has_balance'])
  const gone = await call(firm.as.manager, 'DELETE', `/v1/traders/${account.traderId}`)
  expect(gone.body.detail).toContain('account 1, which only you say is empty')
})

test('does not get a link of theirs forgotten by a colleague’s edit', async () => {
  const [first, second] = [await client('1'), await client('1')]
  const { body: account } = await open(firm.as.admin, first, '1', { isDemo: true })
  expect((await patch(firm.as.manager, account.id, { isDemo: false })).status).toBe(200)
  expect((await patch(firm.as.manager, account.id, { traderId: second })).status).toBe(200)
  await report('1', '90000')
  expect(answer(await home(firm.as.admin, account.id, second, '90000'))).toEqual([403, 'transfers.own_link'])
})

test('gives no number to an account after money was moved there', async () => {
  const mule = await client('100')
  const { body: account } = await open(firm.as.operator, mule, '1', { accountNumber: undefined })
  await fund(await firm.traderSession(mule), account.id, mule, '100')
  expect(answer(await patch(firm.as.admin, account.id, { accountNumber: '7' }))).toEqual([409, 'accounts.in_use'])
  expect((await home(firm.as.manager, account.id, mule, '100')).status).toBe(201)
})

test('moves no large sum to an account that they said is the client’s', async () => {
  const victim = await client('30000')
  const { body: account } = await open(firm.as.operator, victim, '1')
  expect((await fund(firm.as.operator, account.id, victim, '6000')).status).toBe(201)
  expect(answer(await fund(firm.as.operator, account.id, victim, '6000'))).toEqual([403, 'transfers.own_link'])
  expect((await fund(firm.as.manager, account.id, victim, '6000')).status).toBe(201)
  expect((await fund(await firm.traderSession(victim), account.id, victim, '12000')).status).toBe(201)
})

test('moves no large sum there in the client’s session either, whose address they changed', async () => {
  const victim = await client('30000')
  const { body: account } = await open(firm.as.operator, victim, '1')
  const email = 'mailbox.of.the.operator@alpha.test'
  expect((await call(firm.as.operator, 'PATCH', `/v1/traders/${victim}`, { email })).status).toBe(200)
  const session = await firm.traderSession(victim)
  expect((await fund(session, account.id, victim, '9000')).status).toBe(201)
  // what no rate compares counts as large
  const yen = { traderId: victim, currency: 'JPY', amount: '5', method: 'bank' }
  const { body } = await call(firm.as.operator, 'POST', '/v1/deposits', yen)
  await call(firm.as.owner, 'POST', `/v1/deposits/${body.id}/settle`)
  const { body: other } = await open(firm.as.operator, victim, '2', { currency: 'JPY' })
  const small = { fromWalletId: (await walletOf(victim, 'JPY')).id, toAccountId: other.id, amount: '1' }
  expect(answer(await move(session, small))).toEqual([403, 'transfers.own_link'])
  expect(answer(await fund(session, account.id, victim, '1000'))).toEqual([403, 'transfers.own_link'])
})

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
      ...{ platform: 'terminal5', server: 's', sequence: at, mode: 'snapshot' },
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

test('moves no large sum to what they linked over many clients, by a rate of theirs, or where there is none', async () => {
  const clients: [string, string][] = []
  for (let n = 0; n < 2; n += 1) {
    const victim = await client('9000')
    clients.push([victim, (await open(firm.as.operator, victim, `${n}`)).body.id])
  }
  const [[first, firstAccount] = ['', ''], [second, secondAccount] = ['', '']] = clients
  expect((await fund(firm.as.operator, firstAccount, first, '9000')).status).toBe(201)
  expect(answer(await fund(firm.as.operator, secondAccount, second, '9000'))).toEqual([403, 'transfers.own_link'])
  const rich = await client('900000', 'KWD')
  const { body: account } = await open(firm.as.admin, rich, 'k', { currency: 'KWD' })
  const dinars = { fromWalletId: (await walletOf(rich, 'KWD')).id, toAccountId: account.id, amount: '900000' }
  expect(answer(await move(firm.as.admin, dinars))).toEqual([403, 'transfers.own_link'])
  await call(firm.as.admin, 'PUT', '/v1/fx/rates', { base: 'KWD', quote: 'EUR', rate: '0.0001' })
  expect(answer(await move(firm.as.admin, dinars))).toEqual([403, 'transfers.own_link'])
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

test('takes nothing home that the bridge has never reported, or not for days', async () => {
  const mule = await client('50000')
  const session = await firm.traderSession(mule)
  await report('', '')
  const { body: account } = await open(firm.as.operator, mule, '1')
  await fund(session, account.id, mule, '50000')
  const take = () => home(firm.as.manager, account.id, mule, '50000')
  expect(answer(await take())).toEqual([409, 'transfers.not_reported'])
  await report('1', '50000')
  app.clock.advance(4 * DAY)
  expect(answer(await take())).toEqual([409, 'transfers.old_balance'])
  await patch(firm.as.operator, account.id, { balance: '50000' })
  expect((await take()).status).toBe(201)
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
  const key = await firm.key(['wallets:write'], 'admin')
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
