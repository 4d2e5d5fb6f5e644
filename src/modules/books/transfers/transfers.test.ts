import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DAY } from '../../../platform/clock.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'

let app: TestApp
let firm: Firm
let other: Firm
let traderId: string

beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  other = await app.firm('beta')
  traderId = await funded('1000')
  await app.call('POST', '/v1/fx/rates/upsert', {
    as: firm.as.admin,
    body: { rates: [{ base: 'EUR', quote: 'USD', rate: '1.1', source: 'desk' }] },
  })
})
afterAll(() => app.close())

async function funded(amount: string, currency = 'EUR'): Promise<string> {
  const id = await firm.trader()
  await app.platform.writer.submit(() =>
    app.platform.connection.run('UPDATE traders SET kyc_level = 2 WHERE id = ?', [id]),
  )
  await credit(id, amount, currency)
  return id
}
async function credit(id: string, amount: string, currency: string): Promise<void> {
  const deposit = await app.call('POST', '/v1/deposits', {
    as: firm.as.operator,
    body: { traderId: id, currency, amount, method: 'bank' },
  })
  await app.call('POST', `/v1/deposits/${deposit.body.id}/settle`, { as: firm.as.manager })
  firm.effects()
}
const wallet = async (id: string, currency = 'EUR') =>
  (await app.call('GET', `/v1/wallets?traderId=${id}&currency=${currency}`, { as: firm.as.viewer })).body.data[0]
const move = (body: object, as = firm.as.operator) => app.call('POST', '/v1/transfers', { as, body })
const account = async (id: string, currency = 'USD') =>
  (
    await app.call('POST', '/v1/accounts', {
      as: firm.as.operator,
      body: { traderId: id, platform: 'terminal5', currency, balance: '7.00', equity: '7.00' },
    })
  ).body

test('a legal hold refuses a transfer to an account; a deleted client receives nothing', async () => {
  const held = await funded('50')
  const purse = await wallet(held)
  const own = await account(held, 'EUR')
  await app.call('PATCH', `/v1/traders/${held}`, { as: firm.as.manager, body: { legalHold: true } })
  const blocked = await move({ fromWalletId: purse.id, toAccountId: own.id, amount: '5' })
  expect([blocked.status, blocked.body.code]).toEqual([409, 'transfers.legal_hold'])
  const gone = await funded('1')
  const theirs = await wallet(gone)
  const debit = { traderId: gone, currency: 'EUR', direction: 'debit', amount: '1', reason: 'leaving' }
  const { body: emptied } = await app.call('POST', '/v1/adjustments', { as: firm.as.manager, body: debit })
  await app.call('POST', `/v1/adjustments/${emptied.id}/approve`, { as: firm.as.admin, body: {} })
  expect((await app.call('DELETE', `/v1/traders/${gone}`, { as: firm.as.admin })).status).toBe(204)
  const giver = await wallet(await funded('20'))
  const given = await move({ fromWalletId: giver.id, toWalletId: theirs.id, amount: '5' }, firm.as.manager)
  expect([given.status, given.body.code]).toEqual([409, 'transfers.trader_not_active'])
})

