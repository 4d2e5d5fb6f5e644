import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Scope } from '../../../platform/access/catalogue.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { createDesk } from '../../../testing/desk.ts'

let app: TestApp
let firm: Firm
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
})
afterAll(() => app.close())
const { client } = createDesk(() => ({ app, firm }))

/** Operations of a portal or a CRM that each also decide something and need the scope of that decision. */
const DECISIONS: readonly [name: string, own: Scope, needs: Scope, send: () => Promise<[string, string, object]>][] = [
  [
    'money for another client',
    'wallets:write',
    'gifts:write',
    async () => {
      const [from, to] = [await client('50'), await client('5')]
      const findWalletId = async (id: string) =>
        (await app.call('GET', `/v1/wallets?traderId=${id}`, { as: firm.as.owner })).body.data[0].id
      return [
        'POST',
        '/v1/transfers',
        { fromWalletId: await findWalletId(from), toWalletId: await findWalletId(to), amount: '1' },
      ]
    },
  ],
  ...(
    [
      ['a suspension', { status: 'suspended' }, 'holds:write'],
      ['a legal hold', { legalHold: true }, 'holds:write'],
      ['a broker', null, 'affiliate-decisions:write'],
    ] as const
  ).map(
    ([name, body, needs]) =>
      [
        name,
        'traders:write',
        needs,
        async () => ['PATCH', `/v1/traders/${await firm.trader()}`, body ?? { affiliateId: await affiliate() }],
      ] satisfies (typeof DECISIONS)[number],
  ),
  [
    'what an affiliate earns by',
    'affiliates:write',
    'affiliate-decisions:write',
    async () => ['PATCH', `/v1/affiliates/${await affiliate()}`, { status: 'active' }],
  ],
]

let codes = 0
async function affiliate(): Promise<string> {
  codes += 1
  const body = { traderId: await firm.trader(), code: `code${codes}` }
  return (await app.call('POST', '/v1/affiliates', { as: firm.as.operator, body })).body.id
}

test.each(DECISIONS)(
  'the operation “%s” refuses a key with %s alone, and accepts one that also has %s',
  async (_, own, needs, send) => {
    const [method, path, body] = await send()
    const without = await app.call(method, path, { as: await firm.key([own]), body })
    expect([without.status, without.body.detail]).toEqual([403, expect.stringContaining(needs)])
    const both = await app.call(method, path, { as: await firm.key([own, needs]), body })
    expect(both.status).toBeLessThan(300)
  },
)

test('lowering a risk also needs the scope of the decision, and raising it does not', async () => {
  const key = await firm.key(['traders:write'])
  const id = await firm.trader()
  const set = (riskLevel: string, as = key) => app.call('PATCH', `/v1/traders/${id}`, { as, body: { riskLevel } })
  expect((await set('high')).status).toBe(200)
  expect((await set('low')).status).toBe(403)
  const bulk = { ids: [id], changes: { riskLevel: 'low' } }
  const { results } = (await app.call('POST', '/v1/admin/traders/bulk-edit', { as: key, body: bulk })).body
  expect(results[0].code).toBe('forbidden')
  expect((await set('low', await firm.key(['traders:write', 'holds:write']))).status).toBe(200)
})
