import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import fc from 'fast-check'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY, HOUR } from '../../../platform/clock.ts'
import { createReader } from '../../../platform/db/reader.ts'
import { parseAmount } from '../../../platform/money.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { type Leg, post, walletFor } from '../../books/wallets/ledger.service.ts'
import { isLedgerKind, TAX_COLUMNS } from './ledger-kinds.ts'
import type { TaxRow } from './tax.model.ts'
import { countTax, readTax, taxPeriod } from './tax.queries.ts'

let app: TestApp
let serial = 0
beforeAll(() => {
  app = createTestApp()
})
afterAll(() => app.close())

const newFirm = (): Promise<Firm> => {
  serial += 1
  return app.firm(`firm${serial}`)
}
const firmAccounts = {
  deposit: 'gateway_clearing',
  withdrawal_pay: 'payout_clearing',
  transfer: 'platform_clearing',
  transfer_refused: 'platform_clearing',
  adjustment: 'adjustments',
  commission: 'affiliate_commissions',
} as const

/** Posts movements as the use cases do, at the time of the clock. */
function openBooks(firm: Firm) {
  const ctx = systemCtx(app.platform, firm.tenantId, 'test')
  const write = (kind: string, legs: (wallet: (traderId: string, currency: string) => Leg['wallet']) => Leg[]) => {
    serial += 1
    const reference = `ref-${serial}`
    return ctx.write('test.post', (tx) =>
      post(tx, { kind, reference, description: 'test', legs: legs((id, currency) => walletFor(tx, id, currency)) }),
    )
  }
  const client = (
    account: 'client_available' | 'client_held',
    amount: bigint,
    currency: string,
    wallet?: Leg['wallet'],
  ) => ({ account, currency, amount, ...(wallet ? { wallet } : {}) }) satisfies Leg
  return {
    /** Posts between an account of the firm and a client's available balance. */
    move: (kind: keyof typeof firmAccounts, traderId: string, currency: string, amount: bigint) =>
      write(kind, (wallet) => [
        { account: firmAccounts[kind], currency, amount: -amount },
        client(
          kind === 'withdrawal_pay' ? 'client_held' : 'client_available',
          amount,
          currency,
          wallet(traderId, currency),
        ),
      ]),
    hold: (kind: 'withdrawal_hold' | 'withdrawal_release', traderId: string, currency: string, amount: bigint) =>
      write(kind, (wallet) => [
        client('client_available', kind === 'withdrawal_hold' ? -amount : amount, currency, wallet(traderId, currency)),
        client('client_held', kind === 'withdrawal_hold' ? amount : -amount, currency, wallet(traderId, currency)),
      ]),
    give: (kind: 'transfer' | 'merge', from: string, to: string, currency: string, amount: bigint) =>
      write(kind, (wallet) => [
        client('client_available', -amount, currency, wallet(from, currency)),
        client('client_available', amount, currency, wallet(to, currency)),
      ]),
    convert: (traderId: string, [from, given]: [string, bigint], [to, got]: [string, bigint], receiver = traderId) =>
      write('transfer', (wallet) => [
        client('client_available', -given, from, wallet(traderId, from)),
        { account: 'fx_clearing', currency: from, amount: given },
        { account: 'fx_clearing', currency: to, amount: -got },
        client('client_available', got, to, wallet(receiver, to)),
      ]),
  }
}

const tax = async (firm: Firm, query = '') => {
  const answer = await app.call('GET', `/v1/admin/tax-report${query}`, { as: firm.as.manager })
  expect(answer.status).toBe(200)
  return answer.body
}
const NONE = {
  opening: '0.00',
  deposits: '0.00',
  withdrawals: '0.00',
  transfersIn: '0.00',
  transfersOut: '0.00',
  converted: '0.00',
  adjustments: '0.00',
  commissions: '0.00',
  merged: '0.00',
  missingRates: [],
}

