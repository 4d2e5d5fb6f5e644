import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { HOUR, MINUTE } from '../../../platform/clock.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'

let app: TestApp
let firm: Firm
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('acme')
})
afterAll(() => app.close())

const now = (): string => new Date(app.clock.now()).toISOString()
const call = async (method: string, path: string, body?: object, as = firm.as.manager) => {
  const { status, body: answer, text } = await app.call(method, path, { as, ...(body && { body }) })
  if (status >= 300) throw new Error(text)
  return answer
}
const lastActive = async (id: string): Promise<string> => (await call('GET', `/v1/traders/${id}`)).lastActiveAt
const deposit = async (traderId: string) => {
  const body = { traderId, currency: 'EUR', amount: '10', method: 'bank' }
  const { id } = await call('POST', '/v1/deposits', body, firm.as.operator)
  const announced = await lastActive(traderId)
  await call('POST', `/v1/deposits/${id}/settle`)
  return announced
}
let sequence = 0
const report = (accountNumber: string, position: object) => {
  sequence += 1
  const common = { accountNumber, ticket: 'T1', symbol: 'EURUSD', side: 'long', volume: '1', openPrice: '1' }
  const positions = [{ ...common, currentPrice: '1', profit: '0', ...position }]
  return call(
    'POST',
    '/v1/positions/sync',
    { platform: 'terminal5', server: 's', sequence, mode: 'delta', positions },
    firm.as.owner,
  )
}

test('a client is active, to the hour, by registration, sign-in, a settled deposit and trades', async () => {
  const { id, version, lastActiveAt } = await call('POST', '/v1/traders', { email: 'active@x.test' })
  expect(lastActiveAt).toBe(now())
  const body = { traderId: id, platform: 'terminal5', currency: 'EUR', accountNumber: 'A1' }
  await call('POST', '/v1/accounts', body, firm.as.owner)

  app.clock.advance(2 * HOUR)
  expect(await deposit(id)).toBe(lastActiveAt)
  const deposited = await lastActive(id)
  expect(deposited).toBe(now())
  // within the same hour nothing is written
  app.clock.advance(HOUR - MINUTE)
  await firm.traderSession(id)
  expect(await lastActive(id)).toBe(deposited)
  app.clock.advance(2 * MINUTE)
  await firm.traderSession(id)
  expect(await lastActive(id)).toBe(now())

  app.clock.advance(2 * HOUR)
  const openedAt = now()
  await report('A1', { openedAt })
  expect(await lastActive(id)).toBe(openedAt)
  app.clock.advance(2 * HOUR)
  // a new price is not an act of the client
  await report('A1', { openedAt, currentPrice: '2' })
  expect(await lastActive(id)).toBe(openedAt)
  await report('A1', { openedAt, closedAt: now() })
  expect(await lastActive(id)).toBe(now())
  // these acts did not change the version of the client's row
  expect((await call('GET', `/v1/traders/${id}`)).version).toBe(version)
})

test('changes by staff are not acts of the client, and the list is sorted by the last act', async () => {
  const [early, late] = [await firm.trader(), await firm.trader()]
  const before = await lastActive(early)
  app.clock.advance(2 * HOUR)
  await call('PATCH', `/v1/traders/${early}`, { riskLevel: 'high' })
  expect(await lastActive(early)).toBe(before)
  await deposit(late)
  const ids = async (query: string): Promise<string[]> =>
    (await call('GET', `/v1/traders?limit=200&${query}`)).data
      .map(({ id }: { id: string }) => id)
      .filter((id: string) => id === early || id === late)
  expect(await ids('sort=-lastActiveAt')).toEqual([late, early])
  expect(await ids('sort=lastActiveAt')).toEqual([early, late])
  const first = await call('GET', '/v1/traders?limit=1&sort=-lastActiveAt')
  const second = await call('GET', `/v1/traders?limit=1&sort=-lastActiveAt&cursor=${first.nextCursor}`)
  expect([first.data[0].id, second.data[0].id === late]).toEqual([late, false])
})

test('after a merge the remaining client has the last act of both', async () => {
  const [primaryId, secondaryId] = [await firm.trader(), await firm.trader()]
  app.clock.advance(2 * HOUR)
  await firm.traderSession(secondaryId)
  const latest = await lastActive(secondaryId)
  expect((await lastActive(primaryId)) < latest).toBe(true)
  await call('POST', '/v1/admin/traders/merge', { primaryId, secondaryId })
  expect(await lastActive(primaryId)).toBe(latest)
})

test('migrating an older database finds each client’s last act, ignoring times in the future', () => {
  const db = new Database(':memory:')
  const apply = (fits: (name: string) => boolean): void => {
    for (const name of readdirSync('migrations').filter(fits).sort()) db.run(readFileSync(`migrations/${name}`, 'utf8'))
  }
  apply((name) => name < '0005' && name.endsWith('.sql'))
  db.run('PRAGMA foreign_keys = OFF')
  for (const [id, closedAt] of [
    ['trd_a', 4000],
    ['trd_b', 9_000_000],
  ] as const) {
    db.run(`INSERT INTO traders (tenant_id, id, created_at, updated_at) VALUES ('t', ?1, 1000, 1000)`, [id])
    db.run(
      `INSERT INTO positions (tenant_id, id, platform, server, ticket, account_number, trader_id, symbol, side, volume,
         opened_volume, open_price, current_price, currency, profit, status, opened_at, closed_at, created_at, updated_at)
       VALUES ('t', ?1, 'p', 's', ?1, 'A1', ?1, 'EURUSD', 'long', 1, 1, '1', '1', 'EUR', 0, 'closed', 0, ?2, 2000, 5000)`,
      [id, closedAt],
    )
  }
  apply((name) => name.startsWith('0005'))
  expect(db.query<{ at: number }, []>('SELECT last_active_at AS at FROM traders ORDER BY id').all()).toEqual([
    { at: 4000 },
    { at: 5000 },
  ])
})
