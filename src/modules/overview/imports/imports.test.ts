import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY } from '../../../platform/clock.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { createImportDesk, HEAD } from '../../../testing/import-desk.ts'
import { importLines, imports } from './imports.table.ts'

let app: TestApp
let firm: Firm
let desk: ReturnType<typeof createImportDesk>
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('mover')
  desk = createImportDesk(app, firm)
})
afterAll(() => app.close())

const LINES = [
  '7,ann@x.test,Ann,Lee,Germany,5001,EUR,"1,250.50"',
  '8,bob@x.test,Bob,Ray,CY,5002,USD,10',
  '7,,,,,5003,USD,5.25',
]
const TOTALS = { EUR: '1250.50', USD: '15.25' }

describe('a file of clients, accounts and opening balances', () => {
  let id: string

  test('a file of clients is mapped, checked and imported, and its balances wait', async () => {
    const done = await desk.through(LINES, { controlTotals: TOTALS })
    id = done.id
    expect(done).toMatchObject({
      status: 'loaded',
      lines: 3,
      created: 2,
      known: 1,
      accounts: 3,
      refused: 0,
      errors: [],
    })
    expect(done.mapping).toMatchObject({ 'Customer ID': 'externalId', 'E-Mail': 'email', Account: 'accountNumber' })
    expect(done.balances).toMatchObject([
      { currency: 'EUR', control: '1250.50', inFile: '1250.50', toPost: '1250.50', posted: '0.00', agrees: true },
      { currency: 'USD', control: '15.25', lines: 2, toPost: '15.25', agrees: true },
    ])
    const [ann] = await desk.clients('ann@x.test')
    expect(ann).toMatchObject({ firstName: 'Ann', country: 'DE', email: 'ann@x.test' })
    const { body } = await app.call('GET', `/v1/accounts?traderId=${ann.id}`, { as: firm.as.manager })
    expect(body.data.map((one: { accountNumber: string }) => one.accountNumber).toSorted()).toEqual(['5001', '5003'])
    expect(await desk.trial()).toEqual({})
  })

  test('a second person posts a file’s balances, to the cent', async () => {
    expect((await desk.act(id, 'confirm', firm.as.admin)).body.code).toBe('imports.own_import')
    expect((await desk.act(id, 'confirm', firm.as.manager)).status).toBe(403)
    expect((await desk.act(id, 'confirm')).body).toMatchObject({ status: 'posting', confirmedBy: firm.as.owner.id })
    expect((await desk.act(id, 'confirm')).status).toBe(409)
    await desk.work()
    const done = await desk.read(id)
    expect(done.status).toBe('done')
    expect(done.balances).toMatchObject([
      { posted: '1250.50', toPost: '0.00' },
      { posted: '15.25', toPost: '0.00' },
    ])
    expect(await desk.trial()).toEqual({
      'client_available EUR': '1250.50',
      'client_available USD': '15.25',
      'opening_balances EUR': '-1250.50',
      'opening_balances USD': '-15.25',
    })
  })

  test('a file that comes again makes nothing twice, and its new lines are taken', async () => {
    const again = await desk.through([...LINES, '9,cy@x.test,Cy,Poe,FR,5009,EUR,0.50'], {
      controlTotals: { EUR: '1251.00', USD: '15.25' },
    })
    expect(again).toMatchObject({ status: 'loaded', created: 1, known: 3, accounts: 1 })
    expect(again.balances).toMatchObject([
      { known: '1250.50', toPost: '0.50' },
      { known: '15.25', toPost: '0.00' },
    ])
    await desk.act(again.id, 'confirm')
    await desk.work()
    expect(await desk.trial()).toMatchObject({ 'client_available EUR': '1251.00', 'client_available USD': '15.25' })
    expect(await desk.clients('bob@x.test')).toHaveLength(1)
  })

  test('a file with another balance than the posted one is refused', async () => {
    const wrong = await desk.through(['8,bob@x.test,Bob,Ray,CY,5002,USD,11'], { controlTotals: { USD: '11.00' } })
    expect(wrong).toMatchObject({
      status: 'failed',
      errors: [{ line: 2, field: 'balance', column: 'Balance', code: 'differs' }],
    })
  })
})

