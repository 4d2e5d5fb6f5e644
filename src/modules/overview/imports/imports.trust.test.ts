import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY, HOUR } from '../../../platform/clock.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { createImportDesk } from '../../../testing/import-desk.ts'
import type { Explanation } from '../../clients/sanctions/matcher.ts'
import { sanctionsHits } from '../../clients/sanctions/sanctions.table.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { checkStep } from './imports.check.ts'
import { MOST_OF_CLIENT } from './imports.duplicates.ts'
import { imports } from './imports.table.ts'

let app: TestApp
let firm: Firm
let desk: ReturnType<typeof createImportDesk>
let count = 0
beforeAll(() => {
  app = createTestApp()
})
beforeEach(async () => {
  count += 1
  firm = await app.firm(`trust${count}`)
  desk = createImportDesk(app, firm)
})
afterAll(() => app.close())

const ANN = '7,ann@x.test,Ann,Lee,DE,,,'
const found = ({ errors }: { errors: { line: number; field: string; code: string }[] }) =>
  errors.map(({ line, field, code }) => `${line} ${field} ${code}`)
const system = () => systemCtx(app.platform, firm.tenantId, 'test')

describe('a client of an earlier file', () => {
  test('a client of an earlier file is not taken for a person with the same id in another system', async () => {
    await desk.through(['7,ann@x.test,Ann,Lee,DE,5001,EUR,'])
    const other = await desk.through(['7,zoe@other.test,Zoe,Kay,FR,9001,USD,500'], { controlTotals: { USD: '500.00' } })
    expect([other.status, ...found(other)]).toEqual(['failed', '2 email differs'])
    const currency = await desk.through(['7,Ann@X.test,Ann,Lee,DE,5001,USD,'])
    expect(found(currency)).toEqual(['2 currency differs'])
  })

  test('a client keeps an opening balance that an undo left, and gets no second one', async () => {
    await desk.through([ANN])
    const [ann] = await desk.clients('ann@x.test')
    const file = ['7,ann@x.test,Ann,Lee,DE,,USD,500']
    const { id } = await desk.posted(file, { controlTotals: { USD: '500.00' } })
    await desk.adjust(ann.id, 'debit', '1.00')
    expect((await desk.act(id, 'undo', firm.as.admin)).body.code).toBe('imports.touched')
    // the activity comes between the request of the undo and its job
    await system().write('test.undo', (tx) => {
      tx.execute("UPDATE imports SET status = 'undoing', cursor = 0 WHERE tenant_id = ?1 AND id = ?2", [id])
      return null
    })
    await desk.work()
    expect(await desk.read(id)).toMatchObject({ status: 'undone', undone: 0, left: 1 })
    const again = await desk.through(file, { controlTotals: { USD: '500.00' } })
    expect(again).toMatchObject({ status: 'done', known: 1, balances: [{ known: '500.00', toPost: '0.00' }] })
    expect(await desk.wallets(ann.id)).toEqual({ USD: '499.00' })
  })

  test('a client whose balance was posted is not imported again after deletion and erasure', async () => {
    const file = ['7,ann@x.test,Ann,Lee,DE,,EUR,100']
    await desk.posted(file, { controlTotals: { EUR: '100.00' } })
    const [ann] = await desk.clients('ann@x.test')
    await desk.adjust(ann.id, 'debit', '100.00', 'EUR')
    expect((await app.call('DELETE', `/v1/traders/${ann.id}`, { as: firm.as.admin })).status).toBe(204)
    const again = await desk.through(file, { controlTotals: { EUR: '100.00' } })
    expect(found(again)).toContain('2 externalId deleted')
    await system().write('test.erase', (tx) => {
      tx.execute('UPDATE traders SET email = NULL WHERE tenant_id = ?1 AND id = ?2', [ann.id])
      return null
    })
    expect(found(await desk.through(file, { controlTotals: { EUR: '100.00' } }))).toEqual(['2 externalId deleted'])
  })

  test('an undo does not debit a client for their own money', async () => {
    await desk.through([ANN])
    const [ann] = await desk.clients('ann@x.test')
    const { id } = await desk.posted(['7,ann@x.test,Ann,Lee,DE,,USD,500'], { controlTotals: { USD: '500.00' } })
    await desk.adjust(ann.id, 'debit', '500.00')
    await desk.adjust(ann.id, 'credit', '500.00')
    const refused = await desk.act(id, 'undo', firm.as.admin)
    expect([refused.body.code, refused.body.detail]).toEqual(['imports.touched', expect.stringContaining(ann.id)])
    expect(await desk.wallets(ann.id)).toEqual({ USD: '500.00' })
  })
})

