import { afterAll, beforeAll, expect, test } from 'bun:test'
import { DAY } from '../../../platform/clock.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { countReaders } from './reading.jobs.ts'

let app: TestApp
let firm: Firm
let other: Firm
let clients: string[]
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  other = await app.firm('beta')
  clients = []
  for (let made = 0; made < 5; made += 1) clients.push(await firm.trader())
  await other.trader()
})
afterAll(() => app.close())

const count = () => countReaders.run({ platform: app.platform, signal: new AbortController().signal })
const read = async (path: string, who: { as?: Caller; headers?: Record<string, string> }): Promise<void> =>
  expect((await app.call('GET', path, who)).status).toBe(200)
type Line = {
  entity: string
  entityId: string
  actorKind: string
  after: { day: string; clients: number; apiKeyId: string | null }
}
/** Ends the day and returns the lines that were added to the audit. */
const lines = async (as = firm.as.manager): Promise<(string | number | null)[][]> => {
  app.clock.advance(DAY)
  await count()
  const { body } = await app.call('GET', '/v1/audit?action=people.read&limit=200', { as })
  const day = new Date(app.clock.now() - DAY).toISOString().slice(0, 10)
  const written: Line[] = body.data.filter(({ after }: Line) => after.day === day)
  return written
    .map(({ entity, entityId, actorKind, after }) => {
      expect([entity, actorKind]).toEqual(['user', 'system'])
      return [entityId, after.clients, after.apiKeyId]
    })
    .toSorted()
}
const listReadingMails = () =>
  app.platform.reader.all<{ subject: string }>(`SELECT subject FROM mails WHERE subject LIKE '% read % clients %'`)
/** Counts the mails to owners about a change of this setting. */
const guarded = (): number =>
  app.platform.reader.all(`SELECT 1 FROM mails WHERE tenant_id = ? AND subject LIKE '%readsPerDay%'`, [firm.tenantId])
    .length
const createKey = async (as: Caller) =>
  (await app.call('POST', '/v1/api-keys', { as, body: { label: 'Sync', scopes: ['traders:read'] } })).body

test('a client read several times counts once; each person and key has one line a day in the audit', async () => {
  const { viewer, operator, owner } = firm.as
  const [first = '', second = ''] = clients
  const key = await createKey(owner)
  await lines()
  for (const path of ['', '/timeline', '/overview']) await read(`/v1/traders/${first}${path}`, { as: viewer })
  await read(`/v1/admin/traders/${first}/full`, { as: viewer })
  await count()
  await read(`/v1/traders/${first}`, { as: viewer })
  await read(`/v1/traders/${second}`, { as: viewer })
  await read('/v1/traders', { as: operator })
  await read(`/v1/traders/${first}`, { headers: { 'x-api-key': key.key } })
  // answers without names, and the client's own request, do not count
  await read('/v1/deposits', { as: firm.as.admin })
  await read(`/v1/withdrawals`, { as: await firm.traderSession(first) })
  firm.effects()
  await count()
  expect(firm.effects()).toEqual({ events: [], actions: [] })
  expect(await lines()).toEqual(
    [
      [viewer.id, 2, null],
      [operator.id, 5, null],
      [owner.id, 1, key.id],
    ].toSorted(),
  )
  // a line is written once, and a day without readers has no line
  expect(await lines()).toEqual([])
  expect(await lines(other.as.manager)).toEqual([])
})

test('a search, a file and a change without effect count as reading clients', async () => {
  const { owner, operator, viewer } = firm.as
  const unchanged = await app.call('PATCH', `/v1/traders/${clients[0]}`, { as: operator, body: {} })
  expect(unchanged.status).toBe(200)
  await read(`/v1/search?q=${clients[0]}`, { as: viewer })
  await read('/v1/traders/export.csv', { as: owner })
  const found = await lines()
  expect(found).toEqual(
    [
      [operator.id, 1, null],
      [owner.id, 5, null],
      [viewer.id, 1, null],
    ].toSorted(),
  )
})

test('all owners are mailed, once a day, about a colleague who read more clients than the firm’s setting', async () => {
  const { owner, admin, viewer } = firm.as
  const set = (readsPerDay: unknown, as: Caller) =>
    app.call('PATCH', '/v1/tenants/current', { as, body: { readsPerDay } })
  expect((await app.call('GET', '/v1/tenants/current', { as: admin })).body.readsPerDay).toBe(500)
  expect((await set(4, admin)).status).toBe(403)
  for (const wrong of [0, 10_000, 1.5, 'many']) expect((await set(wrong, owner)).status).toBe(422)
  expect((await set(4, owner)).body.readsPerDay).toBe(4)
  expect(guarded()).toBe(1)
  await read(`/v1/traders/${clients[0]}`, { as: viewer })
  for (let time = 0; time < 3; time += 1) {
    await read('/v1/traders', { as: admin })
    await count()
  }
  const key = await createKey(admin)
  await read('/v1/traders', { headers: { 'x-api-key': key.key } })
  await count()
  expect(listReadingMails()).toEqual([{ subject: expect.stringContaining('read 5 clients today') }])
  await lines()
  await read('/v1/traders', { as: admin })
  await count()
  expect(listReadingMails()).toHaveLength(2)
})

test('a count of read clients that was stored before a restart goes on', async () => {
  const { tallies } = app.platform
  await lines()
  await read(`/v1/traders/${clients[0]}`, { as: firm.as.viewer })
  await count()
  // after a restart the stored clients are marked like this
  for (const tally of tallies.changed()) tally.noted = tally.clients.size
  await read(`/v1/traders/${clients[1]}`, { as: firm.as.viewer })
  expect(await lines()).toEqual([[firm.as.viewer.id, 2, null]])
})

test('the audit and documents count as reading clients, and a key that may not read clients gets no text about them', async () => {
  const { owner, admin } = firm.as
  await lines()
  const made = (await app.call('POST', '/v1/traders', { as: admin, body: { email: 'told@x.test', firstName: 'Told' } }))
    .body
  const path = `/v1/audit?traderId=${made.id}`
  await read(path, { as: owner })
  const key = await firm.key(['audit:read'], 'manager')
  const { data } = (await app.call('GET', path, { as: key })).body
  expect(data[0]).toMatchObject({ action: 'trader.create', after: null, erased: false })
  expect((await lines()).filter(([id]) => id === owner.id)).toEqual([[owner.id, 1, null]])
})
