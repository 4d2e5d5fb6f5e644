import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { MINUTE } from '../../../platform/clock.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { createImportDesk } from '../../../testing/import-desk.ts'
import { makeLogin, NEAR, startTradingServer, type TradingServer } from '../../../testing/trading-server.ts'
import { ACTS } from '../../terminals/simulator/simulator.acts.ts'

let app: TestApp
let firm: Firm
let terminal: TradingServer
let desk: ReturnType<typeof createImportDesk>

beforeEach(async () => {
  app = createTestApp({ config: NEAR })
  firm = await app.firm('alpha')
  terminal = await startTradingServer(app, firm)
  desk = createImportDesk(app, firm)
})
afterEach(async () => {
  await terminal.stop()
  await app.close()
})

type Login = { name: string; email: string; group?: string; phone?: string; country?: string; leverage?: number }
const addLogin = (given: Login): number => makeLogin(terminal.simulator.engine, given).login
const ask = (body: object, as: Caller = firm.as.admin) =>
  app.call('POST', `/v1/platforms/connections/${terminal.id}/import`, { as, body })
/** Brings in what there is, to the end of the import. */
const bringIn = async (body: object = {}) => {
  const { status, body: made } = await ask({ dryRun: false, ...body })
  expect(status).toBe(202)
  await desk.work()
  return desk.read(made.id)
}
const list = async (path: string) => (await app.call('GET', path, { as: firm.as.admin })).body.data
const countRows = (table: string) => app.platform.reader.all<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)[0]?.n

test('forty logins of thirty people come in as clients with their accounts, whose balances are reported then', async () => {
  const groups = ['real\\hedging-usd', 'real\\netting-usd', 'real\\hedging-eur', 'demo\\forex']
  for (let person = 0; person < 30; person += 1) {
    // the first five have three logins each, the address written in several ways
    for (let login = 0; login < (person < 5 ? 3 : 1); login += 1) {
      const email = `p${person}@x.test`
      addLogin({
        name: `Ada Abel${person}`,
        email: login === 0 ? email : ` ${email.toUpperCase()} `,
        group: groups[(person + login) % groups.length] ?? '',
        country: 'Germany',
        phone: '+49 30 1234567',
      })
    }
  }
  await terminal.read()
  expect((await ask({ dryRun: true })).body).toMatchObject({ logins: 40, clients: 30, withoutEmail: 0 })
  const done = await bringIn()
  expect(done).toMatchObject({
    status: 'done',
    created: 30,
    known: 10,
    accounts: 40,
    refused: 0,
    errors: [],
    notes: [],
  })
  expect(done).toMatchObject({ fileName: 'Simulated', platform: 'terminal5', lines: 40, balances: [] })
  const [client] = await desk.clients('p1@x.test')
  expect(client).toMatchObject({ firstName: 'Ada', lastName: 'Abel1', country: 'DE', email: 'p1@x.test' })
  const accounts = await list(`/v1/accounts?traderId=${client.id}`)
  expect(accounts.map((one: Record<string, unknown>) => [one.currency, one.isDemo]).toSorted()).toEqual([
    ['EUR', false],
    ['USD', false],
    ['USD', true],
  ])
  expect(accounts[0]).toMatchObject({ platform: 'terminal5', server: 'Sim-Live', leverage: 200, balance: '0.00' })
  const live = accounts.find((one: Record<string, unknown>) => one.currency === 'EUR')
  ACTS.manualDeposit(terminal.simulator.engine, { login: Number(live.accountNumber), amount: '250', comment: 'cash' })
  await terminal.read(MINUTE)
  expect((await app.call('GET', `/v1/accounts/${live.id}`, { as: firm.as.admin })).body.balance).toBe('250.00')
  expect(await list('/v1/platforms/logins?state=unlinked')).toEqual([])
  const again = await ask({ dryRun: false })
  expect([again.status, again.body.code]).toEqual([409, 'terminals.all_linked'])
  expect((await ask({ dryRun: true })).body).toEqual({ logins: 0, clients: 0, withoutEmail: 0, groups: [] })
})

