import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { createReader } from '../../../platform/db/reader.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { movedThere } from '../transfers/account-funding.ts'
import { findLedgerFaults } from './ledger.queries.ts'
import { post, walletFor } from './ledger.service.ts'
import { checkLedger } from './wallets.jobs.ts'
import { TrialBalanceOut } from './wallets.model.ts'

/** The largest possible amount, in cents. */
const LARGEST = 2n ** 53n - 1n

let app: TestApp
beforeAll(() => {
  app = createTestApp()
})
afterAll(() => app.close())

/** Posts a deposit of the largest amount and takes it out again, so that the wallet has room for the next one. */
const pump = (firm: Firm, traderId: string, times: number) =>
  systemCtx(app.platform, firm.tenantId, 'test').write('test.pump', (tx) => {
    for (let n = 0; n < times; n += 1) {
      const currency = 'EUR'
      const wallet = walletFor(tx, traderId, currency)
      for (const [kind, account, amount] of [
        ['in', 'gateway_clearing', LARGEST],
        ['out', 'payout_clearing', -LARGEST],
      ] as const) {
        const legs = [
          { account, currency, amount: -amount },
          { account: 'client_available', wallet, currency, amount } as const,
        ]
        post(tx, { kind, reference: app.platform.ids.next('ref'), description: 'test', legs })
      }
    }
    return null
  })
const check = () => checkLedger.run({ platform: app.platform, signal: new AbortController().signal })
const notes = (tenantId: string) =>
  app.platform.reader
    .all<{ action: string }>(`SELECT action FROM audit WHERE tenant_id = ? AND action LIKE 'ledger.%'`, [tenantId])
    .map(({ action }) => action)

describe('1,030 deposits of the largest amount', () => {
  let firm: Firm
  let traderId: string
  beforeAll(async () => {
    firm = await app.firm('rich')
    traderId = await firm.trader()
    await pump(firm, traderId, 1030)
  })
  const all = String(LARGEST * 1030n)
  const cents = `${all.slice(0, -2)}.${all.slice(-2)}`

  test('the trial balance sums 1,030 deposits of the largest amount exactly', async () => {
    const { status, body } = await app.call('GET', '/v1/ledger/trial-balance', { as: firm.as.manager })
    expect(status).toBe(200)
    expect(Value.Check(TrialBalanceOut, body)).toBe(true)
    expect(body).toEqual({
      balanced: true,
      accounts: [
        { account: 'client_available', currency: 'EUR', balance: '0.00', entries: 2060 },
        { account: 'gateway_clearing', currency: 'EUR', balance: `-${cents}`, entries: 1030 },
        { account: 'payout_clearing', currency: 'EUR', balance: cents, entries: 1030 },
      ],
      totals: [{ currency: 'EUR', balance: '0.00' }],
    })
  })

  test('the daily check passes with 1,030 of the largest deposits and finds a wallet that differs', async () => {
    expect(await check()).toBe('1 firm checked, 0 with faults')
    const drift = (by: number) =>
      app.platform.writer.submit(() =>
        app.platform.connection.run('UPDATE wallets SET available = available + ? WHERE tenant_id = ?', [
          by,
          firm.tenantId,
        ]),
      )
    await drift(1)
    const db = createReader(app.platform.reader, { tenantId: firm.tenantId, traderId: null })
    expect(findLedgerFaults(db)).toMatchObject([{ kind: 'wallet_drifted', currency: 'EUR' }])
    await drift(-1)
    expect(findLedgerFaults(db)).toEqual([])
  })

  test('1,030 of the largest deposits break neither a withdrawal’s checks nor the sum moved to an account', async () => {
    const { connection, writer } = app.platform
    await writer.submit(() => {
      connection.run('UPDATE traders SET kyc_level = 2 WHERE id = ?', [traderId])
      for (let n = 0; n < 1030; n += 1)
        connection.run(
          `INSERT INTO deposits (tenant_id, id, trader_id, status, method, currency, amount, settled_amount, created_at, updated_at)
            VALUES (?, ?, ?, 'settled', 'bank', 'EUR', ${LARGEST}, ${LARGEST}, 0, 0)`,
          [firm.tenantId, `dep_big${n}`, traderId],
        )
    })
    await systemCtx(app.platform, firm.tenantId, 'test').write('test.fund', (tx) => {
      const wallet = walletFor(tx, traderId, 'EUR')
      const legs = [
        { account: 'gateway_clearing', currency: 'EUR', amount: -1000n } as const,
        { account: 'client_available', wallet, currency: 'EUR', amount: 1000n } as const,
      ]
      return post(tx, { kind: 'fund', reference: 'fund', description: 'test', legs })
    })
    const asked = await app.call('POST', '/v1/withdrawals', {
      as: firm.as.operator,
      body: { traderId, currency: 'EUR', amount: '10', destination: { kind: 'bank', reference: 'IBAN' } },
    })
    const read = await app.call('GET', `/v1/withdrawals/${asked.body.id}`, { as: firm.as.viewer })
    expect(read.status).toBe(200)
    expect(read.text).toContain(`Deposited ${cents} EUR`)
    const account = await app.call('POST', '/v1/accounts', {
      as: firm.as.operator,
      body: { traderId, platform: 'terminal5', currency: 'EUR', accountNumber: 'big' },
    })
    await writer.submit(() => {
      for (let n = 0; n < 1030; n += 1)
        connection.run(
          `INSERT INTO transfers (tenant_id, id, kind, trader_id, account_id, from_wallet_id, from_currency, from_amount, to_currency, to_amount, reference, created_at)
            SELECT tenant_id, 'trf_big' || ?2, 'wallet_to_account', trader_id, ?3, id, 'EUR', ${LARGEST}, 'EUR', ${LARGEST}, 'r', 1
            FROM wallets WHERE tenant_id = ?1`,
          [firm.tenantId, n, account.body.id],
        )
    })
    const ctx = systemCtx(app.platform, firm.tenantId, 'test')
    expect(movedThere(ctx.db, ctx.db.get(accounts, account.body.id))).toBe(LARGEST * 1030n)
  })
})

