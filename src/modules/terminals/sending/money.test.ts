import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { HOUR, MINUTE, SECOND } from '../../../platform/clock.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { linkClient } from '../../../testing/terminal-client.ts'
import { makeLogin, NEAR, startTradingServer, type TradingServer } from '../../../testing/trading-server.ts'
import { ACTS } from '../simulator/simulator.acts.ts'
import type { Effect } from '../simulator/simulator.faults.ts'

let app: TestApp
let firm: Firm
let terminal: TradingServer
let login: number
let accountId: string
let traderId: string
let walletId: string

const call = (method: string, path: string, body?: object, as = firm.as.admin) =>
  app.call(method, path, body === undefined ? { as } : { as, body })
const list = async (path: string) => (await call('GET', path)).body.data
const findings = async () =>
  (await list('/v1/platforms/findings?state=open')).map(({ kind }: { kind: string }) => kind).toSorted()
const instructions = async () => list('/v1/platforms/instructions')
const transfer = async (id: string) => (await list(`/v1/transfers?q=${id}`))[0]

const addLogin = (): number => makeLogin(terminal.simulator.engine).login

const send = async (amount: string, as = firm.as.operator) =>
  call('POST', '/v1/transfers', { fromWalletId: walletId, toAccountId: accountId, amount }, as)
const home = async (amount: string, as = firm.as.admin) =>
  call('POST', '/v1/transfers', { fromAccountId: accountId, toWalletId: walletId, amount }, as)
const fault = (effect: Effect, times = 1) =>
  terminal.simulator.faults.add({ path: '/api/trade/balance', effect, times })
const bookByHand = (amount: string, comment: string) =>
  ACTS.manualDeposit(terminal.simulator.engine, { login, amount, comment })
const wallet = async () => {
  const [row] = await list(`/v1/wallets?traderId=${traderId}`)
  return [row.available, row.held]
}
/** Lets all looks pass. */
const lookOften = async () => {
  for (const pause of [5 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 20 * MINUTE])
    await terminal.instruct(pause + SECOND)
}
/** Returns how often the terminal booked under a reference. */
const countBooked = (reference: string): number =>
  [...terminal.simulator.engine.state.deals.values()].filter(({ comment }) => comment.startsWith(reference)).length
const say = (id: string, body: object, as = firm.as.manager) =>
  call('POST', `/v1/transfers/${id}/acknowledge`, body, as)

beforeEach(async () => {
  app = createTestApp({ config: NEAR })
  firm = await app.firm('alpha')
  terminal = await startTradingServer(app, firm)
  await terminal.read()
  login = addLogin()
  await terminal.read(MINUTE)
  ;({ traderId, accountId, walletId } = await linkClient(app, firm, login))
  await terminal.switchOn()
  await terminal.read(MINUTE)
})
afterEach(async () => {
  await terminal.stop()
  await app.close()
})

