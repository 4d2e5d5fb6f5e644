import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Answer, Caller, TestApp } from '../testing/app.ts'
import { watchRows } from './database-digest.ts'
import { type Route, withKeys } from './routes.ts'
import { buildSample, send } from './samples.ts'
import { fill, type Place } from './seed-firm.ts'
import { everyRoute, furnished } from './seeded-app.ts'

// Introducing brokers, or all clients, may call these operations, which must show a broker nothing of another branch.
const routes = everyRoute().filter(
  ({ audience, role }) => audience.includes('ib') || audience.includes('trader') || role === 'any',
)

type Broker = { trader: string; affiliate: string; as: Caller }
let app: TestApp
let place: Place
let world: Awaited<ReturnType<typeof furnished>>
/** The first three brokers are three levels of one branch; the last one is in another branch. */
let top: Broker
let middle: Broker
let lowest: Broker
let other: Broker
/** Holds the ids, codes and names of the people and rows of each branch. */
const namesByBranch = new Map<string, string[]>()

beforeAll(async () => {
  world = await furnished()
  app = world.app
  place = world.place
  const broker = async (parent: Broker | null): Promise<Broker> => {
    const trader = await place.make.client()
    const affiliate = await place.make.affiliate(trader, parent?.affiliate ?? null)
    const as = await place.make.traderSession(trader)
    const { body } = await app.call('GET', `/v1/affiliates/${affiliate}`, { as: place.firm.as.owner })
    const brought = await place.make.client()
    await app.call('PATCH', `/v1/traders/${brought}`, { as: place.firm.as.owner, body: { affiliateId: affiliate } })
    const client = await app.call('GET', `/v1/traders/${brought}`, { as: place.firm.as.owner })
    const line = await place.make.commission(affiliate, brought)
    const payout = await place.make.payout(affiliate)
    namesByBranch.set(affiliate, [
      trader,
      affiliate,
      body.code,
      body.planId,
      brought,
      client.body.email,
      client.body.lastName,
      line,
      payout,
    ])
    return { trader, affiliate, as }
  }
  top = await broker(null)
  middle = await broker(top)
  lowest = await broker(middle)
  other = await broker(null)
})
afterAll(() => world.close())

const buildIds = ({ affiliate }: Broker): Readonly<Record<string, string>> => {
  const [, , , , , , , line = '', payout = ''] = namesByBranch.get(affiliate) ?? []
  return {
    ...place.ids,
    '/v1/affiliates/:id': affiliate,
    '/v1/affiliates/commissions/:id': line,
    '/v1/affiliates/payouts/:id': payout,
  }
}
const leaks = (text: string, brokers: readonly Broker[]): string[] =>
  brokers.flatMap(({ affiliate }) => namesByBranch.get(affiliate) ?? []).filter((name) => text.includes(name))
/** Reads a list with its largest page and its count. */
async function read(route: Route, broker: Broker): Promise<Answer> {
  const { path } = await buildSample(
    route,
    { ...place, ids: buildIds(broker) },
    { as: broker.as, trader: broker.trader },
  )
  const known = Object.keys(route.query?.properties ?? {})
  const wanted = ['limit=200', 'count=true'].filter((one) => known.includes(one.split('=')[0] ?? ''))
  return app.call('GET', `${path}${path.includes('?') ? '&' : '?'}${wanted.join('&')}`, { as: broker.as })
}

