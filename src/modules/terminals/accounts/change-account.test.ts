import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { HOUR, MINUTE, SECOND } from '../../../platform/clock.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { linkClient } from '../../../testing/terminal-client.ts'
import { makeLogin, NEAR, startTradingServer, type TradingServer } from '../../../testing/trading-server.ts'
import type { Effect } from '../simulator/simulator.faults.ts'
import { forgetLapsedPasswords } from './passwords.jobs.ts'

let app: TestApp
let firm: Firm
let terminal: TradingServer
let traderId: string
let accountId: string
const log: string[] = []

const call = (method: string, path: string, body?: object, as = firm.as.manager) =>
  app.call(method, path, body === undefined ? { as } : { as, body })
const list = async (path: string) => (await call('GET', path, undefined, firm.as.owner)).body.data
const change = (body: object, as = firm.as.manager) => call('POST', `/v1/accounts/${accountId}/changes`, body, as)
const instruction = async () => (await list('/v1/platforms/instructions'))[0]
const fault = (path: string, effect: Effect) => terminal.simulator.faults.add({ path, effect, times: 1 })
const account = async () => (await call('GET', `/v1/accounts/${accountId}`)).body
/** Returns the login of the account as the terminal has it. */
const login = () => {
  const [last] = [...terminal.simulator.engine.state.accounts.values()].slice(-1)
  if (last === undefined) throw new Error('there is no login')
  return last
}
/** Returns the token of the newest mail that has a link to passwords. */
const readToken = async (): Promise<string> => {
  const [mail] = (await list('/v1/mails')).filter(({ subject }: { subject: string }) => /trading account/.test(subject))
  const { text } = (await call('GET', `/v1/mails/${mail.id}`, undefined, firm.as.owner)).body
  return /account-passwords\?token=([\w-]{43})\s/.exec(text)?.[1] ?? ''
}
const reveal = (token: string) => app.call('POST', '/v1/accounts/passwords/reveal', { body: { token } })
const countStored = () =>
  app.platform.reader.all(
    `SELECT id FROM terminal_instructions WHERE coalesce(main_password, investor_password) IS NOT NULL
      OR link_hash IS NOT NULL`,
  ).length

beforeEach(async () => {
  log.length = 0
  app = createTestApp({ config: NEAR, log: (line) => void log.push(line) })
  firm = await app.firm('alpha')
  terminal = await startTradingServer(app, firm)
  await terminal.read()
  traderId = await firm.trader()
  await call('POST', '/v1/accounts/open', {
    traderId,
    connectionId: terminal.id,
    group: 'real\\hedging-usd',
    leverage: 200,
    currency: 'USD',
  })
  await terminal.instruct(SECOND)
  await terminal.read(MINUTE)
  accountId = (await list('/v1/accounts'))[0].id
})
afterEach(async () => {
  await terminal.stop()
  await app.close()
})