describe('money to an account', () => {
  test('is booked at the terminal under our reference, and here by its number', async () => {
    const made = await send('125.50')
    expect([made.status, made.body.state]).toEqual([201, 'sent'])
    await terminal.instruct(SECOND)
    const done = await transfer(made.body.id)
    expect(done.state).toBe('booked')
    const [row] = await instructions()
    expect(row).toMatchObject({ kind: 'balance', state: 'done', amount: '125.50', number: done.platformReference })
    expect(row.tries).toMatchObject([{ what: 'sent', came: `done ${done.platformReference}` }])
    await terminal.read(MINUTE)
    const [deal] = await list('/v1/platforms/deals?kind=money')
    expect(deal).toMatchObject({ comment: made.body.reference, profit: '125.50', transferId: made.body.id })
    expect([await wallet(), await findings()]).toEqual([['874.50', '0.00'], []])
    expect((await say(made.body.id, { state: 'refused', reason: 'x' })).body.code).toBe('wrong_state')
  })

  test.each(['after', 'headers', 'body'] as const)(
    'whose answer is lost (%s) is never sent again, and booked once it is found',
    async (when) => {
      fault({ do: 'cut', when })
      const made = await send('10')
      await terminal.instruct(SECOND)
      expect((await instructions())[0].state).toBe('unclear')
      await terminal.instruct(6 * SECOND)
      expect((await transfer(made.body.id)).state).toBe('booked')
      await lookOften()
      expect([countBooked(made.body.reference), await wallet()]).toEqual([1, ['990.00', '0.00']])
    },
  )

  test('that never reached the terminal is unresolved after seven looks, and a person says that it was refused', async () => {
    fault({ do: 'cut', when: 'before' })
    const made = await send('10')
    await terminal.instruct(SECOND)
    const key = await firm.key(['bridge:write'])
    expect((await say(made.body.id, { state: 'booked', reference: '1' }, key)).body.code).toBe('terminal_decides')
    expect((await say(made.body.id, { state: 'refused', reason: 'x' })).body.code).toBe('terminal_decides')
    await lookOften()
    expect((await instructions())[0].state).toBe('unresolved')
    expect(await findings()).toEqual(['transfer_unresolved'])
    await terminal.read(MINUTE)
    expect((await say(made.body.id, { state: 'refused', reason: 'x' }, key)).body.code).toBe('terminal_decides')
    expect((await say(made.body.id, { state: 'refused', reason: 'not there' })).status).toBe(200)
    expect([countBooked(made.body.reference), await wallet()]).toEqual([0, ['1000.00', '0.00']])
    expect([(await instructions())[0].state, await findings()]).toEqual(['refused', []])
  })

  test('that a person calls booked has to fit the deal that they name', async () => {
    fault({ do: 'cut', when: 'before' }, 1)
    const old = bookByHand('10', 'by hand')
    await terminal.read(3 * HOUR)
    const made = await send('10')
    await terminal.instruct(SECOND)
    await lookOften()
    const other = bookByHand('11', 'by hand')
    const foreign = bookByHand('10', 'BB-00000000000A')
    const right = bookByHand('10', 'by hand')
    await terminal.read(MINUTE)
    expect((await say(made.body.id, { state: 'booked' })).body.errors[0].path).toBe('reference')
    for (const reference of [...[old, other, foreign].map(({ id }) => String(id)), '999999', 'nothing'])
      expect((await say(made.body.id, { state: 'booked', reference })).body.code).toBe('deal_differs')
    expect((await say(made.body.id, { state: 'booked', reference: String(right.id) })).status).toBe(200)
    const second = await send('10')
    fault({ do: 'cut', when: 'before' }, 1)
    await terminal.instruct(SECOND)
    await lookOften()
    expect((await say(second.body.id, { state: 'booked', reference: String(right.id) })).body.code).toBe('deal_used')
    expect((await instructions()).map(({ state }: { state: string }) => state)).toEqual(['unresolved', 'done'])
  })

  test.each([
    ['3', 3],
    ['8', 8],
    ['13', 13],
    ['10019', 10019],
  ])('that the terminal refuses by %s is looked up and posted back', async (code, retcode) => {
    fault({ do: 'retcode', code: retcode, executed: false })
    const made = await send('10')
    await terminal.instruct(SECOND)
    await terminal.instruct(SECOND)
    const refused = await transfer(made.body.id)
    expect([refused.state, refused.refusalReason]).toEqual(['refused', expect.stringContaining(code)])
    expect([(await instructions())[0].answer, await wallet()]).toEqual([code, ['1000.00', '0.00']])
    // a refused client asks anew: another transfer, another reference
    const again = await send('10')
    await terminal.instruct(SECOND)
    expect((await transfer(again.body.id)).state).toBe('booked')
  })

  test('that the terminal calls refused and booked all the same is booked', async () => {
    fault({ do: 'retcode', code: 10019, executed: true })
    const made = await send('10')
    await terminal.instruct(SECOND)
    await terminal.instruct(SECOND)
    expect((await transfer(made.body.id)).state).toBe('booked')
  })

  test('waits while money is off, and whoever did not ask may call it refused', async () => {
    const made = await send('10')
    await call('PATCH', `/v1/platforms/connections/${terminal.id}`, { money: false })
    await terminal.instruct(MINUTE)
    expect((await instructions())[0].state).toBe('queued')
    const gone = await call('DELETE', `/v1/platforms/connections/${terminal.id}`, undefined, firm.as.owner)
    expect(gone.body.code).toBe('terminals.in_use')
    expect((await say(made.body.id, { state: 'booked', reference: '1' })).body.code).toBe('terminal_decides')
    expect((await say(made.body.id, { state: 'refused', reason: 'x' }, firm.as.operator)).status).toBe(403)
    expect((await say(made.body.id, { state: 'refused', reason: 'x' })).status).toBe(200)
    await terminal.switchOn()
    await terminal.read(MINUTE)
    await terminal.instruct(MINUTE)
    expect([(await instructions())[0].state, countBooked(made.body.reference)]).toEqual(['cancelled', 0])
  })

  test.each([
    ['client is held', 'UPDATE traders SET legal_hold = 1', 'UPDATE traders SET legal_hold = 0'],
    ['account is suspended', "UPDATE accounts SET status = 'suspended'", "UPDATE accounts SET status = 'active'"],
  ])('waits while the %s, and goes once that is over', async (_name, begin, end) => {
    const made = await send('10')
    const run = (sql: string) => app.platform.writer.submit(() => app.platform.connection.run(sql, []))
    await run(begin)
    await terminal.instruct(SECOND)
    expect([(await instructions())[0].state, countBooked(made.body.reference)]).toEqual(['queued', 0])
    await run(end)
    await terminal.instruct(2 * MINUTE)
    expect(countBooked(made.body.reference)).toBe(1)
  })

  test('is not sent where the mark cannot be written beside the database', async () => {
    const mark = join(app.platform.config.dataDir, 'sent.json.partial')
    mkdirSync(join(mark, 'in the way'), { recursive: true })
    const made = await send('10')
    await terminal.instruct(SECOND)
    expect([(await instructions())[0].state, countBooked(made.body.reference)]).toEqual(['queued', 0])
    rmSync(mark, { recursive: true })
    await terminal.instruct(MINUTE)
    expect(countBooked(made.body.reference)).toBe(1)
  })

  test('needs an account that the terminal lists', async () => {
    ACTS.archive(terminal.simulator.engine, { login })
    await terminal.read(MINUTE)
    const made = await send('1')
    expect([made.status, made.body.code]).toEqual([409, 'login_unknown'])
  })
})

