import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'

let app: TestApp
let firm: Firm
let traderId: string
let number: string
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  traderId = await firm.trader()
})
beforeEach(() => {
  number = app.platform.ids.next('n')
})
afterAll(() => app.close())

const create = (server?: string, extra: object = {}) =>
  app.call('POST', '/v1/accounts', {
    as: firm.as.operator,
    body: {
      traderId,
      platform: 'terminal5',
      currency: 'EUR',
      accountNumber: number,
      ...(server !== undefined && { server }),
      ...extra,
    },
  })
const patch = (id: string, body: object) => app.call('PATCH', `/v1/accounts/${id}`, { as: firm.as.operator, body })
const read = async (id: string) => (await app.call('GET', `/v1/accounts/${id}`, { as: firm.as.viewer })).body
const report = (server: string, balance: string) =>
  app.call('POST', '/v1/accounts/sync', {
    as: firm.as.operator,
    body: {
      platform: 'terminal5',
      server,
      sequence: nextSequence(),
      accounts: [{ accountNumber: number, balance, equity: balance }],
    },
  })
let count = 0
const nextSequence = (): number => {
  count += 1
  return count
}

describe('the server of an account', () => {
  test('an account’s number is unique on its server; a number without a server is unique on the whole platform', async () => {
    expect((await create('live-1')).body.server).toBe('live-1')
    expect((await create('live-2')).status).toBe(201)
    for (const server of ['live-1', '', undefined]) {
      const { status, body } = await create(server)
      expect([status, body.code, body.errors[0].path]).toEqual([409, 'duplicate', 'accountNumber'])
    }
    expect((await create('', { platform: 'terminal4' })).body.server).toBe('')
    expect((await create('live-1', { platform: 'terminal4' })).status).toBe(409)
  })

  test('an account’s server changes only to a place whose number is free, and not while money may be on the account', async () => {
    const { id } = (await create('live-1')).body
    const other = (await create('live-2')).body
    for (const server of ['live-1', '']) {
      const { status, body } = await patch(other.id, { server })
      expect([status, body.code, body.errors[0].path]).toEqual([409, 'duplicate', 'accountNumber'])
    }
    expect((await patch(other.id, { server: 'live-3' })).body.server).toBe('live-3')
    await patch(id, { balance: '10.00' })
    const { status, body } = await patch(id, { server: 'live-9' })
    expect([status, body.code, body.errors[0].path]).toEqual([409, 'accounts.in_use', 'server'])
  })

  test('an account with money gets no server, since reports of the platform’s other servers would no longer reach it', async () => {
    const { id } = (await create()).body
    await report('live-1', '10.00')
    const { status, body } = await patch(id, { server: 'nowhere' })
    expect([status, body.code, body.errors[0].path]).toEqual([409, 'accounts.in_use', 'server'])
    await report('live-1', '0')
    // the test's operator reported the zero, so it does not count for them, but it counts for the manager
    const emptied = await app.call('PATCH', `/v1/accounts/${id}`, { as: firm.as.manager, body: { server: 'live-1' } })
    expect(emptied.body.server).toBe('live-1')
  })

  test.each([' live', 'live ', 'li\u0007ve', 's'.repeat(101)])('a server may not be named %j', async (server) => {
    const { status, body } = await create(server)
    expect([status, body.errors[0].path]).toEqual([422, 'server'])
  })

  test('an account’s server decides which reports of balances reach it; one without a server gets those of any', async () => {
    const one = (await create('live-1')).body.id
    const two = (await create('live-2')).body.id
    expect((await report('live-1', '1.00')).body).toMatchObject({ updated: 1, unlinked: [] })
    expect((await report('live-2', '2.00')).body).toMatchObject({ updated: 1, unlinked: [] })
    expect((await report('live-3', '3.00')).body).toMatchObject({ updated: 0, unlinked: [number] })
    expect([(await read(one)).balance, (await read(two)).balance]).toEqual(['1.00', '2.00'])
    number = app.platform.ids.next('n')
    const any = (await create()).body.id
    expect((await report('live-3', '3.00')).body.updated).toBe(1)
    expect((await read(any)).balance).toBe('3.00')
  })

  test('an account’s server decides which positions are linked to it, earlier ones too', async () => {
    const row = (ticket: string) => ({
      ticket,
      accountNumber: number,
      symbol: 'EURUSD',
      side: 'long',
      volume: '1',
      openPrice: '1',
      currentPrice: '1',
      profit: '0',
      openedAt: '2026-01-10T09:00:00Z',
    })
    const sync = (server: string, tickets: string[]) =>
      app.call('POST', '/v1/positions/sync', {
        as: firm.as.operator,
        body: { platform: 'terminal5', server, sequence: nextSequence(), mode: 'delta', positions: tickets.map(row) },
      })
    await sync('before-1', ['1'])
    await sync('before-2', ['2'])
    const { id } = (await create('before-1')).body
    expect((await sync('before-1', ['3'])).body.unlinked).toEqual([])
    expect((await sync('before-2', ['4'])).body.unlinked).toEqual([number])
    const linked = await app.call('GET', `/v1/positions?accountId=${id}`, { as: firm.as.viewer })
    expect(linked.body.data.map(({ ticket }: { ticket: string }) => ticket).toSorted()).toEqual(['1', '3'])
  })

  test('the list of accounts filters by server, and its file has a server column', async () => {
    await create('only-here')
    const list = await app.call('GET', '/v1/accounts?server=only-here', { as: firm.as.viewer })
    expect(list.body.data.map((row: { accountNumber: string }) => row.accountNumber)).toEqual([number])
    const file = await app.call('GET', '/v1/accounts/export.csv?server=only-here', { as: firm.as.manager })
    expect(file.text.split('\r\n')[0]?.split(',')).toContain('server')
  })
})