describe('the check', () => {
  test('the check compares addresses as the firm does, in whatever case', async () => {
    await desk.through([ANN])
    const done = await desk.through(['8,Ann@X.test,Ann,Lee,DE,,,', '8,,,,,5002,USD,'])
    expect(found(done)).toEqual(['2 email duplicate', '3 externalId refused'])
  })

  test('the check keeps people with the same address apart if the file has no ids', async () => {
    const csv = 'E-Mail,Name,Country,Currency,Balance\nhome@x.test,Ann Lee,DE,EUR,5\nhome@x.test,Bob Lee,DE,USD,7'
    const done = await desk.through([], { csv, controlTotals: { EUR: '5.00', USD: '7.00' } })
    expect([done.status, ...found(done)]).toEqual(['failed', '3 name differs'])
  })

  test('the check names a line with more cells than headers, and reads both kinds of line ends', async () => {
    const wide = await desk.through(['7,ann@x.test,Ann,Lee,DE,,EUR,1250,50'], { controlTotals: { EUR: '1250.00' } })
    expect([wide.status, wide.errors[0].code]).toEqual(['failed', 'columns'])
    const csv = 'id,mail,first name,last name,country\r\n1,a@x.test,A,B,DE\n2,b@x.test,A,B,DE\r\n3,c@x.test,A,B,DE\n'
    expect(await desk.through([], { csv })).toMatchObject({ status: 'done', created: 3 })
  })

  test('the check names all mistakes of a line at once', async () => {
    await desk.through([ANN])
    const csv =
      'id,mail,phone,country,birthday,affiliate,account,currency\n' +
      '1,ann@x.test,none,Nowhere,1990-02-30,no-such,1,EUR\n2,no address,none,DE,13.13.1990,,2,QQQ'
    const done = await desk.through([], { csv, dryRun: true })
    expect(found(done)).toEqual([
      '2 email duplicate',
      '2 affiliateCode unknown',
      '3 email invalid',
      '3 currency currency_unknown',
    ])
    expect(done.notes.map(({ field }: { field: string }) => field)).toEqual([])
  })

  test('the check takes a limited number of lines about one client', async () => {
    const lines = Array.from(
      { length: MOST_OF_CLIENT + 2 },
      (_, n) => `7,${n === 0 ? 'ann@x.test,Ann,Lee,DE' : ',,,'},${n + 1},EUR,`,
    )
    const done = await desk.through(lines, { skipErrors: true })
    expect(done).toMatchObject({ status: 'done', created: 1, known: MOST_OF_CLIENT - 1, refused: 2 })
    expect(new Set(done.errors.map(({ code }: { code: string }) => code))).toEqual(new Set(['too_many']))
    expect(await desk.undone(done.id)).toMatchObject({ undone: 1, left: 0 })
  })
})

