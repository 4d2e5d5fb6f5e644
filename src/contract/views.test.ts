import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Caller, TestApp } from '../testing/app.ts'
import { watchRows } from './database-digest.ts'
import { withKeys } from './routes.ts'
import { buildSample, send } from './samples.ts'
import { fill, type Place } from './seed-firm.ts'
import { everyRoute, furnished } from './seeded-app.ts'

const routes = everyRoute()
/** Besides reading, a view may do this operation. */
const END = 'POST /v1/admin/impersonate/:id/end'

let app: TestApp
let place: Place
let world: Awaited<ReturnType<typeof furnished>>
beforeAll(async () => {
  world = await furnished()
  app = world.app
  place = world.place
})
afterAll(() => world.close())

/** Starts a view as the highest role that can be viewed, or as a client. */
async function viewing(whom: 'colleague' | 'client'): Promise<Caller> {
  const boss = await place.make.member('platform_admin')
  const { body } =
    whom === 'client'
      ? await app.call('POST', '/v1/admin/impersonate/start', {
          as: boss,
          body: { traderId: place.client, reason: 'a test' },
        })
      : await app.call('POST', `/v1/users/${(await place.make.member('owner')).id}/impersonate`, { as: boss })
  return { id: boss.id, headers: { ...boss.headers, 'x-crm-view': body.token } }
}

describe('a view changes nothing', () => {
  test.each(withKeys(routes.filter(({ mutates, key, takesBytes }) => mutates && key !== END && !takesBytes)))(
    '%s is refused in a view',
    async (_, route) => {
      const sample = await buildSample(route, place, { as: await place.make.member('platform_admin') })
      for (const whom of ['colleague', 'client'] as const) {
        const as = await viewing(whom)
        const changed = watchRows(app.platform)
        const { status, body } = await send(route, place, { ...sample, headers: {} }, { as })
        expect([status, body.code]).toEqual([403, 'impersonating'])
        expect(changed()).toEqual([])
      }
    },
  )
})

describe('what belongs to the viewed person alone is not read in a view', () => {
  test('every read that is refused in a view is listed, and so is every route that answers bytes', async () => {
    const as = await viewing('colleague')
    const closed: string[] = []
    const bytes: string[] = []
    for (const route of routes.filter(({ mutates, role }) => !mutates && role !== 'public')) {
      const { status, body } = await app.call('GET', fill(route.path, place.ids), { as })
      if (status === 403 && body?.code === 'impersonating') closed.push(route.key)
      else if (route.path.includes('file') || route.path.includes('export')) bytes.push(route.key)
    }
    expect(closed.toSorted()).toEqual([
      'GET /v1/admin/traders/:id/pii-export',
      'GET /v1/api-keys',
      'GET /v1/auth/sessions',
      'GET /v1/kept-records',
      'GET /v1/kyc/documents/:id/file',
      'GET /v1/mails/:id',
    ])
    // these CSV files have what the list shows
    expect(bytes.toSorted()).toEqual([
      'GET /v1/accounts/export.csv',
      'GET /v1/adjustments/export.csv',
      'GET /v1/affiliates/commissions/export.csv',
      'GET /v1/affiliates/export.csv',
      'GET /v1/affiliates/payouts/export.csv',
      'GET /v1/audit/export.csv',
      'GET /v1/deposits/export.csv',
      'GET /v1/kyc/submissions/export.csv',
      'GET /v1/leads/export.csv',
      'GET /v1/platforms/days/export.csv',
      'GET /v1/platforms/deals/export.csv',
      'GET /v1/platforms/findings/export.csv',
      'GET /v1/platforms/instructions/export.csv',
      'GET /v1/platforms/logins/export.csv',
      'GET /v1/positions/export.csv',
      'GET /v1/sanctions/hits/export.csv',
      'GET /v1/support/tickets/export.csv',
      'GET /v1/traders/export.csv',
      'GET /v1/transfers/export.csv',
      'GET /v1/users/export.csv',
      'GET /v1/wallets/export.csv',
      'GET /v1/withdrawals/export.csv',
    ])
  })
})
