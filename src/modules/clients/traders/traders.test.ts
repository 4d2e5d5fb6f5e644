import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY } from '../../../platform/clock.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { setPassword } from '../../firm/auth/auth.service.ts'
import { trimWebhooks } from '../../firm/webhooks/webhooks.trim.ts'
import { purgeTraders } from '../../overview/privacy/erasure.jobs.ts'
import { sanctionsHits } from '../sanctions/sanctions.table.ts'
import { traders } from './traders.table.ts'

let app: TestApp
let firm: Firm
let other: Firm
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  other = await app.firm('beta')
})
afterAll(() => app.close())

let count = 0
const create = (body: object = {}, as = firm.as.operator) => {
  count += 1
  return app.call('POST', '/v1/traders', { as, body: { email: `t${count}@x.test`, ...body } })
}
const patch = (id: string, body: object, as = firm.as.operator, headers = {}) =>
  app.call('PATCH', `/v1/traders/${id}`, { as, body, headers })
const list = async (query: string, of: Firm = firm) =>
  (await app.call('GET', `/v1/traders?${query}`, { as: of.as.viewer })).body.data.map(({ id }: { id: string }) => id)
const purge = () => purgeTraders.run({ platform: app.platform, signal: new AbortController().signal })

describe('creating', () => {
  test('creating a client normalises e-mail and phone, fires one event and writes one audit entry', async () => {
    firm.effects()
    const answer = await create({
      email: 'Ann.Lee@X.Test',
      phone: '+357 (99) 123-456',
      country: 'CY',
      tags: ['VIP', 'çok iyi'],
      metadata: { a: { b: 1 } },
    })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      email: 'ann.lee@x.test',
      phone: '+35799123456',
      status: 'active',
      kycLevel: 0,
      tags: ['VIP', 'çok iyi'],
      version: 1,
    })
    expect(firm.effects()).toEqual({ events: ['trader.created'], actions: ['trader.create'] })
    const again = await create({ email: 'ANN.LEE@x.test' })
    expect([again.status, again.body.errors[0].path]).toEqual([409, 'email'])
    expect((await create({ email: 'ann.lee@x.test' }, other.as.operator)).status).toBe(201)
  })

  test.each([
    [{ email: 'no' }, 'email'],
    [{ phone: '12' }, 'phone'],
    [{ country: 'QQ' }, 'country'],
    [{ dateOfBirth: '2190-01-01' }, 'dateOfBirth'],
    [{ dateOfBirth: '1999-02-31' }, 'dateOfBirth'],
    [{ tags: ['a', 'a'] }, 'tags'],
    [{ tags: ['<b>'] }, 'tags.0'],
    [{ assignedTo: 'usr_none' }, 'assignedTo'],
    [{ address: { planet: 'Mars' } }, 'address.planet'],
    [{ metadata: { blob: 'x'.repeat(20_000) } }, 'metadata'],
    [{ kycLevel: 3 }, 'kycLevel'],
  ])('a wrong field of a client is named by a 422: %j', async (wrong, path) => {
    firm.effects()
    const answer = await create(wrong)
    expect(answer.status).toBe(422)
    expect(answer.body.errors.map((error: { path: string }) => error.path)).toContain(path)
    expect(firm.effects()).toEqual({ events: [], actions: [] })
  })

  test('a user of another firm cannot be a client’s assignee', async () => {
    expect((await create({ assignedTo: other.as.operator.id })).body.errors[0].path).toBe('assignedTo')
  })
})