describe('what a broker reads', () => {
  const reads = routes.filter(({ mutates }) => !mutates)
  test.each(withKeys(reads.filter(({ path }) => !path.endsWith('/stream'))))(
    '%s shows a broker nothing of another branch, nor of the levels above',
    async (_, route) => {
      for (const [broker, foreign] of [
        [middle, [top, other]],
        [lowest, [top, middle, other]],
        [other, [top, middle, lowest]],
      ] as const) {
        const { status, text } = await read(route, broker)
        if (route.params.length === 0) expect(status).toBeLessThan(500)
        expect(leaks(text, foreign)).toEqual([])
      }
      // staff read the same rows, which proves that the test would find the names
      if (route.operationId === 'affiliates.list') {
        const { text } = await app.call('GET', '/v1/affiliates?limit=200', { as: place.firm.as.owner })
        expect(leaks(text, [other]).length).toBeGreaterThan(1)
      }
    },
  )

  test('a broker sees affiliates and counts of lower levels, and no client, balance or commission line', async () => {
    const [, , code = '', , client = '', email = '', lastName = '', line = ''] =
      namesByBranch.get(lowest.affiliate) ?? []
    const seen: string[] = []
    for (const route of routes.filter(({ audience, mutates }) => audience.includes('ib') && !mutates)) {
      const { text } = await read(route, middle)
      seen.push(text)
    }
    const all = seen.join('\n')
    expect(all).toContain(lowest.affiliate)
    expect(all).toContain(code)
    for (const hidden of [client, email, lastName, line, lowest.trader]) expect(all).not.toContain(hidden)
    const below = await app.call('GET', `/v1/affiliates/${lowest.affiliate}`, { as: middle.as })
    expect(below.body).toMatchObject({ traderId: null, planId: null, stats: { clients: 1, balances: [] } })
    const clients = await app.call('GET', `/v1/affiliates/${lowest.affiliate}/clients`, { as: middle.as })
    expect(clients.status).toBe(404)
  })

  test('a broker sees only masked names of their own clients', async () => {
    const [, , , , , email = '', lastName = ''] = namesByBranch.get(middle.affiliate) ?? []
    const { body, text } = await app.call('GET', `/v1/affiliates/${middle.affiliate}/clients`, { as: middle.as })
    expect(text).not.toContain(email)
    expect(text).not.toContain(lastName)
    expect(body.data).toMatchObject([{ firstName: 'A.', email: `${email[0]}•••@${email.split('@')[1]?.[0]}•••.test` }])
  })
})

describe('an id of another branch', () => {
  const byId = routes.filter(({ audience, params }) => audience.includes('ib') && params.length > 0)
  test.each(withKeys(byId))(
    '%s answers an id of another branch as an unknown id, byte for byte, and changes nothing',
    async (_, route) => {
      const absent = Object.fromEntries(
        Object.entries(buildIds(other)).map(([at, id]) => [at, `${id.slice(0, -6)}000000`]),
      )
      const changed = watchRows(app.platform)
      for (const [broker, foreign] of [
        [lowest, top],
        [middle, other],
        [other, lowest],
      ] as const) {
        const found = await app.call(route.method, fill(route.path, buildIds(foreign)), { as: broker.as })
        const missing = await app.call(route.method, fill(route.path, absent), { as: broker.as })
        expect(found.status).toBe(404)
        const plain = ({ text, body }: Answer) => text.replace(String(body?.requestId), '')
        expect(plain(found)).toBe(plain(missing))
      }
      expect(changed()).toEqual([])
    },
  )

  test('an id of another branch in a body is answered as an unknown id', async () => {
    const changed = watchRows(app.platform)
    const ask = (affiliateId: string) =>
      app.call('POST', '/v1/affiliates/payouts', {
        as: middle.as,
        body: { affiliateId, currency: 'EUR', amount: '60' },
      })
    for (const id of [top.affiliate, lowest.affiliate, other.affiliate, `${other.affiliate.slice(0, -6)}000000`])
      expect((await ask(id)).status).toBe(404)
    expect(changed()).toEqual([])
  })

  test('every write of a broker succeeds, and its answer names nothing of other branches', async () => {
    for (const route of routes.filter(({ audience, mutates }) => audience.includes('ib') && mutates)) {
      const trader = await place.make.trader()
      await place.make.affiliate(trader, middle.affiliate)
      const acting = { as: await place.make.traderSession(trader), trader }
      const { status, text } = await send(route, place, await buildSample(route, place, acting), acting)
      expect(status).toBeLessThan(300)
      expect(leaks(text, [top, middle, lowest, other])).toEqual([])
    }
  })
})
