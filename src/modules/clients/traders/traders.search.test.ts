import { afterAll, beforeAll, expect, test } from 'bun:test'
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

let mailbox = 0
const create = (values: object, as = firm.as.operator) => {
  mailbox += 1
  return app.call('POST', '/v1/traders', { as, body: { email: `somebody${mailbox}@mail.test`, ...values } })
}
const list = async (query: string): Promise<string[]> =>
  (await app.call('GET', `/v1/traders?${query}`, { as: firm.as.operator })).body.data.map(
    ({ id }: { id: string }) => id,
  )

test('clients are searched by any four digits of the phone and by id, in their own firm only', async () => {
  const { id } = (await create({ phone: '+971507881107' })).body
  await create({ phone: '+971551107445' }, other.as.operator)
  for (const q of ['1107', '00971507881107', '+971 (50) 788-1107', '507881', id])
    expect([q, await list(`q=${encodeURIComponent(q)}`)]).toEqual([q, [id]])
  for (const q of ['11077', '7881 1108', '107', '88110750'])
    expect(await list(`q=${encodeURIComponent(q)}`)).toEqual([])
})

test.each([
  ['User@MÜNCHEN.example', 'user@xn--mnchen-3ya.example', 'user@xn--mnchen-3ya.example'],
  ['jürgen@example.de', 'jürgen@example.de', 'JU\u0308RGEN@example.de'],
  ['taro.@docomo.example', 'taro.@docomo.example', 'TARO.@docomo.example'],
])(
  'the address %s is stored as %s; %s finds the client, and is refused for a second one',
  async (email, stored, again) => {
    const created = await create({ email })
    expect([created.status, created.body.email]).toEqual([201, stored])
    expect((await create({ email: again })).body.errors[0]).toMatchObject({ path: 'email' })
    for (const q of [email, again]) {
      const path = `/v1/search?q=${encodeURIComponent(q)}`
      const { body } = await app.call('GET', path, { as: firm.as.operator })
      expect(body.data[0]?.id).toBe(created.body.id)
    }
  },
)

test('a search of clients pages through all its matches once', async () => {
  const ids: string[] = []
  for (let n = 0; n < 7; n++) ids.unshift((await create({ firstName: 'Pageable' })).body.id)
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const answer: Awaited<ReturnType<TestApp['call']>> = await app.call(
      'GET',
      `/v1/traders?q=pageable&limit=3${cursor ? `&cursor=${cursor}` : ''}`,
      { as: firm.as.viewer },
    )
    seen.push(...answer.body.data.map((row: { id: string }) => row.id))
    cursor = answer.body.nextCursor
  } while (cursor)
  expect(seen).toEqual(ids)
})

test('a list and its file are refused if the request names more ids than one answer takes', async () => {
  const ids = (count: number): string => Array.from({ length: count }, (_, n) => `trd_${n}`).join(',')
  for (const path of ['/v1/traders', '/v1/traders/export.csv']) {
    expect((await app.call('GET', `${path}?ids=${ids(200)}`, { as: firm.as.owner })).status).toBe(200)
    const { status, body } = await app.call('GET', `${path}?ids=${ids(201)}`, { as: firm.as.owner })
    expect([status, body.errors]).toMatchObject([422, [{ path: 'query.ids', code: 'invalid' }]])
  }
})