describe('changing', () => {
  test('changing a client names the changed fields, and does nothing if none changed', async () => {
    const { id } = (await create({ firstName: 'Ann', lastName: 'Lee' })).body
    firm.effects()
    expect((await patch(id, { firstName: 'Bea', lastName: 'Lee' })).body).toMatchObject({
      firstName: 'Bea',
      version: 2,
    })
    const event = app.platform.reader.get<{ body: string }>('SELECT body FROM events ORDER BY position DESC LIMIT 1')
    expect(JSON.parse(event?.body ?? '{}').payload.changed).toEqual(['firstName'])
    expect(firm.effects()).toEqual({ events: ['trader.updated'], actions: ['trader.update'] })
    expect((await patch(id, { firstName: 'Bea' })).body.version).toBe(2)
    expect(firm.effects()).toEqual({ events: [], actions: [] })
  })

  test('a client is a 412 for a stale ETag, 304 for a known one, 404 for another firm', async () => {
    const { id } = (await create()).body
    expect((await patch(id, { firstName: 'A' }, firm.as.operator, { 'if-match': '"9"' })).status).toBe(412)
    expect(
      (await patch(id, { firstName: 'A' }, firm.as.operator, { 'if-match': 'nonsense' })).body.errors[0].path,
    ).toBe('header.if-match')
    expect((await patch(id, { firstName: 'A' }, firm.as.operator, { 'if-match': '"1"' })).status).toBe(200)
    const known = async (tags: string) =>
      (await app.call('GET', `/v1/traders/${id}`, { as: firm.as.viewer, headers: { 'if-none-match': tags } })).status
    for (const tags of ['"2"', 'W/"2"', '"1", W/"2"', '*']) expect(await known(tags)).toBe(304)
    for (const tags of ['"1"', '2', '"22"']) expect(await known(tags)).toBe(200)
    expect((await patch(id, { firstName: 'B' }, other.as.operator)).status).toBe(404)
  })

  test('only a manager may set a legal hold on a client', async () => {
    const { id } = (await create()).body
    expect((await patch(id, { legalHold: true })).status).toBe(403)
    expect((await patch(id, { legalHold: true }, firm.as.manager)).body.legalHold).toBe(true)
  })
})

test('the list of clients filters by labels, country, assignee and words of the name, in its own firm only', async () => {
  const { id } = (
    await create({
      firstName: 'Jörg',
      lastName: 'Østergård',
      country: 'DK',
      tags: ['rare one'],
      segments: ['vip'],
      assignedTo: firm.as.manager.id,
    })
  ).body
  await create({ firstName: 'Jörg', lastName: 'Østergård', tags: ['rare one'] }, other.as.operator)
  expect(await list('tag=rare%20one')).toEqual([id])
  expect(await list('segment=vip')).toEqual([id])
  expect(await list(`assignedTo=${firm.as.manager.id}&country=DK`)).toEqual([id])
  expect(await list(`assignedTo=${firm.as.viewer.id},${firm.as.manager.id}&country=DK`)).toEqual([id])
  expect(await list(`assignedTo=${firm.as.viewer.id},${other.as.owner.id}&country=DK`)).toEqual([])
  expect(await list('q=jorg%20%C3%B8ster')).toEqual([id])
  expect(await list('q=nobodyhere')).toEqual([])
  expect(await list(`q=${encodeURIComponent('" OR tenant:*')}`)).toEqual([])
  await patch(id, { tags: [] })
  expect(await list('tag=rare%20one')).toEqual([])
})

test('notes are internal; the timeline shows everything, money included, page by page', async () => {
  const { id } = (await create()).body
  const note = await app.call('POST', `/v1/traders/${id}/notes`, { as: firm.as.operator, body: { body: 'called' } })
  expect(note.body).toMatchObject({ body: 'called', authorId: firm.as.operator.id })
  expect((await app.call('GET', `/v1/traders/${id}/notes`, { as: other.as.owner })).status).toBe(404)
  const deposit = await app.call('POST', '/v1/deposits', {
    as: firm.as.operator,
    body: { traderId: id, currency: 'EUR', amount: '12.50', method: 'bank' },
  })
  await app.call('POST', `/v1/deposits/${deposit.body.id}/settle`, { as: firm.as.manager })
  const first = await app.call('GET', `/v1/traders/${id}/timeline?limit=2`, { as: firm.as.viewer })
  expect(first.body.data.map(({ action }: { action: string }) => action)).toEqual(['deposit.settle', 'deposit.create'])
  expect(first.body.data[0].after).toMatchObject({ status: 'settled', settledAmount: '12.50' })
  const second = await app.call('GET', `/v1/traders/${id}/timeline?limit=2&cursor=${first.body.nextCursor}`, {
    as: firm.as.viewer,
  })
  expect(second.body.data.map(({ action }: { action: string }) => action)).toEqual(['trader.note', 'trader.create'])
  expect(
    (await app.call('GET', `/v1/traders/${id}/timeline?cursor=1.x`, { as: firm.as.viewer })).body.errors[0].path,
  ).toBe('query.cursor')
})

