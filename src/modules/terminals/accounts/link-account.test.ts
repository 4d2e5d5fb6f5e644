import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { MINUTE } from '../../../platform/clock.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { makeLogin, NEAR, startTradingServer, type TradingServer } from '../../../testing/trading-server.ts'

/** The rights at the terminal that show names and addresses. */
const PERSONAL = [26, 76, 77, 78, 79, 80, 81]

let app: TestApp
let firm: Firm
let terminal: TradingServer
let traderId: string
let number: string

const call = (method: string, path: string, body?: object, as = firm.as.operator) =>
  app.call(method, path, body === undefined ? { as } : { as, body })
const addLogin = (fields: object = {}): string =>
  String(
    makeLogin(terminal.simulator.engine, { group: 'demo\\forex', email: 'ada@example.com', leverage: 300, ...fields })
      .login,
  )
const link = (fields: object = {}) =>
  call('POST', '/v1/accounts', {
    traderId,
    platform: 'terminal5',
    server: 'Sim-Live',
    accountNumber: number,
    currency: 'USD',
    ...fields,
  })
const patch = (id: string, body: object) => call('PATCH', `/v1/accounts/${id}`, body)

beforeEach(async () => {
  app = createTestApp({ config: NEAR })
  firm = await app.firm('alpha')
  terminal = await startTradingServer(app, firm)
  number = addLogin()
  await terminal.read()
  traderId = await firm.trader({ firstName: 'Ada', lastName: 'Abel', email: 'ada@example.com' })
})
afterEach(async () => {
  await terminal.stop()
  await app.close()
})

describe('a login that is linked to a client', () => {
  test('gives the account its leverage, kind and server; balances are not taken from the body', async () => {
    const { status, body } = await link({ server: '', leverage: 5, isDemo: false, balance: '7', equity: '7' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ server: 'Sim-Live', leverage: 300, isDemo: true, balance: '0.00', equity: '0.00' })
  })

  test('was read, and is in the currency that is named', async () => {
    expect((await link({ accountNumber: '4711' })).body.code).toBe('login_unknown')
    const { status, body } = await link({ currency: 'EUR' })
    expect([status, body.errors[0].path, body.errors[0].code]).toEqual([422, 'currency', 'currency'])
  })

  test.each([{ name: 'Bob Brown' }, { email: 'bob@example.com' }])(
    'that the terminal shows as %j needs a note, which the audit keeps',
    async (other) => {
      number = addLogin(other)
      await terminal.read(MINUTE)
      const refused = await link()
      expect([refused.status, refused.body.code, refused.body.errors[0].path]).toEqual([422, 'note_required', 'note'])
      const linked = await link({ note: 'the wife’s name' })
      expect([linked.status, linked.body.note]).toEqual([201, undefined])
      const { body } = await call('GET', `/v1/audit?entityId=${linked.body.id}`, undefined, firm.as.admin)
      expect(JSON.stringify(body)).toContain('the wife’s name')
    },
  )

  test('that the terminal shows without name and address is not compared', async () => {
    number = addLogin({ name: 'Bob Brown', email: 'bob@example.com' })
    for (const manager of terminal.simulator.engine.state.managers.values())
      manager.rights = manager.rights.filter((right) => !PERSONAL.includes(right))
    await terminal.read(MINUTE)
    expect((await link()).status).toBe(201)
  })

  test('is compared too if its number is entered later', async () => {
    const { body } = await call('POST', '/v1/accounts', { traderId, platform: 'terminal5', currency: 'USD' })
    number = addLogin({ name: 'Bob Brown' })
    await terminal.read(MINUTE)
    const place = { server: 'Sim-Live', accountNumber: number }
    expect((await patch(body.id, { ...place, accountNumber: '4711' })).body.code).toBe('login_unknown')
    expect((await patch(body.id, place)).body.code).toBe('note_required')
    expect((await patch(body.id, { ...place, note: 'checked' })).body).toMatchObject({ leverage: 300, isDemo: true })
  })
})

describe('what a terminal says of an account', () => {
  test.each([{ currency: 'EUR' }, { leverage: 1 }, { isDemo: false }, { balance: '0' }, { equity: '5' }])(
    'is not changed here: %j',
    async (body) => {
      const { id } = (await link()).body
      const refused = await patch(id, body)
      expect([refused.status, refused.body.code]).toEqual([409, 'terminal_account'])
    },
  )

  test('is sent as it is by a form that changes something else', async () => {
    const { id } = (await link()).body
    const same = { currency: 'USD', leverage: 300, isDemo: true, externalId: 'x1' }
    expect((await patch(id, same)).body).toMatchObject({ externalId: 'x1' })
  })

  test('is ours to change while nobody has confirmed the connection, and of another server', async () => {
    const { id } = (await link({ server: 'elsewhere', accountNumber: '1' })).body
    expect((await patch(id, { leverage: 5 })).body.leverage).toBe(5)
  })
})
