import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Scope } from '../platform/access/catalogue.ts'
import { type Caller, createTestApp, type TestApp } from '../testing/app.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../testing/fakes/webhook-receiver.ts'
import { furnish, type Place } from './seed-firm.ts'

/** Lists the lists whose rows belong to clients, with the scope of each. */
const LISTS: readonly (readonly [path: string, scope: Scope])[] = [
  ['/v1/accounts', 'accounts:read'],
  ['/v1/adjustments', 'wallets:read'],
  ['/v1/deposits', 'deposits:read'],
  ['/v1/kyc/submissions', 'kyc:read'],
  ['/v1/positions', 'positions:read'],
  ['/v1/sanctions/hits', 'kyc:read'],
  ['/v1/support/tickets', 'support:read'],
  ['/v1/transfers', 'wallets:read'],
  ['/v1/wallets', 'wallets:read'],
  ['/v1/withdrawals', 'withdrawals:read'],
]

let app: TestApp
let receiver: WebhookReceiver
let place: Place
let other: Place
let name: string
beforeAll(async () => {
  app = createTestApp({ config: { allowedNetworks: ['127.0.0.0/8'] } })
  receiver = startWebhookReceiver()
  place = await furnish(app, await app.firm('alpha'), `${receiver.url}/hook`)
  other = await furnish(app, await app.firm('beta'), `${receiver.url}/hook`)
  const { body } = await app.call('GET', `/v1/traders/${place.client}`, { as: place.firm.as.owner })
  name = `${body.firstName} ${body.lastName}`
  await place.make.hit(place.client)
})
afterAll(async () => {
  await app.close()
  await receiver.stop()
})

type Row = { id: string; traderId: string | null; traderName: string | null }
const read = async (path: string, as: Caller, q?: string): Promise<Row[]> => {
  const query = q === undefined ? '' : `&q=${encodeURIComponent(q)}`
  const { status, body } = await app.call('GET', `${path}?limit=200${query}`, { as })
  expect(status).toBe(200)
  return body.data
}

describe.each(LISTS)('%s', (path, scope) => {
  test('the list names the client of each row, and a search by that name finds exactly those rows', async () => {
    const all = await read(path, place.firm.as.owner)
    const theirs = all.filter(({ traderId }) => traderId === place.client)
    expect(theirs.length).toBeGreaterThan(0)
    for (const row of theirs) expect(row.traderName).toBe(name)
    const found = await read(path, place.firm.as.owner, name)
    expect(found.map(({ id }) => id).toSorted()).toEqual(theirs.map(({ id }) => id).toSorted())
  })

  test('the list finds nothing by the name of another firm’s client', async () => {
    expect((await read(path, other.firm.as.owner, name)).filter(({ traderId }) => traderId === place.client)).toEqual(
      [],
    )
  })

  test('the list shows a key without traders:read neither the name nor the id of a row’s client', async () => {
    const { headers, id } = await place.make.key(place.firm.as.owner.id, [scope])
    const blind: Caller = { id, headers }
    const rows = await read(path, blind)
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) expect(row.traderName).toBeNull()
    for (const q of [name, place.client]) expect(await read(path, blind, q)).toEqual([])
    const [row] = rows
    expect((await read(path, blind, row?.id)).map(({ id: found }) => found)).toEqual([row?.id ?? ''])
  })
})