test('an invite is void after the address changes; a key cannot mail one to a client who can sign in', async () => {
  const { id, email } = (await create()).body
  const key = await firm.key(['traders:write'])
  const invite = (as: Caller) => app.call('POST', `/v1/traders/${id}/invite`, { as })
  const token = async (to: string) => {
    const letters = await app.call('GET', `/v1/mails?recipient=${to}`, { as: firm.as.owner })
    const letter = await app.call('GET', `/v1/mails/${letters.body.data[0].id}`, { as: firm.as.owner })
    return /token=(\S+)/.exec(letter.body.text)?.[1]
  }
  const accept = async (to: string) =>
    app.call('POST', '/v1/users/accept-invite', { body: { token: await token(to), password: 'correct horse battery' } })
  expect((await invite(key)).status).toBe(202)
  await patch(id, { email: 'moved@x.test' })
  expect((await accept(email)).status).toBe(410)
  expect((await invite(key)).status).toBe(202)
  expect((await accept('moved@x.test')).status).toBe(200)
  expect((await invite(key)).body.code).toBe('traders.has_access')
  expect((await invite(firm.as.operator)).status).toBe(202)
})

test('the timeline shows each caller only the kinds that the caller’s own lists would show', async () => {
  const { id } = (await create()).body
  const money = { traderId: id, currency: 'EUR', amount: '5' }
  const deposit = { ...money, method: 'bank' }
  const { body: made } = await app.call('POST', '/v1/deposits', { as: firm.as.operator, body: deposit })
  await app.call('POST', `/v1/deposits/${made.id}/settle`, { as: firm.as.manager })
  const adjustment = { ...money, direction: 'credit', reason: 'goodwill' }
  expect((await app.call('POST', '/v1/adjustments', { as: firm.as.manager, body: adjustment })).status).toBe(201)
  const kinds = async (as: Caller) => {
    const { data } = (await app.call('GET', `/v1/traders/${id}/timeline`, { as })).body
    return [...new Set(data.map(({ entity }: { entity: string }) => entity))].sort()
  }
  expect(await kinds(firm.as.viewer)).toEqual(['deposit', 'trader'])
  expect(await kinds(firm.as.manager)).toEqual(['adjustment', 'deposit', 'trader'])
  expect(await kinds(await firm.key(['traders:read']))).toEqual(['trader'])
  expect(await kinds(await firm.key(['traders:read', 'deposits:read']))).toEqual(['deposit', 'trader'])
})

test('a key cannot change the address of a client who signs in; a person can, and the former address is mailed', async () => {
  const { id, email } = (await create()).body
  const desk = systemCtx(app.platform, firm.tenantId, 'test')
  await desk.write('test.password', (tx) => setPassword(tx, { traderId: id }, 'hash'))
  const session = await firm.traderSession(id)
  const key = await firm.key(['traders:write'])
  const byKey = await patch(id, { email: 'evil@x.test' }, key)
  expect([byKey.status, byKey.body.errors[0].path]).toEqual([409, 'email'])
  expect((await patch(id, { email: 'newer@x.test' })).status).toBe(200)
  expect((await app.call('GET', '/v1/auth/me', { as: session })).status).toBe(401)
  const told = await app.call('GET', `/v1/mails?recipient=${email}`, { as: firm.as.owner })
  expect(told.body.data[0].subject).toContain('address')
})

