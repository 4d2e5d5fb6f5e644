import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'

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
const find = async (q: string, as = firm.as.operator): Promise<Found[]> => {
  const answer = await app.call('GET', `/v1/search?q=${encodeURIComponent(q)}`, { as })
  expect(answer.status).toBe(200)
  return answer.body.data
}
const ids = async (q: string, as = firm.as.operator) => (await find(q, as)).map(({ kind, id }) => `${kind} ${id}`)

/** Makes a client with fields that the factories leave out. */
let mailbox = 0
const made = async (values: object, as = firm.as.operator): Promise<string> => {
  mailbox += 1
  const body = { email: `person-${String.fromCharCode(97 + mailbox)}@mail.test`, ...values }
  const answer = await app.call('POST', '/v1/traders', { as, body })
  expect(answer.status).toBe(201)
  return answer.body.id
}

describe('GET /v1/search', () => {
  test('the search finds a client by the beginnings of words, without accents, by mail and by id', async () => {
    for (const q of ['zof', 'NOVAK zofia', 'zofia.n@mail.test', traderId, 'mail.test']) {
      expect(await ids(q)).toContain(`trader ${traderId}`)
    }
    expect(await find('zof')).toMatchObject([
      { kind: 'trader', id: traderId, title: 'Žofia Nováková', subtitle: 'zofia.n@mail.test', traderId },
    ])
  })

  test.each([
    ['Łukasz', ['lukasz', 'LUKA', 'Łukasz']],
    ['Søren', ['soren', 'soeren', 'søren']],
    ['Đorđe', ['dorde', 'ĐORĐE']],
    ['Işık', ['isik', 'ışık']],
    ['Weiß', ['weiss', 'weiß', 'WEISS']],
    ['Lœwe', ['loewe', 'lœwe']],
    ['ʿAlī', ['ali', 'ʿalī']],
    ['Schäfer', ['Schaefer', 'schafer', 'SCHÄFER']],
    ['Groeger', ['Gröger']],
    ['Γεώργιος', ['γεωργιος', 'ΓΕΩΡ']],
    ['Алёна', ['алена', 'АЛЁНА']],
    ['مُحَمَّد', ['محمد']],
    ['أحمد', ['احمد']],
    ['פְּרֶץ', ['פרץ']],
    ['Ｔａｎａｋａ', ['tanaka', 'ＴＡＮＡＫＡ']],
    ['ﾀﾞﾅｶ', ['ダナカ', 'ﾀﾞﾅｶ']],
    ['Suzuki', ['ｓｕｚｕｋｉ']],
  ])('the client %s is found in the palette and in the list by %s', async (lastName, written) => {
    const id = await made({ lastName })
    for (const q of written) {
      expect(await ids(q)).toContain(`trader ${id}`)
      const path = `/v1/traders?q=${encodeURIComponent(q)}`
      const { body } = await app.call('GET', path, { as: firm.as.operator })
      expect(body.data.map((row: { id: string }) => row.id)).toContain(id)
    }
    const changed = await app.call('PATCH', `/v1/traders/${id}`, { as: firm.as.operator, body: { lastName: 'Else' } })
    expect(changed.status).toBe(200)
    expect(await ids(written[0] ?? '')).not.toContain(`trader ${id}`)
  })

  test('the search finds leads and tickets without accents too', async () => {
    const as = firm.as.operator
    const lead = await app.call('POST', '/v1/leads', {
      as,
      body: { lastName: 'Bøgh', email: 'b@mail.test', source: 'web' },
    })
    expect(lead.status).toBe(201)
    expect(await ids('bogh')).toEqual([`lead ${lead.body.id}`])
    const ticket = await app.call('POST', '/v1/support/tickets', {
      as,
      body: { traderId, subject: 'Straßenmusik für Łódź', body: 'x', category: 'other' },
    })
    expect(ticket.status).toBe(201)
    for (const q of ['strassen', 'LODZ', 'für']) expect(await ids(q)).toEqual([`ticket ${ticket.body.id}`])
  })

  test('the search finds accounts by number and login, deposits by reference and id, staff by a part of the name', async () => {
    expect(await find('7700')).toMatchObject([
      { kind: 'account', id: accountId, title: '77001234', subtitle: 'Žofia Nováková · terminal5 · EUR', traderId },
    ])
    expect(await ids('login-9')).toEqual([`account ${accountId}`])
    const subtitle = 'Žofia Nováková · pending · WIRE-2026-77'
    const hit = { kind: 'deposit', id: depositId, title: '125.50 EUR', subtitle, traderId }
    expect(await find('WIRE-2026-77')).toMatchObject([hit])
    expect(await find('WIRE-2026-7')).toMatchObject([hit])
    expect(await find(depositId)).toMatchObject([hit])
    // the part before the digits may be left out, but no part of the digits
    for (const digits of ['2026', '2026-77']) expect(await find(digits)).toMatchObject([hit])
    expect(await find('026-77')).toMatchObject([])
    expect(await find('IRE-2026-77')).toMatchObject([])
    expect(await find('WIRE-2026-78')).toMatchObject([])
    expect((await find('manager of')).map(({ title, traderId: of }) => [title, of])).toEqual([
      ['manager of alpha', null],
    ])
  })

  test('the search finds nothing of another firm, no deleted rows, and at most eight of a kind', async () => {
    for (const q of ['zofia', '7700', 'WIRE-2026-77', depositId, traderId, accountId, 'of alpha']) {
      expect(await find(q, other.as.owner)).toMatchObject([])
    }
    const gone = await firm.trader({ firstName: 'Vanished', lastName: 'Person' })
    await app.call('DELETE', `/v1/traders/${gone}`, { as: firm.as.manager })
    expect(await find('vanished')).toMatchObject([])
    for (let n = 0; n < 10; n++) await firm.trader({ firstName: 'Crowd' })
    expect(await find('crowd')).toHaveLength(8)
  })

  test('the search finds withdrawals, tickets, leads and affiliates, with details that distinguish them', async () => {
    const as = firm.as.operator
    const ask = async (path: string, body: object) => {
      const answer = await app.call('POST', path, { as, body })
      expect([path, answer.status]).toEqual([path, 201])
      return answer.body.id
    }
    const client = await firm.trader({ firstName: 'Ottoline', lastName: 'Quist', kycLevel: 2 })
    const paidIn = { traderId: client, currency: 'EUR', amount: '500', method: 'bank', providerReference: 'QUIST-1' }
    const deposit = await ask('/v1/deposits', paidIn)
    await app.call('POST', `/v1/deposits/${deposit}/settle`, { as: firm.as.manager })
    const destination = { kind: 'bank', holder: 'Ottoline Quist', reference: 'DE89370400440532013000' }
    const withdrawal = await ask('/v1/withdrawals', { traderId: client, currency: 'EUR', amount: '80', destination })
    const ticket = await ask('/v1/support/tickets', {
      traderId: client,
      subject: 'Cannot find my statement',
      body: 'Where is it?',
    })
    const lead = await ask('/v1/leads', { firstName: 'Perpetua', email: 'pp@lead.test', phone: '+4915112349876' })
    const affiliate = await ask('/v1/affiliates', { traderId: client, code: 'quist-fx' })
    expect(await find(withdrawal)).toMatchObject([
      {
        kind: 'withdrawal',
        id: withdrawal,
        title: '80.00 EUR',
        subtitle: 'Ottoline Quist · requested',
        traderId: client,
      },
    ])
    const asked = { kind: 'ticket', id: ticket, title: 'Cannot find my statement', traderId: client }
    for (const q of ['find my stat', ticket])
      expect(await find(q)).toMatchObject([{ ...asked, subtitle: 'Ottoline Quist · open · normal' }])
    for (const q of ['perpet', '9876', '0151 1234-9876', lead])
      expect(await find(q)).toMatchObject([
        { kind: 'lead', id: lead, title: 'Perpetua', subtitle: 'pp@lead.test · +4915112349876 · new', traderId: null },
      ])
    const broker = { kind: 'affiliate', id: affiliate, title: 'quist-fx', subtitle: 'Ottoline Quist · pending' }
    for (const q of ['quist-f', affiliate])
      expect(await find(q)).toContainEqual(expect.objectContaining({ ...broker, traderId: client }))
    expect((await find('ottoline')).map(({ kind }) => kind)).toEqual(['trader', 'affiliate'])
    expect((await find('QUIST-1')).map(({ kind }) => kind)).toEqual(['deposit'])
    const narrow = await firm.key(['traders:read'])
    for (const q of [withdrawal, ticket, lead, affiliate, '9876']) expect(await find(q, narrow)).toMatchObject([])
    for (const q of [withdrawal, ticket, lead, affiliate, '9876'])
      expect(await find(q, other.as.owner)).toMatchObject([])
  })

  test('the search finds for a key only what its scopes allow', async () => {
    const narrow = await firm.key(['traders:read'])
    expect(await find('7700', narrow)).toMatchObject([])
    expect(await find('WIRE-2026-77', narrow)).toMatchObject([])
    expect(await find('manager of', narrow)).toMatchObject([])
    expect(await ids('zofia', narrow)).toEqual([`trader ${traderId}`])
    const wide = await firm.key(['traders:read', 'accounts:read', 'deposits:read', 'users:read'])
    expect(await ids('7700', wide)).toEqual([`account ${accountId}`])
  })

  test('the search finds any four digits of a phone, however typed; numbers that end with them come first', async () => {
    const called = await made({ firstName: 'Rashid', phone: '+971507881107' })
    await made({ firstName: 'Somebody', phone: '+971551107445' }, other.as.operator)
    for (const q of [
      '1107',
      '7881107',
      '881107',
      '507 881 107',
      '+971507881107',
      '971507881107',
      '00971507881107',
      '0507881107',
      '+971 (507) 881-107',
      '+971 (0) 507 881 107',
      '971.507.881',
      '9715',
      '0788',
    ])
      expect([q, await ids(q)]).toEqual([q, [`trader ${called}`]])
    for (const q of ['107', '1108', '1107 7881', '507881108', '+971507881107 x'])
      expect([q, await ids(q)]).toEqual([q, []])
    const newer = await made({ firstName: 'Newer', phone: '+971551107223' })
    expect(await ids('1107')).toEqual([`trader ${called}`, `trader ${newer}`])
    await app.call('PATCH', `/v1/traders/${called}`, { as: firm.as.operator, body: { phone: '+971507882208' } })
    expect(await ids('1107')).toEqual([`trader ${newer}`])
    expect(await ids('2208')).toEqual([`trader ${called}`])
  })

  test('the search puts exact addresses and ids first, then whole words, then beginnings, newest first among equals', async () => {
    const noor = await firm.trader({ firstName: 'Noor', email: 'noor.darwish1@firm.test' })
    const salma = await firm.trader({ firstName: 'Salma', email: 'salma.darwish1196@firm.test' })
    const late = await firm.trader({ firstName: 'Darwish1', lastName: 'Noor.darwish1', email: 'x@firm.test' })
    const toKeys = (...of: string[]) => of.map((id) => `trader ${id}`)
    expect(await ids('darwish1@')).toEqual(toKeys(late, noor, salma))
    expect(await ids('darwish11')).toEqual(toKeys(salma))
    expect(await ids('noor.darwish1@firm.test')).toEqual(toKeys(noor, late))
    expect(await ids('Noor.Darwish1@firm.te')).toEqual(toKeys(late, noor))
    expect(await ids('noor.darwish@firm.test')).toEqual([])
  })

  test('the search finds a rare beginning among hundreds of similar ones', async () => {
    const rare = await firm.trader({ firstName: 'Kestutis', lastName: 'Brookhaven' })
    for (let n = 0; n < 300; n++) await firm.trader({ firstName: 'Kestrel', lastName: 'Brooks' })
    expect(await ids('kestu')).toEqual([`trader ${rare}`])
    expect(await ids('kest brookh')).toEqual([`trader ${rare}`])
    expect(await ids('kestu brook')).toEqual([`trader ${rare}`])
    expect(await find('kestr brook')).toHaveLength(8)
  })

  test('the search finds nothing for a single letter', async () => {
    expect(await find('z')).toMatchObject([])
    expect(await find(' z ')).toMatchObject([])
    expect(await find('zo')).toHaveLength(1)
  })

  test.each(['""', '* OR *', 'NEAR(', '%%', '__', "'; DROP TABLE traders --", '\u0301'])(
    'the search takes %s literally',
    async (q) => {
      expect(Array.isArray(await find(q))).toBe(true)
    },
  )

  test('the search answers 401 without a sign-in, 403 to clients and to keys without its scopes, and 422 without a text', async () => {
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
