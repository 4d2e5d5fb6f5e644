import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Caller, TestApp } from '../testing/app.ts'
import { withKeys } from './routes.ts'
import { buildSample } from './samples.ts'
import type { Place } from './seed-firm.ts'
import { everyRoute, furnished } from './seeded-app.ts'

const reads = everyRoute().filter(({ method, role }) => method === 'GET' && role !== 'public')
const PHONES = ['+35799123456', '+35799654321']
const IDENTITY = ['1971-03-14', 'Zypressenweg', '99123', '99654']
const IBAN = 'CY17002001280000001200527600'

let app: TestApp
let place: Place
let world: Awaited<ReturnType<typeof furnished>>
beforeAll(async () => {
  world = await furnished()
  ;({ app, place } = world)
  const { owner, manager } = place.firm.as
  const did = async (method: string, path: string, body: object, as: Caller = owner) => {
    const answer = await app.call(method, path, { as, body })
    expect([path, answer.status < 300]).toEqual([path, true])
    return answer.body
  }
  const identity = { dateOfBirth: '1971-03-14', address: { street: 'Zypressenweg 7', city: 'Bern' } }
  const metadata = {
    form: { date_of_birth: '1971-03-14', street_address: 'Zypressenweg 7', phone_number: 35_799_123_456 },
    contact: { whatsapp: ['+35799123456'], tel: '+35799123456', address: 'Zypressenweg 7' },
    answers: [{ name: 'phone_number', values: ['+35799654321'] }],
  }
  const [first, second] = PHONES
  await did('PATCH', `/v1/traders/${place.client}`, { phone: first, ...identity, metadata })
  await did('PATCH', `/v1/traders/${place.client}`, { phone: second, dateOfBirth: '1971-03-15' })
  await did('PATCH', `/v1/traders/${place.client}`, { phone: first, dateOfBirth: '1971-03-14' })
  await did('PATCH', `/v1/leads/${place.ids['/v1/leads/:id']}`, { phone: second, metadata })
  const other = await did('POST', '/v1/traders', { email: 'veiled@clients.test', phone: second, ...identity })
  await did('POST', '/v1/admin/traders/merge', { primaryId: place.client, secondaryId: other.id })
  const destination = { kind: 'bank', reference: IBAN, holder: 'Ada Veiled' }
  const asked = { traderId: place.client, currency: 'EUR', amount: '1', destination }
  withdrawal = (await did('POST', '/v1/withdrawals', asked, manager)).id
})
afterAll(() => world.close())
let withdrawal: string

/** Returns the answer of a read, about the rows that this test made if it reads such rows. */
async function readAnswer(key: string, as: Caller): Promise<string> {
  const route = reads.find((one) => one.key === key)
  if (route === undefined) throw new Error(`no ${key}`)
  const { path } = await buildSample(route, place, { as })
  const { text } = await app.call('GET', path.replace(/(?<=\/v1\/withdrawals\/)wdr_\w+/, withdrawal), { as })
  return text
}

test.each(withKeys(reads))(
  '%s hides from viewers the people they need not know, and from operators where money goes',
  async (key) => {
    const { viewer, operator } = place.firm.as
    const seen = await readAnswer(key, viewer)
    for (const secret of [...IDENTITY, IBAN]) expect(seen).not.toContain(secret)
    expect(await readAnswer(key, operator)).not.toContain(IBAN)
  },
)

test('the answers that hide people and accounts from some roles show them to the others', async () => {
  const showing = async (secret: string, as: Caller): Promise<string[]> => {
    const found: string[] = []
    for (const { key } of reads) if ((await readAnswer(key, as)).includes(secret)) found.push(key)
    return found
  }
  const { operator, manager } = place.firm.as
  const records = ['/v1/traders', '/v1/traders/:id', '/v1/traders/:id/timeline', '/v1/admin/traders/:id/full']
  const showsIdentity = [...records, '/v1/leads', '/v1/leads/:id'].map((path) => `GET ${path}`)
  expect(await showing('Zypressenweg', operator)).toEqual(showsIdentity)
  expect(await showing('99123', operator)).toEqual(expect.arrayContaining(showsIdentity))
  expect(await showing(IBAN, manager)).toEqual(['GET /v1/withdrawals/:id'])
  const { data } = (await app.call('GET', `/v1/withdrawals/reviews?ids=${withdrawal}`, { as: operator })).body
  expect(data).toMatchObject([{ destination: { reference: 'CY17•••7600', holder: 'Ada Veiled' } }])
})

test('a caller finds nobody by a value that is hidden from them', async () => {
  const { viewer, operator } = place.firm.as
  const found = async (path: string, as: Caller): Promise<number> => {
    const { body } = await app.call('GET', path, { as })
    return body.data.length
  }
  const [first = '', second = ''] = PHONES.map(encodeURIComponent)
  for (const [path, phone] of [
    ['/v1/traders', first],
    // this is the former number, which the merge has kept
    ['/v1/traders', second],
    ['/v1/traders', '3456'],
    ['/v1/leads', second],
    ['/v1/deposits', first],
    ['/v1/search', first],
    ['/v1/search', second],
    ['/v1/search', '9912'],
  ] as const) {
    const asked = `${path}?q=${phone}`
    expect([asked, await found(asked, operator)]).not.toEqual([asked, 0])
    expect([asked, await found(asked, viewer)]).toEqual([asked, 0])
  }
  expect(await found('/v1/traders?q=Ada', viewer)).toBeGreaterThan(0)
})

test('a key is shown what its role may see, and a client is shown their own data', async () => {
  const made = await app.call('POST', '/v1/api-keys', {
    as: place.firm.as.owner,
    body: { label: 'Portal', scopes: ['traders:read'], role: 'viewer' },
  })
  const trader = await app.call('GET', `/v1/traders/${place.client}`, { headers: { 'x-api-key': made.body.key } })
  expect(trader.body).toMatchObject({ phone: '•••3456', dateOfBirth: null, address: { city: 'Bern' } })
  const own = await app.call('GET', `/v1/withdrawals/${withdrawal}`, {
    as: await place.firm.traderSession(place.client),
  })
  expect(own.body.destination.reference).toBe(IBAN)
})