describe('money from an account', () => {
  const fund = async (amount: string) => {
    const made = await send(amount)
    await terminal.instruct(SECOND)
    await terminal.read(MINUTE)
    expect((await transfer(made.body.id)).state).toBe('booked')
  }

  test('is what is free there, comes home once, and is nobody’s who entered the connection', async () => {
    await fund('500')
    expect((await home('100', firm.as.owner)).body.code).toBe('transfers.own_balance')
    expect((await home('500.01')).body.code).toBe('transfers.above_balance')
    const made = await home('400', firm.as.manager)
    expect([made.body.state, await wallet()]).toEqual(['sent', ['500.00', '400.00']])
    expect((await home('100.01', firm.as.manager)).body.code).toBe('transfers.above_balance')
    await terminal.instruct(SECOND)
    expect([(await transfer(made.body.id)).state, await wallet()]).toEqual(['booked', ['900.00', '0.00']])
    await terminal.read(MINUTE)
    expect((await home('100.01', firm.as.manager)).body.code).toBe('transfers.above_balance')
    app.clock.advance(6 * MINUTE)
    expect((await home('100', firm.as.manager)).body.code).toBe('transfers.not_reported')
  })

  test('that was booked while money was off still lies there, and does not come home twice', async () => {
    await fund('500')
    const path = `/v1/platforms/connections/${terminal.id}`
    await call('PATCH', path, { money: false })
    expect((await home('400', firm.as.manager)).body.state).toBe('booked')
    await terminal.switchOn()
    await terminal.read(MINUTE)
    expect((await home('400', firm.as.manager)).body.code).toBe('transfers.above_balance')
    expect((await home('100', firm.as.manager)).status).toBe(201)
  })

  test('that positions hold is refused unsent', async () => {
    await fund('500')
    ACTS.open(terminal.simulator.engine, { login, symbol: 'EURUSD', side: 'long', lots: '0.50' })
    const made = await home('490', firm.as.manager)
    await terminal.instruct(SECOND)
    const [row] = await instructions()
    expect([row.state, row.answer, row.sentAt]).toEqual(['refused', 'not_enough_free', null])
    expect([(await transfer(made.body.id)).state, await wallet()]).toEqual(['refused', ['500.00', '0.00']])
    expect(countBooked(made.body.reference)).toBe(0)
  })

  test('that came by a movement which nobody owns stays there', async () => {
    await fund('500')
    bookByHand('300', 'a present')
    await terminal.read(MINUTE)
    await terminal.read(MINUTE)
    expect(await findings()).toEqual(['movement_unknown'])
    expect((await home('500.01')).body.code).toBe('transfers.above_balance')
    // nor does it come home without the terminal
    await call('PATCH', `/v1/platforms/connections/${terminal.id}`, { money: false })
    expect((await home('500.01')).body.code).toBe('transfers.above_balance')
    expect((await home('500', firm.as.manager)).body.state).toBe('booked')
  })

  test('that no deal explains stays there, and the rest comes home', async () => {
    await fund('500')
    const more = bookByHand('300', 'a present')
    ACTS.deleteDeal(terminal.simulator.engine, { deal: more.id, books: false })
    for (let n = 0; n < 3; n += 1) await terminal.read(MINUTE)
    expect(await findings()).toEqual(['balance_differs'])
    expect((await home('500.01')).body.code).toBe('transfers.above_balance')
    expect((await home('500', firm.as.manager)).status).toBe(201)
  })
})

