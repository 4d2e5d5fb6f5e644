import { afterAll, describe, expect, test } from 'bun:test'
import { adsDesk } from '../../../testing/ads-desk.ts'

const desk = await adsDesk()
const { app, firm, other, graph, number, connect, lead, notify, stored, call } = desk
afterAll(() => desk.close())

let serial = 0
const credentials = () => {
  serial += 1
  return { accessToken: graph.token, appSecret: `another-secret-${serial}`, verifyToken: `another-token-${serial}` }
}
const believedAt = (id: string) =>
  app.platform.reader.all('SELECT page_id, believed_at FROM ad_pages WHERE connection_id = ? ORDER BY 1', [id])

describe('a page that many connections name', () => {
  test('a page in five connections of each of 21 firms still notifies a firm that connects it later', async () => {
    const page = number()
    for (let n = 0; n < 21; n += 1) {
      const stranger = await app.firm(`stranger-${n}`)
      for (let k = 0; k < 5; k += 1) await connect({ pageIds: [page], credentials: credentials() }, stranger)
    }
    const { id } = await connect({ pageIds: [page] }, await app.firm('late'))
    expect((await notify([{ page, lead: lead(page) }])).body).toEqual({ received: 1 })
    expect(stored(id)).toHaveLength(1)
    const stranger = await notify([{ page, lead: lead(page) }], 'a secret that nobody has')
    expect([stranger.status, stranger.body.code]).toEqual([401, 'ads.bad_signature'])
  })

  test('pages in a hundred connections of one firm, all in one notification, still notify another firm', async () => {
    const pages = Array.from({ length: 20 }, number)
    for (const page of pages)
      for (let k = 0; k < 5; k += 1) await connect({ pageIds: [page], credentials: credentials() }, other)
    const { id } = await connect({ pageIds: pages }, await app.firm('later'))
    expect((await notify(pages.map((page) => ({ page, lead: lead(page) })))).body).toEqual({ received: 20 })
    expect(stored(id)).toHaveLength(20)
  })

  test('among many connections of a firm to a page, the secret that was right before is tried first', async () => {
    const pages = Array.from({ length: 10 }, number)
    const { id, path } = await connect({ pageIds: pages })
    expect((await notify(pages.map((page) => ({ page, lead: lead(page) })))).status).toBe(200)
    for (const page of pages)
      for (let k = 0; k < 4; k += 1) await connect({ pageIds: [page], credentials: credentials() })
    expect((await notify(pages.map((page) => ({ page, lead: lead(page) })))).body).toEqual({ received: 10 })
    expect(believedAt(id)).toEqual(pages.map((page) => ({ page_id: page, believed_at: app.clock.now() })))
    const [first = ''] = pages
    await call('PATCH', path, { as: firm.as.admin, body: { pageIds: [first] } })
    expect(believedAt(id)).toEqual([{ page_id: first, believed_at: app.clock.now() }])
    await call('PATCH', path, { as: firm.as.admin, body: { credentials: credentials() } })
    expect(believedAt(id)).toEqual([{ page_id: first, believed_at: null }])
  })
})