describe('a line of a login', () => {
  test('without an address, or with that of a client, is refused by name, and comes once that is mended', async () => {
    await app.call('POST', '/v1/traders', { as: firm.as.admin, body: { email: 'here@x.test', lastName: 'Here' } })
    addLogin({ name: 'Ada Abel', email: 'ada@x.test' })
    const bare = addLogin({ name: 'Ben Berg', email: '' })
    const taken = addLogin({ name: 'Cy Here', email: 'here@x.test' })
    const wrong = addLogin({ name: 'Di Dove', email: 'no address' })
    await terminal.read()
    expect((await ask({ dryRun: true })).body).toMatchObject({ logins: 4, clients: 3, withoutEmail: 1 })
    const done = await bringIn()
    expect(done).toMatchObject({ status: 'done', created: 1, accounts: 1, refused: 3 })
    expect(done.errors).toMatchObject([
      { line: 2, field: 'email', code: 'required', message: expect.stringContaining(`Login ${bare}: is empty`) },
      { line: 3, field: 'email', code: 'duplicate', message: expect.stringContaining(`Login ${taken}: belongs`) },
      { line: 4, field: 'email', message: expect.stringContaining(`Login ${wrong}: `) },
    ])
    const account = terminal.simulator.engine.state.accounts.get(bare)
    if (account) account.email = 'ben@x.test'
    expect(await bringIn()).toMatchObject({ status: 'done', lines: 3, created: 1, accounts: 1, refused: 2 })
  })

  test('has no address where our login may not see people', async () => {
    for (const manager of terminal.simulator.engine.state.managers.values()) manager.rights = [1, 24, 25, 27, 29]
    addLogin({ name: 'Ada Abel', email: 'ada@x.test' })
    await terminal.read()
    expect((await ask({ dryRun: true })).body).toMatchObject({ logins: 1, clients: 0, withoutEmail: 1 })
    expect(await bringIn()).toMatchObject({ status: 'done', created: 0, refused: 1 })
  })

  test('may have markup, formulas, quotes and separators in its name, which stay text', async () => {
    const name = '=HYPERLINK("http://x.test";"a") <script>alert(1)</script>'
    addLogin({ name, email: 'n0@x.test' })
    addLogin({ name: 'O\'Neil; "x", @SUM(1)', email: 'n1@x.test' })
    await terminal.read()
    expect(await bringIn()).toMatchObject({ created: 2, refused: 0 })
    const [formula] = await desk.clients('n0@x.test')
    expect(`${formula.firstName} ${formula.lastName}`).toBe(name)
    const file = await app.call('GET', '/v1/traders/export.csv?q=n0@x.test', { as: firm.as.admin })
    expect(file.text).toContain("'=HYPERLINK")
  })
})

test('groups are chosen by name or mask, and one that nobody is in is named', async () => {
  addLogin({ name: 'Ada Abel', email: 'ada@x.test' })
  addLogin({ name: 'Ada Abel', email: 'ada@x.test', group: 'real\\hedging-eur' })
  addLogin({ name: 'Ben Berg', email: '', group: 'demo\\forex' })
  await terminal.read()
  expect((await ask({ dryRun: true })).body.groups).toEqual([
    { group: 'demo\\forex', logins: 1, clients: 0, withoutEmail: 1 },
    { group: 'real\\hedging-eur', logins: 1, clients: 1, withoutEmail: 0 },
    { group: 'real\\hedging-usd', logins: 1, clients: 1, withoutEmail: 0 },
  ])
  expect((await ask({ dryRun: true, groups: ['REAL\\*'] })).body).toMatchObject({ logins: 2, clients: 1 })
  expect((await ask({ dryRun: true, groups: ['demo\\forex', 'real\\hedging-usd'] })).body.logins).toBe(2)
  const unknown = await ask({ dryRun: true, groups: ['real\\*', 'real\\none'] })
  expect([unknown.status, unknown.body.errors[0].path]).toEqual([422, 'groups.1'])
  expect(await bringIn({ groups: ['real\\hedging-eur'] })).toMatchObject({ lines: 1, created: 1, accounts: 1 })
  // the other login of the same address is found for the client who is there now
  expect(await bringIn({ groups: ['real\\*'] })).toMatchObject({ lines: 1, created: 0, known: 1, accounts: 1 })
})

test('a dry run stores nothing, and neither does a refused one', async () => {
  addLogin({ name: 'Ada Abel', email: 'ada@x.test' })
  await terminal.read()
  const count = () => ['imports', 'import_lines', 'traders', 'audit'].map(countRows)
  const before = count()
  await ask({ dryRun: true })
  await ask({ dryRun: false }, firm.as.manager)
  expect(count()).toEqual(before)
})