describe('what is read of references', () => {
  test('a deal of another amount, a second one and one under a reference that nobody has are findings', async () => {
    const made = await send('10')
    await terminal.instruct(SECOND)
    bookByHand('11', made.body.reference)
    bookByHand('10', `${made.body.reference} again`)
    bookByHand('10', 'BB-00000000000A')
    await terminal.read(MINUTE)
    expect(await findings()).toEqual(['reference_unknown', 'transfer_differs', 'transfer_twice'])
  })

  test('a deal that comes after a refusal is told to the owners', async () => {
    fault({ do: 'cut', when: 'before' })
    const made = await send('10')
    await terminal.instruct(SECOND)
    await lookOften()
    await say(made.body.id, { state: 'refused', reason: 'not there' })
    bookByHand('10', made.body.reference)
    await terminal.read(MINUTE)
    expect(await findings()).toEqual(['booked_after_refusal'])
    const mails = app.platform.reader.all<{ subject: string }>(
      "SELECT subject FROM mails WHERE tenant_id = ? AND subject LIKE 'The platform says that it booked%'",
      [firm.tenantId],
    )
    expect(mails.length).toBeGreaterThan(0)
  })

  test('with money off, a deal with the reference of a sent transfer books it', async () => {
    await call('PATCH', `/v1/platforms/connections/${terminal.id}`, { money: false })
    await call('PATCH', '/v1/tenants/current', { platformAcknowledges: true }, firm.as.owner)
    const made = await send('10')
    expect(await instructions()).toEqual([])
    const deal = bookByHand('10', made.body.reference)
    await terminal.read(MINUTE)
    expect(await transfer(made.body.id)).toMatchObject({ state: 'booked', platformReference: String(deal.id) })
  })
})
