import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../platform/clock.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { makeLogin, NEAR, startTradingServer, type TradingServer } from '../../../testing/trading-server.ts'
import { turn } from '../../../testing/until.ts'
import { accounts } from '../../books/accounts/accounts.table.ts'
import { ACTS } from '../simulator/simulator.acts.ts'
import { MANAGER_PASSWORD as PASSWORD } from '../simulator/simulator.defaults.ts'
import { makeIdentity } from '../simulator/simulator.server.ts'

let app: TestApp
let firm: Firm
let terminal: TradingServer

beforeEach(async () => {
  app = createTestApp({ config: NEAR })
  firm = await app.firm('alpha')
  terminal = await startTradingServer(app, firm)
})
afterEach(async () => {
  await terminal.stop()
  await app.close()
})

const get = async (path: string) => (await app.call('GET', path, { as: firm.as.admin })).body
const list = async (path: string) => (await get(path)).data
const connection = () => get(`/v1/platforms/connections/${terminal.id}`)
const findings = () => terminal.findings()
const addLogin = (group = 'real\\hedging-usd'): number => {
  const { login } = makeLogin(terminal.simulator.engine, { group })
  ACTS.manualDeposit(terminal.simulator.engine, { login, amount: '10000', comment: 'cash' })
  return login
}
const open = (login: number, lots = '1.00') =>
  ACTS.open(terminal.simulator.engine, { login, symbol: 'EURUSD', side: 'long', lots })[0]?.position ?? 0
const countOutages = () =>
  app.platform.reader.all<{ n: number }>(
    "SELECT count(*) AS n FROM mails WHERE subject LIKE '%does not answer%'",
    [],
  )[0]?.n
/** Connects another firm to the trading server, in place of the first one. */
async function reconnect(settings: object = {}): Promise<Firm> {
  await terminal.stop()
  const other = await app.firm('beta')
  terminal = await startTradingServer(app, other, { books: terminal.simulator, settings })
  return other
}
const ago = (days: number): string => new Date(app.clock.now() - days * DAY).toISOString()
/** Lets deals count from an earlier moment on, by two people; `act` happens before the second. */
async function countFrom(since: string, { as }: Firm, act = async (): Promise<void> => {}): Promise<void> {
  const path = `/v1/platforms/connections/${terminal.id}`
  await app.call('PATCH', path, { as: as.owner, body: { since } })
  const { version } = (await app.call('GET', path, { as: as.admin })).body.pending
  await act()
  await app.call('POST', `${path}/confirm`, { as: as.admin, body: { version } })
}
const engine = () => terminal.simulator.engine
const setPassword = (password: string) => {
  for (const manager of terminal.simulator.engine.state.managers.values()) manager.password = password
}

describe('a terminal that fails', () => {
  test('for hours is tried at most once in two minutes, told of once, and read again by itself', async () => {
    await terminal.read()
    const { conditions, journal } = terminal.simulator
    conditions.maintenance = 403
    const before = journal.entries().filter(({ path }) => path === '/api/auth/start').length
    for (let minute = 0; minute < 240; minute += 1) await terminal.read(MINUTE)
    const tries = journal.entries().filter(({ path }) => path === '/api/auth/start').length - before
    expect(tries).toBeLessThanOrEqual(170)
    expect(countOutages()).toBe(1)
    const { status, health } = await connection()
    expect([status, health.state, health.lastError.code]).toEqual(['active', 'waiting', 'refused_session'])
    conditions.maintenance = null
    await terminal.read(3 * MINUTE)
    expect((await connection()).health).toMatchObject({ state: 'connected', lastError: null })
  }, 60_000)

  test('by a wrong password is tried once in five minutes, and by a disabled login not until it is tested', async () => {
    await terminal.read()
    const state = terminal.simulator.engine.state
    setPassword('another one')
    await terminal.server.drop()
    await terminal.read(MINUTE)
    const { health } = await connection()
    expect([health.state, health.lastError.code]).toEqual(['waiting', 'wrong_account'])
    expect(Date.parse(health.nextTryAt) - app.clock.now()).toBeGreaterThan(3 * MINUTE)
    setPassword(PASSWORD)
    for (const manager of state.managers.values()) Object.assign(manager, { refusal: 1002 })
    await terminal.read(7 * MINUTE)
    expect((await connection()).status).toBe('error')
    for (const manager of state.managers.values()) Object.assign(manager, { refusal: null })
    await terminal.read(DAY)
    expect((await connection()).status).toBe('error')
    const test = await app.call('POST', `/v1/platforms/connections/${terminal.id}/test`, {
      as: firm.as.admin,
      body: {},
    })
    expect(test.body.checks.map(({ state: found }: { state: string }) => found)).not.toContain('fails')
    await terminal.read()
    expect((await connection()).status).toBe('active')
  })

  test('with another certificate is not spoken to', async () => {
    await terminal.read()
    terminal.server.present(makeIdentity(['localhost'], app.clock.now()))
    await terminal.server.drop()
    const before = terminal.simulator.journal.entries().length
    await terminal.read(MINUTE)
    const { status, health } = await connection()
    expect([status, health.lastError.code]).toEqual(['error', 'certificate_changed'])
    expect(health.lastError.text).toContain((await connection()).certificate)
    expect(terminal.simulator.journal.entries()).toHaveLength(before)
  })
})

