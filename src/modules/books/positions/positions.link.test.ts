import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'

let app: TestApp
let firm: Firm
let traderId: string
let server: string
let sequence = 0
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  traderId = await firm.trader()
})
beforeEach(() => {
  server = app.platform.ids.next('server')
  sequence = 0
})
afterAll(() => app.close())

const position = (ticket: string, accountNumber: string, extra: object = {}) => ({
  ticket,
  accountNumber,
  symbol: 'EURUSD',
  side: 'long',
  volume: '0.10',
  openPrice: '1.1001',
  currentPrice: '1.1010',
  profit: '12.345',
  openedAt: '2026-01-10T09:00:00Z',
  ...extra,
})
const sync = (positions: object[], extra: object = {}) => {
  sequence += 1
  return app.call('POST', '/v1/positions/sync', {
    as: firm.as.operator,
    body: { platform: 'terminal5', server, sequence, mode: 'delta', positions, ...extra },
  })
}
const account = (accountNumber: string, currency = 'EUR') =>
  app.call('POST', '/v1/accounts', {
    as: firm.as.operator,
    body: { traderId, platform: 'terminal5', currency, accountNumber },
  })
const readPositions = async (...tickets: string[]) => {
  const { body } = await app.call('GET', '/v1/positions?limit=200', { as: firm.as.viewer })
  return body.data.filter(({ ticket }: { ticket: string }) => tickets.includes(ticket))
}

test('a closed position without an owner gets its account’s owner with the next report', async () => {
  const closed = position('lost', 'belated', { closedAt: '2026-01-11T09:00:00Z' })
  await sync([closed])
  await account('belated')
  const lost = `UPDATE positions SET account_id = NULL, trader_id = NULL, currency = NULL,
    reported = '{"profit":"12.345","swap":"0","commission":"0"}' WHERE ticket = 'lost'`
  await app.platform.writer.submit(() => app.platform.connection.run(lost))
  expect((await sync([closed])).body).toMatchObject({ updated: 1, unlinked: [] })
  expect(await readPositions('lost')).toMatchObject([{ traderId, currency: 'EUR', profit: '12.34', status: 'closed' }])
  expect((await sync([closed])).body).toMatchObject({ unchanged: 1 })
})

describe('an account that is not linked', () => {
  test('a report’s answer names an account that is not linked, sorted and once; its positions have no currency', async () => {
    await account('own1')
    const { body } = await sync([
      position('u1', 'zz'),
      position('u2', 'aa'),
      position('u3', 'zz'),
      position('u4', 'own1'),
    ])
    expect(body).toMatchObject({ opened: 4, unlinked: ['aa', 'zz'] })
    expect(await readPositions('u1')).toMatchObject([
      { accountId: null, traderId: null, currency: null, profit: '12.345', swap: '0', commission: '0' },
    ])
    expect((await sync([position('u1', 'zz')])).body).toMatchObject({ unchanged: 1, unlinked: ['zz'] })
    expect((await sync([position('u1', 'zz', { swap: '-0.123' })])).body).toMatchObject({ updated: 1 })
    expect(await readPositions('u1')).toMatchObject([{ swap: '-0.123', currency: null }])
  })

  test('a report’s answer names the first thousand accounts that are not linked', async () => {
    const { body } = await sync(Array.from({ length: 1200 }, (_, n) => position(`m${n}`, `n${10_000 + n}`)))
    expect([body.opened, body.unlinked.length, body.unlinked[0], body.unlinked.at(-1)]).toEqual([
      1200,
      1000,
      'n10000',
      'n10999',
    ])
  })

  test('linking an account gives its client and currency to all its positions, closed ones too, and to no other’s', async () => {
    await sync([
      position('k1', 'late'),
      position('k2', 'late', { closedAt: '2026-01-11T09:00:00Z' }),
      position('k3', 'later'),
      position('k4', 'late', { profit: '9999999999999999' }),
    ])
    const made = await account('late', 'JPY')
    const facts = { accountId: made.body.id, traderId, currency: 'JPY', profit: '12' }
    expect(await readPositions('k1', 'k2')).toMatchObject([facts, facts])
    // an amount that is too large for the currency stays as it was reported
    expect(await readPositions('k3', 'k4')).toMatchObject(
      [
        { accountId: null, currency: null, profit: '12.345' },
        { accountId: null, currency: null },
      ].toReversed(),
    )
    const other = await account('elsewhere')
    await app.call('PATCH', `/v1/accounts/${other.body.id}`, {
      as: firm.as.operator,
      body: { accountNumber: 'later' },
    })
    expect(await readPositions('k3')).toMatchObject([{ accountId: other.body.id, currency: 'EUR', profit: '12.34' }])
  })

  test('a position keeps the spread that was reported once, although later reports lack it', async () => {
    await sync([position('s1', 'spreads', { spread: '1.235' })])
    await sync([position('s1', 'spreads', { profit: '13' })])
    expect(await readPositions('s1')).toMatchObject([{ currency: null, profit: '13', spread: '1.235' }])
    await account('spreads')
    await sync([position('s1', 'spreads', { closedAt: '2026-01-11T09:00:00Z' })])
    expect(await readPositions('s1')).toMatchObject([{ currency: 'EUR', status: 'closed', spread: '1.24' }])
  })

  test('an unlinked account, or an amount that its currency cannot store, does not prevent other rows, and is linked later', async () => {
    const { body: small } = await account('small', 'BTC')
    await account('fine')
    const huge = { profit: '100000000' }
    const { body } = await sync([position('h1', 'small'), position('h2', 'small', huge), position('h3', 'fine')])
    expect(body).toMatchObject({ opened: 3, unlinked: ['small'] })
    expect(await readPositions('h1', 'h2')).toMatchObject([
      { accountId: null, currency: null, profit: '100000000' },
      { accountId: small.id, currency: 'BTC' },
    ])
    const next = await sync([position('h1', 'small', huge), position('h2', 'small', { profit: '1' })])
    expect(next.body).toMatchObject({ updated: 2, unlinked: ['small'] })
    expect(await readPositions('h1', 'h2')).toMatchObject([
      { accountId: small.id, traderId, currency: 'BTC', profit: '1.00000000' },
      { accountId: null, traderId: null, currency: null, profit: '100000000' },
    ])
    // this also holds for a position that was closed in between
    const closed = await sync([position('h2', 'small', { ...huge, closedAt: '2026-01-11T09:00:00Z' })])
    expect(closed.body).toMatchObject({ closed: 1 })
    expect(await readPositions('h2')).toMatchObject([{ status: 'closed', traderId: null, profit: '100000000' }])
  })
})