test('nobody but an admin brings clients in, and nobody those of another firm', async () => {
  const other = await app.firm('beta')
  await terminal.read()
  expect((await ask({ dryRun: true }, firm.as.manager)).status).toBe(403)
  expect((await ask({ dryRun: true }, other.as.admin)).status).toBe(404)
  expect((await ask({ dryRun: true }, await firm.key(['platforms:read'], 'admin'))).status).toBe(403)
  expect((await ask({ dryRun: true }, await firm.key(['traders:write'], 'admin'))).status).toBe(200)
})

describe('a trading server', () => {
  test('that is not read, or does not answer, is said, and nothing is begun', async () => {
    addLogin({ name: 'Ada Abel', email: 'ada@x.test' })
    await terminal.read()
    terminal.simulator.conditions.maintenance = 503
    const silent = await ask({ dryRun: false })
    expect([silent.status, silent.body.code]).toEqual([503, 'terminals.no_answer'])
    await terminal.read(MINUTE)
    const lost = await ask({ dryRun: true })
    expect([lost.status, lost.body.code]).toEqual([409, 'terminals.not_connected'])
    expect(countRows('imports')).toBe(0)
  })

  test('that nobody confirmed brings nobody in', async () => {
    const late = await app.firm('beta')
    const { simulator } = terminal
    await terminal.stop()
    terminal = await startTradingServer(app, late, { confirmed: false, books: simulator })
    addLogin({ name: 'Ada Abel', email: 'ada@x.test' })
    await terminal.read()
    expect((await ask({ dryRun: true }, late.as.admin)).body.code).toBe('terminals.unconfirmed')
  })
})

test('it waits while a file is open, as a file does', async () => {
  addLogin({ name: 'Ada Abel', email: 'ada@x.test' })
  await terminal.read()
  const first = await ask({ dryRun: false })
  expect((await ask({ dryRun: false })).body.code).toBe('imports.open')
  expect((await desk.bring(['1,a@x.test,A,B,FR,,,'])).body.code).toBe('imports.open')
  await desk.work()
  expect(await desk.read(first.body.id)).toMatchObject({ status: 'done', created: 1 })
})

describe('an import of logins', () => {
  test('is taken back although the server reports its accounts, and the logins can come in again', async () => {
    const login = addLogin({ name: 'Ada Abel', email: 'ada@x.test' })
    await terminal.read()
    const { engine } = terminal.simulator
    ACTS.manualDeposit(engine, { login, amount: '1000', comment: 'cash' })
    const { id } = await bringIn()
    await terminal.read(MINUTE)
    expect((await list('/v1/accounts'))[0].balance).toBe('1000.00')
    expect(await desk.undone(id)).toMatchObject({ status: 'undone', undone: 1, left: 0 })
    expect(await list('/v1/accounts')).toEqual([])
    expect(await bringIn()).toMatchObject({ created: 1, accounts: 1 })
  })

  test('is not taken back once its client trades, or somebody suspends an account', async () => {
    const login = addLogin({ name: 'Ada Abel', email: 'ada@x.test' })
    await terminal.read()
    const { engine } = terminal.simulator
    ACTS.manualDeposit(engine, { login, amount: '10000', comment: 'cash' })
    const { id } = await bringIn()
    const [account] = await list('/v1/accounts')
    const set = (status: string) =>
      app.call('PATCH', `/v1/accounts/${account.id}`, { as: firm.as.admin, body: { status } })
    await set('suspended')
    expect((await desk.act(id, 'undo', firm.as.admin)).body.code).toBe('imports.touched')
    await set('active')
    await terminal.read(MINUTE)
    ACTS.open(engine, { login, symbol: 'EURUSD', side: 'long', lots: '0.10' })
    await terminal.read(MINUTE)
    expect((await desk.act(id, 'undo', firm.as.admin)).body.code).toBe('imports.touched')
  })

  test('forgets what the server said of people as a file is forgotten', async () => {
    addLogin({ name: 'Ada Abel', email: 'ada@x.test' })
    addLogin({ name: 'Ben Berg', email: 'no address of Ben' })
    await terminal.read()
    await bringIn()
    await desk.forget()
    const [left] = app.platform.reader.all<{ texts: string }>(
      "SELECT group_concat(cells || coalesce(email_key, '') || errors, ' ') AS texts FROM import_lines",
    )
    expect(left?.texts).not.toMatch(/ada@x|Abel|Berg|Ben/)
  })
})