describe('what is gone', () => {
  test('an empty list of positions closes nothing, and is a finding that heals', async () => {
    const login = addLogin()
    await terminal.read()
    for (let n = 0; n < 12; n += 1) open(login, '0.01')
    await terminal.read(MINUTE)
    const { engine } = terminal.simulator
    const account = engine.state.accounts.get(login)
    const [all, own] = [new Map(engine.state.positions), new Map(account?.positions)]
    engine.state.positions.clear()
    account?.positions.clear()
    engine.changes += 1
    await terminal.read(MINUTE)
    expect(await list('/v1/positions?status=open')).toHaveLength(12)
    expect(await findings()).toEqual([['mass_vanish', '']])
    for (const [id, position] of all) engine.state.positions.set(id, position)
    for (const [id, position] of own) account?.positions.set(id, position)
    engine.changes += 1
    await terminal.read(MINUTE)
    expect(await findings()).toEqual([])
    expect(await list('/v1/positions?status=open')).toHaveLength(12)
  })

  test('a login that is archived or deleted keeps its last balance, and one that is given anew waits for a person', async () => {
    const [archived, deleted, reused] = [addLogin(), addLogin(), addLogin()]
    for (let n = 0; n < 300; n += 1) addLogin()
    await terminal.read()
    const { engine } = terminal.simulator
    const before = (await list(`/v1/platforms/logins?q=${archived}`))[0].balance
    ACTS.archive(engine, { login: archived })
    ACTS.deleteUser(engine, { login: deleted })
    app.clock.advance(HOUR)
    ACTS.reuseLogin(engine, { login: reused, name: 'Somebody Else' })
    await terminal.read(MINUTE)
    const states = await Promise.all(
      [archived, deleted, reused].map(async (login) => (await list(`/v1/platforms/logins?q=${login}`))[0]),
    )
    expect(states.map(({ state }) => state)).toEqual(['archived', 'gone', 'reused'])
    expect(states[0].balance).toBe(before)
    expect((await findings()).toSorted()).toEqual(
      [
        ['login_archived', String(archived)],
        ['login_gone', String(deleted)],
        ['login_reused', String(reused)],
      ].toSorted(),
    )
    const [{ id }, ...others] = await list(`/v1/platforms/findings?state=open&login=${reused}`)
    expect(others).toEqual([])
    const closed = await app.call('POST', '/v1/platforms/findings/close', {
      as: firm.as.manager,
      body: { ids: [id], reason: 'a new client has this number' },
    })
    expect(closed.body.results).toMatchObject([{ id, ok: true }])
    await terminal.read(MINUTE)
    expect((await list(`/v1/platforms/logins?q=${reused}`))[0].state).toBe('unlinked')
  }, 60_000)

  test('a deal that is deleted revokes what it closed, and a balance that no deal explains is a finding', async () => {
    const login = addLogin()
    await terminal.read()
    const position = open(login)
    app.clock.advance(10 * MINUTE)
    ACTS.close(terminal.simulator.engine, { position })
    await terminal.read(MINUTE)
    const [closed] = await list('/v1/positions?status=closed')
    firm.effects()
    const last = [...terminal.simulator.engine.state.deals.values()].at(-1)
    ACTS.deleteDeal(terminal.simulator.engine, { deal: last?.id ?? 0, books: true })
    for (let n = 0; n < 4; n += 1) await terminal.read(MINUTE)
    expect((await get(`/v1/positions/${closed.id}`)).status).toBe('open')
    expect(firm.effects().events).toContain('position.corrected')
    expect((await list('/v1/platforms/deals?state=gone'))[0].revisions).toHaveLength(1)
    ACTS.editProfit(terminal.simulator.engine, {
      deal: [...terminal.simulator.engine.state.deals.values()].at(-1)?.id ?? 0,
      profit: '77',
      books: false,
    })
    for (const pause of [31 * MINUTE, MINUTE, MINUTE]) await terminal.read(pause)
    expect(await findings()).toEqual([['balance_differs', String(login)]])
  })
})

