import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { getRank, ROLES, SCOPES, type Scope } from '../platform/access/catalogue.ts'
import type { Caller, TestApp } from '../testing/app.ts'
import { watchRows } from './database-digest.ts'
import { CLOSED_TO_KEYS, type Route, withKeys } from './routes.ts'
import type { Sample } from './sample.ts'
import { buildSample, send } from './samples.ts'
import { fill, type Place } from './seed-firm.ts'
import { everyRoute, furnished } from './seeded-app.ts'

const routes = everyRoute().filter(({ mutates }) => mutates)
const guarded = routes.filter(({ role }) => role !== 'public')
const everyScope = Object.keys(SCOPES).filter((name): name is Scope => name in SCOPES)

let app: TestApp
let place: Place
let world: Awaited<ReturnType<typeof furnished>>
beforeAll(async () => {
  world = await furnished()
  app = world.app
  place = world.place
})
afterAll(() => world.close())

/** Sends a sample, and waits for the end of its background work, which changes rows as well. */
async function sendAndSettle(...request: Parameters<typeof send>): ReturnType<typeof send> {
  const answer = await send(...request)
  if (answer.status === 202 || request[0].path.startsWith('/v1/system/')) await world.settled()
  return answer
}

/** Runs a request that must be refused, and expects that no row changes. */
async function refusedUntouched(run: () => Promise<{ status: number }>, statuses: readonly number[]): Promise<void> {
  const changed = watchRows(app.platform)
  const { status } = await run()
  expect(statuses).toContain(status)
  expect(changed()).toEqual([])
}
const boss = (): Promise<Caller> => place.make.member('platform_admin')
const robot = async (): Promise<Caller> => place.make.key((await boss()).id, everyScope)
const wasDone = (route: Route, sample: Sample, status: number): boolean =>
  sample.status === status || route.success.has(status)

test('a changed row is reported since the watch began, and not by a watch that begins later', async () => {
  const changed = watchRows(app.platform)
  await place.make.trader()
  expect(changed()).toContain('traders')
  expect(watchRows(app.platform)()).toEqual([])
})

describe('a right request from the wrong caller', () => {
  test.each(withKeys(guarded))('%s by the wrong caller changes nothing', async (_, route) => {
    const sample = await buildSample(route, place, { as: await boss() })
    const stranger = await place.firm.traderSession(await place.make.trader())
    await refusedUntouched(() => send(route, place, sample), [401])
    for (const role of ROLES) {
      if (route.role === 'any' || route.role === 'public' || getRank(role) >= getRank(route.role)) continue
      await refusedUntouched(() => send(route, place, sample, { as: place.firm.as[role] }), [403])
    }
    if (route.role !== 'any' && !route.audience.includes('trader'))
      await refusedUntouched(() => send(route, place, sample, { as: stranger }), [403])
  })
})

describe('a right request about nothing', () => {
  test.each(withKeys(routes.filter(({ params }) => params.length > 0)))(
    '%s about an unknown id changes nothing',
    async (_, route) => {
      const as = await boss()
      const sample = await buildSample(route, place, { as })
      const nothing = Object.fromEntries(
        Object.entries(place.ids).map(([path, id]) => [path, `${id.slice(0, -6)}000000`]),
      )
      const search = sample.path.includes('?') ? sample.path.slice(sample.path.indexOf('?')) : ''
      const path = `${fill(route.path, nothing)}${search}`
      const caller = route.role === 'public' ? {} : { as }
      await refusedUntouched(
        () => send(route, place, { ...sample, path }, caller),
        route.role === 'public' ? [401, 403] : [404],
      )
    },
  )
})

describe('a change of a row that is newer than the caller knows', () => {
  /** These rows have no version: they are ended or removed, never changed. */
  const WITHOUT_VERSION = ['DELETE /v1/auth/sessions/:id', 'DELETE /v1/fx/rates/:id']
  test.each(withKeys(routes.filter(({ method }) => method === 'PATCH' || method === 'DELETE' || method === 'PUT')))(
    '%s with an outdated version changes nothing',
    async (_, route) => {
      const as = await boss()
      const sample = await buildSample(route, place, { as })
      if (route.role === 'public' || WITHOUT_VERSION.includes(route.key)) return
      await refusedUntouched(() => send(route, place, { ...sample, headers: { 'if-match': '"999"' } }, { as }), [412])
    },
  )
  test.each(
    withKeys(guarded.filter(({ method, detail }) => method === 'POST' && [detail['x-errors']].flat().includes(412))),
  )('%s with an outdated version of the row changes nothing', async (_, route) => {
    const as = await boss()
    const sample = await buildSample(route, place, { as })
    await refusedUntouched(() => send(route, place, { ...sample, headers: { 'if-match': '"999"' } }, { as }), [412])
  })
})

describe('a request that was done, once more', () => {
  test.each(withKeys(routes))(
    '%s is done again when it is repeated, or is refused and changes nothing',
    async (_, route) => {
      const as = route.role === 'public' ? {} : { as: await boss() }
      const sample = await buildSample(route, place, { as: as.as ?? (await boss()) })
      const first = await sendAndSettle(route, place, sample, as)
      expect(wasDone(route, sample, first.status)).toBe(true)
      const changed = watchRows(app.platform)
      const again = await sendAndSettle(route, place, sample, as)
      expect(again.status).toBeLessThan(500)
      if (!wasDone(route, sample, again.status)) expect(changed()).toEqual([])
    },
  )

  /**
   * The answers of these operations are not stored. The installation's key is in no table, so a repeated request must
   * give the password again. A renewed session continues under its new cookie; without that, the user signs in. A kept
   * record that is opened again is audited again.
   */
  const NOT_KEPT = new Set([
    'POST /v1/system/recovery-key/words',
    'POST /v1/auth/reauthenticate',
    'POST /v1/kept-records/:id/open',
  ])
  test.each(withKeys(guarded.filter(({ method, key }) => method === 'POST' && !NOT_KEPT.has(key))))(
    '%s repeated with its Idempotency-Key returns the first answer',
    async (_, route) => {
      const as = route.key in CLOSED_TO_KEYS ? await boss() : await robot()
      const sample = await buildSample(route, place, { as })
      const headers = { ...sample.headers, 'idempotency-key': place.unique('key') }
      const changedFirst = watchRows(app.platform)
      const first = await sendAndSettle(route, place, { ...sample, headers }, { as })
      expect([first.status, wasDone(route, sample, first.status)]).toEqual([first.status, true])
      const didChange = changedFirst().length > 0
      const changed = watchRows(app.platform)
      const again = await sendAndSettle(route, place, { ...sample, headers }, { as })
      expect([again.status, again.body]).toEqual([first.status, first.body])
      expect(changed()).toEqual([])
      // the answer of a request that changed nothing is not stored, so it is done again with the same result
      if (didChange) expect(again.headers.get('idempotent-replayed')).toBe('true')
      if (route.body) {
        const other = { ...sample, headers, body: { ...Object(sample.body), surprise: 1 } }
        await refusedUntouched(() => send(route, place, other, { as }), [422])
      }
    },
  )
})