describe('a change during the import of a file', () => {
  const file = ['7,ann@x.test,Ann,Lee,DE,5001,USD,500', '7,,,,,5002,EUR,', '8,bob@x.test,Bob,Ray,DE,,USD,1']
  const checked = async (more: object): Promise<string> => {
    const { body } = await desk.bring(file, { controlTotals: { USD: '501.00' }, ...more })
    const read = () => system().db.get(imports, body.id)
    for (let row = read(); row.status === 'checking'; row = read()) await checkStep(system(), row)
    return body.id
  }

  test('an import that one mistake should stop is undone if a line becomes wrong after the check', async () => {
    const id = await checked({})
    const body = { email: 'ANN@x.test', firstName: 'A', lastName: 'B', country: 'DE' }
    expect((await app.call('POST', '/v1/traders', { as: firm.as.operator, body })).status).toBe(201)
    await desk.work()
    const done = await desk.read(id)
    expect(done).toMatchObject({ status: 'undone', created: 1, undone: 1, refused: 2 })
    expect(done.failure).toContain('2 lines have mistakes')
    expect(await desk.clients('bob@x.test')).toEqual([])
    // the next file is accepted
    expect((await desk.through(['9,cy@x.test,Cy,Poe,FR,,,'])).status).toBe('done')
  })

  test('lines of a platform that was removed after the check are left out, and it is named', async () => {
    const id = await checked({ skipErrors: true, controlTotals: { USD: '501.00' } })
    const body = { platforms: ['terminal5'] }
    expect((await app.call('PATCH', '/v1/tenants/current', { as: firm.as.owner, body })).status).toBe(200)
    await desk.work()
    expect(await desk.read(id)).toMatchObject({
      status: 'undone',
      errors: [{ line: 2, field: 'platform' }, { line: 3 }],
    })
  })
})

describe('a waiting balance', () => {
  const file = ['7,ann@x.test,Ann,Lee,DE,,USD,500', '8,bob@x.test,Bob,Ray,DE,,USD,1']
  const totals = { controlTotals: { USD: '501.00' } }

  test('a waiting balance is not posted to a client who was deleted meanwhile, and the file shows it', async () => {
    const { id } = await desk.through(file, totals)
    const [ann] = await desk.clients('ann@x.test')
    const refused = await app.call('DELETE', `/v1/traders/${ann.id}`, { as: firm.as.admin })
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('an opening balance of 500.00 USD')])
    // deleted directly, since no rule allows it
    await system().write('test.delete', (tx) => {
      tx.remove(traders, ann.id)
      return null
    })
    await desk.act(id, 'confirm')
    await desk.work()
    const done = await desk.read(id)
    expect(done).toMatchObject({
      status: 'done',
      errors: [{ line: 2, code: 'deleted' }],
      balances: [{ posted: '1.00' }],
    })
    expect(done.failure).toContain('1 opening balance was not posted')
    expect(await desk.trial()).toMatchObject({ 'opening_balances USD': '-1.00' })
  })

  test('a waiting balance is not posted to a client blocked by sanctions, nor above what a wallet can store', async () => {
    const { id } = await desk.through(file, totals)
    const [ann] = await desk.clients('ann@x.test')
    const [bob] = await desk.clients('bob@x.test')
    await system().write('test.hit', (tx) => {
      tx.execute(
        `INSERT INTO wallets (tenant_id, id, trader_id, currency, available, held, version, created_at, updated_at)
         VALUES (?1, 'wal_full', ?2, 'USD', 9007199254740991, 0, 1, 1, 1)`,
        [bob.id],
      )
      return null
    })
    await blockBySanctions(ann.id)
    await desk.act(id, 'confirm')
    await desk.work()
    const done = await desk.read(id)
    expect(found(done)).toEqual(['2 null sanctions.credit_blocked', '3 balance amount_range'])
    expect(done.status).toBe('done')
    expect(await desk.wallets(ann.id)).toEqual({})
  })

  const blockBySanctions = (traderId: string) =>
    system().write('test.hit', (tx) => {
      const explanation: Explanation = { listedAs: 'X', nameScore: 90, words: [], birth: 'unknown', country: 'unknown' }
      const facts = { source: 'un', reference: 'R1', name: 'X', score: 90, listHash: 'h', explanation } as const
      tx.insert(sanctionsHits, { ...facts, traderId })
      return null
    })

  test('a waiting balance is not confirmed by a person who could be one of the clients', async () => {
    const { id } = await desk.through(file, totals)
    const [ann] = await desk.clients('ann@x.test')
    const changed = await app.call('PATCH', `/v1/traders/${ann.id}`, {
      as: firm.as.owner,
      body: { email: 'owner.other@x.test' },
    })
    expect(changed.status).toBe(200)
    const refused = await desk.act(id, 'confirm')
    expect([refused.status, refused.body.code]).toEqual([403, 'own_client'])
  })

  test('the person who confirms sees the waiting balances client by client', async () => {
    const { id } = await desk.through(file, totals)
    const { status, text } = await app.call('GET', `/v1/traders/import/${id}/balances.csv`, { as: firm.as.manager })
    const [ann] = await desk.clients('ann@x.test')
    expect([status, ...text.trim().split(/\r?\n/)]).toEqual([
      200,
      'line,clientId,firstName,lastName,email,currency,amount,posted',
      `2,${ann.id},Ann,Lee,ann@x.test,USD,500.00,no`,
      expect.stringContaining('bob@x.test,USD,1.00,no'),
    ])
  })
})

