import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { isScope, SCOPES } from '../platform/access/catalogue.ts'
import { MINUTE } from '../platform/clock.ts'
import type { Answer, Caller, TestApp } from '../testing/app.ts'
import { HOW_TO_UPDATE, readSnapshot } from '../testing/snapshot.ts'
import { askedRoles, asking, quiet } from './fresh-asking.ts'
import { type Route, withKeys } from './routes.ts'
import type { Sample } from './sample.ts'
import { buildSample, send } from './samples.ts'
import type { Place } from './seed-firm.ts'
import { everyRoute, furnished } from './seeded-app.ts'

/** The routes that change something or return a file; the table says which of them need a fresh sign-in. */
const told = everyRoute().filter(
  ({ mutates, fresh, success, detail }) =>
    mutates || fresh !== 'no' || detail['x-csv'] === true || [...success.values()].includes(null),
)
const always = withKeys(told.filter(({ fresh }) => fresh === 'yes'))
const sometimes = withKeys(told.filter(({ fresh }) => fresh.startsWith('if ')))
const never = withKeys(told.filter(({ fresh, mutates, role }) => fresh === 'no' && mutates && role !== 'public'))

const everyScope = Object.keys(SCOPES).filter(isScope)

let app: TestApp
let place: Place
let world: Awaited<ReturnType<typeof furnished>>
beforeAll(async () => {
  world = await furnished()
  app = world.app
  place = world.place
})
afterAll(() => world.close())

const roleFor = ({ role, key }: Route) => askedRoles[key] ?? (role === 'public' || role === 'any' ? 'viewer' : role)
/** Returns a caller of the least role whose password was given 16 minutes ago, as a thief of a cookie would have. */
const stale = (route: Route): Promise<Caller> => place.make.member(roleFor(route), app.clock.now() - 16 * MINUTE)
const changes = (): unknown => app.platform.connection.get('SELECT total_changes() AS n', [])
const wanted = (route: Route, { status }: Sample): number[] =>
  status === undefined ? [...route.success.keys()] : [status]

/** Expects a refusal that changes nothing, and success once the password was given. */
async function expectAsked(route: Route, sample: Sample, thief: Caller): Promise<void> {
  const before = changes()
  const answer = await send(route, place, sample, { as: thief })
  expect([answer.status, answer.body?.code]).toEqual([403, 'reauthentication_required'])
  expect(changes()).toEqual(before)
}
const isAsked = ({ body }: Answer): boolean => body?.code === 'reauthentication_required'

describe('a session whose password was given 16 minutes ago', () => {
  test.each(always)('%s asks a session of 16 minutes for the password, and not a fresh one', async (_, route) => {
    const thief = await stale(route)
    await expectAsked(route, await buildSample(route, place, { as: thief }), thief)
    const fresh = await place.make.member(roleFor(route))
    const sample = await buildSample(route, place, { as: fresh })
    const done = await send(route, place, sample, { as: fresh })
    expect(wanted(route, sample)).toContain(done.status)
  })

  test.each(sometimes)('%s asks a session of 16 minutes only in the case that it declares', async (_, route) => {
    const make = asking[route.key]
    if (!make) throw new Error(`${route.key} asks sometimes: add the case in which to src/contract/fresh-asking.ts`)
    const thief = await stale(route)
    const usual = await buildSample(route, place, { as: thief }, quiet[route.key])
    expect(wanted(route, usual)).toContain((await send(route, place, usual, { as: thief })).status)
    await expectAsked(route, await buildSample(route, place, { as: thief }, make), thief)
    const fresh = await place.make.member(roleFor(route))
    const sample = await buildSample(route, place, { as: fresh }, make)
    expect(isAsked(await send(route, place, sample, { as: fresh }))).toBe(false)
  })

  test.each(never)('%s never asks a session of 16 minutes for the password', async (_, route) => {
    const thief = await stale(route)
    const sample = await buildSample(route, place, { as: thief })
    expect(wanted(route, sample)).toContain((await send(route, place, sample, { as: thief })).status)
  })

  test('the requests with and without a case are exactly those of operations that ask sometimes', () => {
    expect(Object.keys(asking).sort()).toEqual(sometimes.map(([key]) => key).sort())
  })
})

test.each([...always, ...sometimes])('%s never asks a key for a password', async (_, route) => {
  const maker = await place.make.member(route.role === 'platform_admin' ? 'platform_admin' : 'owner', 0)
  const key = await place.make.key(maker.id, everyScope)
  const sample = await buildSample(route, place, { as: place.firm.as.owner }, asking[route.key])
  expect(isAsked(await send(route, place, sample, { as: key }))).toBe(false)
})

test('the committed table says of each route whether it asks for the password', () => {
  const table = Object.fromEntries(
    told
      .map(({ method, path, fresh, role }): [string, string] => [
        `${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
        role === 'public' ? 'public' : fresh,
      ])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
  const committed = readSnapshot(join(import.meta.dir, 'fresh.snapshot.json'), table)
  expect<unknown>(table, HOW_TO_UPDATE).toEqual(committed)
})
