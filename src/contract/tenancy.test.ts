import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Answer, type Caller, createTestApp, type TestApp } from '../testing/app.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../testing/fakes/webhook-receiver.ts'
import { type Route, withKeys } from './routes.ts'
import { buildSample, send } from './samples.ts'
import { fill, furnish, type Place } from './seed-firm.ts'
import { everyRoute } from './seeded-app.ts'

const routes = everyRoute()
/**
 * Returns whether an operation crosses firms. Its caller is not signed in (the operation is public or signed), or
 * administers all firms of the installation.
 */
const acrossFirms = ({ role }: Route): boolean => role === 'public' || role === 'platform_admin'

let app: TestApp
let ours: Place
let theirs: Place
let receiver: WebhookReceiver
/** Everything that names a row, a person or the firm itself of the other firm. */
let foreign: string[] = []
beforeAll(async () => {
  receiver = startWebhookReceiver()
  app = createTestApp({ config: { allowedNetworks: ['127.0.0.0/8'] } })
  ours = await furnish(app, await app.firm('alpha'), `${receiver.url}/hook`)
  theirs = await furnish(app, await app.firm('beta'), `${receiver.url}/hook`)
  foreign = [...listIds(theirs.firm.tenantId), '@beta.test']
})
afterAll(async () => {
  await app.close()
  await receiver.stop()
})

/** Returns the id of every row of a firm, whatever the table. */
function listIds(tenantId: string): string[] {
  const { reader } = app.platform
  const tables = reader.all<{ name: string }>(
    `SELECT m.name FROM sqlite_schema m WHERE m.type = 'table' AND EXISTS (SELECT 1 FROM pragma_table_info(m.name) WHERE name = 'tenant_id')
     AND EXISTS (SELECT 1 FROM pragma_table_info(m.name) WHERE name = 'id')`,
  )
  return [
    tenantId,
    ...tables.flatMap(({ name }) =>
      reader.all<{ id: string }>(`SELECT id FROM "${name}" WHERE tenant_id = ?`, [tenantId]).map(({ id }) => id),
    ),
    // a key of settings is a fixed name, the same for all firms
  ].filter((id) => /^[a-z]{3}_[0-9a-z]{26}$/.test(id))
}
/** Returns an id of the same kind that does not exist. */
const absent = (id: string): string => `${id.slice(0, -6)}000000`
const sameAsAbsent = (found: Answer, missing: Answer): void => {
  const plain = ({ text, body }: Answer) => text.replace(String(body?.requestId), '')
  expect(found.status).toBe(missing.status)
  expect(plain(found)).toBe(plain(missing))
}
const leaks = (text: string): string[] => foreign.filter((name) => text.includes(name))

// this runs first, since later the firm's own audit has the foreign ids that were requested
describe('what is read in one firm names nothing of another', () => {
  test.each(withKeys(routes.filter((route) => !route.mutates && !acrossFirms(route))))(
    '%s names nothing of another firm',
    async (_, route) => {
      const { path } = await buildSample(route, ours, { as: ours.firm.as.owner })
      const limited =
        route.query?.properties && 'limit' in route.query.properties
          ? `${path}${path.includes('?') ? '&' : '?'}limit=200`
          : path
      const { status, text } = await app.call('GET', limited, { as: ours.firm.as.owner })
      expect(status).toBe(200)
      expect(leaks(text)).toEqual([])
      // the other firm's own answer proves that the test would find the names
      if (/\/v1\/(traders|deposits|accounts|users)$/.test(route.path)) {
        const other = await app.call('GET', limited, { as: theirs.firm.as.owner })
        expect(leaks(other.text).length).toBeGreaterThan(0)
      }
    },
  )
})