test('an amount with its currency’s decimals is read, and an amount that may mean thousands is refused', async () => {
  const lines = [
    '7,ann@x.test,Ann,Lee,DE,,BTC,1.234 BTC',
    '8,bob@x.test,Bob,Ray,DE,,KWD,125.500',
    '9,cy@x.test,Cy,Poe,DE,,KWD,"125,500"',
    '10,di@x.test,Di,Poe,DE,,EUR,5 USD',
  ]
  const wrong = await desk.through(lines, { dryRun: true })
  expect(found(wrong)).toEqual(['4 balance amount_malformed', '5 balance currency_differs'])
  expect(wrong.balances).toMatchObject([
    { currency: 'BTC', inFile: '1.23400000' },
    { currency: 'EUR', refused: '5.00' },
    { currency: 'KWD', inFile: '125.500' },
  ])
  const said = await desk.through(lines.slice(0, 3), { dryRun: true, decimals: 'comma' })
  expect(said.balances).toMatchObject([{ inFile: '1234.00000000' }, { inFile: '125625.500' }])
})

test('two zeros as decimals are read in a currency that has none; three may be thousands', async () => {
  const lines = ['7,ann@x.test,Ann,Ono,JP,,JPY,5000.00', '8,bob@x.test,Bob,Abe,JP,,JPY,5.000']
  const read = await desk.through(lines, { dryRun: true })
  expect(found(read)).toEqual(['3 balance amount_scale'])
  expect(read.balances).toMatchObject([{ currency: 'JPY', inFile: '5000' }])
})

describe('a running import', () => {
  test('an import is stopped during its check, and has made nothing', async () => {
    const { body } = await desk.bring([ANN])
    expect((await desk.act(body.id, 'undo', firm.as.admin)).body).toMatchObject({
      status: 'failed',
      failure: 'The import was stopped.',
    })
    await desk.work()
    expect(await desk.clients('ann@x.test')).toEqual([])
    expect((await desk.through([ANN])).status).toBe('done')
  })

  test('an import is undone while its balances are posted', async () => {
    const { id } = await desk.through(['7,ann@x.test,Ann,Lee,DE,,USD,5'], { controlTotals: { USD: '5.00' } })
    await desk.act(id, 'confirm')
    expect((await desk.act(id, 'undo', firm.as.admin)).body.status).toBe('undoing')
    await desk.work()
    expect(await desk.read(id)).toMatchObject({ status: 'undone', undone: 1 })
    expect(await desk.trial()).toEqual({})
  })

  test('a request that was lost in a crash does not block the next import', async () => {
    const id = await system().write('test.receiving', (tx) => tx.insert(imports, { status: 'receiving' }).id)
    await desk.forget()
    expect((await desk.read(id)).status).toBe('failed')
  })
})

