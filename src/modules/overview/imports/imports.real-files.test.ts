import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { createImportDesk } from '../../../testing/import-desk.ts'

let app: TestApp
let firm: Firm
let desk: ReturnType<typeof createImportDesk>
const apps: TestApp[] = []
beforeEach(async () => {
  app = createTestApp()
  apps.push(app)
  firm = await app.firm('mover')
  desk = createImportDesk(app, firm)
})
afterAll(() => Promise.all(apps.map((one) => one.close())))

const bring = (csv: string, more: object = {}) => desk.through([], { csv, ...more })
const listAccounts = async (traderId: string) =>
  (await app.call('GET', `/v1/accounts?traderId=${traderId}`, { as: firm.as.manager })).body.data

const MT5 = [
  'Login;Name;Group;Country;Balance;Credit',
  '1811971;Ann Lee;real\\EUR-ECN;UK;1,944.50;0.00',
  '1811972;Bob Ray;real\\USD-std;Russian Federation;50.00;0.00',
  '1811973;Cy Poe;demo\\forex-USD;UAE;0.00;0.00',
].join('\r\n')
const OPENING = {
  mapping: { Login: 'accountNumber', Name: 'name', Group: 'group', Country: 'country', Balance: 'balance' },
}

describe('a file of MT5’s manager', () => {
  test('a file of MT5’s manager makes a client without an address for each login, and its balances are not guessed', async () => {
    const done = await bring(MT5, { platform: 'terminal5' })
    expect(done).toMatchObject({ status: 'done', created: 3, accounts: 3, errors: [], notes: [], balances: [] })
    expect(done.mapping).toEqual({ Login: 'accountNumber', Name: 'name', Group: 'group', Country: 'country' })
    const [ann] = await desk.clients('Ann')
    expect(ann).toMatchObject({ email: null, firstName: 'Ann', lastName: 'Lee', country: 'GB' })
    expect(await listAccounts(ann.id)).toMatchObject([{ accountNumber: '1811971', currency: 'EUR', isDemo: false }])
    const [cy] = await desk.clients('Cy')
    expect(await listAccounts(cy.id)).toMatchObject([{ currency: 'USD', isDemo: true }])
  })

  test('a file of MT5’s manager opens wallets if a person says so, and makes nothing twice if it comes again', async () => {
    const totals = { controlTotals: { EUR: '1944.50', USD: '50.00' } }
    const done = await desk.posted([], { csv: MT5, platform: 'terminal5', ...OPENING, ...totals })
    expect(done).toMatchObject({ status: 'done', created: 3 })
    const [ann] = await desk.clients('Ann')
    expect(await desk.wallets(ann.id)).toEqual({ EUR: '1944.50' })
    const again = await bring(MT5, { platform: 'terminal5', ...totals })
    expect(again).toMatchObject({ status: 'done', created: 0, known: 3, accounts: 0, mapping: OPENING.mapping })
    expect((await desk.undone(done.id)).status).toBe('undone')
    expect(await desk.clients('Ann')).toEqual([])
    expect(Object.values(await desk.trial())).toEqual(['0.00', '0.00', '0.00', '0.00'])
  })
})

test('a report of MT4 is read below its title: its ids are not clients’, and unneeded values are kept as text', async () => {
  const csv = [
    'Clients, all groups, 2026.11.20',
    '',
    'Login;Name;Group;Country;City;State;Zip;Address;Phone;Email;Comment;ID;Status;Reg.date;Leverage;Agent;Balance;Credit',
    '70001;"O\'Brien; Pat";real-usd;Ireland;Cork;;T12;1 Main "Old" St;+353851234567;pat@x.test;;P77;RE;2019.01.02;1 : 500;0;125.50;0',
    '70002;"O\'Brien; Pat";real-usd;Ireland;Cork;;T12;;+353851234567;pat@x.test;;P77;RE;2019.01.02;500:1;0;74.50;0',
    "70003;Awa Sy;real-usd;Côte d'Ivoire;;;;;+225012;awa@x.test;;P77;RE;2019.01.02;1:Unlimited;0;1.00;0",
    ';;;;;;;;;;;;;;;;;',
  ].join('\r\n')
  const first = await bring(csv, { platform: 'terminal4', dryRun: true })
  expect(first).toMatchObject({ status: 'checked', headLine: 3, lines: 3, refused: 0, balances: [] })
  const mapping = { ...first.mapping, Balance: 'balance' }
  const done = await desk.posted([], { csv, platform: 'terminal4', mapping, controlTotals: { USD: '201.00' } })
  expect(done).toMatchObject({ status: 'done', created: 2, accounts: 3, known: 1, refused: 0 })
  expect(done.notes).toMatchObject([
    { line: 6, field: 'phone', column: 'Phone', code: 'kept' },
    { line: 6, field: 'leverage', column: 'Leverage', code: 'kept' },
  ])
  const [pat] = await desk.clients('pat@x.test')
  expect(await desk.wallets(pat.id)).toEqual({ USD: '200.00' })
  expect((await listAccounts(pat.id)).map(({ leverage }: { leverage: number }) => leverage)).toEqual([500, 500])
  const [awa] = await desk.clients('awa@x.test')
  expect(awa).toMatchObject({ phone: null, country: 'CI', metadata: { phone: '+225012' } })
  expect(await listAccounts(awa.id)).toMatchObject([{ metadata: { leverage: '1:Unlimited' } }])
})

