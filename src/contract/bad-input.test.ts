import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Answer, TestApp } from '../testing/app.ts'
import { bodyAttacks, MARK, queryAttacks, strayBodies } from './attacks.ts'
import { watchRows } from './database-digest.ts'
import { withKeys } from './routes.ts'
import { buildSample } from './samples.ts'
import { fill, type Place } from './seed-firm.ts'
import { everyRoute, furnished } from './seeded-app.ts'

const routes = everyRoute()

let app: TestApp
let place: Place
let world: Awaited<ReturnType<typeof furnished>>
beforeAll(async () => {
  world = await furnished()
  app = world.app
  place = world.place
})
afterAll(() => world.close())

/** Describes what is wrong with a refusal; the text is empty if nothing is. */
function findFaults(answer: Answer, wanted: { status?: number | undefined; field?: string | undefined }): string[] {
  const { status, body, text, headers } = answer
  const faults: string[] = []
  if (status < 400 || status > 499) faults.push(`answered ${status}`)
  else if (wanted.status !== undefined && status !== wanted.status) faults.push(`${status} instead of ${wanted.status}`)
  if (headers.get('content-type') !== 'application/problem+json' || body?.status !== status)
    faults.push('is no problem+json')
  const paths: unknown[] = Array.isArray(body?.errors) ? body.errors.map((error: { path?: unknown }) => error.path) : []
  const { field } = wanted
  const names = (path: unknown): boolean =>
    path === field ||
    String(path).startsWith(`${field}.`) ||
    (typeof path === 'string' && String(field).startsWith(`${path}.`))
  if (field !== undefined && !paths.some(names))
    faults.push(`names ${paths.join(', ') || 'nothing'} instead of ${field}`)
  if (/Expected (kind|union)/.test(text)) faults.push('speaks of schemas, not of values')
  // an unknown parameter is named by its path, without its value
  if (text.replaceAll(`query.${MARK}`, '').includes(MARK)) faults.push('repeats what was sent')
  return faults
}

describe('a bad body', () => {
  test.each(withKeys(routes.filter(({ body }) => body !== undefined)))('%s refuses a bad body', async (_, route) => {
    const as = await place.make.member('platform_admin')
    const sample = await buildSample(route, place, { as })
    const changed = watchRows(app.platform)
    const faults: string[] = []
    for (const { name, status, field, ...request } of bodyAttacks(route, sample.body)) {
      const caller = route.role === 'public' ? {} : { as }
      const answer = await app.call(route.method, sample.path, { ...caller, ...request })
      faults.push(...findFaults(answer, { status, field }).map((fault) => `${name}: ${fault}`))
    }
    expect(faults).toEqual([])
    expect(changed()).toEqual([])
  })
})

describe('a body where none is taken', () => {
  const bare = routes.filter(({ mutates, body, takesBytes }) => mutates && body === undefined && !takesBytes)
  test.each(withKeys(bare))('%s refuses a body, since it takes none', async (_, route) => {
    const as = await place.make.member('platform_admin')
    const sample = await buildSample(route, place, { as })
    const changed = watchRows(app.platform)
    const faults: string[] = []
    for (const { name, status, field, ...request } of strayBodies) {
      const answer = await app.call(route.method, sample.path, { as, ...request })
      faults.push(...findFaults(answer, { status, field }).map((fault) => `${name}: ${fault}`))
    }
    expect(faults).toEqual([])
    expect(changed()).toEqual([])
    const body = route.key.length % 2 === 0 ? {} : null
    expect((await app.call(route.method, sample.path, { as, body })).status).toBeLessThan(300)
  })

  test('a settlement with `dryRun` in its query is refused, since the operation takes no query', async () => {
    const as = place.firm.as.manager
    const id = await place.make.deposit(await place.make.trader())
    const changed = watchRows(app.platform)
    const path = `/v1/deposits/${id}/settle`
    expect(
      findFaults(await app.call('POST', `${path}?dryRun=1`, { as }), { status: 422, field: 'query.dryRun' }),
    ).toEqual([])
    expect(
      findFaults(await app.call('POST', path, { as, body: { settledAmount: '1' } }), {
        status: 422,
        field: 'settledAmount',
      }),
    ).toEqual([])
    expect(changed()).toEqual([])
  })
})

