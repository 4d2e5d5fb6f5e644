import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clearSpool } from '../../../platform/http/body/spool.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { OFAC, OFAC_XML, unList } from '../../../testing/fakes/sanctions-lists.ts'
import { until } from '../../../testing/until.ts'
import { screenTraders } from './sanctions.jobs.ts'

// the tests start children that read megabytes and share the machine
setDefaultTimeout(180_000)

const MIB = 1024 * 1024

let app: TestApp
let firm: Firm
beforeEach(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
})
afterEach(() => app.close())

const load = (body: object, headers: Record<string, string> = {}, as = firm.as.admin) =>
  app.call('POST', '/v1/sanctions/lists', { as, body: { version: '1', ...body }, headers })
const screen = () => screenTraders.run({ platform: app.platform, signal: new AbortController().signal })
const hits = async () => (await app.call('GET', '/v1/sanctions/hits', { as: firm.as.manager })).body.data
const spool = () => join(app.platform.config.dataDir, 'spool')
const left = () => (existsSync(spool()) ? readdirSync(spool()) : [])
const people = (count: number) => Array.from({ length: count }, (_, n) => `Person${n} Family${n}`)
/** Makes a UN list that is too long for memory. */
const large = (...names: string[]) => `${unList(...names)}<!--${' '.repeat(2 * MIB)}-->`

test.each([
  ['three files', { files: OFAC }],
  ['sdn.xml', { content: OFAC_XML }],
])('a client with a strong alias of OFAC’s list, loaded as %s, is a hit', async (_, list) => {
  const traderId = await firm.trader({ firstName: 'Dmitri', lastName: 'Barkov' })
  expect((await load({ source: 'ofac_sdn', ...list })).status).toBe(201)
  await screen()
  expect(await hits()).toMatchObject([{ traderId, reference: '101', status: 'open' }])
})

test('a list without a declared length goes to disk from its first byte on, and leaves no file behind', async () => {
  const send = async (text: string) => {
    const body = new Blob([text]).stream()
    const headers = { host: 'localhost', 'content-type': 'application/json', ...firm.as.admin.headers }
    const answer = await app.send(new Request('http://localhost/v1/sanctions/lists', { method: 'POST', headers, body }))
    return [answer.status, left()]
  }
  const list = { source: 'un', version: '1', content: unList('Dmitri Barkov') }
  expect(await send(JSON.stringify(list))).toEqual([201, []])
  expect(await send('{"source":')).toEqual([400, []])
})

test('exactly one of content and files is accepted; a refusal names the field and changes nothing', async () => {
  firm.effects()
  for (const [body, path] of [
    [{ source: 'ofac_sdn' }, 'content'],
    [{ source: 'ofac_sdn', content: OFAC_XML, files: OFAC }, 'content'],
    [{ source: 'un', files: OFAC }, 'files'],
    [{ source: 'ofac_sdn', content: OFAC.sdn }, 'content'],
    [{ source: 'ofac_sdn', content: OFAC.alt }, 'content'],
    [{ source: 'ofac_sdn', files: { ...OFAC, sdn: OFAC.alt } }, 'files.sdn'],
    [{ source: 'ofac_sdn', files: { ...OFAC, alt: OFAC.sdn } }, 'files.alt'],
    [{ source: 'ofac_sdn', files: { sdn: OFAC.sdn, alt: OFAC.alt } }, 'files.add'],
    [{ source: 'un', content: unList('A B'), force: 'yes' }, 'force'],
  ] as const) {
    const answer = await load(body)
    expect([answer.status, answer.body.errors[0].path]).toEqual([422, path])
  }
  expect(firm.effects().events).toEqual([])
  expect((await load({ source: 'ofac_sdn', content: OFAC.sdn, force: true })).status).toBe(422)
})

