import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { listKept } from './saved-views.filters.ts'
import { getParameters, LIST_NAMES } from './saved-views.lists.ts'

let app: TestApp
let firm: Firm
let other: Firm
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  other = await app.firm('beta')
})
afterAll(() => app.close())

const LOOK = { hidden: [], order: [], widths: {}, dense: false }
let count = 0
/** Returns a list that no test has used yet, so that tests do not affect each other. */
const aList = (): string => LIST_NAMES[count++] ?? 'deposits'
const keep = (list: string, as: Caller, more: object = {}) =>
  app.call('POST', '/v1/saved-views', {
    as,
    body: { list, name: 'Big ones', filters: {}, look: LOOK, ...more },
  })
const listNames = async (list: string, as: Caller): Promise<[string, boolean][]> => {
  const { body } = await app.call('GET', `/v1/saved-views?list=${list}`, { as })
  return body.data.map(({ name, isDefault }: { name: string; isDefault: boolean }) => [name, isDefault])
}

describe('saved views', () => {
  test('a saved view is seen only by its owner, whatever the role of others is', async () => {
    const list = aList()
    const { status, body } = await keep(list, firm.as.viewer, { look: { ...LOOK, widths: { amount: 140 } } })
    expect(status).toBe(201)
    expect(body).toMatchObject({ list, name: 'Big ones', filters: {}, shared: false })
    expect(body.look.widths).toEqual({ amount: 140 })
    expect(await listNames(list, firm.as.viewer)).toEqual([['Big ones', false]])
    for (const as of [firm.as.owner, other.as.owner]) {
      expect(await listNames(list, as)).toEqual([])
      const path = `/v1/saved-views/${body.id}`
      expect((await app.call('PATCH', path, { as, body: { name: 'Taken' } })).status).toBe(404)
      expect((await app.call('DELETE', path, { as })).status).toBe(404)
    }
    expect(await listNames(list, firm.as.viewer)).toEqual([['Big ones', false]])
  })

  test('only managers share saved views and change shared ones', async () => {
    const list = aList()
    expect((await keep(list, firm.as.operator, { shared: true })).body.code).toBe('saved_view.sharing')
    const { body } = await keep(list, firm.as.manager, { shared: true })
    expect(await listNames(list, firm.as.viewer)).toEqual([['Big ones', false]])
    expect(await listNames(list, other.as.owner)).toEqual([])
    const path = `/v1/saved-views/${body.id}`
    expect((await app.call('PATCH', path, { as: firm.as.operator, body: { name: 'X' } })).status).toBe(403)
    expect((await app.call('DELETE', path, { as: firm.as.operator })).status).toBe(403)
    const own = await keep(list, firm.as.operator, { name: 'Own' })
    const raise = await app.call('PATCH', `/v1/saved-views/${own.body.id}`, {
      as: firm.as.operator,
      body: { shared: true },
    })
    expect(raise.status).toBe(403)
    expect((await app.call('DELETE', path, { as: firm.as.admin })).status).toBe(204)
    expect(await listNames(list, firm.as.operator)).toEqual([['Own', false]])
  })

  test('a list has at most one own and one shared saved view as its default', async () => {
    const list = aList()
    const first = await keep(list, firm.as.manager, { name: 'A', isDefault: true })
    await keep(list, firm.as.manager, { name: 'B', isDefault: true })
    await keep(list, firm.as.manager, { name: 'C', shared: true, isDefault: true })
    expect(await listNames(list, firm.as.manager)).toEqual([
      ['A', false],
      ['B', true],
      ['C', true],
    ])
    await app.call('PATCH', `/v1/saved-views/${first.body.id}`, { as: firm.as.manager, body: { isDefault: true } })
    expect(await listNames(list, firm.as.manager)).toEqual([
      ['A', true],
      ['B', false],
      ['C', true],
    ])
    expect(await listNames(list, firm.as.viewer)).toEqual([['C', true]])
  })

  test('a saved view’s name is unique for its owner and list', async () => {
    const list = aList()
    await keep(list, firm.as.viewer)
    expect((await keep(list, firm.as.viewer)).body).toMatchObject({ status: 409, errors: [{ path: 'name' }] })
    expect((await keep(aList(), firm.as.viewer)).status).toBe(201)
    expect((await keep(list, firm.as.operator)).status).toBe(201)
  })

  test('a saved view stores no text of a search, and nothing that is not a filter', async () => {
    const searched = await keep('deposits', firm.as.viewer, { filters: { q: 'darwish' } })
    expect(searched.body).toMatchObject({ status: 422, errors: [{ path: 'filters.q', code: 'not_allowed' }] })
    for (const filters of [{ 'a b': 'x' }, { status: 1 }, { assignedTo: 'x'.repeat(1301) }])
      expect((await keep('deposits', firm.as.viewer, { filters })).status).toBe(422)
    expect(await listNames('deposits', firm.as.viewer)).toEqual([])
  })

  const ID = 'usr_01jk2v7m9q4x8r3t6w5y0z1abc'
  test.each([
    ['mail', { recipient: 'victim@example.com' }, 'recipient', 'not_allowed'],
    ['traders', { q: 'Ada Lovelace' }, 'q', 'not_allowed'],
    ['traders', { ids: ID }, 'ids', 'not_allowed'],
    ['traders', { segment: 'ada@example.com' }, 'segment', 'not_allowed'],
    ['deposits', { traderId: 'Ada Lovelace' }, 'traderId', 'unknown'],
    ['audit', { entityId: 'victim@example.com' }, 'entityId', 'unknown'],
    ['deposits', { status: 'nonsense' }, 'status', 'unknown'],
    ['deposits', { from: 'Ada' }, 'from', 'unknown'],
    ['deposits', { sort: 'traderName' }, 'sort', 'unknown'],
    ['deposits', { ada: 'lovelace' }, 'ada', 'unknown'],
    ['deposits', { toString: 'lovelace' }, 'toString', 'unknown'],
    ['fx', { sort: 'createdAt' }, 'sort', 'unknown'],
  ])('a saved view of %s refuses the filters %j', async (list, filters, name, code) => {
    const { body } = await keep(list, firm.as.viewer, { filters })
    expect(body).toMatchObject({ status: 422, errors: [{ path: `filters.${name}`, code }] })
    const { body: kept } = await keep(list, firm.as.operator, { name: `${name} ${code}` })
    const path = `/v1/saved-views/${kept.id}`
    const changed = await app.call('PATCH', path, { as: firm.as.operator, body: { filters } })
    expect(changed.body).toMatchObject({ status: 422, errors: [{ path: `filters.${name}`, code }] })
    expect((await app.call('DELETE', path, { as: firm.as.operator })).status).toBe(204)
  })

  test.each([
    ['deposits', { status: 'pending,settled', currency: 'EUR,USD', amountFrom: '10.50', from: '7d', sort: '-amount' }],
    ['deposits', { status: '*', from: '2026-11-01', settledTo: '2026-11-02T21:59:59.999Z', traderId: ID }],
    ['traders', { segment: 'VIP clients', tag: 'gulf', country: 'CY', assignedTo: Array(20).fill(ID).join(',') }],
    ['leads', { source: 'Spring campaign', sort: 'createdAt' }],
    ['positions', { symbol: 'EURUSD', side: 'long' }],
    ['audit', { action: 'deposit.create', entity: 'deposit', entityId: ID, people: 'true' }],
    ['accounts', { platform: 'MetaTrader 5', isDemo: 'false' }],
    ['support', { category: 'payments', priority: 'high' }],
  ])('a saved view of %s stores the filters %j', async (list, filters) => {
    const { status, body } = await keep(list, firm.as.viewer, { name: `Kept ${count++}`, filters })
    expect([status, body.filters]).toEqual([201, filters])
  })

  test('the list of what saved views store has nothing that may name a person', async () => {
    const { body } = await app.call('GET', '/v1/saved-views?list=mail', { as: firm.as.viewer })
    expect(body.keeps).toContain('status')
    const refused = LIST_NAMES.flatMap((list) => {
      const kept = new Set(listKept(list))
      return Object.keys(getParameters(list)).filter((name) => !kept.has(name))
    })
    expect([...new Set(refused)].toSorted()).toEqual(['ids', 'q', 'recipient', 'traderIds'])
  })

  test('a saved view of an older version is answered without what is refused now', async () => {
    const { body } = await keep('mail', firm.as.manager, { name: 'Old', filters: { status: 'sent' } })
    await app.platform.writer.submit(() =>
      app.platform.connection.run('UPDATE saved_views SET filters = ? WHERE id = ?', [
        JSON.stringify({ status: 'sent', recipient: 'victim@example.com', q: 'ada', from: '7d' }),
        body.id,
      ]),
    )
    const { body: read } = await app.call('GET', '/v1/saved-views?list=mail', { as: firm.as.manager })
    expect(read.data.map(({ filters }: { filters: object }) => filters)).toEqual([{ status: 'sent', from: '7d' }])
    const renamed = await app.call('PATCH', `/v1/saved-views/${body.id}`, {
      as: firm.as.manager,
      body: { name: 'New' },
    })
    expect(renamed.body.filters).toEqual({ status: 'sent', from: '7d' })
  })

  test('a saved view must be of a list of the console, and small', async () => {
    for (const list of ['nonsense', 'toString', 'list-a']) {
      expect((await keep(list, firm.as.viewer)).body).toMatchObject({ status: 422, errors: [{ path: 'list' }] })
      expect((await app.call('GET', `/v1/saved-views?list=${list}`, { as: firm.as.viewer })).status).toBe(422)
    }
    const keys = (from: number): string[] => Array.from({ length: 60 }, (_, at) => `${'k'.repeat(55)}${from + at}`)
    const wide = await keep('deposits', firm.as.viewer, { look: { ...LOOK, hidden: keys(100), order: keys(200) } })
    expect(wide.body).toMatchObject({ status: 422, errors: [{ path: 'look', code: 'too_large' }] })
    const filters = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, 'ä'.repeat(600)]))
    const long = await keep('deposits', firm.as.viewer, { filters })
    expect(long.body).toMatchObject({ status: 422, errors: [{ path: 'filters', code: 'too_large' }] })
  })

  test.each(['\u200b\u200d', '\u202egnp.exe', 'a\u2066b'])('a saved view may not have the name %j', async (name) => {
    const { body } = await keep('deposits', firm.as.viewer, { name })
    expect(body).toMatchObject({ status: 422, errors: [{ path: 'name' }] })
  })
})