test('a firm whose books cannot be read is logged, and the others are still checked', async () => {
  const broken = await app.firm('a-broken')
  const faulty = await app.firm('b-faulty')
  await pump(broken, await broken.trader(), 1)
  await pump(faulty, await faulty.trader(), 1)
  await app.platform.writer.submit(() => {
    const { connection } = app.platform
    connection.run(`UPDATE wallets SET available = available + 1 WHERE tenant_id = ?`, [faulty.tenantId])
    // an unknown currency makes the books unreadable
    connection.run(
      `INSERT INTO ledger_entries (tenant_id, id, transaction_id, account, currency, amount, created_at)
        SELECT tenant_id, 'lte_x', id, 'adjustments', 'ZZZZ', 1, 0 FROM ledger_transactions WHERE tenant_id = ? LIMIT 1`,
      [broken.tenantId],
    )
  })
  expect(await check()).toBe('3 firms checked, 1 with faults, 1 could not be checked')
  expect([notes(broken.tenantId), notes(faulty.tenantId)]).toEqual([['ledger.unchecked'], ['ledger.fault']])
})

describe('the feed of entries', () => {
  let firm: Firm
  let other: Firm
  let traders: string[]
  beforeAll(async () => {
    firm = await app.firm('feed')
    other = await app.firm('stranger')
    traders = [await firm.trader(), await firm.trader()]
    for (let n = 0; n < 3; n += 1) {
      await pump(firm, traders[n % 2] ?? '', 1)
      app.clock.advance(1000)
    }
    await pump(other, await other.trader(), 1)
  })
  const read = (query = '', as = firm.as.manager) => app.call('GET', `/v1/ledger/entries${query}`, { as })

  test('the feed of entries has all wallets in posting order, and can be followed page by page', async () => {
    const posted = app.platform.reader.all<{ id: string }>(
      'SELECT id FROM ledger_entries WHERE tenant_id = ? ORDER BY rowid',
      [firm.tenantId],
    )
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: string = cursor === '' ? '?limit=5' : `?limit=5&cursor=${cursor}`
      const { body }: { body: { data: { id: string }[]; nextCursor: string | null } } = await read(query)
      seen.push(...body.data.map(({ id }) => id))
      cursor = body.nextCursor
    }
    expect(seen).toEqual(posted.map(({ id }) => id))
    expect(seen).toHaveLength(12)
  })

  test('the feed of entries names the cause of each', async () => {
    const { body } = await read('?limit=2')
    expect(body.data).toMatchObject([
      { account: 'gateway_clearing', currency: 'EUR', walletId: null, traderId: null, kind: 'in' },
      { account: 'client_available', amount: '90071992547409.91', traderId: traders[0], kind: 'in' },
    ])
    expect(body.data[0].reference).toBe(body.data[1].reference)
  })

  test('the feed of entries is filtered by account, currency, wallet, client and time', async () => {
    const count = async (query: string) => (await read(`?${query}`)).body.data.length
    const [wallet] = (await app.call('GET', `/v1/wallets?traderId=${traders[1]}`, { as: firm.as.viewer })).body.data
    expect(await count('account=payout_clearing')).toBe(3)
    expect([await count('currency=EUR'), await count('currency=USD')]).toEqual([12, 0])
    expect(await count(`traderId=${traders[0]}`)).toBe(4)
    expect(await count(`walletId=${wallet.id}`)).toBe(2)
    const from = new Date(app.clock.now() - 1500).toISOString()
    expect([await count(`from=${from}`), await count(`to=${from}`)]).toEqual([4, 8])
    expect((await read('?account=nothing')).status).toBe(422)
  })

  test('the feed of entries is for managers and keys that may read the ledger', async () => {
    expect((await read('', firm.as.operator)).status).toBe(403)
    expect((await read('', await firm.key(['wallets:read']))).status).toBe(403)
    expect((await read('', await firm.key(['ledger:read']))).body.data).toHaveLength(12)
  })
})

test('a leg of one cent is posted, an empty one is not', async () => {
  const firm = await app.firm('cents')
  const traderId = await firm.trader()
  const move = (amount: bigint) =>
    systemCtx(app.platform, firm.tenantId, 'test').write('test.post', (tx) => {
      const wallet = walletFor(tx, traderId, 'EUR')
      const legs = [
        { account: 'gateway_clearing', currency: 'EUR', amount: -amount } as const,
        { account: 'client_available', wallet, currency: 'EUR', amount } as const,
      ]
      return post(tx, { kind: 'in', reference: String(amount), description: 'test', legs })
    })
  expect(await move(1n)).toStartWith('ltx_')
  await expect(move(0n)).rejects.toThrow('empty leg')
})