describe('an id of another firm', () => {
  const byId = routes.filter((route) => route.params.length > 0 && !acrossFirms(route))
  test.each(withKeys(byId))('%s answers an id of another firm as an unknown id, byte for byte', async (_, route) => {
    const as = await ours.make.member('owner')
    const sample = await buildSample(route, ours, { as })
    const { body } = sample
    const at = async (ids: Place['ids']) =>
      app.call(route.method, fill(route.path, ids), { as, ...(body === undefined ? {} : { body }) })
    const nothing = Object.fromEntries(Object.entries(theirs.ids).map(([path, id]) => [path, absent(id)]))
    const found = await at(theirs.ids)
    expect([found.status, found.body?.code]).toEqual([404, 'not_found'])
    sameAsAbsent(found, await at(nothing))
  })

  /** Returns every path of a JSON value that holds one of the known ids. */
  function placesOfIds(value: unknown, known: ReadonlyMap<string, string>, path: string[] = []): [string[], string][] {
    if (typeof value === 'string') {
      const kind = known.get(value.slice(0, 3))
      return kind !== undefined && /^[a-z]{3}_[0-9a-z]{26}$/.test(value) ? [[path, kind]] : []
    }
    if (typeof value !== 'object' || value === null) return []
    return Object.entries(value).flatMap(([key, item]) => placesOfIds(item, known, [...path, key]))
  }
  const replaced = (value: unknown, path: readonly string[], by: string): unknown => {
    const [key, ...rest] = path
    if (key === undefined) return by
    if (Array.isArray(value))
      return value.map((item, index) => (String(index) === key ? replaced(item, rest, by) : item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, name === key ? replaced(item, rest, by) : item]),
    )
  }

  test.each(withKeys(routes.filter((route) => route.body !== undefined && !acrossFirms(route))))(
    '%s treats an id of another firm in its body as an unknown id',
    async (_, route) => {
      const as = await ours.make.member('owner')
      const sample = await buildSample(route, ours, { as })
      const kinds = new Map(listIds(theirs.firm.tenantId).map((id) => [id.slice(0, 3), id]))
      for (const [path, foreignId] of placesOfIds(sample.body, kinds)) {
        const tell = (id: string) => send(route, ours, { ...sample, body: replaced(sample.body, path, id) }, { as })
        const [found, missing] = [await tell(foreignId), await tell(absent(foreignId))]
        const withoutIds = (answer: Answer): Answer => ({
          ...answer,
          text: answer.text.replaceAll(foreignId, '').replaceAll(absent(foreignId), ''),
        })
        sameAsAbsent(withoutIds(found), withoutIds(missing))
        // an operation on many rows answers 200 and reports each one that was not done
        if (found.status < 300)
          expect(found.body.results ?? [{ ok: found.body.created > 0 }]).toEqual([
            expect.objectContaining({ ok: false }),
          ])
        else expect([404, 422]).toContain(found.status)
      }
    },
  )

  test.each(withKeys(routes.filter((route) => route.query !== undefined && !acrossFirms(route))))(
    '%s finds nothing by a filter with an id of another firm',
    async (_, route) => {
      const as = ours.firm.as.owner
      const { path } = await buildSample(route, ours, { as })
      for (const [name, id] of [
        ['traderId', theirs.client],
        ['accountId', theirs.ids['/v1/accounts/:id']],
        ['assignedTo', theirs.ids['/v1/users/:id']],
        ['actorId', theirs.ids['/v1/users/:id']],
        ['userId', theirs.ids['/v1/users/:id']],
        ['entityId', theirs.ids['/v1/deposits/:id']],
        ['pspConnectionId', theirs.ids['/v1/psp/connections/:id']],
        ['ids', theirs.client],
        ['q', theirs.client],
        ['q', 'beta.test'],
      ] as const) {
        const properties: unknown = route.query?.properties
        if (typeof properties !== 'object' || properties === null || !(name in properties)) continue
        const [before = '', query = ''] = path.split('?')
        const search = new URLSearchParams(query)
        search.set(name, id ?? '')
        const { status, body, text } = await app.call('GET', `${before}?${search}`, { as })
        expect(status).toBe(200)
        if (Array.isArray(body?.data)) expect(body.data).toEqual([])
        expect(leaks(text)).toEqual([])
      }
    },
  )
})

