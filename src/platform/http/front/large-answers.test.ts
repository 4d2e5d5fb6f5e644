import { afterAll, afterEach, beforeAll, expect, jest, test } from 'bun:test'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { getDownloads } from '../answers/downloads.ts'

let app: TestApp
let firm: Firm
const PAGE = '/v1/traders?limit=200'
beforeAll(async () => {
  app = await createTestApp()
  firm = await app.firm('alpha')
  const metadata = { text: 'x'.repeat(15_000) }
  for (let index = 0; index < 40; index += 1)
    await app.call('POST', '/v1/traders', { as: firm.as.admin, body: { email: `c${index}@example.com`, metadata } })
})
afterEach(() => void jest.useRealTimers())
afterAll(() => app.close())
const held = () => getDownloads(app.platform.capabilities).held()

test('a large page arrives complete, with the headers of any other answer, and then holds no memory', async () => {
  const answer = await app.handle(PAGE, firm.as.viewer)
  expect(answer.headers.get('content-type')).toBe('application/json;charset=utf-8')
  expect(answer.headers.get('x-request-id')).not.toBeNull()
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(JSON.parse(await answer.text()).data.length).toBeGreaterThan(30)
  expect(held()).toBe(0)
})

test('large pages that one person does not read use up only that person’s share of memory', async () => {
  // an answer that is not read for some seconds would give way
  jest.useFakeTimers()
  const left: Response[] = []
  for (;;) {
    const answer = await app.handle(PAGE, firm.as.viewer)
    if (answer.status === 429) {
      expect(await answer.json()).toMatchObject({ code: 'too_many_bytes' })
      break
    }
    left.push(answer)
    app.clock.advance(1000)
  }
  expect(held()).toBeLessThanOrEqual(48 * 1024 * 1024)
  expect((await app.handle('/v1/traders?limit=1', firm.as.viewer)).status).toBe(200)
  const colleague = await app.handle(PAGE, firm.as.admin)
  expect(colleague.status).toBe(200)
  await colleague.text()
  for (const answer of left) await answer.body?.cancel()
  expect(held()).toBe(0)
})