describe('transfers', () => {
  test('a transfer between currencies stores its rate on the row, and the books balance in both', async () => {
    await credit(traderId, '5', 'USD')
    const [from, to] = [await wallet(traderId), await wallet(traderId, 'USD')]
    firm.effects()
    const answer = await move({ fromWalletId: from.id, toWalletId: to.id, amount: '100.05' })
    expect(answer.status).toBe(201)
    // 110.055 is rounded down, for staff as for clients
    expect(answer.body).toMatchObject({
      kind: 'wallet_to_wallet',
      fromAmount: '100.05',
      toAmount: '110.05',
      rate: '1.1',
      rateSource: 'desk',
    })
    expect(answer.body.rateIds).toHaveLength(1)
    expect(firm.effects()).toEqual({ events: [], actions: ['transfer.create'] })
    await app.call('POST', '/v1/fx/rates/upsert', {
      as: firm.as.admin,
      body: { rates: [{ base: 'EUR', quote: 'USD', rate: '1.15' }] },
    })
    const list = await app.call('GET', `/v1/transfers?traderId=${traderId}`, { as: firm.as.viewer })
    expect(list.body.data[0]).toEqual({ ...answer.body, traderName: 'Test Trader 1' })
    expect((await wallet(traderId)).available).toBe('899.95')
    expect((await wallet(traderId, 'USD')).available).toBe('115.05')
    const balance = await app.call('GET', '/v1/ledger/trial-balance', { as: firm.as.manager })
    expect(balance.body.balanced).toBe(true)
    expect(balance.body.accounts).toContainEqual(
      expect.objectContaining({ account: 'fx_clearing', currency: 'EUR', balance: '100.05' }),
    )
  })

  test('a transfer to a trading account is an instruction with our reference; only the platform changes the balance', async () => {
    const target = await account(traderId, 'EUR')
    app.clock.advance(1)
    const answer = await move({ fromWalletId: (await wallet(traderId)).id, toAccountId: target.id, amount: '10' })
    expect(answer.body).toMatchObject({ kind: 'wallet_to_account', accountId: target.id, rate: null })
    expect(answer.body.reference).toMatch(/^BB-[0-9A-Z]{12}$/)
    expect((await app.call('GET', `/v1/accounts/${target.id}`, { as: firm.as.viewer })).body.balance).toBe('7.00')
    const back = { fromAccountId: target.id, toWalletId: (await wallet(traderId)).id, amount: '4' }
    expect((await move(back)).status).toBe(403)
    expect((await move(back, firm.as.manager)).body.kind).toBe('account_to_wallet')
    // of the money moved there, six are left; with the seven that the platform had reported, there are thirteen
    expect((await move({ ...back, amount: '7' }, firm.as.manager)).body.code).toBe('transfers.above_funding')
    expect((await move({ ...back, amount: '13.01' }, firm.as.admin)).body.code).toBe('transfers.above_balance')
    expect((await move({ ...back, amount: '6' }, firm.as.manager)).status).toBe(201)
    expect((await move({ ...back, amount: '7' }, firm.as.admin)).status).toBe(201)
    expect((await move({ ...back, amount: '0.01' }, firm.as.admin)).body.code).toBe('transfers.above_balance')
    // nobody may use a balance that they reported themselves, and lost money is not there
    const report = (balance: string, as: Caller) =>
      app.call('PATCH', `/v1/accounts/${target.id}`, { as, body: { balance } })
    app.clock.advance(1)
    await report('5000000', firm.as.admin)
    expect((await move({ ...back, amount: '5000' }, firm.as.admin)).body.code).toBe('transfers.own_balance')
    expect((await move({ ...back, amount: '5000' }, firm.as.owner)).status).toBe(201)
    await move({ fromWalletId: (await wallet(traderId)).id, toAccountId: target.id, amount: '10' })
    app.clock.advance(1)
    await report('2', firm.as.operator)
    expect((await move({ ...back, amount: '2.01' }, firm.as.manager)).body.code).toBe('transfers.above_balance')
    firm.effects()
  })

  test('transfers are found by our reference in any case, and by the platform’s', async () => {
    const target = await account(traderId, 'EUR')
    const { body } = await move({ fromWalletId: (await wallet(traderId)).id, toAccountId: target.id, amount: '1' })
    app.platform.connection.run(`UPDATE transfers SET platform_reference = 'Deal-77120' WHERE id = ?`, [body.id])
    const found = async (text: string, as: Caller = firm.as.viewer): Promise<string[]> =>
      (await app.call('GET', `/v1/transfers?q=${encodeURIComponent(text)}`, { as })).body.data.map(
        ({ id }: { id: string }) => id,
      )
    const [whole, begun] = [body.reference, body.reference.slice(0, 9).toLowerCase()]
    expect([await found(whole), await found(begun), await found('Deal-77')]).toEqual([[body.id], [body.id], [body.id]])
    expect([await found('Deal-78'), await found(body.reference.slice(3))]).toEqual([[], []])
    const other = await app.firm('elsewhere')
    expect([await found(whole, other.as.viewer), await found('Deal-77', other.as.viewer)]).toEqual([[], []])
    firm.effects()
  })

  test('a transfer to another client needs a manager; a client moves only their own money', async () => {
    const stranger = await funded('1')
    const body = { fromWalletId: (await wallet(traderId)).id, toWalletId: (await wallet(stranger)).id, amount: '2' }
    expect((await move(body)).body.code).toBe('transfers.other_trader')
    expect((await move(body, firm.as.manager)).status).toBe(201)
    const session = await firm.traderSession(traderId)
    expect((await move(body, session)).body.errors[0].path).toBe('toWalletId')
    const own = {
      fromWalletId: (await wallet(traderId)).id,
      toWalletId: (await wallet(traderId, 'USD')).id,
      amount: '1',
    }
    expect((await move(own, session)).status).toBe(201)
    expect((await move({ ...own, fromWalletId: (await wallet(stranger)).id }, session)).body.errors[0].path).toBe(
      'fromWalletId',
    )
    firm.effects()
  })

  test('a transfer does not return money that the platform reports as lost, or as the same balance as before', async () => {
    const rich = await funded('1000')
    const purse = await wallet(rich)
    const body = { traderId: rich, platform: 'terminal5', currency: 'EUR', balance: '0' }
    const { body: target } = await app.call('POST', '/v1/accounts', { as: firm.as.operator, body })
    app.clock.advance(1000)
    await move({ fromWalletId: purse.id, toAccountId: target.id, amount: '1000' })
    app.clock.advance(1000)
    const change = (patch: object) =>
      app.call('PATCH', `/v1/accounts/${target.id}`, { as: firm.as.operator, body: patch })
    expect((await change({ isDemo: true })).body.errors[0].path).toBe('isDemo')
    await change({ balance: '0' })
    const back = { fromAccountId: target.id, toWalletId: purse.id, amount: '1000' }
    expect((await move(back, firm.as.manager)).body.code).toBe('transfers.above_balance')
    firm.effects()
  })

  test('notes of staff on transfers are hidden from the client; a sanctions match keeps money off the platform', async () => {
    const rich = await funded('100')
    const target = await account(rich, 'EUR')
    const body = { fromWalletId: (await wallet(rich)).id, toAccountId: target.id, amount: '5', note: 'suspected' }
    await move(body)
    const session = await firm.traderSession(rich)
    await move({ ...body, note: 'mine' }, session)
    const notes = async (as: Caller) =>
      (await app.call('GET', `/v1/transfers?traderId=${rich}`, { as })).body.data.map(
        ({ note }: { note: string }) => note,
      )
    expect([await notes(session), await notes(firm.as.viewer)]).toEqual([
      ['mine', null],
      ['mine', 'suspected'],
    ])
    await app.platform.writer.submit(() =>
      app.platform.connection.run(
        `INSERT INTO sanctions_hits (tenant_id, id, trader_id, source, reference, name, score, explanation, list_hash, created_at, updated_at)
         VALUES (?, 'hit_t', ?, 'un', 'R', 'X', 90, '{}', 'h', 0, 0)`,
        [firm.tenantId, rich],
      ),
    )
    expect((await move(body)).body.code).toBe('transfers.sanctions_hit')
    firm.effects()
  })

  test('a transfer earns nothing by rounding', async () => {
    const [from, to] = [await wallet(traderId), await wallet(traderId, 'USD')]
    await app.call('POST', '/v1/fx/rates/upsert', {
      as: firm.as.admin,
      body: { rates: [{ base: 'EUR', quote: 'USD', rate: '1.12' }] },
    })
    const body = { fromWalletId: from.id, toWalletId: to.id, amount: '0.05' }
    expect((await move(body, await firm.traderSession(traderId))).body.toAmount).toBe('0.05')
    expect((await move(body)).body.toAmount).toBe('0.05')
    firm.effects()
  })

  test('a transfer between impossible ends is refused and changes nothing', async () => {
    const from = await wallet(traderId)
    const usd = await wallet(traderId, 'USD')
    await credit(traderId, '1', 'PLN')
    const pln = await wallet(traderId, 'PLN')
    for (const [body, status, path] of [
      [{ fromWalletId: from.id, toWalletId: usd.id, amount: '-1' }, 422, 'amount'],
      [{ fromWalletId: from.id, toWalletId: usd.id, amount: '0.00' }, 422, 'amount'],
      [{ fromWalletId: from.id, toWalletId: from.id, amount: '1' }, 422, 'toWalletId'],
      [{ fromWalletId: from.id, amount: '1' }, 422, 'toWalletId'],
      [{ fromWalletId: from.id, toWalletId: usd.id, toAccountId: 'acc_x', amount: '1' }, 422, 'toWalletId'],
      [{ fromWalletId: 'wal_none', toWalletId: usd.id, amount: '1' }, 422, 'fromWalletId'],
      [{ fromWalletId: from.id, toWalletId: pln.id, amount: '1' }, 422, 'quote'],
      [{ fromWalletId: from.id, toWalletId: usd.id, amount: '999999' }, 409, undefined],
    ] as const) {
      firm.effects()
      const answer = await move(body)
      expect(answer.status).toBe(status)
      if (path) expect(answer.body.errors[0].path).toBe(path)
      expect(firm.effects()).toEqual({ events: [], actions: [] })
    }
    expect((await move({ fromWalletId: from.id, toWalletId: usd.id, amount: '1' }, other.as.owner)).status).toBe(422)
    expect((await move({ fromWalletId: from.id, toWalletId: usd.id, amount: '1' }, firm.as.viewer)).status).toBe(403)
  })
})