test('a list with less than half the names of the former one is refused, unless it is forced', async () => {
  expect((await load({ source: 'un', content: unList(...people(10)) })).status).toBe(201)
  firm.effects()
  const shrunken = await load({ source: 'un', content: unList(...people(4)) })
  expect([shrunken.status, shrunken.body.errors[0]]).toMatchObject([422, { path: 'content', code: 'shrunken' }])
  expect(firm.effects()).toEqual({ events: [], actions: ['sanctions.refuse'] })
  expect((await load({ source: 'un', content: unList(...people(5)) })).status).toBe(201)
  // a file can be forced only after its refusal, and only by another person than its uploader
  const one = { source: 'un', content: unList('Only One'), force: true }
  expect((await load(one)).body.errors[0].code).toBe('shrunken')
  const own = await load(one)
  expect([own.status, own.body.code]).toEqual([409, 'second_person_needed'])
  expect((await load(one, {}, firm.as.owner)).status).toBe(201)
  const [mail] = (await app.call('GET', '/v1/mails', { as: firm.as.owner })).body.data
  expect(mail.subject).toBe('owner of alpha loaded a sanctions list that was refused: un')
  // aliases count as names: the same people without aliases have less than half of OFAC's names
  const aliases = Array.from({ length: 9 }, (_, n) => `101,${n + 20},"aka","ALIAS ${n}",-0- \r\n`).join('')
  expect((await load({ source: 'ofac_sdn', files: { ...OFAC, alt: aliases } })).status).toBe(201)
  const without = { ...OFAC, alt: OFAC.alt.split('\r\n')[0] ?? '' }
  expect((await load({ source: 'ofac_sdn', files: without })).body.errors[0]).toMatchObject({
    path: 'files',
    code: 'shrunken',
  })
})

test('a large list goes to disk as it arrives, readable by its owner only, and is removed after the answer', async () => {
  const traderId = await firm.trader({ firstName: 'Yusuf', lastName: 'Omar' })
  const body = JSON.stringify({ source: 'un', version: '1', content: large('Yusuf Omar') })
  let seen: { directory: number; file: number; size: number } | undefined
  const half = Math.floor(body.length * 0.75)
  const stream = new ReadableStream({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode(body.slice(0, half)))
      const arrived = () => left().map((name) => statSync(join(spool(), name, 'body'), { throwIfNoEntry: false }))
      await until('a part is on the disk', () => Boolean(arrived()[0]?.size))
      const [name = ''] = left()
      const file = statSync(join(spool(), name, 'body'))
      seen = { directory: statSync(join(spool(), name)).mode & 0o777, file: file.mode & 0o777, size: file.size }
      controller.enqueue(new TextEncoder().encode(body.slice(half)))
      controller.close()
    },
  })
  const answer = await app.call('POST', '/v1/sanctions/lists', {
    as: firm.as.admin,
    raw: stream,
    headers: { 'content-type': 'application/json' },
  })
  expect(answer.status).toBe(201)
  expect(answer.body.hash).toBe(new Bun.CryptoHasher('sha256').update(large('Yusuf Omar')).digest('hex'))
  expect(seen).toMatchObject({ directory: 0o700, file: 0o600 })
  expect(seen?.size).toBeGreaterThan(0)
  expect(left()).toEqual([])
  await screen()
  expect(await hits()).toMatchObject([{ traderId }])
  // the same text counts as the same list again, whether it was kept in memory or on disk
  expect((await load({ source: 'un', content: large('Yusuf Omar') })).body.code).toBe('sanctions.same_list')
})

test('each fault of a large body gets the same answer as that of a small one, and leaves no file behind', async () => {
  const text = large('Yusuf Omar')
  firm.effects()
  for (const [raw, status, path] of [
    [JSON.stringify({ source: 'un', version: '1', content: text, surprise: 1 }), 422, 'surprise'],
    [JSON.stringify({ source: 'mars', version: '1', content: text }), 422, 'source'],
    [JSON.stringify({ source: 'eu', version: '1', content: text }), 422, 'content'],
    [JSON.stringify({ source: 'un', version: '1', content: `${text}\0` }), 422, 'content'],
    [JSON.stringify({ source: 'un', version: '1', content: text }).slice(0, -1), 400, 'body'],
    [JSON.stringify({ source: 'un', version: Array.from({ length: 400_000 }, (_, n) => n) }), 413, 'body'],
    ['{'.padEnd(64 * MIB), 400, 'body'],
    ['{'.padEnd(64 * MIB + 1), 413, undefined],
  ] as const) {
    const headers = { 'content-type': 'application/json' }
    const answer = await app.call('POST', '/v1/sanctions/lists', { as: firm.as.admin, raw, headers })
    expect([answer.status, answer.body.errors[0]?.path]).toEqual([status, path])
    expect(left()).toEqual([])
  }
  const refused = await app.call('POST', '/v1/sanctions/lists', {
    as: firm.as.manager,
    body: { source: 'un', version: '1', content: text },
  })
  expect([refused.status, left()]).toEqual([403, []])
  expect(firm.effects()).toEqual({ events: [], actions: ['sanctions.refuse'] })
})

