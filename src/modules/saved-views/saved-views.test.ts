import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../testing/app.ts'

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
/** A view of a list of its own, so that tests do not meet. */
const aList = (): string => `list-${String.fromCharCode(97 + (count++ % 26))}${'x'.repeat(Math.floor(count / 26))}`
const keep = (list: string, as: Caller, more: object = {}) =>
  app.call('POST', '/v1/saved-views', {
    as,
    body: { list, name: 'Big ones', filters: { status: 'pending' }, look: LOOK, ...more },
  })
const namesOf = async (list: string, as: Caller): Promise<[string, boolean][]> => {
  const { body } = await app.call('GET', `/v1/saved-views?list=${list}`, { as })
  return body.data.map(({ name, isDefault }: { name: string; isDefault: boolean }) => [name, isDefault])
}

describe('saved views', () => {
  test('a view of one’s own is seen by nobody else, whatever their role', async () => {
    const list = aList()
    const { status, body } = await keep(list, firm.as.viewer, { look: { ...LOOK, widths: { amount: 140 } } })
    expect(status).toBe(201)
    expect(body).toMatchObject({ list, name: 'Big ones', filters: { status: 'pending' }, shared: false })
    expect(body.look.widths).toEqual({ amount: 140 })
    expect(await namesOf(list, firm.as.viewer)).toEqual([['Big ones', false]])
    for (const as of [firm.as.owner, other.as.owner]) {
      expect(await namesOf(list, as)).toEqual([])
      const path = `/v1/saved-views/${body.id}`
      expect((await app.call('PATCH', path, { as, body: { name: 'Taken' } })).status).toBe(404)
      expect((await app.call('DELETE', path, { as })).status).toBe(404)
    }
    expect(await namesOf(list, firm.as.viewer)).toEqual([['Big ones', false]])
  })

  test('sharing, and what is shared, is for managers', async () => {
    const list = aList()
    expect((await keep(list, firm.as.operator, { shared: true })).body.code).toBe('saved_view.sharing')
    const { body } = await keep(list, firm.as.manager, { shared: true })
    expect(await namesOf(list, firm.as.viewer)).toEqual([['Big ones', false]])
    expect(await namesOf(list, other.as.owner)).toEqual([])
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
    expect(await namesOf(list, firm.as.operator)).toEqual([['Own', false]])
  })

  test('a list opens with one own view and one shared one', async () => {
    const list = aList()
    const first = await keep(list, firm.as.manager, { name: 'A', isDefault: true })
    await keep(list, firm.as.manager, { name: 'B', isDefault: true })
    await keep(list, firm.as.manager, { name: 'C', shared: true, isDefault: true })
    expect(await namesOf(list, firm.as.manager)).toEqual([
      ['A', false],
      ['B', true],
      ['C', true],
    ])
    await app.call('PATCH', `/v1/saved-views/${first.body.id}`, { as: firm.as.manager, body: { isDefault: true } })
    expect(await namesOf(list, firm.as.manager)).toEqual([
      ['A', true],
      ['B', false],
      ['C', true],
    ])
    expect(await namesOf(list, firm.as.viewer)).toEqual([['C', true]])
  })

  test('a name is taken once by one person and list', async () => {
    const list = aList()
    await keep(list, firm.as.viewer)
    expect((await keep(list, firm.as.viewer)).body).toMatchObject({ status: 409, errors: [{ path: 'name' }] })
    expect((await keep(aList(), firm.as.viewer)).status).toBe(201)
    expect((await keep(list, firm.as.operator)).status).toBe(201)
  })

  test('what was typed into the search is not kept, nor anything that is no filter', async () => {
    const list = aList()
    const searched = await keep(list, firm.as.viewer, { filters: { q: 'darwish' } })
    expect(searched.body).toMatchObject({ status: 422, errors: [{ path: 'filters.q', code: 'not_allowed' }] })
    for (const filters of [{ 'a b': 'x' }, { status: 1 }, { status: 'x'.repeat(501) }])
      expect((await keep(list, firm.as.viewer, { filters })).status).toBe(422)
    expect(await namesOf(list, firm.as.viewer)).toEqual([])
  })

  test('there is an end to them', async () => {
    const list = aList()
    for (let index = 0; index < 50; index += 1) await keep(list, firm.as.viewer, { name: `View ${index}` })
    expect((await keep(list, firm.as.viewer, { name: 'One more' })).body.code).toBe('saved_view.too_many')
    expect(await namesOf(list, firm.as.viewer)).toHaveLength(50)
  })

  test('clients have none', async () => {
    const trader = await firm.traderSession(await firm.trader())
    expect((await app.call('GET', '/v1/saved-views?list=deposits', { as: trader })).status).toBe(403)
  })
})
