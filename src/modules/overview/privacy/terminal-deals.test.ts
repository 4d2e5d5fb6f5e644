import { afterEach, beforeEach, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY, MINUTE } from '../../../platform/clock.ts'
import { ERASED_TEXT } from '../../../platform/db/erasure.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { makeLogin, NEAR, startTradingServer, type TradingServer } from '../../../testing/trading-server.ts'
import { canUnzip, unzip } from '../../../testing/unzip.ts'
import { storeDeals, toDeal, touchNothing } from '../../terminals/deals/deals.store.ts'
import { terminalDealRevisions, terminalDeals } from '../../terminals/deals/deals.table.ts'
import { ACTS } from '../../terminals/simulator/simulator.acts.ts'
import { purgeTraders } from './erasure.jobs.ts'

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

const call = async (method: string, path: string, body?: object) => {
  const answer = await app.call(method, path, { as: firm.as.owner, ...(body && { body }) })
  if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`)
  return answer.body
}
const ctx = () => systemCtx(app.platform, firm.tenantId, 'test')

/** Makes a client whose linked login has a deal with a comment, which was changed once. */
async function trade(comment: string): Promise<{ traderId: string; login: string; accountId: string }> {
  const { engine } = terminal.simulator
  const { login } = makeLogin(engine, { group: 'demo\\forex' })
  ACTS.manualDeposit(engine, { login, amount: '100', comment })
  await terminal.read(MINUTE)
  const traderId = await firm.trader()
  const place = { platform: 'terminal5', server: 'Sim-Live', currency: 'USD', isDemo: true }
  const { id } = await call('POST', '/v1/accounts', {
    traderId,
    accountNumber: String(login),
    note: 'a test',
    ...place,
  })
  await ctx().write('test.change', (tx) => {
    const [deal] = tx.unowned.list(terminalDeals, { login: String(login) })
    if (deal) tx.insert(terminalDealRevisions, { dealId: deal.id, revision: 1, content: { comment: `${comment}!` } })
    return null
  })
  return { traderId, login: String(login), accountId: id }
}
const read = (login: string) => ctx().unowned.list(terminalDeals, { login })
const revisions = (login: string) =>
  ctx().unowned.list(terminalDealRevisions, { dealId: read(login).map(({ id }) => id) })

test.skipIf(!canUnzip)('the privacy bundle has the deals of the client’s own logins, after a merge too', async () => {
  const [ada, bob] = [await trade('cash of Ada'), await trade('cash of Bob')]
  const bundle = async (id: string) => {
    const files = await unzip(await app.handle(`/v1/admin/traders/${id}/pii-export`, firm.as.owner))
    return JSON.parse(files['bundle.json']?.toString() ?? '').deals
  }
  const [deal, ...others] = await bundle(ada.traderId)
  expect(others).toEqual([])
  expect(deal).toMatchObject({ login: ada.login, profit: '100.00', comment: 'cash of Ada', currency: 'USD' })
  for (const key of ['connectionId', 'missing', 'tenantId']) expect(deal).not.toHaveProperty(key)
  await call('POST', '/v1/admin/traders/merge', { primaryId: ada.traderId, secondaryId: bob.traderId })
  app.clock.advance(DAY)
  const told = (await bundle(ada.traderId)).map(({ comment }: { comment: string }) => comment)
  expect(told.toSorted()).toEqual(['cash of Ada', 'cash of Bob'])
  const { data } = await call('GET', `/v1/platforms/logins?q=${bob.login}`)
  expect(data).toMatchObject([{ state: 'linked', accountId: bob.accountId }])
})

test('an erased client’s deals lose their comments and revisions, and reading them again brings none back', async () => {
  const [ada, bob] = [await trade('cash of Ada'), await trade('cash of Bob')]
  await call('DELETE', `/v1/traders/${ada.traderId}`)
  app.clock.advance(31 * DAY)
  await purgeTraders.run({ platform: app.platform, signal: new AbortController().signal })
  const erased = read(ada.login)
  expect(erased).toMatchObject([{ comment: ERASED_TEXT, profit: '100.00' }])
  expect(revisions(ada.login)).toEqual([])
  expect(read(bob.login)).toMatchObject([{ comment: 'cash of Bob' }])
  expect(revisions(bob.login)).toHaveLength(1)
  await ctx().write('test.again', (tx) => {
    const again = erased.map((row) => ({ ...toDeal(row), comment: 'cash of Ada' }))
    const connection = { id: terminal.id, since: 0 }
    storeDeals(tx, connection, again, new Map([[ada.login, 'USD']]), touchNothing())
    return null
  })
  expect(read(ada.login)).toEqual(erased)
})
