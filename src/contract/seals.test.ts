import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { jobs } from '../app.ts'
import { migrations } from '../platform/db/migrations.ts'
import { createScheduler } from '../platform/jobs/scheduler.ts'
import { checkSeal } from '../platform/seals/check-seal.ts'
import { strangeObjects } from '../platform/seals/schema-objects.ts'
import { sealedTables } from '../platform/seals/sealed-tables.ts'
import type { TestApp } from '../testing/app.ts'
import { withKeys } from './routes.ts'
import { buildSample, send } from './samples.ts'
import type { Place } from './seed-firm.ts'
import { everyRoute, furnished } from './seeded-app.ts'

setDefaultTimeout(180_000)

const routes = everyRoute().filter(({ mutates }) => mutates)

let app: TestApp
let place: Place
let world: Awaited<ReturnType<typeof furnished>>
beforeAll(async () => {
  world = await furnished()
  app = world.app
  place = world.place
})
afterAll(() => world.close())

/** Returns the differences between the rows and their seal. */
const differences = (): string[] => checkSeal(app.platform.connection, app.platform.secrets).faults

test('every row of a firm with rows of all kinds is sealed', () => {
  expect(differences()).toEqual([])
})

test.each(withKeys(routes))('all rows are sealed after %s', async (_, route) => {
  const as = await place.make.member('platform_admin')
  await send(route, place, await buildSample(route, place, { as }), { as })
  await world.settled()
  expect(differences()).toEqual([])
})

test('all rows are sealed after every job', async () => {
  const scheduler = createScheduler(app.platform, jobs)
  app.clock.advance(40 * 24 * 3_600_000)
  for (const { name } of jobs) await scheduler.runNow(name).catch(() => {})
  await scheduler.stop()
  expect(differences()).toEqual([])
})

test('the schema has exactly what the migrations make', () => {
  expect(strangeObjects(app.platform.connection, migrations)).toEqual([])
})

test('every table that is left out of the seal has a reason', () => {
  const { connection } = app.platform
  const all = connection
    .all<{ name: string }>(`SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'`)
    .map(({ name }) => name)
  const sealed = new Set(sealedTables(connection).map(({ name }) => name))
  expect(all.filter((name) => !sealed.has(name)).sort()).toEqual([
    'sqlite_schema',
    'sqlite_sequence',
    'sqlite_stat1',
    'table_seals',
  ])
})