test('a broken upload leaves no file behind; files that a crash left are removed at the next start', async () => {
  let pulls = 0
  const broken = new ReadableStream({
    pull(controller) {
      pulls += 1
      if (pulls === 1) controller.enqueue(new Uint8Array(2 * MIB).fill(0x20))
      else controller.error(new Error('gone'))
    },
  })
  const headers = { 'content-type': 'application/json' }
  await app.call('POST', '/v1/sanctions/lists', { as: firm.as.admin, raw: broken, headers }).catch(() => null)
  expect(left()).toEqual([])
  mkdirSync(join(spool(), 'old'), { recursive: true })
  writeFileSync(join(spool(), 'old', 'body'), 'x')
  clearSpool(app.platform.config.dataDir)
  expect(existsSync(spool())).toBe(false)
})

test('one firm may load two large lists at once, and never takes the places of another firm', async () => {
  const [beta, gamma] = [await app.firm('beta'), await app.firm('gamma')]
  const text = JSON.stringify({ source: 'un', version: '1', content: unList('Dmitri Barkov') })
  const started: { finish: () => void; answer: Promise<number> }[] = []
  const start = (of: Firm) => {
    const go = Promise.withResolvers<void>()
    const body = new ReadableStream({
      async start(to) {
        to.enqueue(new TextEncoder().encode(text.slice(0, 20)))
        await go.promise
        to.enqueue(new TextEncoder().encode(text.slice(20)))
        to.close()
      },
    })
    const headers = { host: 'localhost', 'content-type': 'application/json', ...of.as.admin.headers }
    const request = new Request('http://localhost/v1/sanctions/lists', { method: 'POST', headers, body })
    started.push({ finish: go.resolve, answer: app.send(request).then(({ status }) => status) })
  }
  for (const [of, places] of [
    [firm, 1],
    [firm, 2],
    [firm, 2],
    [beta, 3],
    [beta, 4],
    [gamma, 5],
  ] as const) {
    start(of)
    await until('it has its place', () => left().length === places)
    if (started.length === 3) expect(await started[2]?.answer).toBe(503)
  }
  for (const { finish } of started) finish()
  const statuses = await Promise.all(started.map(({ answer }) => answer))
  expect(statuses.map((status) => status === 503)).toEqual([false, false, true, false, false, false])
  expect(left()).toEqual([])
})

test('a large list with the same Idempotency-Key is loaded once', async () => {
  const body = { source: 'un', content: large('Yusuf Omar') }
  const first = await load(body, { 'idempotency-key': 'k' })
  const again = await load(body, { 'idempotency-key': 'k' })
  expect([first.status, again.status, again.body]).toEqual([201, 201, first.body])
  expect((await load({ ...body, content: large('Somebody Else') }, { 'idempotency-key': 'k' })).status).toBe(422)
  expect(left()).toEqual([])
})

test('a list that is sent as the hash of another request’s text is refused', async () => {
  const text = large('Yusuf Omar')
  const hash = new Bun.CryptoHasher('sha256').update(text).digest('hex')
  const [real, forged] = await Promise.all([
    load({ source: 'un', content: text }),
    load({ source: 'un', content: hash }),
  ])
  expect([real.status, forged.status, forged.body.errors[0].path]).toEqual([201, 422, 'content'])
})