describe('a change of an account at its terminal', () => {
  const readLogin = async () => (await list(`/v1/platforms/logins?q=${login().login}`))[0]

  test.each([
    [{ leverage: 50 }, 'leverage', () => login().leverage, 50],
    [{ group: 'real\\netting-usd' }, 'group', () => login().group, 'real\\netting-usd'],
    [{ trading: 'off' }, 'trading', () => login().rights & 0x4, 0x4],
    [{ signIn: 'off' }, 'sign_in', () => login().rights & 0x1, 0],
  ])('%j is set there, and in our books when it is read next', async (body, kind, read, expected) => {
    const asked = await change(body)
    expect([asked.status, asked.body.kind, asked.body.state]).toEqual([202, kind, 'queued'])
    await terminal.instruct(SECOND)
    expect([(await instruction()).state, read()]).toEqual(['done', expected])
    await terminal.read(MINUTE)
    const row = await readLogin()
    const said = { leverage: row.leverage, group: row.group, trading: row.mayTrade, sign_in: row.maySignIn }
    expect(Reflect.get(said, kind)).toBe(typeof expected === 'number' && kind !== 'leverage' ? false : expected)
    if (kind === 'leverage') expect((await account()).leverage).toBe(50)
  })

  test('on follows off, and what is so already is not sent', async () => {
    for (const trading of ['off', 'on', 'on']) {
      await change({ trading })
      await terminal.instruct(SECOND)
      expect([(await instruction()).state, login().rights & 0x4]).toEqual(['done', trading === 'on' ? 0 : 4])
    }
    expect((await instruction()).sentAt).toBeNull()
  })

  test('whose answer is lost is sent again and done', async () => {
    fault('/api/user/update', { do: 'cut', when: 'before' })
    await change({ leverage: 25 })
    await terminal.instruct(SECOND)
    expect([(await instruction()).state, login().leverage]).toEqual(['unclear', 200])
    await terminal.instruct(6 * SECOND)
    expect([(await instruction()).state, login().leverage]).toEqual(['done', 25])
  })

  test('that the terminal passes over in silence is refused as not applied', async () => {
    await change({ leverage: 9000 })
    await terminal.instruct(SECOND)
    expect(await instruction()).toMatchObject({ state: 'refused', answer: 'not_applied' })
    expect((await instruction()).why).toContain('did not change anything')
    expect(login().leverage).toBe(200)
  })

  test('is one thing, of a group in the same currency, and one of a kind at a time', async () => {
    for (const body of [{}, { leverage: 1, trading: 'on' }])
      expect((await change(body)).body.errors[0].code).toBe('one_of')
    expect((await change({ trading: true })).status).toBe(422)
    const other = (await change({ group: 'real\\hedging-eur' })).body.errors[0]
    expect([other.path, other.code]).toEqual(['group', 'currency'])
    expect((await change({ group: 'nothing' })).body.errors[0].code).toBe('unknown')
    expect((await change({ leverage: 10 })).status).toBe(202)
    expect((await change({ leverage: 20 })).body.code).toBe('change_waits')
    expect((await change({ trading: 'off' })).status).toBe(202)
  })

  test('needs a login that the terminal lists', async () => {
    terminal.simulator.engine.state.accounts.delete(login().login)
    await terminal.read(MINUTE)
    const answer = await change({ leverage: 10 })
    expect([answer.status, answer.body.code]).toEqual([409, 'login_unknown'])
  })

  test('is a manager’s, but for what stops and for passwords; no viewer, other firm or client makes one', async () => {
    const { operator, viewer } = firm.as
    for (const body of [{ leverage: 1 }, { group: 'x' }, { trading: 'on' }, { signIn: 'on' }])
      expect((await change(body, operator)).status).toBe(403)
    for (const body of [{ trading: 'off' }, { signIn: 'off' }, { password: 'main' }])
      expect((await change(body, operator)).status).toBe(202)
    expect((await change({ trading: 'off' }, viewer)).status).toBe(403)
    expect((await change({ trading: 'off' }, (await app.firm('beta')).as.owner)).status).toBe(404)
    expect((await change({ trading: 'off' }, await firm.traderSession(traderId))).status).toBe(403)
    expect((await change({ signIn: 'off' }, await firm.key(['accounts:read']))).status).toBe(403)
  })
})

