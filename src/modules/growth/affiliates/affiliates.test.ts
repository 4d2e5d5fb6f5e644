import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY, SECOND } from '../../../platform/clock.ts'
import { createScheduler } from '../../../platform/jobs/scheduler.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { takeClicks, trimClicks } from './affiliates.jobs.ts'
import { affiliateClicks } from './affiliates.table.ts'
import { affiliateBalances } from './balances.table.ts'

let app: TestApp
let firm: Firm
beforeEach(async () => {
  app = createTestApp()
  firm = await app.firm('acme')
})
afterEach(() => app.close())

const call = (method: string, path: string, body?: object, as: Caller = firm.as.manager) =>
  app.call(method, path, { as, ...(body && { body }) })
const make = async (code: string, parentId: string | null = null, traderId?: string): Promise<string> => {
  const trader = traderId ?? (await firm.trader())
  const { status, body, text } = await call('POST', '/v1/affiliates', { traderId: trader, code, parentId })
  if (status !== 201) throw new Error(text)
  await call('PATCH', `/v1/affiliates/${body.id}`, { status: 'active' })
  firm.effects()
  return body.id
}
const problem = ({ status, body }: { status: number; body: { code?: string; errors?: { path: string }[] } }) => [
  status,
  body.code,
  body.errors?.[0]?.path,
]

test('the list of affiliates says how many clients each has, what it earned and what it was paid', async () => {
  const [north, west] = [await make('north'), await make('west')]
  for (const name of ['a', 'b']) await call('POST', '/v1/traders', { email: `${name}@x.test`, affiliateCode: 'north' })
  const { body: gone } = await call('POST', '/v1/traders', { email: 'c@x.test', affiliateCode: 'north' })
  expect((await app.call('DELETE', `/v1/traders/${gone.id}`, { as: firm.as.owner })).status).toBe(204)
  await systemCtx(app.platform, firm.tenantId, 'test').write('test.row', (tx) =>
    tx.insert(affiliateBalances, { affiliateId: north, currency: 'EUR', earned: 1250n, asked: 100n, paid: 500n }),
  )
  const { body } = await call('GET', '/v1/affiliates', undefined, firm.as.viewer)
  const balance = { currency: 'EUR', earned: '12.50', asked: '1.00', paid: '5.00', available: '6.50' }
  expect(body.data.map(({ id, clients, balances }: Record<string, unknown>) => [id, clients, balances])).toEqual([
    [west, 0, []],
    [north, 2, [balance]],
  ])
})

describe('a search of affiliates', () => {
  const found = async (q: string, as: Caller = firm.as.manager): Promise<string[]> => {
    const { body } = await app.call('GET', `/v1/affiliates?q=${encodeURIComponent(q)}`, { as })
    return body.data.map(({ code }: { code: string }) => code)
  }

  test('a search of affiliates takes the characters of patterns literally', async () => {
    for (const code of ['summer_2026', 'summer-2026']) await make(code)
    expect(await found('summer_2026')).toEqual(['summer_2026'])
    expect(await found(' SUMMER_ ')).toEqual(['summer_2026'])
    for (const q of ['%', '_', '%%', '\\', '\\_']) expect([q, await found(q)]).toEqual([q, []])
  })

  test('affiliates are found by client only for readers who may read clients', async () => {
    const kenta = { email: 'kenta@mail.test', firstName: 'Kenta', lastName: 'Ueno' }
    const { body } = await call('POST', '/v1/traders', { ...kenta, phone: '+819012345678' })
    const id = await make('kenta-fx', null, body.id)
    const below = { email: 'below@mail.test', firstName: 'Yui', lastName: 'Mori', phone: '+4915112345600' }
    await call('POST', '/v1/traders', { ...below, affiliateCode: 'kenta-fx' })
    const blind = await firm.key(['affiliates:read', 'affiliates:write'])
    const open = await firm.key(['affiliates:read', 'traders:read'])
    const read = async (path: string, as: Caller) => (await app.call('GET', path, { as })).body
    const file = async (q: string, as: Caller) =>
      (await app.call('GET', `/v1/affiliates/export.csv?q=${encodeURIComponent(q)}`, { as })).text.includes('kenta-fx')
    for (const q of ['kenta@mail.test', 'Ueno', '5678', '+819012345678', body.id]) {
      expect([q, await found(q, blind), await file(q, blind)]).toEqual([q, [], false])
      expect([q, await found(q, open), await file(q, open)]).toEqual([q, ['kenta-fx'], true])
    }
    expect([await found('kenta-', blind), await file('kenta-', blind)]).toEqual([['kenta-fx'], true])
    const namesFor = async (as: Caller) => [
      (await read('/v1/affiliates', as)).data[0].name,
      (await read(`/v1/affiliates/${id}`, as)).name,
      (await read(`/v1/affiliates/${id}/tree`, as)).data[0].name,
    ]
    expect(await namesFor(blind)).toEqual([null, null, null])
    expect(await namesFor(open)).toEqual(['Kenta Ueno', 'Kenta Ueno', 'Kenta Ueno'])
    expect((await call('PATCH', `/v1/affiliates/${id}`, { code: 'kenta-2' }, blind)).body.name).toBeNull()
    const [client] = (await read(`/v1/affiliates/${id}/clients`, blind)).data
    expect(client).toMatchObject({ firstName: 'Y.', lastName: 'M.', email: 'b•••@m•••.test', phone: '•••00' })
    expect((await read(`/v1/affiliates/${id}/clients`, open)).data[0]).toMatchObject({ email: 'below@mail.test' })
  })
})