describe('the number of saved views is limited', () => {
  const fill = async (list: string, as: Caller, most: number, more: object = {}): Promise<unknown[]> => {
    const codes: unknown[] = []
    for (let index = 0; index <= most; index += 1) {
      const { body } = await keep(list, as, { name: `View ${index}`, ...more })
      if (body.code) codes.push(body.code)
    }
    return codes
  }

  test('the number of saved views is limited for a list and for a person', async () => {
    const as = (await app.firm('full')).as.viewer
    expect(await fill('deposits', as, 50)).toEqual(['saved_view.too_many'])
    expect(await listNames('deposits', as)).toHaveLength(50)
    for (const list of ['mail', 'audit']) expect(await fill(list, as, 24)).toEqual([])
    expect((await keep('leads', as)).body.code).toBe('saved_view.too_many_own')
  })

  test('the number of shared saved views of one manager is limited', async () => {
    const { as } = await app.firm('shared')
    expect(await fill('deposits', as.manager, 20, { shared: true })).toEqual(['saved_view.too_many_shared'])
    const own = await keep('deposits', as.manager, { name: 'Own' })
    const path = `/v1/saved-views/${own.body.id}`
    const raised = await app.call('PATCH', path, { as: as.manager, body: { shared: true } })
    expect(raised.body.code).toBe('saved_view.too_many_shared')
    expect((await keep('deposits', as.admin, { shared: true })).status).toBe(201)
    expect((await keep('mail', as.manager, { shared: true })).status).toBe(201)
  })

  test('clients have no saved views', async () => {
    const trader = await firm.traderSession(await firm.trader())
    expect((await app.call('GET', '/v1/saved-views?list=deposits', { as: trader })).status).toBe(403)
  })
})