describe('an undo after other changes', () => {
  test('an undo is refused if an account was deleted or given to another client, and names the clients', async () => {
    const lines = ['7,ann@x.test,Ann,Lee,DE,5001,USD,', '8,bob@x.test,Bob,Ray,DE,5002,USD,', '9,cy@x.test,Cy,Poe,DE,,,']
    const { id } = await desk.through(lines)
    const [ann] = await desk.clients('ann@x.test')
    const [bob] = await desk.clients('bob@x.test')
    const [cy] = await desk.clients('cy@x.test')
    const readAccount = async (traderId: string) =>
      (await app.call('GET', `/v1/accounts?traderId=${traderId}`, { as: firm.as.manager })).body.data[0]
    const gone = await readAccount(ann.id)
    expect((await app.call('DELETE', `/v1/accounts/${gone.id}`, { as: firm.as.admin })).status).toBe(204)
    const moved = await readAccount(bob.id)
    const body = { traderId: cy.id }
    expect((await app.call('PATCH', `/v1/accounts/${moved.id}`, { as: firm.as.admin, body })).status).toBe(200)
    const refused = await desk.act(id, 'undo', firm.as.admin)
    for (const { id: client } of [ann, bob, cy]) expect(refused.body.detail).toContain(client)
  })

  test('an undo of a client with several lines reports only what it did', async () => {
    const lines = ['7,ann@x.test,Ann,Lee,DE,5001,USD,500', '7,,,,,5002,EUR,20', '8,bob@x.test,Bob,Ray,DE,,,']
    const { id } = await desk.posted(lines, { controlTotals: { USD: '500.00', EUR: '20.00' } })
    expect(await desk.undone(id)).toMatchObject({ status: 'undone', undone: 2, left: 0 })
    expect(new Set(Object.values(await desk.trial()))).toEqual(new Set(['0.00']))
  })

  test('an undo waits while another file of the firm is open', async () => {
    const { id } = await desk.through([ANN])
    await desk.through(['8,bob@x.test,Bob,Ray,DE,,USD,1'], { controlTotals: { USD: '1.00' } })
    expect((await desk.act(id, 'undo', firm.as.admin)).body.code).toBe('imports.open')
  })
})

test('texts of a known client in a dry run, and of refused lines of a waiting file, are removed', async () => {
  await desk.through([ANN])
  const dry = await desk.through(['7,ann@x.test,Ann,Lee,DE,,,'], { dryRun: true })
  const { id } = await desk.through(['8,bob@x.test,Bob,Ray,DE,,USD,1', '9,nobody,Cy,Poe,DE,,,'], {
    skipErrors: true,
    controlTotals: { USD: '1.00' },
  })
  await desk.forget()
  const texts = app.platform.reader.all<{ cells: string }>(
    "SELECT cells FROM import_lines WHERE import_id IN (?, ?) AND cells <> '{}'",
    [dry.id, id],
  )
  expect(texts).toEqual([])
  expect((await desk.read(id)).errors).toHaveLength(1)
  app.clock.advance(31 * DAY + HOUR)
  await desk.forget()
  expect((await desk.read(dry.id)).errors).toEqual([])
})

test('the uploader of a file counts as the author of its clients', async () => {
  const csv = 'id,mail,first name,last name,country,affiliate\n1,a@x.test,A,B,DE,partner-one'
  const bearer = await firm.trader({})
  const made = await app.call('POST', '/v1/affiliates', {
    as: firm.as.operator,
    body: { traderId: bearer, code: 'partner-one' },
  })
  await app.call('PATCH', `/v1/affiliates/${made.body.id}`, { as: firm.as.manager, body: { status: 'active' } })
  const done = await desk.through([], { csv })
  expect(done.status).toBe('done')
  const [client] = await desk.clients('a@x.test')
  const [row] = app.platform.reader.all<{ by: string }>(
    'SELECT set_by AS by FROM trader_affiliations WHERE trader_id = ?',
    [client.id],
  )
  expect(row?.by).toBe(firm.as.admin.id)
  expect(system().db.get(traders, client.id).emailBy).toBe(firm.as.admin.id)
})
