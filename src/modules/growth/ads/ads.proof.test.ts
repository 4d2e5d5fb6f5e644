import { afterAll, expect, test } from 'bun:test'
import { adsDesk } from '../../../testing/ads-desk.ts'
import { signed } from '../../../testing/fakes/graph-api.ts'

const desk = await adsDesk()
const { firm, appSecret, number, call, connect, stored } = desk
afterAll(() => desk.close())

const post = (raw: string, headers = signed(appSecret, raw)) => call('POST', '/v1/ads/meta/webhook', { raw, headers })
/** Makes the largest batch that the platform sends, with the keys of every object in alphabetical order. */
const batch = (page: string, leads: number) => {
  const change = (n: number) => ({ field: 'leadgen', value: { form_id: '9', leadgen_id: `7${n}`, page_id: page } })
  return JSON.stringify({
    entry: [{ changes: Array.from({ length: leads }, (_, n) => change(n)), id: page, time: 1_768_478_400 }],
    object: 'page',
  })
}

test('a notification’s body is not read without a connection, or after the last one is removed', async () => {
  const refused = async () => {
    const { status, body } = await post('x'.repeat(300 * 1024))
    return [status, body.code]
  }
  expect(await refused()).toEqual([401, 'ads.bad_signature'])
  const { path } = await connect()
  expect((await refused())[0]).toBe(413)
  await call('DELETE', path, { as: firm.as.admin })
  expect(await refused()).toEqual([401, 'ads.bad_signature'])
})

test('a page whose id comes after a thousand of its leads is found through these leads', async () => {
  const { id, page } = await connect()
  const raw = batch(page, 1000)
  expect(raw.length).toBeGreaterThan(64 * 1024)
  expect((await post(raw)).body).toEqual({ received: 1000 })
  expect(stored(id)).toHaveLength(1000)
  firm.effects()
})

test('a signed body that cannot be parsed is refused as malformed, and an unsigned one as unsigned', async () => {
  const { id, page } = await connect()
  const raw = `{"entry":[{"id":"${page}"`
  expect((await post(raw)).body.code).toBe('malformed_body')
  expect((await post(raw, signed('another secret', raw))).body.code).toBe('ads.bad_signature')
  expect(stored(id)).toEqual([])
})

test('an id that is no page brings no lead, even beside a page’s id', async () => {
  const { id } = await connect()
  const raw = JSON.stringify({ entry: [{ id: number(), changes: [{ field: 'feed', value: { id: number() } }] }] })
  expect((await post(raw)).body).toEqual({ received: 0 })
  expect(stored(id)).toEqual([])
})