describe('a bad query', () => {
  test.each(withKeys(routes))('%s refuses a bad query', async (_, route) => {
    const as = place.firm.as.platform_admin
    const path = fill(route.path, place.ids)
    const changed = watchRows(app.platform)
    const faults: string[] = []
    for (const { query, field } of queryAttacks(route)) {
      const answer = await app.call(route.method, `${path}?${query}`, { as })
      faults.push(...findFaults(answer, { field }).map((fault) => `${query.slice(0, 60)}: ${fault}`))
    }
    expect(faults).toEqual([])
    expect(changed()).toEqual([])
  })

  test('a cursor of another list, filter or firm is refused', async () => {
    const as = place.firm.as.owner
    await place.make.trader()
    const { nextCursor } = (await app.call('GET', '/v1/traders?limit=1', { as })).body
    const cursor = encodeURIComponent(nextCursor)
    expect((await app.call('GET', `/v1/traders?limit=1&cursor=${cursor}`, { as })).status).toBe(200)
    const other = await app.firm('beta')
    for (const [path, caller] of [
      [`/v1/traders?limit=1&status=active&cursor=${cursor}`, as],
      [`/v1/traders?limit=1&sort=createdAt&cursor=${cursor}`, as],
      [`/v1/deposits?cursor=${cursor}`, as],
      [`/v1/traders?limit=1&cursor=${cursor}`, other.as.owner],
      [`/v1/traders?limit=1&cursor=${cursor.replace(/^./, 'A')}`, as],
    ] as const) {
      expect(findFaults(await app.call('GET', path, { as: caller }), { status: 422, field: 'query.cursor' })).toEqual(
        [],
      )
    }
  })
})

describe('a bad address', () => {
  test.each(withKeys(routes.filter(({ params }) => params.length > 0)))(
    '%s refuses a bad id in its address',
    async (_, route) => {
      const as = place.firm.as.platform_admin
      const changed = watchRows(app.platform)
      const faults: string[] = []
      for (const id of [
        '%00',
        '%ff',
        '%ED%A0%80',
        '%',
        MARK.repeat(1000),
        `${MARK}%2f..%2f..`,
        `'%20OR%201=1--${MARK}`,
      ]) {
        const path = route.path.replaceAll(/:\w+/g, id)
        const answer = await app.call(route.method, path, { as })
        faults.push(...findFaults(answer, {}).map((fault) => `${id.slice(0, 30)}: ${fault}`))
      }
      expect(faults).toEqual([])
      expect(changed()).toEqual([])
    },
  )

  test.each(withKeys(routes))('%s refuses a foreign Host header, however short it is', async (_, route) => {
    for (const host of ['x', 'evil.test', 'localhost.evil.test', '127.0.0.1.evil.test']) {
      const answer = await app.call(route.method, fill(route.path, place.ids), {
        as: place.firm.as.platform_admin,
        headers: { host },
      })
      expect(findFaults(answer, { status: 421 })).toEqual([])
    }
  })
})

describe('bad headers', () => {
  test.each(withKeys(routes.filter(({ mutates, role }) => mutates && role !== 'public')))(
    '%s refuses bad headers',
    async (_, route) => {
      const as = await place.make.member('platform_admin')
      const { path, body } = await buildSample(route, place, { as })
      const changed = watchRows(app.platform)
      const tell = (headers: Record<string, string>) =>
        app.call(route.method, path, { as, headers, ...(body === undefined ? {} : { body }) })
      for (const value of [MARK, '"x"', '""', '"9999999999999999999"'])
        expect(findFaults(await tell({ 'if-match': value }), { status: 422, field: 'header.if-match' })).toEqual([])
      if (route.method === 'POST') {
        for (const value of ['a b', 'x'.repeat(256), 'é'])
          expect(
            findFaults(await tell({ 'idempotency-key': value }), { status: 422, field: 'header.idempotency-key' }),
          ).toEqual([])
      }
      expect(changed()).toEqual([])
    },
  )
})