describe('passwords of an account', () => {
  const KINDS = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9]/]

  test('are shown once to whoever has the mailed link, and then forgotten', async () => {
    const token = await readToken()
    const { main, investor } = login()
    for (const password of [main, investor]) {
      expect(password).toHaveLength(16)
      for (const kind of KINDS) expect(password).toMatch(kind)
      expect(password).not.toMatch(/[=|\\&%+"]/)
    }
    expect(countStored()).toBe(1)
    const shown = await reveal(token)
    expect([shown.status, shown.body]).toEqual([
      200,
      { server: 'Sim-Live', login: String(login().login), main, investor },
    ])
    expect(countStored()).toBe(0)
    for (const wrong of [token, 'x'.repeat(43)]) {
      const { status, body } = await reveal(wrong)
      expect([status, body.code]).toEqual([410, 'auth.link_invalid'])
    }
  })

  test('whose link has lapsed are shown to nobody and forgotten', async () => {
    const token = await readToken()
    app.clock.advance(24 * HOUR)
    expect((await reveal(token)).body.code).toBe('auth.link_invalid')
    expect(countStored()).toBe(0)
  })

  test('whose link has lapsed are forgotten though nobody looks', async () => {
    app.clock.advance(24 * HOUR)
    await forgetLapsedPasswords.run({ platform: app.platform, signal: new AbortController().signal })
    expect(countStored()).toBe(0)
  })

  test('are made anew: the new one is shown, and the one before is not any more', async () => {
    const first = await readToken()
    const before = { ...login() }
    expect((await change({ password: 'main' }, firm.as.operator)).status).toBe(202)
    await terminal.instruct(SECOND)
    expect(login().main).not.toBe(before.main)
    expect((await reveal(await readToken())).body).toMatchObject({ main: login().main, investor: null })
    expect((await reveal(first)).body).toMatchObject({ main: null, investor: before.investor })
  })

  test('that the terminal does not take are refused and forgotten', async () => {
    await reveal(await readToken())
    fault('/api/user/change_password', { do: 'retcode', code: 3006, executed: false })
    await change({ password: 'investor' })
    await terminal.instruct(SECOND)
    expect([await instruction(), countStored()]).toMatchObject([{ state: 'refused', answer: '3006' }, 0])
  })

  test('are not made by whoever linked the login to the client, which may be somebody else’s', async () => {
    const { login: number } = makeLogin(terminal.simulator.engine)
    await terminal.read(MINUTE)
    const linked = await linkClient(app, firm, number, firm.as.operator)
    const path = `/v1/accounts/${linked.accountId}/changes`
    expect((await call('POST', path, { password: 'main' }, firm.as.operator)).body.code).toBe('own_client')
    expect((await call('POST', path, { trading: 'off' }, firm.as.operator)).status).toBe(202)
    expect((await call('POST', path, { password: 'main' })).status).toBe(202)
  })

  test('whose answer is lost are sent again as they were', async () => {
    fault('/api/user/change_password', { do: 'cut', when: 'after' })
    await change({ password: 'main' })
    await terminal.instruct(SECOND)
    const { main } = login()
    await terminal.instruct(6 * SECOND)
    expect([(await instruction()).state, login().main]).toEqual(['done', main])
    expect((await reveal(await readToken())).body.main).toBe(main)
  })

  test('are in no row, log, answer or file in clear text', async () => {
    const token = await readToken()
    const secrets = [login().main, login().investor, token]
    const tables = app.platform.reader.all<{ name: string }>(`SELECT name FROM sqlite_master WHERE type = 'table'`)
    const rows = tables.flatMap(({ name }) => app.platform.reader.all<object>(`SELECT * FROM "${name}"`))
    expect(rows.length).toBeGreaterThan(100)
    const paths = ['', '/export.csv', `/${(await instruction()).id}`].map((rest) => `/v1/platforms/instructions${rest}`)
    const answers = await Promise.all(paths.map((path) => call('GET', path, undefined, firm.as.owner)))
    const everything = [...rows.map((row) => JSON.stringify(row)), ...answers.map(({ text }) => text), ...log]
    for (const secret of secrets) expect(everything.filter((text) => text.includes(secret))).toEqual([])
    await reveal(token)
  })

  test('need an address of the client, and who reads the held mail could be the client', async () => {
    await readToken()
    const acts = app.platform.reader.all<{ user_id: string }>(
      `SELECT user_id FROM client_acts WHERE trader_id = ? AND act = 'read_link'`,
      [traderId],
    )
    expect(acts.map(({ user_id }) => user_id)).toEqual([firm.as.owner.id])
    await call('PATCH', `/v1/traders/${traderId}`, { email: null }, firm.as.admin)
    app.platform.connection.run('UPDATE traders SET email = NULL WHERE id = ?', [traderId])
    expect((await change({ password: 'main' })).body.code).toBe('traders.no_email')
  })

  test('of a client who is suspended meanwhile are not shown', async () => {
    const token = await readToken()
    await call('PATCH', `/v1/traders/${traderId}`, { status: 'suspended' })
    expect((await reveal(token)).status).toBe(410)
  })
})
