import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { createImportDesk } from '../../../testing/import-desk.ts'
import { readDecimal } from './imports.cell-values.ts'

let app: TestApp
let firm: Firm
let desk: ReturnType<typeof createImportDesk>
let count = 0
beforeAll(() => {
  app = createTestApp()
})
beforeEach(async () => {
  count += 1
  firm = await app.firm(`again${count}`)
  desk = createImportDesk(app, firm)
})
afterAll(() => app.close())

const FILE = ['7,ann@x.test,Ann,Lee,DE,,USD,500']
const TOTALS = { controlTotals: { USD: '500.00' } }
const found = ({ errors }: { errors: { line: number; field: string; code: string }[] }) =>
  errors.map(({ line, field, code }) => `${line} ${field} ${code}`)

describe('a balance that an undo took back', () => {
  test('a balance that an undo took back is posted again for an earlier client, even after other files', async () => {
    await desk.through(['7,ann@x.test,Ann,Lee,DE,,,'])
    const [ann] = await desk.clients('ann@x.test')
    const first = await desk.posted(FILE, TOTALS)
    expect(await desk.through(FILE, TOTALS)).toMatchObject({ status: 'done', balances: [{ known: '500.00' }] })
    await desk.undone(first.id)
    const again = await desk.through(FILE, TOTALS)
    expect(again).toMatchObject({ status: 'loaded', balances: [{ known: '0.00', toPost: '500.00' }] })
    await desk.act(again.id, 'undo', firm.as.admin)
    await desk.work()
    const better = ['7,ann@x.test,Ann,Lee,DE,,USD,600']
    await desk.posted(better, { controlTotals: { USD: '600.00' } })
    expect(await desk.wallets(ann.id)).toEqual({ USD: '600.00' })
    expect(await desk.through(better, { controlTotals: { USD: '600.00' } })).toMatchObject({ status: 'done' })
    expect(await desk.wallets(ann.id)).toEqual({ USD: '600.00' })
  })

  test('a balance that an undo took back is posted again with the client whom the undone file had made', async () => {
    const first = await desk.posted(FILE, TOTALS)
    const [ann] = await desk.clients('ann@x.test')
    await desk.through([...FILE, '8,bob@x.test,Bob,Lee,DE,,,'], TOTALS)
    const [bob] = await desk.clients('bob@x.test')
    await desk.adjust(bob.id, 'credit', '1.00')
    expect(await desk.undone(first.id)).toMatchObject({ status: 'undone', undone: 1 })
    expect(await desk.wallets(ann.id)).toEqual({ USD: '0.00' })
    await desk.posted(FILE, TOTALS)
    const [better] = await desk.clients('ann@x.test')
    expect(better.id).not.toBe(ann.id)
    expect(await desk.wallets(better.id)).toEqual({ USD: '500.00' })
  })
})

test('an imported account gets its positions, even after a kill before they were linked', async () => {
  const at = { symbol: 'EURUSD', side: 'long', volume: '1', openPrice: '1', currentPrice: '1', profit: '1' }
  const times = { openedAt: '2026-01-10T09:00:00Z', closedAt: '2026-01-11T09:00:00Z' }
  const positions = [{ ticket: 'a', accountNumber: '5001', ...at, ...times }]
  await app.call('POST', '/v1/positions/sync', {
    as: firm.as.operator,
    body: { platform: 'terminal4', server: 's', sequence: 1, mode: 'delta', positions },
  })
  const { id } = await desk.through(['7,ann@x.test,Ann,Lee,DE,5001,USD,'])
  const owners = async () =>
    (await app.call('GET', '/v1/positions', { as: firm.as.viewer })).body.data.map(
      ({ traderId }: { traderId: string }) => traderId,
    )
  const [ann] = await desk.clients('ann@x.test')
  expect(await owners()).toEqual([ann.id])
  const lost = `UPDATE positions SET account_id = NULL, trader_id = NULL, currency = NULL,
    reported = '{"profit":"1","swap":"0","commission":"0"}' WHERE tenant_id = ?1`
  await systemCtx(app.platform, firm.tenantId, 'test').write('test.killed', (tx) => {
    tx.execute(lost, [])
    tx.execute("UPDATE imports SET status = 'loading' WHERE tenant_id = ?1 AND id = ?2", [id])
    return null
  })
  expect(await owners()).toEqual([null])
  await desk.work()
  expect(await owners()).toEqual([ann.id])
  expect(await desk.read(id)).toMatchObject({ status: 'done', accounts: 1 })
})

test('an account number in a file must be valid for an account', async () => {
  const refused = await desk.through(['7,ann@x.test,Ann,Lee,DE,"60\n01",USD,', '8,bob@x.test,B,Lee,DE,6001\u202e,USD,'])
  expect(found(refused)).toEqual(['2 accountNumber format', '4 accountNumber format'])
})

test('an id that differs only by invisible characters makes no other client', async () => {
  await desk.through(['7,ann@x.test,Ann,Lee,DE,,,'])
  expect(await desk.through(['7\u200b,ann@x.test,Ann,Lee,DE,,,'])).toMatchObject({ status: 'done', known: 1 })
})

test.each([
  ['1 234 567,89', '1234567.89'],
  ['1’234.50', '1234.50'],
  ['-1 234', '-1234'],
])('the text %s is read as an amount with separated thousands', (text, decimal) => {
  expect(readDecimal(text, undefined)).toBe(decimal)
})
test.each(['1 2 3', '12 34', '1 234 56', '500 000,5 0'])(
  'the text “%s” is ambiguous and is not read as an amount',
  (text) => {
    expect(readDecimal(text, undefined)).toContain(' ')
  },
)

test('a key gets the file of balances only if it may read wallets', async () => {
  const { id } = await desk.posted(FILE, TOTALS)
  const read = async (scope: 'traders:read' | 'wallets:read') =>
    (await app.call('GET', `/v1/traders/import/${id}/balances.csv`, { as: await firm.key([scope]) })).status
  expect([await read('traders:read'), await read('wallets:read')]).toEqual([403, 200])
})
