import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Scope } from '../../../platform/access/catalogue.ts'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { NEWER } from './ledger.queries.ts'
import { type Leg, post, walletFor } from './ledger.service.ts'
import { checkLedger } from './wallets.jobs.ts'
import { wallets } from './wallets.table.ts'

let app: TestApp
let firm: Firm
let other: Firm
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  other = await app.firm('beta')
})
afterAll(() => app.close())

const announce = async (traderId: string, amount: string, currency = 'EUR') =>
  (
    await app.call('POST', '/v1/deposits', {
      as: firm.as.operator,
      body: { traderId, currency, amount, method: 'bank' },
    })
  ).body.id as string
const settle = (id: string) => app.call('POST', `/v1/deposits/${id}/settle`, { as: firm.as.manager })
const readWallets = async (traderId: string, as = firm.as.viewer) =>
  (await app.call('GET', `/v1/wallets?traderId=${traderId}&limit=200`, { as })).body.data
const readEntries = async (walletId: string) =>
  (await app.call('GET', `/v1/wallets/${walletId}/entries?limit=200`, { as: firm.as.viewer })).body.data
const balance = async () => (await app.call('GET', '/v1/ledger/trial-balance', { as: firm.as.manager })).body

describe('reading', () => {
  test('wallets of at most fifty clients are read at once', async () => {
    const [anna, berta, carla] = [await firm.trader(), await firm.trader(), await firm.trader()]
    for (const trader of [anna, berta, carla]) await settle(await announce(trader, '10'))
    const ask = (ids: readonly string[], as = firm.as.viewer) =>
      app.call('GET', `/v1/wallets?limit=200&traderIds=${ids.join(',')}`, { as })
    const { body } = await ask([anna, carla, 'trd_nobody'])
    expect(body.data.map(({ traderId }: { traderId: string }) => traderId).sort()).toEqual([anna, carla].sort())
    expect((await ask([anna], other.as.viewer)).body.data).toEqual([])
    const many = (count: number) => Array.from({ length: count }, (_, n) => `trd_${n}`)
    expect([(await ask(many(50))).status, (await ask(many(51))).status]).toEqual([200, 422])
  })

  test('a wallet and its entries are shown newest first, in the scale of its currency', async () => {
    const trader = await firm.trader()
    await settle(await announce(trader, '10.5'))
    app.clock.advance(1000)
    await settle(await announce(trader, '2.25'))
    await settle(await announce(trader, '1500', 'JPY'))
    const rows = await readWallets(trader)
    expect(
      rows.map(({ currency, available, held }: Record<string, string>) => [currency, available, held]).sort(),
    ).toEqual([
      ['EUR', '12.75', '0.00'],
      ['JPY', '1500', '0'],
    ])
    const eur = rows.find((row: { currency: string }) => row.currency === 'EUR')
    const entries = await readEntries(eur.id)
    expect(entries.map(({ amount, account }: Record<string, string>) => [amount, account])).toEqual([
      ['2.25', 'client_available'],
      ['10.50', 'client_available'],
    ])
    const first = await app.call('GET', `/v1/wallets/${eur.id}/entries?limit=1&count=true`, { as: firm.as.viewer })
    expect([first.body.data.length, first.body.total]).toEqual([1, 2])
    const second = await app.call('GET', `/v1/wallets/${eur.id}/entries?limit=1&cursor=${first.body.nextCursor}`, {
      as: firm.as.viewer,
    })
    expect(second.body.data[0].id).toBe(entries[1].id)
  })

  test('each line of a statement has its cause and the balance after it, on every page and in either order', async () => {
    const traderId = await firm.trader()
    await systemCtx(app.platform, firm.tenantId, 'test').write('test.kyc', (tx) =>
      tx.execute('UPDATE traders SET kyc_level = 1 WHERE tenant_id = ?1 AND id = ?2', [traderId]),
    )
    const deposit = { traderId, amount: '100', currency: 'EUR', method: 'bank', providerReference: 'BA-1' }
    const { body: paidIn } = await app.call('POST', '/v1/deposits', { as: firm.as.operator, body: deposit })
    await settle(paidIn.id)
    app.clock.advance(1000)
    const out = { traderId, amount: '30', currency: 'EUR', destination: { kind: 'bank', reference: 'X1' } }
    const { body: asked } = await app.call('POST', '/v1/withdrawals', { as: firm.as.operator, body: out })
    expect(asked.status).toBe('requested')
    const [wallet] = await readWallets(traderId)
    type Line = Record<string, string>
    const tell = ({ kind, causeId, reference, account, amount, balance }: Line): string =>
      [kind, causeId, reference, account, amount, balance].join(' ')
    const expected = [
      `withdrawal_hold ${asked.id}  client_held 30.00 30.00`,
      `withdrawal_hold ${asked.id}  client_available -30.00 70.00`,
      `deposit ${paidIn.id} BA-1 client_available 100.00 100.00`,
    ]
    const path = `/v1/wallets/${wallet.id}/entries`
    const readPage = async (query: string) => (await app.call('GET', `${path}?${query}`, { as: firm.as.viewer })).body
    const lines: string[] = []
    for (let cursor = ''; lines.length < 3; ) {
      const page = await readPage(`limit=1${cursor}`)
      lines.push(...page.data.map(tell))
      cursor = `&cursor=${page.nextCursor}`
    }
    expect(lines.toSorted()).toEqual(expected.toSorted())
    expect((await readPage('sort=createdAt')).data.map(tell).toSorted()).toEqual(expected.toSorted())
    const own = await app.call('GET', path, { as: await firm.traderSession(traderId) })
    expect(own.body.data.map(tell).toSorted()).toEqual(expected.toSorted())
    // a key that may not read deposits does not learn their references from the wallet either
    const names = async (scopes: Scope[]): Promise<string[]> =>
      (await app.call('GET', path, { as: await firm.key(scopes) })).body.data.flatMap(
        ({ reference }: Line) => reference ?? [],
      )
    expect(await names(['wallets:read'])).toEqual([])
    expect(await names(['wallets:read', 'deposits:read'])).toEqual(['BA-1'])
    const other = await app.call('GET', path, { as: await firm.traderSession(await firm.trader()) })
    expect(other.status).toBe(404)
    // held money is still the client’s, so the sums of the list have it
    const { body } = await app.call('GET', `/v1/wallets?traderId=${traderId}&sums=true`, { as: firm.as.viewer })
    expect(body.sums).toEqual([{ currency: 'EUR', count: 1, amount: '100.00' }])
  })

  test('the sum of later entries is read from an index alone', () => {
    const plan = app.platform.connection.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${NEWER}`, ['t', 'w', 0, 'e'])
    expect(plan.map(({ detail }) => detail)).toEqual([
      'SEARCH ledger_entries USING COVERING INDEX ledger_entries_wallet (tenant_id=? AND wallet_id=? AND (created_at,id)>(?,?))',
    ])
  })

  test('another firm sees no wallets of this one: they are a 404 there', async () => {
    const trader = await firm.trader()
    await settle(await announce(trader, '5'))
    const [wallet] = await readWallets(trader)
    expect((await app.call('GET', `/v1/wallets/${wallet.id}/entries`, { as: other.as.owner })).status).toBe(404)
    const theirs = await app.call('GET', '/v1/ledger/trial-balance', { as: other.as.owner })
    expect(theirs.body).toEqual({ balanced: true, accounts: [], totals: [] })
    expect((await app.call('GET', '/v1/ledger/trial-balance', { as: firm.as.operator })).status).toBe(403)
  })

  test('the trial balance is by account and currency, and sums to zero', async () => {
    const { balanced, accounts, totals } = await balance()
    expect(balanced).toBe(true)
    for (const total of totals) expect(total.balance).toMatch(/^0(\.0+)?$/)
    expect(accounts.map(({ account, currency }: Record<string, string>) => `${account} ${currency}`)).toEqual([
      'client_available EUR',
      'client_held EUR',
      'gateway_clearing EUR',
      'client_available JPY',
      'gateway_clearing JPY',
    ])
  })
})

describe('a posting', () => {
  const write = (legs: (wallet: Awaited<ReturnType<typeof walletFor>>) => Leg[], reference: string, trader: string) =>
    systemCtx(app.platform, firm.tenantId, 'test').write('test.post', (tx) => {
      const wallet = walletFor(tx, trader, 'EUR')
      return post(tx, { kind: 'test', reference, description: 'test', legs: legs(wallet) })
    })
  const clearing = (amount: bigint): Leg => ({ account: 'gateway_clearing', currency: 'EUR', amount })
  let trader: string
  beforeAll(async () => {
    trader = await firm.trader()
  })

  test.each<[string, (wallet: Awaited<ReturnType<typeof walletFor>>) => Leg[]]>([
    [
      'does not balance',
      (wallet) => [clearing(-5n), { account: 'client_available', wallet, currency: 'EUR', amount: 4n }],
    ],
    [
      'balances over currencies only',
      (wallet) => [
        { account: 'gateway_clearing', currency: 'USD', amount: -5n },
        { account: 'client_available', wallet, currency: 'EUR', amount: 5n },
      ],
    ],
    ['has an empty leg', () => [clearing(0n)]],
    [
      'takes below zero',
      (wallet) => [clearing(5n), { account: 'client_available', wallet, currency: 'EUR', amount: -5n }],
    ],
    ['names no wallet', () => [clearing(-5n), { account: 'client_available', currency: 'EUR', amount: 5n }]],
    [
      'is more than a wallet can hold',
      (wallet) => [clearing(-(2n ** 53n)), { account: 'client_available', wallet, currency: 'EUR', amount: 2n ** 53n }],
    ],
  ])('a posting that %s is undone completely', async (name, legs) => {
    const before = await balance()
    expect(
      await write(legs, name, trader).then(
        () => 'done',
        () => 'refused',
      ),
    ).toBe('refused')
    expect(await balance()).toEqual(before)
    expect(await readWallets(trader)).toEqual([])
  })

  test('a posting that takes a wallet below zero is a 409 with a sentence, before SQLite refuses it', () => {
    const legs = (wallet: Awaited<ReturnType<typeof walletFor>>): Leg[] => [
      clearing(5n),
      { account: 'client_available', wallet, currency: 'EUR', amount: -5n },
    ]
    return expect(write(legs, 'below', trader)).rejects.toMatchObject({ status: 409, code: 'insufficient_funds' })
  })

  test('the same cause is posted only once', async () => {
    const legs = (wallet: Awaited<ReturnType<typeof walletFor>>): Leg[] => [
      clearing(-5n),
      { account: 'client_available', wallet, currency: 'EUR', amount: 5n },
    ]
    await write(legs, 'once', trader)
    await expect(write(legs, 'once', trader)).rejects.toMatchObject({ status: 409, code: 'duplicate' })
    expect((await readWallets(trader))[0].available).toBe('0.05')
  })
})

describe('the daily check', () => {
  const check = () => checkLedger.run({ platform: app.platform, signal: new AbortController().signal })
  const faults = () =>
    app.platform.reader.all<{ after: string }>(
      `SELECT d.after FROM audit a JOIN audit_data d USING (tenant_id, seq) WHERE a.action = 'ledger.fault' ORDER BY a.seq`,
    )

  test('the daily check finds nothing in correct books, and finds a manipulated wallet by its id', async () => {
    expect(await check()).toBe('2 firms checked, 0 with faults')
    expect(faults()).toEqual([])
    const trader = await firm.trader()
    await settle(await announce(trader, '50'))
    const [wallet] = await readWallets(trader)
    await app.platform.writer.submit(() =>
      app.platform.connection.run('UPDATE wallets SET available = available + 1 WHERE id = ?', [wallet.id]),
    )
    expect(await check()).toBe('2 firms checked, 1 with faults')
    expect(faults().map(({ after }) => JSON.parse(after))).toEqual([
      { balanced: true, faults: [{ kind: 'wallet_drifted', id: wallet.id, currency: 'EUR' }] },
    ])
    await app.platform.writer.submit(() =>
      app.platform.connection.run('UPDATE wallets SET available = available - 1 WHERE id = ?', [wallet.id]),
    )
    expect(await check()).toBe('2 firms checked, 0 with faults')
  })
})

describe('any series of operations', () => {
  /** The operations on money; a forbidden one is refused and changes nothing. */
  const operation = fc.oneof(
    fc.record({
      do: fc.constant('deposit' as const),
      cents: fc.integer({ min: 1, max: 1_000_000 }),
      currency: fc.constantFrom('EUR', 'USD'),
    }),
    fc.record({ do: fc.constantFrom('settle' as const, 'fail' as const), of: fc.nat(20) }),
    fc.record({ do: fc.constant('partial' as const), of: fc.nat(20), share: fc.integer({ min: 0, max: 110 }) }),
    fc.record({ do: fc.constant('withdraw' as const), cents: fc.integer({ min: 1, max: 600_000 }) }),
    fc.record({ do: fc.constantFrom('pay' as const, 'reject' as const, 'cancel' as const), of: fc.nat(20) }),
  )
  const text = (cents: bigint): string => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`
  let serial = 0

  test('any series of operations leaves each currency at zero, and each wallet equal to its entries', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 25 }), async (operations) => {
        const trader = await firm.trader()
        await app.platform.writer.submit(() =>
          app.platform.connection.run('UPDATE traders SET kyc_level = 2 WHERE id = ?', [trader]),
        )
        const deposits: { id: string; cents: bigint; currency: string; open: boolean }[] = []
        const payouts: { id: string; cents: bigint; open: boolean }[] = []
        const expected = new Map<string, { available: bigint; held: bigint }>()
        const of = (currency: string) => {
          const known = expected.get(currency) ?? { available: 0n, held: 0n }
          expected.set(currency, known)
          return known
        }
        for (const step of operations) {
          if (step.do === 'deposit') {
            const cents = BigInt(step.cents)
            deposits.push({
              id: await announce(trader, text(cents), step.currency),
              cents,
              currency: step.currency,
              open: true,
            })
          } else if (step.do === 'withdraw') {
            serial += 1
            const cents = BigInt(step.cents)
            const destination = { kind: 'bank', reference: `IBAN ${serial}` }
            const { status, body } = await app.call('POST', '/v1/withdrawals', {
              as: firm.as.operator,
              body: { traderId: trader, currency: 'EUR', amount: text(cents), destination },
            })
            const enough = (expected.get('EUR')?.available ?? 0n) >= cents
            expect(status).toBe(enough ? 201 : 409)
            if (!enough) continue
            of('EUR').available -= cents
            of('EUR').held += cents
            payouts.push({ id: body.id, cents, open: true })
          } else if (step.do === 'pay' || step.do === 'reject' || step.do === 'cancel') {
            const payout = payouts[step.of % Math.max(payouts.length, 1)]
            if (!payout) continue
            const act = (what: string, body: object, as = firm.as.admin) =>
              app.call('POST', `/v1/withdrawals/${payout.id}/${what}`, { as, body })
            if (step.do === 'pay') await act('approve', { note: 'looked' })
            const bodies = { pay: { paymentReference: payout.id }, reject: { detail: 'no' }, cancel: {} }
            const { status } = await act(step.do, bodies[step.do])
            expect(status).toBe(payout.open ? 200 : 409)
            if (!payout.open) continue
            payout.open = false
            of('EUR').held -= payout.cents
            if (step.do !== 'pay') of('EUR').available += payout.cents
          } else {
            const deposit = deposits[step.of % Math.max(deposits.length, 1)]
            if (!deposit) continue
            const partial = step.do === 'partial' ? (deposit.cents * BigInt(step.share)) / 100n : 0n
            const { status } =
              step.do === 'settle'
                ? await settle(deposit.id)
                : step.do === 'fail'
                  ? await app.call('POST', `/v1/deposits/${deposit.id}/fail`, {
                      as: firm.as.manager,
                      body: { reason: 'no' },
                    })
                  : await app.call('POST', `/v1/admin/deposits/${deposit.id}/partial-settle`, {
                      as: firm.as.manager,
                      body: { settledAmount: text(partial) },
                    })
            const bad = step.do === 'partial' && (partial <= 0n || partial >= deposit.cents)
            expect(status).toBe(bad ? 422 : deposit.open ? 200 : 409)
            if (bad || !deposit.open) continue
            deposit.open = false
            if (step.do !== 'fail') of(deposit.currency).available += step.do === 'settle' ? deposit.cents : partial
          }
        }
        const rows = systemCtx(app.platform, firm.tenantId, 'test').db.list(wallets, { traderId: trader })
        expect(rows.map(({ currency, available, held }) => [currency, available, held]).sort()).toEqual(
          [...expected].map(([currency, { available, held }]) => [currency, available, held]).sort(),
        )
        for (const { id, available, held } of rows) {
          const sums = app.platform.reader.all<{ account: string; total: number }>(
            'SELECT account, sum(amount) AS total FROM ledger_entries WHERE wallet_id = ? GROUP BY account',
            [id],
          )
          const total = (account: string) => BigInt(sums.find((row) => row.account === account)?.total ?? 0)
          expect([total('client_available'), total('client_held')]).toEqual([available, held])
        }
        expect((await balance()).balanced).toBe(true)
      }),
      { numRuns: 25 },
    )
  })
})