describe('deleting', () => {
  const remove = (id: string, as = firm.as.admin) => app.call('DELETE', `/v1/traders/${id}`, { as })
  const restore = (id: string) => app.call('POST', `/v1/traders/${id}/restore`, { as: firm.as.manager })

  test('a deleted client leaves the lists and their sessions end; the deletion can be undone for 30 days', async () => {
    const id = await firm.trader()
    const session = await firm.traderSession(id)
    expect((await remove(id, firm.as.operator)).status).toBe(403)
    firm.effects()
    expect((await remove(id)).status).toBe(204)
    expect(firm.effects()).toEqual({ events: ['trader.deleted'], actions: ['trader.delete', 'session.end'] })
    expect(await list('limit=200')).not.toContain(id)
    expect((await app.call('GET', '/v1/auth/me', { as: session })).status).toBe(401)
    app.clock.advance(29 * DAY)
    await purge()
    expect((await restore(id)).status).toBe(200)
    expect(await list('limit=200')).toContain(id)
    expect((await restore(id)).status).toBe(409)
  })

  test('a deleted client is erased from every table after 30 days unless held; the books and the audit stay', async () => {
    const held = (await create({ firstName: 'Heldsman' })).body.id
    await patch(held, { legalHold: true }, firm.as.manager)
    const { id } = (
      await create({
        email: 'vanish.me@x.test',
        firstName: 'Zebulon',
        lastName: 'Quixwright',
        phone: '+35799555111',
        tags: ['zq'],
      })
    ).body
    await app.call('POST', `/v1/traders/${id}/notes`, { as: firm.as.operator, body: { body: 'Zebulon likes tea' } })
    // every field that may have text about a person gets some
    const said = 'for Zebulon Quixwright'
    const post = async (path: string, body: object = {}, as = firm.as.manager) => {
      const answer = await app.call('POST', `/v1/${path}`, { as, body })
      if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`)
      return answer.body
    }
    const money = { traderId: id, currency: 'EUR' }
    const deposit = await post('deposits', { ...money, amount: '50', method: 'bank', note: said })
    await post(`deposits/${deposit.id}/settle`)
    const failing = await post('deposits', { ...money, amount: '5', method: 'bank' })
    await post(`deposits/${failing.id}/fail`, { reason: said })
    const account = {
      traderId: id,
      platform: 'other',
      currency: 'EUR',
      accountNumber: 'ZEBULON-1',
      externalId: 'quixwright-7',
    }
    await post('accounts', { ...account, metadata: { owner: said } })
    const desk = systemCtx(app.platform, firm.tenantId, 'test')
    await desk.write('test.kyc', (tx) => tx.update(traders, id, { kycLevel: 2 }))
    const destination = { kind: 'bank', reference: 'CY17 ZEBULON 0128', holder: 'Zebulon Quixwright' }
    const withdrawal = await post('withdrawals', { ...money, amount: '10.00', destination, note: said })
    await post(`withdrawals/${withdrawal.id}/approve`, { note: said }, firm.as.owner)
    const refused = await post('withdrawals', { ...money, amount: '5.00', destination })
    await post(`withdrawals/${refused.id}/reject`, { detail: said, note: said }, firm.as.owner)
    await post(`withdrawals/${withdrawal.id}/pay`, { paymentReference: 'PAY-1' }, firm.as.admin)
    const adjustment = await post('adjustments', { ...money, direction: 'credit', amount: '1.00', reason: said })
    await post(`adjustments/${adjustment.id}/approve`, { note: said }, firm.as.owner)
    // a client with money cannot be deleted
    const debit = await post('adjustments', { ...money, direction: 'debit', amount: '41.00', reason: said })
    await post(`adjustments/${debit.id}/approve`, { note: said }, firm.as.owner)
    const ticket = await post('support/tickets', { traderId: id, subject: said, body: said })
    await post(`support/tickets/${ticket.id}/messages`, { body: said, internal: true })
    await desk.write('sanctions.hit', (tx) =>
      tx.insert(sanctionsHits, {
        traderId: id,
        source: 'un',
        reference: 'T.9',
        name: 'Somebody Else',
        score: 90,
        listHash: 'h',
        explanation: {
          listedAs: 'Somebody Else',
          nameScore: 90,
          words: [{ ours: 'zebulon', theirs: 'sebulon', similarity: 90 }],
          birth: 'unknown',
          country: 'unknown',
        },
      }),
    )
    const [hit] = (await app.call('GET', `/v1/sanctions/hits?traderId=${id}`, { as: firm.as.manager })).body.data
    await post(`sanctions/hits/${hit.id}/clear`, { reason: said })
    await post(`traders/${id}/invite`)
    const mails = await app.call('GET', '/v1/mails', { as: firm.as.owner })
    const letter = mails.body.data.find((mail: { recipient: string }) => mail.recipient === 'vanish.me@x.test')
    expect((await app.call('GET', `/v1/mails/${letter.id}`, { as: firm.as.owner })).status).toBe(200)
    const { raw } = app.platform.connection
    for (const index of ['traders_search', 'traders_phones'])
      raw.run(`CREATE VIRTUAL TABLE temp.${index}_words USING fts5vocab(main, ${index}, row)`)
    const indexed = (): string[] =>
      app.platform.connection
        .all<{ term: string }>(
          'SELECT term FROM temp.traders_search_words UNION ALL SELECT term FROM temp.traders_phones_words',
        )
        .map(({ term }) => term.replace(`${firm.tenantId}_`, ''))
        .filter((term) => ['zebulon', '5111', 'z5111'].includes(term))
    expect(indexed().toSorted()).toEqual(['5111', 'z5111', 'zebulon'])
    await remove(id)
    await remove(held)
    app.clock.advance(31 * DAY)
    expect(await purge()).toBe('1 person erased')
    expect(await purge()).toBeNull()
    // events and deliveries are kept for 30 days, whoever they are about
    await trimWebhooks.run({ platform: app.platform, signal: new AbortController().signal })
    expect((await app.call('GET', `/v1/traders/${id}`, { as: firm.as.viewer })).body).toMatchObject({
      email: null,
      firstName: null,
      phone: null,
      tags: [],
    })
    expect((await app.call('GET', `/v1/traders/${held}`, { as: firm.as.viewer })).body.firstName).toBe('Heldsman')
    expect((await restore(id)).body.code).toBe('traders.erased')
    expect((await app.call('GET', `/v1/deposits/${deposit.id}`, { as: firm.as.viewer })).body.status).toBe('settled')
    expect((await app.call('GET', '/v1/audit/verify', { as: firm.as.admin })).body.intact).toBe(true)
    for (const q of ['zebulon', '35799555111', '5111']) expect(await list(`q=${q}`)).toEqual([])
    // the indexes of the search have none of the client's words and digits any more
    expect(indexed()).toEqual([])
    const row = app.platform.reader.get<{ fingerprint: string }>('SELECT fingerprint FROM payout_destinations')
    expect(row?.fingerprint).toStartWith('erased:')
    const { reader } = app.platform
    const tables = reader.all<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'",
    )
    const left = tables.filter(({ name }) =>
      /zebulon|quixwright|CY17 |CY17ZEB|vanish\.me|35799555111/i.test(
        reader
          .all<object>(`SELECT * FROM "${name}"`)
          .map((row) =>
            Object.values(row)
              .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)))
              .join(),
          )
          .join(),
      ),
    )
    expect(left.map(({ name }) => name)).toEqual([])
  })

  test('a deleted client may still get, and lose, a legal hold, during which restoring stays possible', async () => {
    const id = await firm.trader()
    await patch(id, { legalHold: true }, firm.as.manager)
    await remove(id)
    app.clock.advance(40 * DAY)
    expect((await patch(id, { legalHold: true, tags: ['x'] }, firm.as.manager)).status).toBe(404)
    expect((await restore(id)).status).toBe(200)
    await remove(id)
    app.clock.advance(40 * DAY)
    await purge()
    expect((await patch(id, { legalHold: false }, firm.as.manager)).body.code).toBe('second_person_needed')
    expect((await patch(id, { legalHold: false }, firm.as.admin)).body.legalHold).toBe(false)
    expect((await restore(id)).body.code).toBe('traders.erased')
    await purge()
    const gone = await app.call('GET', `/v1/traders/${id}`, { as: firm.as.viewer })
    expect(gone.body.firstName).toBeNull()
  })

  test('deleting a client is refused while a withdrawal is open or money is left', async () => {
    const id = await firm.trader({ kycLevel: 2 })
    const post = (path: string, body: object = {}) => app.call('POST', path, { as: firm.as.manager, body })
    const deposit = await post('/v1/deposits', { traderId: id, currency: 'EUR', amount: '20', method: 'bank' })
    await post(`/v1/deposits/${deposit.body.id}/settle`)
    const destination = { kind: 'bank', reference: 'CY17 0020 0199', holder: 'Test Trader' }
    const asked = await post('/v1/withdrawals', { traderId: id, currency: 'EUR', amount: '10.00', destination })
    expect(asked.status).toBe(201)
    const refused = await remove(id)
    expect([refused.status, refused.body.code]).toEqual([409, 'traders.open_money'])
    expect(refused.body.detail).toContain('a wallet with 20.00 EUR, an open withdrawal')
    await post(`/v1/withdrawals/${asked.body.id}/reject`, { detail: 'leaving' })
    expect((await remove(id)).body.detail).toBe('The client still has a wallet with 20.00 EUR.')
    const all = { traderId: id, currency: 'EUR', direction: 'debit', amount: '20', reason: 'leaving' }
    const debit = await post('/v1/adjustments', all)
    await app.call('POST', `/v1/adjustments/${debit.body.id}/approve`, { as: firm.as.admin, body: {} })
    const pending = await post('/v1/deposits', { traderId: id, currency: 'EUR', amount: '5', method: 'bank' })
    expect((await remove(id)).body.detail).toBe('The client still has a pending deposit.')
    await post(`/v1/deposits/${pending.body.id}/cancel`)
    expect((await remove(id)).status).toBe(204)
  })
})
