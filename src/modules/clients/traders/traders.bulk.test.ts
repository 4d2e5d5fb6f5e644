import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DAY } from '../../../platform/clock.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'

let app: TestApp
let firm: Firm
let other: Firm

beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  other = await app.firm('beta')
})
afterAll(() => app.close())

const edit = (ids: string[], changes: object, as = firm.as.operator) =>
  app.call('POST', '/v1/admin/traders/bulk-edit', { as, body: { ids, changes } })

describe('changing many clients', () => {
  test('a bulk change changes each client separately; an unchanged one is no error and fires no event', async () => {
    const [a, b] = [await firm.trader(), await firm.trader()]
    const foreign = await other.trader()
    await edit([a], { addSegments: ['gold'] })
    firm.effects()
    const { status, body } = await edit([a, b, foreign, 'trd_nobody'], { addSegments: ['gold'] })
    expect(status).toBe(200)
    expect(body.results).toEqual([
      { id: a, ok: true, changed: [] },
      { id: b, ok: true, changed: ['segments'] },
      { id: foreign, ok: false, code: 'not_found', message: 'There is nothing here.' },
      { id: 'trd_nobody', ok: false, code: 'not_found', message: 'There is nothing here.' },
    ])
    expect(firm.effects()).toEqual({ events: ['trader.updated'], actions: ['trader.bulk_edit'] })
    expect(other.effects()).toEqual({ events: [], actions: [] })
  })

  test('segments, tags, assignment and risk of many clients are changed at once, and back again', async () => {
    const id = await firm.trader()
    await edit([id], { addSegments: ['x', 'y'] })
    await edit([id], { addTags: ['old'] })
    const labels = { addSegments: ['z'], removeSegments: ['x'], addTags: ['vip'], removeTags: ['old'] }
    const changes = { ...labels, assignedTo: firm.as.manager.id, riskLevel: 'high' }
    expect((await edit([id], changes)).body.results[0].changed).toEqual(['segments', 'tags', 'assignedTo', 'riskLevel'])
    const { body } = await app.call('GET', `/v1/traders/${id}`, { as: firm.as.viewer })
    expect(body).toMatchObject({
      segments: ['y', 'z'],
      tags: ['vip'],
      assignedTo: firm.as.manager.id,
      riskLevel: 'high',
    })
    const back = { addSegments: ['x'], removeSegments: ['z'], assignedTo: null, riskLevel: 'low' }
    const refused = (await edit([id], back)).body.results[0]
    expect([refused.ok, refused.code]).toEqual([false, 'traders.needs_manager'])
    await edit([id], back, firm.as.manager)
    const after = await app.call('GET', `/v1/traders/${id}`, { as: firm.as.viewer })
    expect(after.body).toMatchObject({ segments: ['y', 'x'], assignedTo: null, riskLevel: 'low' })
  })

  test('a bulk change reports a client with too many segments, and changes the others', async () => {
    const [full, free] = [await firm.trader(), await firm.trader()]
    await edit([full], { addSegments: Array.from({ length: 50 }, (_, n) => `s${n}`) })
    const { body } = await app.call('POST', '/v1/admin/traders/bulk-segments', {
      as: firm.as.operator,
      body: { ids: [full, free], add: ['one more'] },
    })
    expect(body.results.map(({ ok, code }: { ok: boolean; code?: string }) => code ?? ok)).toEqual([
      'traders.too_many_segments',
      true,
    ])
  })

  test('an invalid bulk change is a 422 that names its field, and a viewer changes nothing', async () => {
    const id = await firm.trader()
    const cases: [object, string][] = [
      [{ ids: [id], changes: {} }, 'changes'],
      [{ ids: [id], changes: { assignedTo: other.as.owner.id } }, 'changes.assignedTo'],
      [{ ids: [], changes: { riskLevel: 'low' } }, 'ids'],
      [{ ids: [id, id], changes: { riskLevel: 'low' } }, 'ids'],
      [{ ids: Array.from({ length: 501 }, (_, n) => `trd_${n}`), changes: { riskLevel: 'low' } }, 'ids'],
      [{ ids: [id], changes: { riskLevel: 'huge' } }, 'changes.riskLevel'],
      [{ ids: [id], changes: { legalHold: true } }, 'changes.legalHold'],
    ]
    for (const [body, path] of cases) {
      const answer = await app.call('POST', '/v1/admin/traders/bulk-edit', { as: firm.as.operator, body })
      expect([answer.status, answer.body.errors[0].path]).toEqual([422, path])
    }
    const nothing = await app.call('POST', '/v1/admin/traders/bulk-segments', {
      as: firm.as.operator,
      body: { ids: [id] },
    })
    expect(nothing.body.errors[0].path).toBe('add')
    expect((await edit([id], { riskLevel: 'high' }, firm.as.viewer)).status).toBe(403)
  })
})

describe('the header of the list', () => {
  test('the numbers above the list count the firm’s own clients without deleted ones', async () => {
    const lone = await app.firm('gamma')
    const empty = await app.call('GET', '/v1/admin/traders/stats', { as: lone.as.viewer })
    expect(empty.body).toMatchObject({ total: 0, newIn7Days: 0, byStatus: { active: 0, suspended: 0, closed: 0 } })
    await lone.trader({ kycLevel: 2 })
    await lone.trader({ status: 'suspended' })
    const gone = await lone.trader()
    await app.call('DELETE', `/v1/traders/${gone}`, { as: lone.as.manager })
    app.clock.advance(8 * DAY)
    const id = await lone.trader()
    await app.call('PATCH', `/v1/traders/${id}`, { as: lone.as.operator, body: { riskLevel: 'high' } })
    const { body } = await app.call('GET', '/v1/admin/traders/stats', { as: lone.as.viewer })
    expect(body).toEqual({
      total: 3,
      byStatus: { active: 2, suspended: 1, closed: 0 },
      byKycStatus: { none: 3, requested: 0, approved: 0, rejected: 0 },
      byKycLevel: { '0': 2, '1': 0, '2': 1, '3': 0 },
      byRiskLevel: { low: 2, medium: 0, high: 1 },
      newIn7Days: 1,
      newIn30Days: 3,
      asOf: expect.any(String),
    })
  })
})

describe('all of one client', () => {
  test('the answer with all of one client has the newest rows of each kind with totals, limited to role and scopes', async () => {
    const id = await firm.trader()
    for (let n = 0; n < 3; n += 1)
      await app.call('POST', '/v1/deposits', {
        as: firm.as.operator,
        body: { traderId: id, currency: 'EUR', amount: `${n + 1}`, method: 'bank' },
      })
    const path = `/v1/admin/traders/${id}/full`
    const { status, body } = await app.call('GET', path, { as: firm.as.viewer })
    expect(status).toBe(200)
    expect(body.trader.id).toBe(id)
    expect([body.deposits.total, body.deposits.data[0].amount]).toEqual([3, '3.00'])
    expect(body.withdrawals).toEqual({ total: 0, data: [] })
    expect(body.audit.total).toBe(body.audit.data.length)
    const key = await firm.key(['traders:read', 'deposits:read'])
    const cut = await app.call('GET', path, { as: key })
    expect([cut.body.deposits.total, cut.body.withdrawals, cut.body.kycDocuments]).toEqual([3, null, null])
    expect(cut.body.notes).toEqual({ total: 0, data: [] })
    expect((await app.call('GET', path, { as: other.as.owner })).status).toBe(404)
  })
})