describe('an affiliate', () => {
  test('a client becomes an affiliate once, pending, with a free code', async () => {
    const traderId = await firm.trader({ firstName: 'Ada', lastName: 'Byron' })
    firm.effects()
    const made = await call('POST', '/v1/affiliates', { traderId, code: 'Ada-FX' }, firm.as.operator)
    expect([made.status, made.body]).toMatchObject([
      201,
      { traderId, code: 'Ada-FX', parentId: null, planId: null, status: 'pending', name: 'Ada Byron', version: 1 },
    ])
    expect(firm.effects()).toEqual({ events: [], actions: ['affiliate.create'] })
    const again = await call('POST', '/v1/affiliates', { traderId, code: 'other' })
    expect(problem(again)).toEqual([409, 'affiliates.is_affiliate', 'traderId'])
    const twin = await call('POST', '/v1/affiliates', { traderId: await firm.trader(), code: 'ADA-fx' })
    expect(problem(twin)).toEqual([409, 'affiliates.code_taken', 'code'])
    const unknown = await call('POST', '/v1/affiliates', { traderId: 'trd_x', code: 'abc' })
    expect(problem(unknown)).toEqual([422, 'validation', 'traderId'])
    for (const code of ['ab', 'a b', 'ü12', 'x'.repeat(33)])
      expect(problem(await call('POST', '/v1/affiliates', { traderId, code }))).toEqual([422, 'validation', 'code'])
  })

  test('an affiliate may take back a code that it gave up; others must wait 90 days', async () => {
    const [one, two] = [await make('first'), await make('second')]
    await call('PATCH', `/v1/affiliates/${one}`, { code: 'third' })
    expect(problem(await call('PATCH', `/v1/affiliates/${two}`, { code: 'First' }))[0]).toBe(409)
    expect((await call('PATCH', `/v1/affiliates/${one}`, { code: 'FIRST' })).status).toBe(200)
    await call('PATCH', `/v1/affiliates/${one}`, { status: 'closed' })
    app.clock.advance(90 * DAY - SECOND)
    expect(problem(await call('PATCH', `/v1/affiliates/${two}`, { code: 'first' }))[0]).toBe(409)
    app.clock.advance(SECOND)
    expect((await call('PATCH', `/v1/affiliates/${two}`, { code: 'first' })).body.code).toBe('first')
    expect(problem(await call('PATCH', `/v1/affiliates/${one}`, { code: 'again' }))).toEqual([
      409,
      'affiliates.closed',
      undefined,
    ])
  })

  test('affiliates form a tree of ten levels without cycles, and move with all below them', async () => {
    const chain: string[] = []
    for (let n = 0; n < 10; n += 1) chain.push(await make(`level-${n}`, chain.at(-1) ?? null))
    const [top = '', second = '', third = ''] = chain
    const eleventh = await call('POST', '/v1/affiliates', {
      traderId: await firm.trader(),
      code: 'x-11',
      parentId: chain[9],
    })
    expect(problem(eleventh)).toEqual([409, 'affiliates.too_deep', undefined])
    expect(problem(await call('PATCH', `/v1/affiliates/${top}`, { parentId: third }))[1]).toBe('affiliates.cycle')
    expect(problem(await call('PATCH', `/v1/affiliates/${top}`, { parentId: top }))[1]).toBe('affiliates.cycle')
    const other = await make('other')
    await call('PATCH', `/v1/affiliates/${third}`, { parentId: other })
    const { body } = await call('GET', `/v1/affiliates/${other}/tree`)
    expect(body.data.map(({ depth }: { depth: number }) => depth)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    expect((await call('GET', `/v1/affiliates/${top}/tree`)).body.data).toHaveLength(2)
    // the stored ancestors are exactly those that follow from the parents
    await call('PATCH', `/v1/affiliates/${third}`, { parentId: second })
    await call('PATCH', `/v1/affiliates/${other}`, { parentId: top })
    const rows = app.platform.reader.all<{ depth: number }>('SELECT * FROM affiliate_ancestors ORDER BY 2, 3')
    expect(rows).toHaveLength(10 + 45 + 2)
  })

  test('an affiliate is changed by a manager, in the version that was read', async () => {
    const id = await make('abc')
    expect((await call('PATCH', `/v1/affiliates/${id}`, { code: 'abd' }, firm.as.operator)).status).toBe(403)
    const stale = await app.call('PATCH', `/v1/affiliates/${id}`, {
      as: firm.as.manager,
      body: { code: 'abd' },
      headers: { 'if-match': '"1"' },
    })
    expect(stale.status).toBe(412)
    expect(problem(await call('PATCH', `/v1/affiliates/${id}`, { status: 'pending' }))[1]).toBe('wrong_state')
    expect(problem(await call('PATCH', `/v1/affiliates/${id}`, { planId: 'cpl_x' }))).toEqual([
      422,
      'validation',
      'planId',
    ])
    expect((await call('PATCH', `/v1/affiliates/${id}`, {})).status).toBe(200)
    expect(firm.effects().actions).toEqual([])
  })
})

describe('the affiliate of a client', () => {
  test('a new client’s affiliate is that of a given code, else of the last click, and stays', async () => {
    const [named, clicked] = [await make('named'), await make('clicked')]
    const click = await app.call('POST', '/v1/affiliates/clicks/track', {
      body: { code: 'CLICKED', url: 'https://x.test' },
    })
    await createScheduler(app.platform, [takeClicks]).runNow('affiliates.clicks')
    const { visitorId } = click.body
    const create = async (email: string, extra: object) =>
      (await call('POST', '/v1/traders', { email, ...extra }, firm.as.operator)).body.affiliateId
    expect(await create('a@x.test', { affiliateCode: 'Named', visitorId })).toBe(named)
    expect(await create('b@x.test', { visitorId })).toBe(clicked)
    expect(await create('c@x.test', { visitorId: 'somebody-else-12345' })).toBeNull()
    expect(problem(await call('POST', '/v1/traders', { email: 'd@x.test', affiliateCode: 'nobody' }))).toEqual([
      422,
      'validation',
      'affiliateCode',
    ])
    app.clock.advance(30 * DAY + SECOND)
    expect(await create('e@x.test', { visitorId })).toBeNull()
  })

  test('a lead from a form or a file has an affiliate, who stays when the lead becomes a client', async () => {
    const id = await make('named')
    const lead = await call('POST', '/v1/leads', { email: 'lead@x.test', affiliateCode: 'named' })
    expect(lead.body.affiliateId).toBe(id)
    const converted = await call('POST', `/v1/leads/${lead.body.id}/convert`)
    expect((await call('GET', `/v1/traders/${converted.body.traderId}`)).body.affiliateId).toBe(id)
    const file = { csv: 'mail,code\na@y.test,named\nb@y.test,nobody\n', source: 'fair' }
    const mapping = { mail: 'email', code: 'affiliateCode' }
    const imported = await call('POST', '/v1/leads/import', { ...file, mapping })
    expect(imported.body).toMatchObject({ created: 1, failed: 1, errors: [{ row: 3, path: 'affiliateCode' }] })
  })

  test('nobody is their own affiliate', async () => {
    const traderId = await firm.trader({ email: 'jo.doe@mail.test' })
    await call('PATCH', `/v1/traders/${traderId}`, { phone: '+35722123456' })
    const id = await make('self', null, traderId)
    const twin = (extra: object) =>
      call('POST', '/v1/traders', { email: 'x@mail.test', affiliateCode: 'self', ...extra })
    expect(problem(await twin({ email: 'JoDoe+2@mail.test' }))).toEqual([
      422,
      'affiliates.self_referral',
      'affiliateCode',
    ])
    expect(problem(await twin({ phone: '+357 22 123456' }))[1]).toBe('affiliates.self_referral')
    expect(problem(await call('PATCH', `/v1/traders/${traderId}`, { affiliateId: id }))[1]).toBe(
      'affiliates.self_referral',
    )
    expect((await twin({})).body.affiliateId).toBe(id)
  })

  test('a manager changes a client’s affiliate, for the future, and it is audited', async () => {
    const id = await make('named')
    const traderId = await firm.trader()
    firm.effects()
    const body = { affiliateId: id }
    expect(problem(await call('PATCH', `/v1/traders/${traderId}`, body, firm.as.operator))).toEqual([
      403,
      'affiliates.needs_manager',
      'affiliateId',
    ])
    expect((await call('PATCH', `/v1/traders/${traderId}`, body)).body.affiliateId).toBe(id)
    expect(firm.effects()).toEqual({ events: ['trader.updated'], actions: ['trader.update'] })
    const { body: page } = await call('GET', `/v1/affiliates/${id}/clients`)
    expect(page.data.map((row: { id: string }) => row.id)).toEqual([traderId])
    expect((await call('PATCH', `/v1/traders/${traderId}`, { affiliateId: null })).body.affiliateId).toBeNull()
    expect(problem(await call('PATCH', `/v1/traders/${traderId}`, { affiliateId: 'aff_x' }))[2]).toBe('affiliateId')
  })
})

describe('clicks', () => {
  const jobs = () => createScheduler(app.platform, [takeClicks, trimClicks])
  const track = (body: object, headers: Record<string, string> = {}) =>
    app.call('POST', '/v1/affiliates/clicks/track', { body: { url: 'https://x.test/', ...body }, headers })
  const rows = () => systemCtx(app.platform, firm.tenantId, 'test').db.list(affiliateClicks, {})

  test('clicks are a 202 for every code, and count once a day for each visitor', async () => {
    await make('good')
    const visitorId = 'visitor-0123456789'
    for (const body of [
      { code: 'Good', visitorId },
      { code: 'good', visitorId },
      { code: 'unknown', visitorId },
    ]) {
      const { status, body: answer } = await track(body)
      expect([status, answer]).toEqual([202, { visitorId }])
    }
    expect((await track({ code: 'good', visitorId: 'short' })).body.visitorId).toMatch(/^[A-Za-z0-9_-]{16,64}$/)
    await jobs().runNow('affiliates.clicks')
    expect(rows()).toHaveLength(2)
    await track({ code: 'good', visitorId })
    await jobs().runNow('affiliates.clicks')
    expect(rows()).toHaveLength(2)
    app.clock.advance(DAY + 1)
    await track({ code: 'good', visitorId, utm: { source: 'blog' }, referrer: 'https://blog.test' })
    await jobs().runNow('affiliates.clicks')
    expect(rows()).toHaveLength(3)
    expect(rows().at(-1)).toMatchObject({ utm: { source: 'blog' }, referrer: 'https://blog.test' })
    expect(firm.effects()).toEqual({ events: [], actions: [] })
  })

  test('a firm stores at most 200 clicks a second', async () => {
    await make('good')
    for (let n = 0; n < 250; n += 1) await track({ code: 'good', visitorId: `visitor-0123456-${n}` })
    await jobs().runNow('affiliates.clicks')
    expect(rows()).toHaveLength(200)
  })

  test('clicks are dropped if active affiliates of two firms have the code', async () => {
    await make('good')
    const other = await app.firm('other')
    const traderId = await other.trader()
    const { body } = await app.call('POST', '/v1/affiliates', { as: other.as.owner, body: { traderId, code: 'good' } })
    await app.call('PATCH', `/v1/affiliates/${body.id}`, { as: other.as.owner, body: { status: 'active' } })
    await track({ code: 'good' })
    await jobs().runNow('affiliates.clicks')
    expect(rows()).toEqual([])
  })

  test('clicks keep the address as a hash for 30 days, and never in clear text', async () => {
    await make('good')
    await track({ code: 'good' })
    await jobs().runNow('affiliates.clicks')
    expect(rows()[0]?.addressHash).toBeString()
    expect(JSON.stringify(rows())).not.toContain('127.0.0.1')
    app.clock.advance(31 * DAY)
    await jobs().runNow('affiliates.trim')
    expect(rows()[0]?.addressHash).toBeNull()
    app.clock.advance(400 * DAY)
    await jobs().runNow('affiliates.trim')
    expect(rows()).toEqual([])
  })

  test('clicks may be sent by pages of any origin, without credentials', async () => {
    const ask = await app.call('OPTIONS', '/v1/affiliates/clicks/track', { headers: { origin: 'https://shop.test' } })
    expect([ask.status, ask.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
    const sent = await track({ code: 'good' }, { origin: 'https://shop.test' })
    expect(sent.headers.get('access-control-allow-origin')).toBe('*')
    expect(sent.headers.get('access-control-allow-credentials')).toBeNull()
    const elsewhere = await app.call('OPTIONS', '/v1/affiliates', { headers: { origin: 'https://shop.test' } })
    expect(elsewhere.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('clicks and the later steps of their visitors make the funnel', async () => {
    const id = await make('good')
    const visitorId = 'visitor-0123456789'
    await track({ code: 'good', visitorId })
    await jobs().runNow('affiliates.clicks')
    const { body: trader } = await call('POST', '/v1/traders', { email: 'a@x.test', visitorId })
    const deposit = await call(
      'POST',
      '/v1/deposits',
      { traderId: trader.id, currency: 'EUR', amount: '10', method: 'bank' },
      firm.as.operator,
    )
    await call('POST', `/v1/deposits/${deposit.body.id}/settle`)
    const counts = { clicks: 1, registrations: 1, kycApproved: 0, firstDeposits: 1, approvedWithDeposit: 0 }
    app.clock.advance(1)
    const { body } = await call('GET', '/v1/affiliates/funnel', undefined, firm.as.viewer)
    expect(body).toMatchObject({ ...counts, byAffiliate: [{ affiliateId: id, code: 'good', ...counts }] })
    const approve = (traderId: string) =>
      systemCtx(app.platform, firm.tenantId, 'test').write('test.row', (tx) =>
        tx.execute(`UPDATE traders SET kyc_status = 'approved' WHERE tenant_id = ?1 AND id = ?2`, [traderId]),
      )
    // this client is approved but never deposited, so is not in the last step
    const { body: other } = await call('POST', '/v1/traders', { email: 'b@x.test', affiliateCode: 'good' })
    await approve(other.id)
    app.clock.advance(1)
    const steps = async () => {
      const { registrations, kycApproved, firstDeposits, approvedWithDeposit } = (
        await call('GET', '/v1/affiliates/funnel')
      ).body
      return [registrations, kycApproved, firstDeposits, approvedWithDeposit]
    }
    expect(await steps()).toEqual([2, 1, 1, 0])
    await approve(trader.id)
    expect(await steps()).toEqual([2, 2, 1, 1])
    app.clock.advance(91 * DAY)
    expect((await call('GET', '/v1/affiliates/funnel')).body).toMatchObject({
      clicks: 0,
      registrations: 0,
      byAffiliate: [],
    })
  })
})
