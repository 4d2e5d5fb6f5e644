import { afterAll, beforeAll, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { createDesk } from '../../../testing/desk.ts'
import { kycSubmissions } from '../../clients/kyc/kyc.table.ts'
import type { Explanation } from '../../clients/sanctions/matcher.ts'
import { sanctionsHits } from '../../clients/sanctions/sanctions.table.ts'

let app: TestApp
let firm: Firm
const { client, ask, act } = createDesk(() => ({ app, firm }))
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
})
afterAll(() => app.close())

const call = (as: Caller, method: string, path: string, body: object) => app.call(method, path, { as, body })
const behind = <R>(run: Parameters<ReturnType<typeof systemCtx>['write']>[1]) =>
  systemCtx(app.platform, firm.tenantId, 'test').write('test.write', run) as Promise<R>

/** Decisions about a client, tried by a colleague who gave that client an address of their own. */
const DECISIONS: readonly [
  name: string,
  path: (id: string) => Promise<[method: string, path: string, body: object]>,
][] = [
  ...(['approve', 'reject'] as const).map(
    (what) =>
      [
        `papers: ${what}`,
        async (traderId: string) => {
          const id = await behind<string>((tx) => tx.insert(kycSubmissions, { traderId, level: 1 }).id)
          const body = what === 'approve' ? {} : { detail: 'No.', kind: 'retry' }
          return ['POST', `/v1/kyc/submissions/${id}/${what}`, body]
        },
      ] satisfies (typeof DECISIONS)[number],
  ),
  ...(['clear', 'confirm'] as const).map(
    (what) =>
      [
        `match: ${what}`,
        async (traderId: string) => {
          const explanation = { listedAs: 'X' } as Explanation
          const hit = {
            traderId,
            source: 'un',
            reference: 'R',
            name: 'X',
            score: 99,
            explanation,
            listHash: 'h',
          } as const
          const id = await behind<string>((tx) => tx.insert(sanctionsHits, hit).id)
          return ['POST', `/v1/sanctions/hits/${id}/${what}`, { reason: 'seen' }]
        },
      ] satisfies (typeof DECISIONS)[number],
  ),
  [
    'lifting a hold',
    async (id) => {
      await call(firm.as.owner, 'PATCH', `/v1/traders/${id}`, { legalHold: true })
      return ['PATCH', `/v1/traders/${id}`, { legalHold: false }]
    },
  ],
  [
    'lowering a risk',
    async (id) => {
      await call(firm.as.owner, 'PATCH', `/v1/traders/${id}`, { riskLevel: 'high' })
      return ['PATCH', `/v1/traders/${id}`, { riskLevel: 'low' }]
    },
  ],
  [
    'merging them',
    async (id) => ['POST', '/v1/admin/traders/merge', { primaryId: id, secondaryId: await firm.trader() }],
  ],
  [
    'merging into them',
    async (id) => ['POST', '/v1/admin/traders/merge', { primaryId: await firm.trader(), secondaryId: id }],
  ],
  [
    'paying what others approved',
    async (id) => {
      const { body } = await ask(id, '5', firm.as.operator)
      expect((await act(body.id, 'approve', firm.as.owner)).body.status).toBe('approved')
      return ['POST', `/v1/withdrawals/${body.id}/pay`, { paymentReference: `P-${id}` }]
    },
  ],
]

test.each(DECISIONS)('the decision “%s” is refused to a colleague who could be the client', async (_, decision) => {
  const traderId = await client('50')
  const crook = firm.as.admin
  const address = { email: `own${traderId}@elsewhere.test` }
  expect((await call(crook, 'PATCH', `/v1/traders/${traderId}`, address)).status).toBe(200)
  const [method, path, body] = await decision(traderId)
  const refused = await call(crook, method, path, body)
  expect([refused.status, refused.body.code]).toEqual([403, 'own_client'])
  expect((await call(firm.as.platform_admin, method, path, body)).status).toBeLessThan(300)
})

test('a colleague who could be the client neither approves documents in bulk nor deletes; everyone may suspend', async () => {
  const traderId = await firm.trader()
  const crook = firm.as.admin
  await call(crook, 'PATCH', `/v1/traders/${traderId}`, { email: 'bulk@elsewhere.test' })
  await behind((tx) => tx.insert(kycSubmissions, { traderId, level: 1 }).id)
  const { results } = (await call(crook, 'POST', '/v1/admin/traders/bulk-approve-kyc', { ids: [traderId] })).body
  expect(results[0].code).toBe('own_client')
  expect((await app.call('DELETE', `/v1/traders/${traderId}`, { as: crook })).body.code).toBe('own_client')
  expect((await call(crook, 'PATCH', `/v1/traders/${traderId}`, { legalHold: true })).status).toBe(200)
})
