import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { HOUR } from '../../../platform/clock.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { PNG } from '../../../testing/evidence-desk.ts'
import { canUnzip, unzip } from '../../../testing/unzip.ts'

let app: TestApp
let firm: Firm
let other: Firm

beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  other = await app.firm('beta')
})
afterAll(() => app.close())

const path = (id: string) => `/v1/admin/traders/${id}/pii-export`
const call = (method: string, where: string, body: object, as: Caller = firm.as.owner) =>
  app.call(method, where, { as, body })

/** Makes the bundle of a client and unpacks it with an independent program. */
const bundled = async (id: string) => unzip(await app.handle(path(id), firm.as.owner))

describe('the privacy bundle', () => {
  test.skipIf(!canUnzip)(
    'the privacy bundle has the wallets and entries of clients merged into the person',
    async () => {
      const [primaryId, secondaryId] = [await firm.trader(), await firm.trader()]
      for (const traderId of [primaryId, secondaryId]) {
        const { body } = await call('POST', '/v1/deposits', { traderId, currency: 'EUR', amount: '55', method: 'bank' })
        await call('POST', `/v1/deposits/${body.id}/settle`, {}, firm.as.manager)
      }
      await call('POST', '/v1/admin/traders/merge', { primaryId, secondaryId })
      const { walletEntries, wallets } = JSON.parse((await bundled(primaryId))['bundle.json']?.toString() ?? '')
      expect(wallets).toHaveLength(2)
      const amounts = walletEntries.map(({ amount }: { amount: string }) => amount)
      expect(amounts.sort()).toEqual(['-55.00', '55.00', '55.00', '55.00'])
    },
  )

  test.skipIf(!canUnzip)('the privacy bundle has the person’s data, and nothing that is the firm’s', async () => {
    const traderId = await firm.trader({ firstName: 'Ada', lastName: 'Änder' })
    await call('PATCH', `/v1/traders/${traderId}`, { riskLevel: 'high', segments: ['suspicious'] })
    await call('POST', `/v1/traders/${traderId}/notes`, { body: 'internal: looks odd' })
    const ticket = await call('POST', '/v1/support/tickets', { traderId, subject: 'Help', body: 'It broke.' })
    await call('POST', `/v1/support/tickets/${ticket.body.id}/messages`, {
      body: 'whisper to colleagues',
      internal: true,
    })
    const deposits = 450
    for (let n = 0; n < deposits; n += 1)
      await call('POST', '/v1/deposits', {
        traderId,
        currency: 'EUR',
        amount: `${n + 1}.25`,
        method: 'bank',
        note: 'staff remark',
      })
    const upload = await call('POST', '/v1/kyc/documents/upload', {
      traderId,
      contentType: 'image/png',
      fileSize: PNG.byteLength,
    })
    await app.call('PUT', upload.body.uploadUrl, {
      raw: new Uint8Array(PNG),
      headers: { 'content-type': 'image/png' },
    })
    await call('POST', '/v1/kyc/documents/confirm', { key: upload.body.key, kind: 'passport', traderId })
    const client = await firm.traderSession(traderId)
    await app.call('POST', '/v1/support/tickets', { as: client, body: { subject: 'Mine', body: 'Own words' } })
    firm.effects()
    const found = await bundled(traderId)
    expect(firm.effects()).toEqual({ events: [], actions: ['trader.privacy_bundle'] })
    expect(Object.keys(found)).toEqual(['bundle.json', `files/${upload.body.key}.png`])
    expect(found[`files/${upload.body.key}.png`]?.equals(PNG)).toBe(true)
    const text = found['bundle.json']?.toString() ?? ''
    const bundle = JSON.parse(text)
    expect(bundle.person).toMatchObject({ firstName: 'Ada', lastName: 'Änder' })
    expect(bundle.contacts.email).toEndWith('@alpha.test')
    expect(bundle.deposits).toHaveLength(deposits)
    expect(new Set(bundle.deposits.map((row: { id: string }) => row.id)).size).toBe(deposits)
    expect(bundle.deposits.at(-1)).toMatchObject({ amount: '1.25', currency: 'EUR', status: 'pending' })
    expect(bundle.tickets).toHaveLength(2)
    expect(bundle.ticketMessages.map((row: { body: string }) => row.body).toSorted()).toEqual([
      'It broke.',
      'Own words',
    ])
    expect(bundle.ownActs).toContainEqual(expect.objectContaining({ entity: 'ticket' }))
    for (const hidden of ['internal', 'whisper', 'suspicious', 'riskLevel', 'staff remark', firm.as.owner.id])
      expect([hidden, text.includes(hidden)]).toEqual([hidden, false])
  })

  test('the privacy bundle of a client is made once an hour', async () => {
    const [one, two] = [await firm.trader(), await firm.trader()]
    const ask = (id: string) => app.call('GET', path(id), { as: firm.as.owner })
    const first = await ask(one)
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'application/zip'])
    expect((await ask(two)).status).toBe(200)
    app.clock.advance(HOUR / 2)
    const soon = await ask(one)
    expect([soon.status, soon.body.code, soon.headers.get('retry-after')]).toEqual([429, 'privacy.too_soon', '1800'])
    app.clock.advance(HOUR / 2)
    expect((await ask(one)).status).toBe(200)
  })

  test('the privacy bundle is for owners in a session of their own', async () => {
    const traderId = await firm.trader()
    expect((await app.call('GET', path(traderId), { as: firm.as.admin })).status).toBe(403)
    const key = await firm.key(['auth:read', 'traders:read'])
    expect((await app.call('GET', path(traderId), { as: key })).body.code).toBe('privacy.not_by_key')
    expect((await app.call('GET', path(traderId), { as: other.as.owner })).status).toBe(404)
    expect((await app.call('GET', path('trd_nobody'), { as: firm.as.owner })).status).toBe(404)
  })
})
