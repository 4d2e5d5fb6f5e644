import { afterEach, beforeEach, expect, test } from 'bun:test'
import { MINUTE, SECOND } from '../../../platform/clock.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { linkClient } from '../../../testing/terminal-client.ts'
import { makeLogin, NEAR, startTradingServer, type TradingServer } from '../../../testing/trading-server.ts'
import { ACTS } from '../simulator/simulator.acts.ts'
import { mayBeOlder, readSendMark, writeSendMark } from './send-mark.ts'

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

const path = () => `/v1/platforms/connections/${terminal.id}`
const read = async () => (await app.call('GET', path(), { as: firm.as.admin })).body
const patch = async (as = firm.as.owner) => (await app.call('PATCH', path(), { as, body: { money: true } })).body
/** Makes a client with an account, who asks for money on it. */
async function ask(): Promise<{ reference: string; state: string }> {
  const { login } = makeLogin(terminal.simulator.engine)
  await terminal.read(MINUTE)
  const { walletId, accountId } = await linkClient(app, firm, login)
  const body = { fromWalletId: walletId, toAccountId: accountId, amount: '10' }
  return (await app.call('POST', '/v1/transfers', { as: firm.as.operator, body })).body
}
const countBooked = (reference: string) =>
  [...terminal.simulator.engine.state.deals.values()].filter(({ comment }) => comment === reference).length
const bookUnknown = (login: number) =>
  ACTS.manualDeposit(terminal.simulator.engine, { login, amount: '5', comment: 'BB-00000000000A' })

test.each([
  ['nothing was sent from this directory nor by this database', undefined, null, false, false, false],
  ['nothing was sent from this directory, and something by this database', undefined, null, false, true, true],
  ['the database knows what was sent last', { tenantId: 't', last: 'a', lineage: null }, null, true, true, false],
  [
    'the database does not know what was sent last',
    { tenantId: 't', last: 'a', lineage: null },
    null,
    false,
    true,
    true,
  ],
  ['the replica has the same history', { tenantId: 't', last: 'a', lineage: 'x' }, 'x', true, true, false],
  ['the replica has another history', { tenantId: 't', last: 'a', lineage: 'x' }, 'y', true, true, true],
  ['a replica was set up since', { tenantId: 't', last: 'a', lineage: null }, 'y', true, true, false],
])('%s', (_name, mark, lineage, was, any, isOlder) => {
  expect(mayBeOlder(mark, lineage, { wasSent: () => was, hasSent: () => any })).toBe(isOlder)
})

test('while money is held, none is booked without the terminal with money off either', async () => {
  await terminal.read()
  await terminal.switchOn()
  writeSendMark(app.platform.config.dataDir, { tenantId: firm.tenantId, last: 'tin_of_later', lineage: null })
  await terminal.instruct(SECOND)
  await app.call('PATCH', path(), { as: firm.as.admin, body: { money: false } })
  expect(await ask()).toMatchObject({ state: 'sent' })
})

test('after a copy was put back no money moves before an owner says so, and all of it is explained', async () => {
  await terminal.read()
  await terminal.switchOn()
  const { dataDir } = app.platform.config
  writeSendMark(dataDir, { tenantId: firm.tenantId, last: 'tin_of_later', lineage: null })
  const { reference } = await ask()
  await terminal.read(MINUTE)
  await terminal.instruct(SECOND)
  expect([countBooked(reference), typeof (await read()).moneyHeldAt]).toEqual([0, 'string'])
  expect((await patch()).code).toBe('terminals.not_read_since')
  const [account] = terminal.simulator.engine.state.accounts.keys()
  bookUnknown(account ?? 0)
  await terminal.read(4 * MINUTE)
  expect((await patch(firm.as.admin)).status).toBe(403)
  expect((await patch()).code).toBe('terminals.references_open')
  const open = (await app.call('GET', '/v1/platforms/findings?kind=reference_unknown', { as: firm.as.admin })).body.data
  const close = { ids: [open[0].id], reason: 'a transfer that the copy does not have' }
  await app.call('POST', '/v1/platforms/findings/close', { as: firm.as.owner, body: close })
  await terminal.instruct(SECOND)
  expect(countBooked(reference)).toBe(0)
  expect((await patch()).moneyHeldAt).toBeNull()
  await terminal.instruct(SECOND)
  expect(countBooked(reference)).toBe(1)
  expect(readSendMark(dataDir)?.last).toStartWith('tin_')
  expect((await app.call('GET', '/v1/mails', { as: firm.as.owner })).text).toContain('No money moves at Simulated')
})