describe('a file is stopped', () => {
  test.each([
    ['a control total that is missed by a cent', { controlTotals: { EUR: '9.99' } }],
    ['balances without a control total', {}],
    ['a control total of a currency that the file has not', { controlTotals: { EUR: '10.00', USD: '1.00' } }],
  ])('an import is stopped by %s', async (_, more) => {
    const done = await desk.through(['n1,n1@x.test,No,One,FR,,EUR,10'], more)
    expect([done.status, done.created]).toEqual(['failed', 0])
    expect(done.failure).toContain('nothing was imported')
    expect(await desk.clients('n1@x.test')).toEqual([])
  })

  test('an import is stopped by mistakes, each named by line and field, without values', async () => {
    const done = await desk.through(
      [
        'm1,no address,Al,Bo,FR,,,',
        'm2,m2@x.test,Al,Bo,Atlantis,,,',
        'm3,m3@x.test,Al,Bo,FR,6001,,',
        'm4,m4@x.test,Al,Bo,FR,,EUR,"1,234"',
        'm5,m5@x.test,Al,Bo,FR,,EUR,-5',
        'm6,m2@x.test,Al,Bo,FR,,,',
        'm7,m7@x.test,Al,Bo,FR,5001,EUR,',
        'm8,ann@x.test,Al,Bo,FR,,,',
        'm9,m9@x.test,Al,Bo,FR,6002,EUR,1',
        'm9,,,,,6003,EUR,2',
        'm10,m10@x.test,Al,Bo,FR,6002,EUR,',
        ',,Al,Bo,FR,,,',
      ],
      { dryRun: true },
    )
    const found = done.errors.map((one: { line: number; field: string }) => `${one.line} ${one.field}`)
    expect(found).toEqual([
      '2 email',
      '4 currency',
      '5 balance',
      '6 balance',
      '7 email',
      '8 accountNumber',
      '9 email',
      '12 accountNumber',
      '13 externalId',
    ])
    expect([done.status, done.refused]).toEqual(['checked', 9])
    const file = await app.call('GET', `/v1/traders/import/${done.id}/errors.csv`, { as: firm.as.manager })
    expect(file.text.trim().split(/\r?\n/)).toHaveLength(1 + found.length + done.notes.length)
    expect(done.notes).toMatchObject([{ line: 3, field: 'country', code: 'kept' }])
    for (const held of ['no address', 'Atlantis', 'm2@x.test', '6002']) expect(file.text).not.toContain(held)
    expect(await desk.clients('m9@x.test')).toEqual([])
  })

  test('the mistakes of an import are named in the language of whoever brought the file', async () => {
    const speak = (locale: string) => app.call('PATCH', '/v1/auth/me', { as: firm.as.admin, body: { locale } })
    await speak('de')
    const done = await desk.through([',,Al,Bo,FR,,,'])
    expect(done.failure).toBe('1 Zeile hat Fehler: Es wurde nichts importiert.')
    expect(done.errors).toMatchObject([{ line: 2, message: 'muss sagen, um wen es in der Zeile geht' }])
    await speak('en')
  })

  test('an import is stopped by a thousand mistakes in two thousand lines, which are named one by one', async () => {
    const lines = Array.from({ length: 2000 }, (_, n) =>
      n % 2 === 0
        ? `t${n},t${n}@x.test,Al,Bo,FR,,,`
        : [`t${n},t${n},Al,Bo,FR,,,`, `t${n},t${n}@x.test,Al,Bo,FR,${n},Q,`][(n % 3) % 2],
    )
    const done = await desk.through(
      lines.map((line) => line ?? ''),
      { dryRun: true },
    )
    expect([done.refused, done.errors.length]).toEqual([1000, 200])
    const { text } = await app.call('GET', `/v1/traders/import/${done.id}/errors.csv`, { as: firm.as.manager })
    const named = text.trim().split(/\r?\n/).slice(1)
    const wanted = lines.flatMap((line, n) =>
      n % 2 === 0 ? [] : [`${n + 2} ${line?.includes(',Q,') ? 'currency' : 'email'}`],
    )
    expect(
      named.map((one) =>
        one
          .split(',')
          .filter((_, at) => at === 0 || at === 2)
          .join(' '),
      ),
    ).toEqual(wanted)
  })

  test('an import is not stopped by a line with mistakes if the uploader skips such lines', async () => {
    const done = await desk.through(['s1,nobody,Al,Bo,FR,,,', 's2,s2@x.test,Al,Bo,FR,,,'], { skipErrors: true })
    expect(done).toMatchObject({ status: 'done', created: 1, refused: 1 })
  })

  test.each([
    [{ mapping: { 'No such': 'email' } }, 'mapping.No such'],
    [{ mapping: { Currency: 'currency' } }, 'mapping'],
    [{ controlTotals: { EUR: '1.234' } }, 'controlTotals.EUR'],
    [{ controlTotals: { XQQ: '1' } }, 'controlTotals.XQQ'],
    [{ platform: 'nowhere' }, 'platform'],
    [{ csv: `${HEAD}\n"1,2` }, 'csv'],
    [{ csv: `${'E-Mail'.repeat(40)},mail\na,b@x.test` }, 'csv'],
    [{ csv: `id,mail\n${'7'.repeat(4001)},b@x.test` }, 'csv'],
    [{ csv: `id,mail\n7${','.repeat(200_000)}` }, 'csv'],
    [{ csv: `mail${','.repeat(1000)}\na@x.test` }, 'csv'],
  ])('an import is stopped by a wrong request: %j', async (more, path) => {
    const { status, body } = await desk.bring([], more)
    expect([status, body.errors[0].path]).toEqual([422, path])
  })

  test('a file to import is refused while another import is open', async () => {
    const { body } = await desk.bring(['o1,o1@x.test,Al,Bo,FR,,,'])
    expect((await desk.bring(['o2,o2@x.test,Al,Bo,FR,,,'])).body.code).toBe('imports.open')
    await desk.work()
    expect((await desk.read(body.id)).status).toBe('done')
  })

  test('a file to import is refused from a manager, and another firm does not see it', async () => {
    expect((await desk.bring([], {}, firm.as.manager)).status).toBe(403)
    const other = await app.firm('other')
    const { body } = await app.call('GET', '/v1/traders/import', { as: firm.as.manager })
    expect(body.data.length).toBeGreaterThan(5)
    const [{ id }] = body.data
    for (const path of ['', '/errors.csv'])
      expect((await app.call('GET', `/v1/traders/import/${id}${path}`, { as: other.as.owner })).status).toBe(404)
    expect((await app.call('GET', '/v1/traders/import', { as: other.as.owner })).body.data).toEqual([])
  })
})