test('a file of German Excel is read with its amounts, days and countries', async () => {
  const csv = [
    'Kundennummer;E-Mail;Vorname;Nachname;Land;Geburtsdatum;Konto;Währung;Saldo',
    '="0012";ann@x.test;Ann;Lee;Österreich;31.12.1990;5001;EUR;1.944,50',
    '0013;bob@x.test;Bob;Ray;Türkei;1.2.1985;5002;EUR;12,5',
    ';;;;;;;;',
  ].join('\r\n')
  const done = await desk.posted([], { csv, platform: 'terminal4', controlTotals: { EUR: '1957.00' } })
  expect(done).toMatchObject({ status: 'done', created: 2, lines: 2, notes: [] })
  const [ann] = await desk.clients('ann@x.test')
  expect(ann).toMatchObject({ country: 'AT', dateOfBirth: '1990-12-31' })
  expect(await desk.wallets(ann.id)).toEqual({ EUR: '1944.50' })
  const [bob] = await desk.clients('bob@x.test')
  expect(bob).toMatchObject({ country: 'TR', dateOfBirth: '1985-02-01' })
})

describe('a client without an address', () => {
  test('a client without an address needs a phone or id, is found when the file comes again, and cannot sign in', async () => {
    const csv = 'Client ID,Phone,Name,Email\n7,,Ann Lee,\n,+35799123456,Bob Ray,\n,+357 99 123456,Bea Ray,\n,,Nobody,\n'
    const done = await bring(csv, { skipErrors: true })
    expect(done).toMatchObject({ status: 'done', created: 3, refused: 1, errors: [{ line: 5, field: 'externalId' }] })
    expect(await bring(csv, { skipErrors: true })).toMatchObject({ created: 0, known: 3 })
    const [ann] = await desk.clients('Ann')
    const invited = await app.call('POST', `/v1/traders/${ann.id}/invite`, { as: firm.as.manager, body: {} })
    expect([invited.status, invited.body.code]).toEqual([409, 'traders.no_email'])
  })

  test('a line needs some column that identifies the client', async () => {
    const { status, body } = await desk.bring([], { csv: 'Name,Country\nAnn,DE' })
    expect([status, body.errors[0].path]).toEqual([422, 'mapping'])
  })
})

test('two accounts of one client open one wallet with both balances, even in a later file', async () => {
  const head = 'Client ID,Email,Name,Account,Currency,Balance'
  const lines = ['7,ann@x.test,Ann Lee,5001,EUR,10', '7,ann@x.test,Ann Lee,5002,EUR,20']
  const first = await desk.posted([], {
    csv: [head, ...lines].join('\n'),
    platform: 'terminal4',
    controlTotals: { EUR: '30.00' },
  })
  expect(first.status).toBe('done')
  const next = { platform: 'terminal4', controlTotals: { EUR: '35.00' } }
  const later = await desk.posted([], { csv: [head, ...lines, '7,,,5003,EUR,5'].join('\n'), ...next })
  expect(later.balances).toMatchObject([{ known: '30.00', posted: '5.00' }])
  const [ann] = await desk.clients('ann@x.test')
  expect(await desk.wallets(ann.id)).toEqual({ EUR: '35.00' })
  const without = 'Client ID,Email,Name,Currency,Balance\n7,ann@x.test,Ann Lee,EUR,35'
  const wrong = await bring(without, { controlTotals: { EUR: '35.00' }, dryRun: true })
  expect(wrong.errors).toMatchObject([{ field: 'balance', code: 'differs' }])
})

test('an ambiguous day is refused unless the order of day and month is given; one currency can be given for all lines', async () => {
  const csv = 'Client ID,Email,Name,Birthday,Account,Balance\n7,ann@x.test,Ann,03/04/1990,5001,5\n'
  const asked = await bring(csv, { platform: 'terminal4', dryRun: true })
  expect(asked.errors).toMatchObject([
    { line: 2, field: 'dateOfBirth', code: 'ambiguous' },
    { line: 2, field: 'currency', code: 'required' },
  ])
  const said = { dates: 'month_first', currency: 'EUR' }
  const done = await bring(csv, { platform: 'terminal4', ...said, controlTotals: { EUR: '5.00' } })
  expect(done).toMatchObject({ status: 'loaded', ...said, decimals: null, headLine: 1 })
  const [ann] = await desk.clients('ann@x.test')
  expect(ann.dateOfBirth).toBe('1990-03-04')
})

test('a cent account has its own currency, and an unknown type makes a real account', async () => {
  const csv =
    'Client ID,Email,Name,Account,Account type,Currency,Balance\n' +
    '1,a@x.test,Ann,5001,Cent,USC,1000.00\n2,b@x.test,Bob,5002,Cent,USD,10\n3,c@x.test,Cy,5003,ECN,USD,10\n4,d@x.test,Di,5004,Demo,USD,'
  const done = await bring(csv, { platform: 'terminal4', dryRun: true })
  expect(done.errors).toMatchObject([{ line: 3, field: 'isDemo', code: 'differs' }])
  expect(done.notes.map(({ line, field }: { line: number; field: string }) => `${line} ${field}`)).toEqual([
    '2 isDemo',
    '4 isDemo',
  ])
  expect(done.balances).toMatchObject([
    { currency: 'USC', inFile: '1000.00' },
    { currency: 'USD', inFile: '20.00' },
  ])
})

test('the uploader may say which line has the headers', async () => {
  const csv = 'Name,Email\nId of ours,Their mail\n7,ann@x.test'
  const mapping = { 'Id of ours': 'externalId', 'Their mail': 'email' }
  expect(await bring(csv, { headLine: 2, mapping })).toMatchObject({ status: 'done', created: 1, headLine: 2 })
  const wrong = await desk.bring([], { csv, headLine: 9 })
  expect([wrong.status, wrong.body.errors[0].path]).toEqual([422, 'headLine'])
})