describe('the tax report', () => {
  test('the tax report has every movement in its column; opening and all columns add up to closing', async () => {
    const firm = await newFirm()
    const [anna, berta] = [await firm.trader({ firstName: 'Anna', lastName: 'Arndt' }), await firm.trader()]
    const books = openBooks(firm)
    app.clock.set(Date.UTC(2025, 11, 31, 23))
    await books.move('deposit', anna, 'EUR', 100_00n)
    app.clock.set(Date.UTC(2026, 0, 1))
    await books.move('deposit', anna, 'EUR', 50_00n)
    await books.hold('withdrawal_hold', anna, 'EUR', 30_00n)
    await books.move('withdrawal_pay', anna, 'EUR', -10_00n)
    await books.hold('withdrawal_release', anna, 'EUR', 20_00n)
    await books.move('transfer', anna, 'EUR', -8_00n)
    await books.move('transfer_refused', anna, 'EUR', 3_00n)
    await books.move('transfer', anna, 'EUR', 2_00n)
    await books.give('transfer', anna, berta, 'EUR', 4_00n)
    await books.convert(anna, ['EUR', 20_00n], ['USD', 22_00n])
    await books.convert(anna, ['EUR', 1_00n], ['USD', 1_10n], berta)
    await books.move('adjustment', anna, 'EUR', -50n)
    await books.move('commission', anna, 'EUR', 1_25n)
    await books.give('merge', berta, anna, 'EUR', 1_00n)
    app.clock.set(Date.UTC(2026, 0, 15, 12))
    const { data, nextCursor, currency } = await tax(firm, '?from=2026-01-01&to=2026-01-02')
    expect([nextCursor, currency]).toEqual([null, 'EUR'])
    const rows = Object.fromEntries(data.map((row: TaxRow) => [`${row.name} ${row.currency}`, row]))
    expect(rows['Anna Arndt EUR']).toEqual({
      ...NONE,
      traderId: anna,
      name: 'Anna Arndt',
      country: null,
      currency: 'EUR',
      opening: '100.00',
      deposits: '50.00',
      withdrawals: '-10.00',
      transfersIn: '2.00',
      transfersOut: '-10.00',
      converted: '-20.00',
      adjustments: '-0.50',
      commissions: '1.25',
      merged: '1.00',
      closing: '113.75',
      depositsConverted: '50.00',
      withdrawalsConverted: '-10.00',
    })
    expect(rows['Anna Arndt USD']).toMatchObject({ ...NONE, converted: '22.00', closing: '22.00' })
    expect(data.filter(({ traderId }: TaxRow) => traderId === berta)).toMatchObject([
      { currency: 'EUR', transfersIn: '4.00', merged: '-1.00', closing: '3.00' },
      { currency: 'USD', transfersIn: '1.10', closing: '1.10' },
    ])
    // a year before all balances has no rows, and one without movements shows the balances
    expect((await tax(firm, '?from=2024-01-01&to=2025-01-01')).data).toEqual([])
    expect((await tax(firm, `?from=2026-01-02&to=2026-01-03&traderId=${berta}`)).data).toMatchObject([
      { ...NONE, opening: '3.00', closing: '3.00', currency: 'EUR' },
      { ...NONE, opening: '1.10', closing: '1.10', currency: 'USD' },
    ])
  })

  test('the tax report continues after a page, and is complete as a file that names missing rates', async () => {
    const firm = await newFirm()
    const books = openBooks(firm)
    const traders = [await firm.trader(), await firm.trader(), await firm.trader()]
    app.clock.set(Date.UTC(2026, 0, 3))
    for (const [index, trader] of traders.entries()) {
      await books.move('deposit', trader, 'EUR', 10n + BigInt(index))
      await books.move('deposit', trader, 'USD', 20n + BigInt(index))
    }
    app.clock.set(Date.UTC(2026, 0, 15, 12))
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const page = await tax(firm, `?limit=2${cursor}`)
      expect(page.data.length).toBe(2)
      seen.push(...page.data.map(({ traderId, currency, deposits }: TaxRow) => `${traderId} ${currency} ${deposits}`))
      if (page.nextCursor === null) break
      cursor = `&cursor=${page.nextCursor}`
    }
    expect(seen).toEqual(traders.flatMap((id, index) => [`${id} EUR 0.1${index}`, `${id} USD 0.2${index}`]))
    expect((await tax(firm, '?limit=2')).missingRates).toEqual([{ currency: 'USD', day: '2026-01-03', amount: '0.20' }])
    // the rows are counted if that is asked for; a wallet without money has none
    await systemCtx(app.platform, firm.tenantId, 'test').write('test.open', (tx) =>
      walletFor(tx, traders[0] ?? '', 'JPY'),
    )
    expect((await tax(firm, '?limit=2')).total).toBeUndefined()
    const counted = await tax(firm, '?limit=2&count=true')
    expect([counted.total, counted.totalIsMinimum]).toEqual([6, undefined])
    expect((await tax(firm, '?count=true')).total).toBe(6)
    expect((await tax(firm, `?limit=1&count=true&traderId=${traders[0]}`)).total).toBe(2)
    const params = {
      ...taxPeriod({}, '2026-01-15'),
      now: app.clock.now(),
      currency: 'EUR',
      traderId: null,
      after: null,
    }
    const db = createReader(app.platform.connection, { tenantId: firm.tenantId, traderId: null })
    expect(countTax(db, { ...params, limit: 2 }, 4)).toEqual({ count: 3, isAll: false })
    firm.effects()
    const file = await app.call('GET', '/v1/admin/tax-report?format=csv', { as: firm.as.manager })
    const lines = file.text.trim().split('\n')
    expect(lines[0]).toBe(
      'traderId,name,country,currency,opening,deposits,withdrawals,transfersIn,transfersOut,converted,adjustments,commissions,merged,closing,depositsConverted,withdrawalsConverted,convertedCurrency,missingRates',
    )
    expect(lines.slice(1, 3)).toEqual([
      `${traders[0]},Test Trader 1,,EUR,0.00,0.10,0.00,0.00,0.00,0.00,0.00,0.00,0.00,0.10,0.10,0.00,EUR,`,
      `${traders[0]},Test Trader 1,,USD,0.00,0.20,0.00,0.00,0.00,0.00,0.00,0.00,0.00,0.20,,0.00,EUR,2026-01-03 USD 0.20`,
    ])
    expect(lines.length).toBe(7)
    expect(firm.effects()).toEqual({ events: [], actions: ['report.export'] })
    // a cursor works only for its firm and query
    const { nextCursor } = await tax(firm, '?limit=2')
    const elsewhere = await newFirm()
    const refused = await app.call('GET', `/v1/admin/tax-report?limit=2&cursor=${nextCursor}`, {
      as: elsewhere.as.manager,
    })
    expect([refused.status, refused.body.errors[0].path]).toEqual([422, 'query.cursor'])
    expect((await tax(elsewhere, `?traderId=${traders[0]}`)).data).toEqual([])
  })

  const step = fc.record({
    what: fc.constantFrom('deposit', 'withdraw', 'refused', 'send', 'give', 'convert', 'adjust', 'commission', 'merge'),
    who: fc.nat(2),
    other: fc.nat(2),
    currency: fc.constantFrom('EUR', 'USD', 'JPY'),
    amount: fc.bigInt(1n, 5000n),
    hours: fc.nat(20),
  })

  test('the tax report equals the ledger for any history, in any period', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 14 }),
        fc.nat(12),
        fc.integer({ min: 1, max: 9 }),
        async (steps, first, days) => {
          const firm = await newFirm()
          const start = Date.UTC(2026, 0, 1)
          app.clock.set(start)
          const books = openBooks(firm)
          const people = [await firm.trader(), await firm.trader(), await firm.trader()]
          const of = (index: number): string => people[index] ?? ''
          for (const { what, who, other, currency, amount, hours } of steps) {
            app.clock.advance(hours * HOUR)
            const [anna, berta] = [of(who), of(other)]
            if (what === 'deposit') await books.move('deposit', anna, currency, amount)
            // a wallet with too little money refuses the act, as in the program
            const acts = {
              withdraw: async () => {
                await books.hold('withdrawal_hold', anna, currency, amount)
                await books.move('withdrawal_pay', anna, currency, -amount / 2n || -1n)
              },
              refused: async () => {
                await books.move('transfer', anna, currency, -amount)
                await books.move('transfer_refused', anna, currency, amount)
              },
              send: () => books.move('transfer', anna, currency, -amount),
              give: () => (anna === berta ? null : books.give('transfer', anna, berta, currency, amount)),
              convert: () =>
                books.convert(anna, [currency, amount], [currency === 'EUR' ? 'USD' : 'EUR', amount], berta),
              adjust: () => books.move('adjustment', anna, currency, other === 0 ? -amount : amount),
              commission: () => books.move('commission', anna, currency, amount),
              merge: () => (anna === berta ? null : books.give('merge', anna, berta, currency, amount)),
            }
            if (what !== 'deposit') await Promise.resolve(acts[what]()).catch(() => null)
          }
          const day = (index: number) => new Date(start + index * DAY).toISOString().slice(0, 10)
          const [from, to] = [day(first), day(first + days)]
          const db = createReader(app.platform.connection, { tenantId: firm.tenantId, traderId: null })
          const params = { from, to, now: app.clock.now(), currency: 'EUR', traderId: null, after: null, limit: 200 }
          const { rows } = readTax(db, params)
          // a file reads the whole period at once and must have the same rows
          expect(readTax(db, { ...params, limit: 1000 }).rows).toEqual(rows)
          const held = (until: string) =>
            new Map(
              app.platform.connection
                .all<{ who: string; n: number }>(
                  `SELECT trader_id || ' ' || currency AS who, sum(amount) AS n FROM ledger_entries
                 WHERE tenant_id = ? AND wallet_id IS NOT NULL AND created_at < ? GROUP BY 1`,
                  [firm.tenantId, Date.parse(until)],
                )
                .map(({ who, n }) => [who, BigInt(n)]),
            )
          const [before, after] = [held(from), held(to)]
          for (const row of rows) {
            const minor = (text: string) => parseAmount(text, row.currency)
            const who = `${row.traderId} ${row.currency}`
            expect(minor(row.opening)).toBe(before.get(who) ?? 0n)
            expect(minor(row.closing)).toBe(after.get(who) ?? 0n)
            expect(TAX_COLUMNS.reduce((sum, column) => sum + minor(row[column]), minor(row.opening))).toBe(
              minor(row.closing),
            )
            after.delete(who)
          }
          expect([...after.values()].filter((n) => n !== 0n)).toEqual([])
          // transfers between clients sum to zero
          for (const currency of ['EUR', 'USD', 'JPY']) {
            const sum = rows
              .filter((row) => row.currency === currency)
              .reduce((total, { merged }) => total + parseAmount(merged, currency), 0n)
            expect(sum).toBe(0n)
          }
        },
      ),
      { numRuns: 25 },
    )
  }, 180_000)
})

test('every kind of movement that the program posts has a column in the tax report', async () => {
  const kinds = new Set<string>()
  let posts = 0
  for await (const path of new Bun.Glob('src/modules/**/*.ts').scan(join(import.meta.dir, '../../../..'))) {
    if (path.includes('.test.')) continue
    const text = await Bun.file(join(import.meta.dir, '../../../..', path)).text()
    // a posting names its kind directly; only the kind of a withdrawal is a parameter
    const named = [...text.matchAll(/\bpost\(\s*tx,\s*\{\s*kind(?::\s*'(\w+)')?/g)]
    posts += [...text.matchAll(/\bpost\(\s*tx,/g)].length
    if (path.endsWith('ledger.service.ts')) continue
    for (const [, kind] of named) if (kind) kinds.add(kind)
    for (const [, kind = ''] of text.matchAll(/\bmove\(tx, row, '(\w+)'/g)) kinds.add(kind)
  }
  expect(posts).toBeGreaterThan(4)
  expect(kinds.size).toBeGreaterThan(6)
  expect([...kinds].filter((kind) => !isLedgerKind(kind))).toEqual([])
})