test('an import that cannot continue does not delay other firms', async () => {
  const other = await app.firm('stuck')
  // an import with a line that was not checked, and with invalid sums
  const stuck = await systemCtx(app.platform, other.tenantId, 'test').write('test.stuck', (tx) => {
    const none = { rows: 1, inFile: '5', refused: 'none', known: '0', posted: '0', undone: '0' }
    const { id } = tx.insert(imports, { status: 'loading', lines: 1, tallies: { EUR: none } })
    const line = { importId: id, line: 2, status: 'ready', externalId: 'x', currency: 'EUR', balance: 5n } as const
    tx.insert(importLines, { ...line, cells: { externalId: 'x' } })
    return id
  })
  const { body } = await desk.bring(['w1,w1@x.test,Al,Bo,FR,,,'])
  await expect(desk.work()).rejects.toThrow('BigInt')
  expect((await desk.read(body.id)).status).toBe('done')
  expect(app.platform.reader.get<{ status: string }>('SELECT status FROM imports WHERE id = ?', [stuck])?.status).toBe(
    'loading',
  )
  await systemCtx(app.platform, other.tenantId, 'test').write('test.stuck', (tx) =>
    tx.execute("UPDATE imports SET status = 'failed' WHERE tenant_id = ?1", []),
  )
})

test('lines that made nothing lose their texts at once, and their mistakes after 30 days', async () => {
  const done = await desk.through(['f1,nobody,Al,Bo,FR,,,', 'f2,f2@x.test,Al,Bo,FR,,,'], { dryRun: true })
  const kept = () =>
    app.platform.reader.all<{ cells: string; external: string }>(
      'SELECT cells, external_id AS external FROM import_lines WHERE import_id = ?',
      [done.id],
    )
  const { forget } = desk
  expect(kept()).toHaveLength(2)
  expect(await forget()).not.toBeNull()
  expect(kept()).toEqual([{ cells: '{}', external: '' }])
  expect((await desk.read(done.id)).errors).toHaveLength(1)
  expect(await forget()).toBeNull()
  app.clock.advance(31 * DAY)
  await forget()
  expect(kept()).toEqual([])
  expect(await forget()).toBeNull()
})

describe('an undo of a file', () => {
  const lines = ['u1,u1@x.test,Una,Roe,FR,7001,EUR,40', 'u2,u2@x.test,Ulf,Roe,FR,7002,EUR,2']
  const bringAll = async (): Promise<string> => {
    const { id } = await desk.through(lines, { controlTotals: { EUR: '42.00' } })
    await desk.act(id, 'confirm')
    await desk.work()
    return id
  }
  const opening = async () => (await desk.trial())['opening_balances EUR']

  test('an undo of a file takes back money, accounts and clients, and the file can come again', async () => {
    const before = await opening()
    const id = await bringAll()
    expect(await opening()).not.toBe(before)
    expect((await desk.act(id, 'undo', firm.as.admin)).body.status).toBe('undoing')
    await desk.work()
    const done = await desk.read(id)
    expect(done).toMatchObject({ status: 'undone', undone: 2, left: 0, balances: [{ undone: '42.00' }] })
    expect(await opening()).toBe(before)
    expect(await desk.clients('u1@x.test')).toEqual([])
    expect((await desk.act(id, 'undo')).status).toBe(409)
    await bringAll()
    expect(await desk.clients('u1@x.test')).toHaveLength(1)
  })

  test('an undo of a file is refused if a client was active since the import, and names the client', async () => {
    const [client] = await desk.clients('u2@x.test')
    const { body } = await app.call('GET', '/v1/traders/import?limit=1', { as: firm.as.manager })
    await app.call('POST', `/v1/traders/${client.id}/notes`, { as: firm.as.operator, body: { body: 'called' } })
    const refused = await desk.act(body.data[0].id, 'undo')
    expect([refused.status, refused.body.code]).toEqual([409, 'imports.touched'])
    expect(refused.body.detail).toContain(client.id)
    expect(await desk.clients('u1@x.test')).toHaveLength(1)
  })
})