test('an unconfirmed connection reads as the word of who entered it, and no bridge', async () => {
  await terminal.stop()
  const other = await app.firm('beta')
  terminal = await startTradingServer(app, other, { confirmed: false })
  const login = addLogin()
  await terminal.read()
  const traderId = await other.trader()
  const { body } = await app.call('POST', '/v1/accounts', {
    as: other.as.operator,
    body: { traderId, platform: 'terminal5', server: 'Sim-Live', accountNumber: String(login), currency: 'USD' },
  })
  await terminal.read(2 * MINUTE)
  const [row] = app.platform.reader.all<{ by: string; bridge: number; server: string; balance: number }>(
    'SELECT balance_by AS "by", by_bridge AS bridge, server, balance FROM accounts WHERE id = ?',
    [body.id],
  )
  expect(row).toEqual({ by: other.as.owner.id, bridge: 0, server: 'Sim-Live', balance: 1_000_000 })
})

test('a connection that is confirmed is read on by its session, and by a new one with a new password', async () => {
  await terminal.stop()
  const other = await app.firm('beta')
  const { as } = other
  terminal = await startTradingServer(app, other, { confirmed: false })
  const path = `/v1/platforms/connections/${terminal.id}`
  const confirm = async () => {
    const { version } = (await app.call('GET', path, { as: as.admin })).body.pending
    const { status, text } = await app.call('POST', `${path}/confirm`, { as: as.admin, body: { version } })
    if (status !== 200) throw new Error(text)
  }
  const count = (asked: string) => terminal.simulator.journal.entries().filter((entry) => entry.path === asked).length
  addLogin()
  await terminal.read()
  const [sessions, reads] = [count('/api/auth/start'), count('/api/user/get_batch')]
  await confirm()
  await terminal.read()
  expect([count('/api/auth/start'), count('/api/user/get_batch')]).toEqual([sessions, reads + 1])
  setPassword('another-Pass1')
  await app.call('PATCH', path, { as: as.owner, body: { password: 'another-Pass1' } })
  await confirm()
  await terminal.read(MINUTE)
  expect(count('/api/auth/start')).toBe(sessions + 1)
  expect((await app.call('GET', path, { as: as.admin })).body.health.state).toBe('connected')
})

test('a live account that is a demo login on the terminal gets no balance of it', async () => {
  const login = addLogin('demo\\forex')
  await terminal.read()
  const traderId = await firm.trader()
  const place = { platform: 'terminal5', server: 'Sim-Live', accountNumber: String(login) }
  // it was entered before the terminal was read
  const { id } = await systemCtx(app.platform, firm.tenantId, 'test').write('test.account', (tx) =>
    tx.insert(accounts, { traderId, ...place, currency: 'USD' }),
  )
  await terminal.read(2 * MINUTE)
  expect((await get(`/v1/accounts/${id}`)).balance).toBe('0.00')
  expect(await findings()).toEqual([['currency_differs', String(login)]])
})

