import { afterEach, beforeEach, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { createAccountDesk } from '../../../testing/account-desk.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { hasMoney, wasPaidInSince, wasTakenLately } from './account-funding.ts'

let app: TestApp
let firm: Firm
let bridge: Caller
const { call, client, readWallet, open, patch, move, home, fund, say, acknowledges, answer } = createAccountDesk(
  () => ({
    app,
    firm,
    bridge,
  }),
)
beforeEach(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  bridge = await firm.key(['accounts:write', 'bridge:write'], 'owner')
})
afterEach(() => app.close())
const now = () => new Date(app.clock.now()).toISOString()

test('a cent counts as money on an account, whether it was moved there or reported', async () => {
  const traderId = await client('1')
  const { body } = await open(firm.as.operator, traderId, '1')
  const opened = app.clock.now()
  const { db } = systemCtx(app.platform, firm.tenantId, 'test')
  const facts = () => {
    const account = db.get(accounts, body.id)
    const [paid, taken] = [wasPaidInSince(db, account, opened), wasTakenLately(db, account, app.clock.now())]
    return { has: hasMoney(db, account), paid, taken }
  }
  expect(facts()).toEqual({ has: false, paid: false, taken: false })
  await fund(await firm.traderSession(traderId), body.id, traderId, '0.01')
  expect(facts()).toEqual({ has: true, paid: true, taken: false })
  await home(firm.as.manager, body.id, traderId, '0.01')
  expect(facts()).toEqual({ has: false, paid: true, taken: true })
  await patch(firm.as.owner, body.id, { balance: '0.01' })
  expect(facts().has).toBe(true)
})

test('a refused transfer in another currency comes back in full; while it is on its way, the account keeps its client', async () => {
  const traderId = await client('100')
  const rates = [{ base: 'EUR', quote: 'USD', rate: '1.1' }]
  await call(firm.as.admin, 'POST', '/v1/fx/rates/upsert', { rates })
  const rateAsOf = now()
  const { body: account } = await open(firm.as.operator, traderId, '1', { currency: 'USD' })
  await acknowledges(true)
  const sent = await fund(firm.as.manager, account.id, traderId, '100')
  expect(sent.body).toMatchObject({ state: 'sent', toAmount: '110.00', rateAsOf, acknowledgedAt: null })
  const removed = await call(firm.as.manager, 'DELETE', `/v1/traders/${traderId}`)
  expect(removed.body.detail).toContain('a transfer that the platform has not acknowledged')
  expect((await say(firm.as.admin, sent.body.id, 'refused')).body).toMatchObject({ acknowledgedAt: now() })
  expect(await readWallet(traderId)).toMatchObject({ available: '100.00', held: '0.00' })
  const { body } = await call(firm.as.manager, 'GET', '/v1/ledger/trial-balance')
  for (const currency of ['EUR', 'USD'])
    expect(body.accounts).toContainEqual({ account: 'fx_clearing', currency, balance: '0.00', entries: 2 })
})

test('nobody acknowledges for the platform a gift from an account to a client who they could be', async () => {
  const [giver, email] = [await client('100'), 'A.dmin+client@ALPHA.test']
  const { body: own } = await call(firm.as.admin, 'POST', '/v1/traders', { email, firstName: 'X' })
  const deposit = { traderId: own.id, currency: 'EUR', amount: '1', method: 'bank' }
  const { body } = await call(firm.as.operator, 'POST', '/v1/deposits', deposit)
  await call(firm.as.owner, 'POST', `/v1/deposits/${body.id}/settle`)
  const { body: account } = await open(firm.as.operator, giver, '1')
  await fund(await firm.traderSession(giver), account.id, giver, '100')
  await acknowledges(true)
  const gift = { fromAccountId: account.id, toWalletId: (await readWallet(own.id)).id, amount: '10' }
  const { body: sent } = await move(firm.as.manager, gift)
  expect(answer(await say(firm.as.admin, sent.id, 'booked'))).toEqual([403, 'own_client'])
  expect(answer(await say(firm.as.owner, sent.id, 'booked'))).toEqual([200, undefined])
})