describe('a trader', () => {
  let me: Caller
  let mine: string
  /** The ids of rows of another client of the same firm. */
  let others: string[]
  beforeAll(async () => {
    mine = await ours.make.client()
    me = await ours.make.traderSession(mine)
    await ours.make.account(mine)
    await ours.make.ticket(mine)
    await ours.make.submission(mine)
    others = listIds(ours.firm.tenantId).filter((id) => /^(trd|acc|wal|dep|wdr|trf|kyc|doc|tkt|tic|pos)_/.test(id))
    const own = new Set<string>([mine])
    for (const { name } of app.platform.reader.all<{ name: string }>(
      `SELECT m.name FROM sqlite_schema m WHERE m.type = 'table' AND EXISTS (SELECT 1 FROM pragma_table_info(m.name) WHERE name = 'trader_id')
       AND EXISTS (SELECT 1 FROM pragma_table_info(m.name) WHERE name = 'id')`,
    ))
      for (const { id } of app.platform.reader.all<{ id: string }>(`SELECT id FROM "${name}" WHERE trader_id = ?`, [
        mine,
      ]))
        own.add(id)
    others = others.filter((id) => !own.has(id))
  })
  const theirRoutes = routes.filter(({ audience }) => audience.includes('trader'))

  test.each(withKeys(theirRoutes.filter(({ mutates, params }) => !mutates && params.length === 0)))(
    '%s shows a trader only their own rows',
    async (_, route) => {
      const { path } = await buildSample(route, ours, { as: me })
      const { status, body, text } = await app.call('GET', path, { as: me })
      expect(status).toBe(200)
      expect(others.filter((id) => text.includes(id))).toEqual([])
      for (const row of body.data) expect(row.traderId).toBe(mine)
      const filtered = await app.call('GET', `${path}?traderId=${ours.client}`, { as: me })
      // a list with this filter finds nothing of another client
      if (filtered.status === 200) expect(filtered.body.data).toEqual([])
      else expect(filtered.status).toBe(422)
    },
  )

  test.each(withKeys(theirRoutes.filter(({ params }) => params.length > 0)))(
    '%s answers a trader another client’s row as an unknown id',
    async (_, route) => {
      const { body } = await buildSample(route, ours, { as: me, trader: mine })
      const at = (ids: Place['ids']) =>
        app.call(route.method, fill(route.path, ids), { as: me, ...(body === undefined ? {} : { body }) })
      const nothing = Object.fromEntries(Object.entries(ours.ids).map(([path, id]) => [path, absent(id)]))
      const found = await at(ours.ids)
      expect(found.status).toBe(404)
      sameAsAbsent(found, await at(nothing))
    },
  )

  test.each(withKeys(theirRoutes.filter(({ body }) => body !== undefined && 'traderId' in (body.properties ?? {}))))(
    '%s does nothing in the name of another client if a trader asks',
    async (_, route) => {
      const sample = await buildSample(route, ours, { as: me, trader: mine })
      const tell = (traderId: string) =>
        send(route, ours, { ...sample, body: { ...(sample.body ?? {}), traderId } }, { as: me })
      const [found, missing] = [await tell(ours.client), await tell(absent(ours.client))]
      expect([404, 422]).toContain(found.status)
      sameAsAbsent(found, missing)
    },
  )

  test('a session of another user cannot be revoked', async () => {
    const path = `/v1/auth/sessions/${ours.ids['/v1/auth/sessions/:id']}`
    expect((await app.call('DELETE', path, { as: me })).status).toBe(404)
    expect((await app.call('DELETE', path, { as: ours.firm.as.platform_admin })).status).toBe(404)
  })
})
