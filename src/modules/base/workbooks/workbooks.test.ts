import { afterAll, beforeAll, expect, test } from 'bun:test'
import { taskRunner } from '../../../platform/query-runner/task.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { createImportDesk } from '../../../testing/import-desk.ts'
import { inChildren } from '../../../testing/tasks-here.ts'
import { makeWorkbook } from '../../../testing/workbook.ts'

let app: TestApp
let firm: Firm
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('mover')
})
afterAll(() => app.close())

const read = (bytes: Uint8Array, more: object = {}) =>
  app.call('POST', '/v1/workbooks/read', { as: firm.as.admin, body: { content: bytes.toBase64(), ...more } })

test('a sheet is read as CSV text: text keeps its zeros, days are written as days, formulas as their results', async () => {
  const bytes = await makeWorkbook({
    Empty: [],
    Clients: [
      ['Clients of ours'],
      [],
      ['Id', 'Born', 'Sum', 'Phone', 'Address'],
      ['0012', { day: 33238 }, { formula: 'A1*2', value: 0.1 + 0.2 }, 35799123456, '1 Main St\nCork'],
    ],
    Other: [['x']],
  })
  const { status, body } = await read(bytes)
  expect([status, body.sheet, body.sheets]).toEqual([200, 'Clients', ['Empty', 'Clients', 'Other']])
  expect(body.csv.split('\n')).toEqual([
    'Clients of ours,,,,',
    ',,,,',
    'Id,Born,Sum,Phone,Address',
    '0012,1990-12-31,0.3,35799123456,1 Main St Cork',
    '',
  ])
  expect((await read(bytes, { sheet: 'Other' })).body.csv).toBe('x\n')
})

test('a number cell keeps its value, even if the comma is chosen as the decimal sign of texts', async () => {
  const desk = createImportDesk(app, firm)
  const heads = ['id', 'email', 'currency', 'balance']
  const people = [1.234, 0.125, 1234.5, '2,500'].map((balance, n) => [`K${n}`, `k${n}@x.test`, 'KWD', balance])
  const { body } = await read(await makeWorkbook({ Clients: [heads, ...people] }))
  const done = await desk.through([], { csv: body.csv, decimals: 'comma', dryRun: true })
  expect([done.refused, done.balances]).toEqual([0, [expect.objectContaining({ currency: 'KWD', inFile: '1238.359' })]])
})

test("a file that is no workbook, a missing sheet, and text that is not base64 are refused with the field's name", async () => {
  const workbook = await makeWorkbook({ Clients: [['x']] })
  const found = async (bytes: Uint8Array, more?: object) => {
    const { status, body } = await read(bytes, more)
    return [status, body.errors[0].path]
  }
  expect(await found(new TextEncoder().encode('PK\u0003\u0004 no workbook'))).toEqual([422, 'content'])
  expect(await found(workbook, { sheet: 'Clients 2' })).toEqual([422, 'sheet'])
  expect(await found(workbook, { content: '***' })).toEqual([422, 'content'])
})

test('a small workbook that unpacks to a huge text is refused', async () => {
  const row = Array.from({ length: 50 }, () => 'x'.repeat(4000))
  const { status, body } = await read(await makeWorkbook({ Bomb: Array.from({ length: 400 }, () => row) }))
  expect([status, body.errors[0].code]).toEqual([422, 'too_large'])
})

test('a workbook whose reading takes too long is refused as too large, and a child that fails is a fault of the program', async () => {
  const workbook = await makeWorkbook({ Clients: [['x']] })
  /** Reads the workbook while every task is run in a child in another way. */
  const readBy = (change: (run: typeof taskRunner.run) => typeof taskRunner.run) =>
    inChildren(() => {
      taskRunner.run = change(taskRunner.run)
      return read(workbook)
    })
  const late = await readBy((run) => (name, input, limits) => run(name, input, { ...limits, deadlineMs: 1 }))
  expect([late.status, late.body.errors]).toEqual([
    422,
    [expect.objectContaining({ path: 'content', code: 'too_large' })],
  ])
  const failed = await readBy((run) => (name, _, limits) => run(name, { content: 'not base64' }, limits))
  expect([failed.status, failed.body.code]).toEqual([500, 'internal'])
})

test('two thousand clients are imported from a workbook with exact amounts', async () => {
  const desk = createImportDesk(app, firm)
  const rows = Array.from({ length: 2000 }, (_, n) => [
    `00${n}`,
    `c${n}@x.test`,
    'Anna',
    `Muster ${n}`,
    'Czech Republic',
    { day: 33238 },
    7_000_000 + n,
    'EUR',
    (100 + n) / 100,
  ])
  const heads = [
    'Client ID',
    'Email',
    'First name',
    'Last name',
    'Country',
    'Birthday',
    'Account',
    'Currency',
    'Balance',
  ]
  const { body } = await read(await makeWorkbook({ Clients: [['Export'], heads, ...rows] }))
  const cents = rows.reduce((sum, _, n) => sum + 100 + n, 0)
  const controlTotals = { EUR: (cents / 100).toFixed(2) }
  const done = await desk.posted([], { csv: body.csv, platform: 'terminal4', controlTotals })
  expect(done).toMatchObject({ status: 'done', headLine: 2, created: 2000, accounts: 2000, refused: 0, notes: [] })
  const [client] = await desk.clients('c7@x.test')
  expect(client).toMatchObject({ country: 'CZ', dateOfBirth: '1990-12-31' })
  expect(await desk.wallets(client.id)).toEqual({ EUR: '1.07' })
})
