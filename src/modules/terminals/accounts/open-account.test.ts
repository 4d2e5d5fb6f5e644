import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { MINUTE, SECOND } from '../../../platform/clock.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { makeLogin, NEAR, startTradingServer, type TradingServer } from '../../../testing/trading-server.ts'
import { sanctionsHits } from '../../clients/sanctions/sanctions.table.ts'
import { clientActs } from '../../firm/independence/independence.table.ts'
import type { Effect } from '../simulator/simulator.faults.ts'

let app: TestApp
let firm: Firm
let terminal: TradingServer
let traderId: string

const ctx = () => systemCtx(app.platform, firm.tenantId, 'test')

const call = (method: string, path: string, body?: object, as = firm.as.operator) =>
  app.call(method, path, body === undefined ? { as } : { as, body })
const list = async (path: string) => (await call('GET', path, undefined, firm.as.admin)).body.data
const open = (fields: object = {}, as = firm.as.operator) =>
  call(
    'POST',
    '/v1/accounts/open',
    {
      traderId,
      connectionId: terminal.id,
      group: 'real\\hedging-usd',
      leverage: 200,
      currency: 'USD',
      ...fields,
    },
    as,
  )
const instruction = async () => (await list('/v1/platforms/instructions'))[0]
const fault = (effect: Effect, path = '/api/user/add') => terminal.simulator.faults.add({ path, effect, times: 1 })
/** Returns the logins at the terminal that have a reference. */
const findLogins = (reference: string) =>
  [...terminal.simulator.engine.state.accounts.values()].filter(({ comment }) => comment === reference)
/** Lets all looks pass. */
const lookOften = async () => {
  for (const pause of [5 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 20 * MINUTE])
    await terminal.instruct(pause + SECOND)
}

beforeEach(async () => {
  app = createTestApp({ config: NEAR })
  firm = await app.firm('alpha')
  terminal = await startTradingServer(app, firm)
  await terminal.read()
  traderId = await firm.trader({ firstName: 'Ada', lastName: 'Abel' })
})
afterEach(async () => {
  await terminal.stop()
  await app.close()
})

describe('an account that is opened', () => {
  test('is asked for, and is there once the terminal has it, under our reference and the client’s name', async () => {
    const asked = await open()
    expect([asked.status, asked.body.kind, asked.body.state]).toEqual([202, 'open', 'queued'])
    expect(await list('/v1/accounts')).toEqual([])
    await terminal.instruct(SECOND)
    const [login] = findLogins(asked.body.reference)
    expect(login).toMatchObject({ name: 'Ada Abel', group: 'real\\hedging-usd', leverage: 200 })
    const [account] = await list('/v1/accounts')
    expect(account).toMatchObject({
      traderId,
      platform: 'terminal5',
      server: 'Sim-Live',
      accountNumber: String(login?.login),
      currency: 'USD',
      leverage: 200,
      isDemo: false,
    })
    expect(await instruction()).toMatchObject({
      state: 'done',
      accountId: account.id,
      login: account.accountNumber,
      number: account.accountNumber,
    })
    const acts = ctx().db.list(clientActs, { traderId, act: 'linked_account' })
    expect(acts.map(({ userId }) => userId)).toEqual([firm.as.operator.id])
    await terminal.read(MINUTE)
    expect(await list('/v1/platforms/logins?state=linked')).toMatchObject([{ accountId: account.id }])
  })

  test('is a demo account in a group whose mask says so', async () => {
    await open({ group: 'demo\\forex' })
    await terminal.instruct(SECOND)
    expect(await list('/v1/accounts')).toMatchObject([{ isDemo: true }])
  })

  test.each(['after', 'headers', 'body'] as const)(
    'whose answer is lost (%s) is never opened again, and found by its comment',
    async (when) => {
      fault({ do: 'cut', when })
      const asked = await open()
      await terminal.instruct(SECOND)
      expect((await instruction()).state).toBe('unclear')
      await terminal.instruct(6 * SECOND)
      await lookOften()
      expect([(await instruction()).state, findLogins(asked.body.reference).length]).toEqual(['done', 1])
      expect(await list('/v1/accounts')).toHaveLength(1)
    },
  )

  test('that never reached the terminal is unresolved after seven looks, and called refused by a person', async () => {
    fault({ do: 'cut', when: 'before' })
    const asked = await open()
    await terminal.instruct(SECOND)
    const path = `/v1/platforms/instructions/${asked.body.id}/cancel`
    expect((await call('POST', path)).body.code).toBe('wrong_state')
    await lookOften()
    expect([(await instruction()).state, findLogins(asked.body.reference).length]).toEqual(['unresolved', 0])
    expect((await call('POST', path)).body).toMatchObject({ state: 'refused', decidedBy: firm.as.operator.id })
    expect(await list('/v1/accounts')).toEqual([])
  })

  test('that was unresolved is there once the terminal shows it in a reading', async () => {
    fault({ do: 'cut', when: 'before' })
    const asked = await open()
    await terminal.instruct(SECOND)
    await lookOften()
    makeLogin(terminal.simulator.engine, { comment: asked.body.reference })
    await terminal.read(MINUTE)
    expect((await instruction()).state).toBe('done')
    expect(await list('/v1/accounts')).toHaveLength(1)
  })

  test('is not taken for a login that had the reference before', async () => {
    const asked = await open()
    makeLogin(terminal.simulator.engine, { comment: asked.body.reference }).registered -= 60 * MINUTE
    await terminal.instruct(SECOND)
    expect(await instruction()).toMatchObject({ state: 'refused', answer: 'reference_used' })
  })

  test.each(['3002', '3004', '3006', '8'])('that the terminal refuses by %s says why in words', async (code) => {
    fault({ do: 'retcode', code: Number(code), executed: false })
    await open()
    await terminal.instruct(SECOND)
    await terminal.instruct(SECOND)
    const refused = await instruction()
    expect([refused.state, refused.answer]).toEqual(['refused', code])
    expect(refused.why).toContain(code)
    expect(await list('/v1/accounts')).toEqual([])
  })

  test('is not sent for a client who was suspended meanwhile', async () => {
    const asked = await open()
    await call('PATCH', `/v1/traders/${traderId}`, { status: 'suspended' }, firm.as.manager)
    await terminal.instruct(SECOND)
    expect(await instruction()).toMatchObject({ state: 'refused', answer: 'client_not_allowed', sentAt: null })
    expect(findLogins(asked.body.reference)).toEqual([])
  })

  test('is taken back while it waits', async () => {
    const asked = await open()
    const path = `/v1/platforms/instructions/${asked.body.id}/cancel`
    expect((await call('POST', path)).body.state).toBe('cancelled')
    await terminal.instruct(SECOND)
    expect(findLogins(asked.body.reference)).toEqual([])
  })
})

