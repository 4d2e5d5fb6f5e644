import { afterEach, beforeEach, expect, test } from 'bun:test'
import { HOUR, MINUTE, SECOND } from '../../../platform/clock.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { linkClient } from '../../../testing/terminal-client.ts'
import { makeLogin, NEAR, startTradingServer, type TradingServer } from '../../../testing/trading-server.ts'
import { ACTS } from '../simulator/simulator.acts.ts'

let app: TestApp
let firm: Firm
let terminal: TradingServer
let login: number
let client: Awaited<ReturnType<typeof linkClient>>

beforeEach(async () => {
  app = createTestApp({ config: NEAR })
  firm = await app.firm('alpha')
  terminal = await startTradingServer(app, firm)
  await terminal.read()
  login = makeLogin(terminal.simulator.engine).login
  await terminal.read(MINUTE)
  client = await linkClient(app, firm, login)
  await terminal.switchOn()
  await terminal.read(MINUTE)
})
afterEach(async () => {
  await terminal.stop()
  await app.close()
})

const book = async (amount: string, comment = 'a present') => {
  const deal = ACTS.manualDeposit(terminal.simulator.engine, { login, amount, comment })
  await terminal.read(MINUTE)
  await terminal.read(MINUTE)
  return deal
}
const findings = async (): Promise<{ id: string; kind: string }[]> =>
  (await app.call('GET', '/v1/platforms/findings?state=open', { as: firm.as.admin })).body.data
const close = async (as: Caller, body: object = {}) => {
  const ids = (await findings()).map(({ id }) => id)
  const { body: done } = await app.call('POST', '/v1/platforms/findings/close', {
    as,
    body: { ids, reason: 'seen', ...body },
  })
  return done.results.map(({ code }: { code?: string }) => code ?? null)
}
const home = async (as: Caller, amount: string) =>
  (
    await app.call('POST', '/v1/transfers', {
      as,
      body: { fromAccountId: client.accountId, toWalletId: client.walletId, amount },
    })
  ).body
const listActs = ({ id }: Caller): string[] =>
  app.platform.reader
    .all<{ act: string }>('SELECT act FROM client_acts WHERE trader_id = ? AND user_id = ?', [client.traderId, id])
    .map(({ act }) => act)
const setThreshold = (threshold: string) =>
  app.call('PUT', '/v1/approval-policies', { as: firm.as.owner, body: { currency: 'USD', threshold, minKycLevel: 0 } })

test('who calls money explained takes nothing of it home', async () => {
  await setThreshold('1000')
  await book('300')
  expect((await home(firm.as.admin, '100')).code).toBe('transfers.above_balance')
  expect(await close(firm.as.manager)).toEqual([null])
  expect((await home(firm.as.manager, '100')).code).toBe('transfers.own_balance')
  expect(listActs(firm.as.manager)).toEqual(['transfer'])
})

test('who says that a login is another account counts as who linked it', async () => {
  app.clock.advance(HOUR)
  ACTS.reuseLogin(terminal.simulator.engine, { login, name: 'Somebody Else' })
  await terminal.read(MINUTE)
  expect((await findings()).map(({ kind }) => kind)).toEqual(['login_reused'])
  expect(await close(firm.as.manager)).toEqual([null])
  expect(listActs(firm.as.manager)).toEqual(['linked_account'])
})

test('from the threshold on an independent admin explains, who did not link the account', async () => {
  await setThreshold('200')
  await book('300')
  expect(await close(firm.as.manager)).toEqual(['terminals.admin_explains'])
  // the admin of this firm linked it
  expect(await close(firm.as.admin)).toEqual(['terminals.linker_explains'])
  expect(await close(firm.as.owner)).toEqual([null])
  // money that goes is nobody’s gain
  await book('-50')
  expect(await close(firm.as.manager)).toEqual([null])
})

test('a deal by hand is a transfer that was booked, if it fits and is no other one’s', async () => {
  await setThreshold('1000')
  const body = { fromWalletId: client.walletId, toAccountId: client.accountId, amount: '10' }
  const made = (await app.call('POST', '/v1/transfers', { as: firm.as.operator, body })).body
  await terminal.instruct(SECOND)
  await terminal.read(MINUTE)
  await book('10')
  expect(await close(firm.as.manager, { transferId: 'trf_none' })).toEqual(['validation'])
  expect(await close(firm.as.manager, { transferId: made.id })).toEqual(['deal_used'])
  ACTS.deleteDeal(terminal.simulator.engine, {
    deal: Number(
      (await app.call('GET', `/v1/transfers?q=${made.id}`, { as: firm.as.admin })).body.data[0].platformReference,
    ),
  })
  for (const pause of [MINUTE, MINUTE, MINUTE]) await terminal.read(pause)
  expect((await findings()).map(({ kind }) => kind).toSorted()).toEqual(['movement_unknown', 'transfer_missing'])
  await book('11', 'more')
  // it asks for what an explanation asks
  await setThreshold('5')
  expect(await close(firm.as.manager, { transferId: made.id })).toContain('terminals.admin_explains')
  await setThreshold('1000')
  const codes = await close(firm.as.manager, { transferId: made.id })
  expect(codes.filter((code: string | null) => code === null)).toHaveLength(1)
})