test('deals of before are read where a connection begins earlier, and what nobody can store stops nothing else', async () => {
  const login = addLogin()
  app.clock.advance(9 * DAY)
  const other = await reconnect({ since: ago(1.5) })
  for (const pause of [0, MINUTE]) await terminal.read(pause)
  const get = async (path: string) => (await app.call('GET', path, { as: other.as.admin })).body
  const count = async () => (await get('/v1/platforms/deals?kind=money')).data.length
  expect(await count()).toBe(0)
  await countFrom(ago(10), other)
  for (const pause of [MINUTE, MINUTE, MINUTE]) await terminal.read(pause)
  expect(await count()).toBe(1)
  expect(await terminal.findings()).toEqual([])
  const rich = engine().state.accounts.get(login)
  if (rich) rich.leverage = -1
  engine().changes += 1
  await terminal.read(MINUTE)
  const { health } = await get(`/v1/platforms/connections/${terminal.id}`)
  expect(health.lastError.code).toBe('not_an_answer')
})

test.each(['user', 'deal'])(
  'an earlier moment that is confirmed while the %ss are read is read from as well',
  async (part) => {
    addLogin()
    app.clock.advance(9 * DAY)
    const other = await reconnect({ since: ago(0.5) })
    for (const pause of [0, MINUTE, MINUTE]) await terminal.read(pause)
    const { journal } = terminal.simulator
    let reading = Promise.resolve()
    await countFrom(ago(100), other, async () => {
      const before = journal.entries().length
      const isAsked = () => journal.entries().some(({ path }, at) => at >= before && path.includes(`/${part}/`))
      reading = terminal.read(MINUTE)
      while (!isAsked()) await turn()
    })
    await reading
    for (let n = 0; n < 6; n += 1) await terminal.read(MINUTE)
    const deals = await app.call('GET', '/v1/platforms/deals?kind=money', { as: other.as.admin })
    expect(deals.body.data).toHaveLength(1)
  },
)

test('a deal that is shown after the first readings is no difference of the balance', async () => {
  const position = open(addLogin())
  app.clock.advance(HOUR)
  await reconnect()
  app.clock.advance(SECOND)
  // the balance has its result at once
  const { id } = ACTS.close(engine(), { position, price: '1.50000' })
  engine().state.unseen.set(id, app.clock.now() + 90 * SECOND)
  for (const pause of [0, MINUTE, MINUTE, MINUTE]) await terminal.read(pause)
  expect(await terminal.findings()).toEqual([])
  for (const pause of [10 * MINUTE, MINUTE]) await terminal.read(pause)
  expect(app.platform.reader.all('SELECT 1 FROM terminal_logins WHERE proven')).toHaveLength(1)
})

describe('money without a deal', () => {
  const give = (login: number): void => {
    const account = engine().state.accounts.get(login)
    if (account) account.balance += 500_000
    engine().changes += 1
  }

  test('is found on an account that trades all the time', async () => {
    const login = addLogin()
    app.clock.advance(HOUR)
    await reconnect()
    for (let minute = 0; minute < 60; minute += 1) {
      if (minute % 5 === 1) ACTS.close(engine(), { position: open(login), price: '1.50000' })
      await terminal.read(MINUTE)
    }
    give(login)
    for (let n = 0; n < 4; n += 1) await terminal.read(MINUTE)
    expect(await terminal.findings()).toEqual([['balance_differs', String(login)]])
  })

  test.each([5, 100])('is still found where deals count from %i days ago on', async (days) => {
    const login = addLogin()
    app.clock.advance(9 * DAY)
    const other = await reconnect({ since: ago(0.5) })
    for (const pause of [0, MINUTE, 11 * MINUTE, MINUTE]) await terminal.read(pause)
    give(login)
    for (let n = 0; n < 4; n += 1) await terminal.read(MINUTE)
    const found = [['balance_differs', String(login)]]
    expect(await terminal.findings()).toEqual(found)
    await countFrom(ago(days), other)
    for (let n = 0; n < 20; n += 1) await terminal.read(MINUTE)
    expect(await terminal.findings()).toEqual(found)
  })
})
