import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { createEvidenceDesk } from '../../../testing/evidence-desk.ts'

let app: TestApp
let firm: Firm
let other: Firm
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  other = await app.firm('beta')
})
afterAll(() => app.close())

const { deposited, emptied, paidOut, verified } = createEvidenceDesk(() => ({ app, firm }))
const call = (method: string, path: string, as: Caller = firm.as.owner, body?: object) =>
  app.call(method, path, { as, ...(body && { body }) })
const remove = (id: string, as: Caller = firm.as.manager) => call('DELETE', `/v1/traders/${id}`, as)
const mails = () =>
  app.platform.reader
    .all<{ subject: string; recipient: string }>(
      `SELECT subject, recipient FROM mails WHERE tenant_id = ? AND subject LIKE '%deleted a client%'`,
      [firm.tenantId],
    )
    .map(({ subject, recipient }) => `${recipient}: ${subject}`)

const EVIDENCE: [string, (id: string) => Promise<unknown>][] = [
  ['a settled deposit', async (id) => deposited(id).then(() => emptied(id, '10'))],
  ['a part of a deposit', async (id) => deposited(id, '4').then(() => emptied(id, '4'))],
  ['a paid withdrawal', async (id) => deposited(id).then(() => paidOut(id, { kind: 'bank', reference: `CY17 ${id}` }))],
  ['approved documents', verified],
  [
    'approved documents that were revoked',
    async (id) => {
      const { submissionId } = await verified(id)
      const path = `/v1/kyc/submissions/${submissionId}/revoke`
      expect((await call('POST', path, firm.as.manager, { reason: 'forged' })).status).toBe(200)
    },
  ],
]

describe('a client whose records the law keeps', () => {
  test.each(EVIDENCE)('a client with %s is deleted by an admin, and the owners are mailed', async (_, happened) => {
    const id = await firm.trader()
    await happened(id)
    const before = mails().length
    firm.effects()
    const refused = await remove(id)
    expect([refused.status, refused.body.code]).toEqual([403, 'traders.needs_admin'])
    expect(refused.body.detail).toContain('only an admin or owner may delete this client')
    expect(firm.effects()).toEqual({ events: [], actions: [] })
    expect((await remove(id, await firm.key(['traders:write'], 'manager'))).body.code).toBe('traders.needs_admin')
    expect((await remove(id, other.as.owner)).status).toBe(404)
    expect(mails()).toHaveLength(before)
    expect((await remove(id, firm.as.admin)).status).toBe(204)
    expect(firm.effects().events).toEqual(['trader.deleted'])
    expect(mails().slice(before)).toEqual([
      'owner@alpha.test: admin of alpha deleted a client of whom the law keeps records',
    ])
  })

  test('an admin’s key may delete a client whose records the law keeps, like the admin', async () => {
    const id = await firm.trader()
    await verified(id)
    expect((await remove(id, await firm.key(['traders:write'], 'admin'))).status).toBe(204)
    expect(mails().at(-1)).toContain('admin of alpha deleted a client')
  })

  test('the law keeps a client’s records even if they are on a client merged into them', async () => {
    const [primaryId, secondaryId] = [await firm.trader(), await firm.trader()]
    await deposited(secondaryId)
    await emptied(secondaryId, '10')
    await call('POST', '/v1/admin/traders/merge', firm.as.owner, { primaryId, secondaryId })
    expect((await remove(primaryId)).body.code).toBe('traders.needs_admin')
  })

  test('a client without records that the law keeps is deleted by a manager, without a mail', async () => {
    const id = await firm.trader()
    await call('POST', '/v1/kyc/submissions', firm.as.operator, { traderId: id, level: 1 })
    const { body } = await call('POST', '/v1/deposits', firm.as.operator, {
      traderId: id,
      currency: 'EUR',
      amount: '10',
      method: 'bank',
    })
    await call('POST', `/v1/deposits/${body.id}/fail`, firm.as.manager, { reason: 'never came' })
    const before = mails()
    expect((await remove(id)).status).toBe(204)
    expect(mails()).toEqual(before)
  })
})