describe('who opens accounts, and for whom', () => {
  const refuse = async (fields: object, path: string, code: string) => {
    const { status, body } = await open(fields)
    expect([status, body.errors[0].path, body.errors[0].code]).toEqual([422, path, code])
  }
  test('the group is one that the connection reads, in its currency', async () => {
    await refuse({ group: 'real\\nothing' }, 'group', 'unknown')
    await refuse({ group: 'managers\\api' }, 'group', 'unknown')
    await refuse({ currency: 'EUR' }, 'currency', 'currency')
    await refuse({ traderId: 'trd_nobody' }, 'traderId', 'unknown')
    await refuse({ connectionId: 'trm_nothing' }, 'connectionId', 'unknown')
  })

  test('the client is active, without a match and screened', async () => {
    const stopped = await firm.trader({ status: 'suspended' })
    expect((await open({ traderId: stopped })).body.code).toBe('trader_not_active')
    await ctx().write('test.hit', (tx) =>
      tx.insert(sanctionsHits, {
        traderId,
        source: 'ofac_sdn',
        reference: '1',
        name: 'Ada Abel',
        score: 99,
        explanation: { listedAs: 'Ada Abel', nameScore: 99, words: [], birth: 'same', country: 'same' },
        listHash: 'x',
      }),
    )
    expect((await open()).body.code).toBe('sanctions.credit_blocked')
  })

  test('a viewer, a key without the scope and another firm are refused; a key with it is not', async () => {
    expect((await open({}, firm.as.viewer)).status).toBe(403)
    const other = await app.firm('beta')
    const theirs = { traderId: await other.trader() }
    expect((await open(theirs, other.as.operator)).body.errors[0].path).toBe('connectionId')
    expect((await open({}, await firm.key(['accounts:read']))).status).toBe(403)
    expect((await open({}, await firm.key(['accounts:write']))).status).toBe(202)
  })

  test('a connection that is paused opens nothing', async () => {
    await call('PATCH', `/v1/platforms/connections/${terminal.id}`, { paused: true }, firm.as.admin)
    expect((await open()).body.code).toBe('not_ready')
  })
})
