/** What a dishonest colleague could try alone with trading accounts; the bridge and all other people are honest. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { DAY } from '../../../platform/clock.ts'
import { createAccountDesk } from '../../../testing/account-desk.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'

let app: TestApp
let firm: Firm
let bridge: Caller
const { call, client, readWallet, open, patch, remove, move, home, fund, report, acknowledges, answer } =
  createAccountDesk(() => ({ app, firm, bridge }))
beforeEach(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  bridge = await firm.key(['accounts:write', 'bridge:write'], 'owner')
})
afterEach(() => app.close())

test('a dishonest colleague deletes no account that only they reported empty, and none with money on its way', async () => {
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

test('a dishonest colleague cannot change the currency of an account that money was moved to', async () => {
  const mule = await client('2000', 'JPY')
  const { body: account } = await open(firm.as.operator, mule, '1', { currency: 'JPY' })
  const session = await firm.traderSession(mule)
  await move(session, { fromWalletId: (await readWallet(mule, 'JPY')).id, toAccountId: account.id, amount: '1000' })
  const refused = await patch(firm.as.admin, account.id, { currency: 'BTC' })
  expect([...answer(refused), refused.body.errors[0].path]).toEqual([409, 'accounts.in_use', 'currency'])
})

test.each([
  ['a demo account', { isDemo: true }, { isDemo: false }],
  ['an account in yen', { currency: 'JPY' }, { currency: 'EUR' }],
  ['an account of another number', { accountNumber: '77' }, { accountNumber: '1' }],
] as const)('a dishonest colleague takes no gain by their own report after %s changed', async (_, was, becomes) => {
  const mule = await client('1')
  const { body: account } = await open(firm.as.operator, mule, '1', was)
  await report('1', '100000')
  await patch(firm.as.operator, account.id, { balance: '0', equity: '0' })
  expect((await patch(firm.as.admin, account.id, becomes)).status).toBe(200)
  await report('1', '100001')
  expect(answer(await home(firm.as.admin, account.id, mule, '100'))).toEqual([403, 'transfers.own_link'])
})

test('a dishonest colleague gains nothing by their own report of zero: the account may have money', async () => {
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

test('a dishonest colleague still counts as the linker after another colleague’s edit', async () => {
  const [first, second] = [await client('1'), await client('1')]
  const { body: account } = await open(firm.as.admin, first, '1', { isDemo: true })
  expect((await patch(firm.as.manager, account.id, { isDemo: false })).status).toBe(200)
  expect((await patch(firm.as.manager, account.id, { traderId: second })).status).toBe(200)
  await report('1', '90000')
  expect(answer(await home(firm.as.admin, account.id, second, '90000'))).toEqual([403, 'transfers.own_link'])
})

test('a dishonest colleague adds no number to an account after money was moved there', async () => {
  const mule = await client('100')
  const { body: account } = await open(firm.as.operator, mule, '1', { accountNumber: undefined })
  await fund(await firm.traderSession(mule), account.id, mule, '100')
  expect(answer(await patch(firm.as.admin, account.id, { accountNumber: '7' }))).toEqual([409, 'accounts.in_use'])
  expect((await home(firm.as.manager, account.id, mule, '100')).status).toBe(201)
})

test('a dishonest colleague moves no large sum to an account that they linked themselves', async () => {
  const victim = await client('30000')
  const { body: account } = await open(firm.as.operator, victim, '1')
  expect((await fund(firm.as.operator, account.id, victim, '6000')).status).toBe(201)
  const refused = await fund(firm.as.operator, account.id, victim, '6000')
  expect(answer(refused)).toEqual([403, 'transfers.own_link'])
  expect(refused.body.detail).toStartWith('You linked this account to the client in the last 30 days')
  expect((await fund(firm.as.manager, account.id, victim, '6000')).status).toBe(201)
  expect((await fund(await firm.traderSession(victim), account.id, victim, '12000')).status).toBe(201)
})

test('a dishonest colleague moves no large sum to their linked account in the session of a client whose address they changed', async () => {
  const victim = await client('30000')
  const { body: account } = await open(firm.as.operator, victim, '1')
  const email = 'mailbox.of.the.operator@alpha.test'
  expect((await call(firm.as.operator, 'PATCH', `/v1/traders/${victim}`, { email })).status).toBe(200)
  const session = await firm.traderSession(victim)
  expect((await fund(session, account.id, victim, '9000')).status).toBe(201)
  // an amount without a rate counts as large
  const yen = { traderId: victim, currency: 'JPY', amount: '5', method: 'bank' }
  const { body } = await call(firm.as.operator, 'POST', '/v1/deposits', yen)
  await call(firm.as.owner, 'POST', `/v1/deposits/${body.id}/settle`)
  const { body: other } = await open(firm.as.operator, victim, '2', { currency: 'JPY' })
  const small = { fromWalletId: (await readWallet(victim, 'JPY')).id, toAccountId: other.id, amount: '1' }
  expect(answer(await move(session, small))).toEqual([403, 'transfers.own_link'])
  const refused = await fund(session, account.id, victim, '1000')
  expect(answer(refused)).toEqual([403, 'transfers.own_link'])
  expect(refused.body.detail).toContain('please ask us')
})

test('a dishonest colleague takes no large sum from an account that they linked: the client may have lost it', async () => {
  const [mule, second] = [await client('50000'), await client('9000')]
  const { body: account } = await open(firm.as.admin, mule, '777')
  const { body: other } = await open(firm.as.admin, second, '778')
  // the platform has 90,000 of another person on that account number
  await report('777', '90000')
  await fund(await firm.traderSession(mule), account.id, mule, '50000')
  await fund(await firm.traderSession(second), other.id, second, '9000')
  await report('778', '9000')
  await report('777', '90000')
  const refused = await home(firm.as.admin, account.id, mule, '50000')
  expect(answer(refused)).toEqual([403, 'transfers.own_link'])
  expect(refused.body.detail).toContain('from the firm’s threshold on, a colleague transfers money back')
  // small sums are added up over all clients whose accounts they linked
  expect((await home(firm.as.admin, other.id, second, '6000')).status).toBe(201)
  expect(answer(await home(firm.as.admin, account.id, mule, '4000'))).toEqual([403, 'transfers.own_link'])
  expect((await home(firm.as.admin, account.id, mule, '3999')).status).toBe(201)
  // sums of other colleagues are not added, and their own are no longer added after a day
  expect((await home(firm.as.manager, account.id, mule, '20000')).status).toBe(201)
  app.clock.advance(DAY)
  expect((await home(firm.as.admin, account.id, mule, '9999')).status).toBe(201)
  app.clock.advance(DAY)
  expect(answer(await home(firm.as.admin, account.id, mule, '10000'))).toEqual([403, 'transfers.own_link'])
})

test('a dishonest colleague moves no large sum spread over many clients, by their own rate, or without a rate', async () => {
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
  const dinars = { fromWalletId: (await readWallet(rich, 'KWD')).id, toAccountId: account.id, amount: '900000' }
  expect(answer(await move(firm.as.admin, dinars))).toEqual([403, 'transfers.own_link'])
  await call(firm.as.admin, 'PUT', '/v1/fx/rates', { base: 'KWD', quote: 'EUR', rate: '0.0001' })
  expect(answer(await move(firm.as.admin, dinars))).toEqual([403, 'transfers.own_link'])
})