describe('adjustments', () => {
  const ask = (body: object = {}, as = firm.as.manager) =>
    app.call('POST', '/v1/adjustments', {
      as,
      body: { traderId, currency: 'GBP', direction: 'credit', amount: '25', reason: 'goodwill', ...body },
    })
  const decide = (id: string, what: string, as = firm.as.admin, body: object = {}) =>
    app.call('POST', `/v1/adjustments/${id}/${what}`, { as, body })

  test('an adjustment takes two people: nothing moves until the second one approves', async () => {
    const { body } = await ask()
    expect(body).toMatchObject({
      status: 'requested',
      amount: '25.00',
      decidedAt: null,
      requestedBy: firm.as.manager.id,
    })
    expect(firm.effects()).toEqual({ events: [], actions: ['adjustment.request'] })
    expect((await wallet(traderId, 'GBP')).available).toBe('0.00')
    expect((await decide(body.id, 'approve', firm.as.manager)).status).toBe(403)
    const decidedAt = new Date(app.clock.now()).toISOString()
    const approved = { status: 'approved', decidedBy: firm.as.admin.id, decidedAt }
    expect((await decide(body.id, 'approve')).body).toMatchObject(approved)
    expect((await wallet(traderId, 'GBP')).available).toBe('25.00')
    expect((await decide(body.id, 'approve', firm.as.owner)).status).toBe(409)
    const own = await ask({}, firm.as.admin)
    expect((await decide(own.body.id, 'approve')).body.code).toBe('adjustments.own_request')
    expect((await decide(own.body.id, 'reject', firm.as.owner, { reason: 'no' })).body.status).toBe('rejected')
    firm.effects()
  })

  test('an adjustment never debits more than the wallet has', async () => {
    const { body } = await ask({ direction: 'debit', amount: '25.01' })
    expect((await decide(body.id, 'approve')).body.code).toBe('insufficient_funds')
    expect((await wallet(traderId, 'GBP')).available).toBe('25.00')
    const exact = await ask({ direction: 'debit', amount: '25' })
    expect((await decide(exact.body.id, 'approve')).status).toBe(200)
    expect((await wallet(traderId, 'GBP')).available).toBe('0.00')
  })

  test('an adjustment is posted once by 30 approvals at the same time', async () => {
    const { body } = await ask({ currency: 'CHF' })
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => decide(body.id, 'approve', n % 2 ? firm.as.admin : firm.as.owner)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await wallet(traderId, 'CHF')).available).toBe('25.00')
  })

  test('a wrong adjustment answers 422, 403 or 404', async () => {
    expect((await ask({ reason: ' ' })).body.errors[0].path).toBe('reason')
    expect((await ask({ amount: '0' })).body.errors[0].path).toBe('amount')
    expect((await ask({ traderId: 'trd_x' })).body.errors[0].path).toBe('traderId')
    expect((await ask({}, firm.as.operator)).status).toBe(403)
    const { body } = await ask()
    expect((await decide(body.id, 'approve', other.as.owner)).status).toBe(404)
    expect((await app.call('GET', '/v1/adjustments', { as: other.as.manager })).body.data).toEqual([])
    const balance = await app.call('GET', '/v1/ledger/trial-balance', { as: firm.as.manager })
    expect(balance.body.balanced).toBe(true)
  })
})

