import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createTestApp, type Firm, type TestApp } from '../../testing/app.ts'

let app: TestApp
let firm: Firm
let other: Firm
let traderId: string
let accountId: string
let depositId: string

beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  other = await app.firm('beta')
  traderId = await firm.trader({ firstName: 'Žofia', lastName: 'Nováková', email: 'zofia.n@mail.test' })
  const as = firm.as.operator
  const account = { traderId, platform: 'terminal5', accountNumber: '77001234', externalId: 'LOGIN-9', currency: 'EUR' }
  accountId = (await app.call('POST', '/v1/accounts', { as, body: account })).body.id
  const deposit = { traderId, currency: 'EUR', amount: '125.5', method: 'bank', providerReference: 'WIRE-2026-77' }
  depositId = (await app.call('POST', '/v1/deposits', { as, body: deposit })).body.id
})
afterAll(() => app.close())

type Found = { kind: string; id: string; title: string; subtitle: string; traderId: string | null }
const find = async (q: string, as = firm.as.viewer): Promise<Found[]> => {
  const answer = await app.call('GET', `/v1/search?q=${encodeURIComponent(q)}`, { as })
  expect(answer.status).toBe(200)
  return answer.body.data
}
const ids = async (q: string, as = firm.as.viewer) => (await find(q, as)).map(({ kind, id }) => `${kind} ${id}`)

describe('GET /v1/search', () => {
  test('a trader by the beginnings of words, without accents, by mail and by id', async () => {
    for (const q of ['zof', 'NOVAK zofia', 'zofia.n@mail.test', traderId, 'mail.test']) {
      expect(await ids(q)).toContain(`trader ${traderId}`)
    }
    expect(await find('zof')).toEqual([
      { kind: 'trader', id: traderId, title: 'Žofia Nováková', subtitle: 'zofia.n@mail.test', traderId },
    ])
  })

  test('accounts by number and login, deposits by exact reference and id, staff by part of name', async () => {
    expect(await find('7700')).toEqual([
      { kind: 'account', id: accountId, title: '77001234', subtitle: 'terminal5 · EUR', traderId },
    ])
    expect(await ids('login-9')).toEqual([`account ${accountId}`])
    const hit = { kind: 'deposit', id: depositId, title: '125.50 EUR', subtitle: 'pending · WIRE-2026-77', traderId }
    expect(await find('WIRE-2026-77')).toEqual([hit])
    expect(await find(depositId)).toEqual([hit])
    expect(await find('WIRE-2026-7')).toEqual([])
    expect((await find('manager of')).map(({ title, traderId: of }) => [title, of])).toEqual([
      ['manager of alpha', null],
    ])
  })

  test('never another firm’s, never deleted rows, at most eight of a kind', async () => {
    for (const q of ['zofia', '7700', 'WIRE-2026-77', depositId, traderId, accountId, 'of alpha']) {
      expect(await find(q, other.as.owner)).toEqual([])
    }
    const gone = await firm.trader({ firstName: 'Vanished', lastName: 'Person' })
    await app.call('DELETE', `/v1/traders/${gone}`, { as: firm.as.manager })
    expect(await find('vanished')).toEqual([])
    for (let n = 0; n < 10; n++) await firm.trader({ firstName: 'Crowd' })
    expect(await find('crowd')).toHaveLength(8)
  })

  test('a key finds only what its scopes let it read', async () => {
    const narrow = await firm.key(['traders:read'])
    expect(await find('7700', narrow)).toEqual([])
    expect(await find('WIRE-2026-77', narrow)).toEqual([])
    expect(await find('manager of', narrow)).toEqual([])
    expect(await ids('zofia', narrow)).toEqual([`trader ${traderId}`])
    const wide = await firm.key(['traders:read', 'accounts:read', 'deposits:read', 'users:read'])
    expect(await ids('7700', wide)).toEqual([`account ${accountId}`])
  })

  test('one letter is too little to search for', async () => {
    expect(await find('z')).toEqual([])
    expect(await find(' z ')).toEqual([])
    expect(await find('zo')).toHaveLength(1)
  })

  test.each(['""', '* OR *', 'NEAR(', '%%', '__', "'; DROP TABLE traders --", '\u0301'])('no syntax: %s', async (q) => {
    expect(Array.isArray(await find(q))).toBe(true)
  })

  test('401; 403 for traders and other keys; 422 without text', async () => {
    expect((await app.call('GET', '/v1/search?q=a')).status).toBe(401)
    const session = await firm.traderSession(traderId)
    expect((await app.call('GET', '/v1/search?q=a', { as: session })).status).toBe(403)
    expect((await app.call('GET', '/v1/search?q=a', { as: await firm.key(['users:read']) })).status).toBe(403)
    for (const query of ['', '?q=', `?q=${'x'.repeat(101)}`]) {
      const answer = await app.call('GET', `/v1/search${query}`, { as: firm.as.viewer })
      expect([answer.status, answer.body.errors[0].path]).toEqual([422, 'query.q'])
    }
  })
})