describe('a feed', () => {
  test('a feed of an unlisted platform is refused; one of a listed platform is taken, for accounts too', async () => {
    const refused = await sync([position('p1', 'x')], { platform: 'MT5' })
    expect([refused.status, refused.body.errors[0].path]).toEqual([422, 'platform'])
    const bad = await app.call('POST', '/v1/accounts', {
      as: firm.as.operator,
      body: { traderId, platform: 'MT5', currency: 'EUR', accountNumber: 'mt1' },
    })
    expect([bad.status, bad.body.errors[0].path]).toEqual([422, 'platform'])
    const listed = await app.call('PATCH', '/v1/tenants/current', {
      as: firm.as.owner,
      body: { platforms: ['MT5', 'terminal4', 'other'] },
    })
    expect(listed.status).toBe(200)
    const made = await app.call('POST', '/v1/accounts', {
      as: firm.as.operator,
      body: { traderId, platform: 'MT5', currency: 'EUR', accountNumber: 'mt1' },
    })
    expect(made.body.platform).toBe('MT5')
    expect((await sync([position('p1', 'mt1')], { platform: 'MT5' })).body).toMatchObject({ opened: 1, unlinked: [] })
    const found = await app.call('GET', '/v1/accounts?platform=MT5', { as: firm.as.viewer })
    expect(found.body.data).toHaveLength(1)
    // the platform that the interface names is always in the list
    expect((await sync([position('p2', 'x')])).status).toBe(200)
  })

  test('a feed’s number jumps by a million at most, and starts where there is room to go on', async () => {
    const path = async (next: number) => {
      const { status, body } = await sync([], { sequence: next })
      return status === 200 ? body.sequence : [status, body.errors[0].path]
    }
    expect(await path(Number.MAX_SAFE_INTEGER)).toEqual([422, 'sequence'])
    const begin = Date.UTC(2026, 0, 1)
    expect(await path(begin)).toBe(begin)
    expect(await path(begin + 1_000_001)).toEqual([422, 'sequence'])
    expect(await path(begin + 1_000_000)).toBe(begin + 1_000_000)
    expect(await path(Number.MAX_SAFE_INTEGER)).toEqual([422, 'sequence'])
    expect(await path(begin + 1_000_001)).toBe(begin + 1_000_001)
  })
})

test('the events of positions have all that a receiver needs', async () => {
  await account('told', 'USD')
  const { lastSequence } = (await app.call('GET', '/v1/events', { as: firm.as.admin })).body
  const extra = { profit: '-3.5', swap: '-0.12', commission: '0.7', closedAt: '2026-01-11T09:00:00Z' }
  await sync([position('e1', 'told', extra), position('e2', 'nobody')])
  const { body } = await app.call('GET', `/v1/events?after=${lastSequence}`, { as: firm.as.admin })
  const of = (name: string, ticket: string) =>
    body.data.find(
      (one: { event: string; payload: { ticket: string } }) => one.event === name && one.payload.ticket === ticket,
    )?.payload
  const [row] = await readPositions('e1')
  expect(of('position.closed', 'e1')).toEqual({
    positionId: row.id,
    traderId,
    platform: 'terminal5',
    server,
    ticket: 'e1',
    accountNumber: 'told',
    accountId: row.accountId,
    symbol: 'EURUSD',
    side: 'long',
    volume: '0.10',
    closedVolume: '0.10',
    openPrice: '1.1001',
    currentPrice: '1.1010',
    currency: 'USD',
    profit: '-3.50',
    swap: '-0.12',
    commission: '0.70',
    openedAt: '2026-01-10T09:00:00.000Z',
    closedAt: '2026-01-11T09:00:00.000Z',
  })
  expect(of('position.opened', 'e2')).toMatchObject({
    accountId: null,
    currency: null,
    profit: '12.345',
    closedAt: null,
  })
})