// last, since it moves the clock by a month
test('a person who linked an account takes no gain from it for 30 days', async () => {
  const mule = await funded('1')
  const rich = await firm.trader()
  const link = (as: Caller, trader: string, accountNumber: string) =>
    app.call('POST', '/v1/accounts', {
      as,
      body: { traderId: trader, platform: 'terminal5', currency: 'EUR', accountNumber },
    })
  const { body: theirs } = await link(firm.as.operator, rich, '660001')
  const { body: empty } = await link(firm.as.operator, mule, '660002')
  const change = async (id: string, body: object) =>
    expect((await app.call('PATCH', `/v1/accounts/${id}`, { as: firm.as.admin, body })).status).toBe(200)
  // the account gets another client's number before the platform reports its balance
  await change(theirs.id, { accountNumber: '660003' })
  await change(empty.id, { accountNumber: '660001' })
  const bridge = await firm.key(['accounts:write'], 'owner')
  const stream = { platform: 'terminal5', server: 'live', sequence: 1 }
  const balance = { accountNumber: '660001', balance: '900', equity: '900' }
  const { body: report } = await app.call('POST', '/v1/accounts/sync', {
    as: bridge,
    body: { ...stream, accounts: [balance] },
  })
  expect(report).toMatchObject({ applied: true, updated: 1 })
  const take = { fromAccountId: empty.id, toWalletId: (await wallet(mule)).id, amount: '1' }
  expect((await move(take, firm.as.admin)).body.code).toBe('transfers.own_link')
  const key = await firm.key(['wallets:write'], 'admin')
  expect((await move(take, key)).body.code).toBe('transfers.own_link')
  const again = (sequence: number) =>
    app.call('POST', '/v1/accounts/sync', { as: bridge, body: { ...stream, sequence, accounts: [balance] } })
  app.clock.advance(30 * DAY - 1)
  expect((await move(take, firm.as.platform_admin)).body.code).toBe('transfers.old_balance')
  await again(2)
  expect((await move(take, firm.as.admin)).body.code).toBe('transfers.own_link')
  expect((await move(take, firm.as.platform_admin)).status).toBe(201)
  app.clock.advance(1)
  expect((await move(take, firm.as.admin)).status).toBe(201)
  firm.effects()
})
