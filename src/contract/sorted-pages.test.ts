import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createTestApp, type Firm, type TestApp } from '../testing/app.ts'

let app: TestApp
let firm: Firm
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
})
afterAll(() => app.close())

type Row = { id: string; priority: string; traderId: string }

/** Reads a list page by page, with pages so short that equal values lie on different ones. */
async function readPages(path: string, cursor = ''): Promise<Row[]> {
  const { status, body } = await app.call('GET', `${path}${cursor && `&cursor=${cursor}`}`, { as: firm.as.manager })
  expect(status).toBe(200)
  return body.nextCursor ? [...body.data, ...(await readPages(path, body.nextCursor))] : body.data
}

test('tickets are sorted by priority and not by its letters, each once, over pages that end within equal ones', async () => {
  const traderId = await firm.trader()
  for (const priority of ['normal', 'urgent', 'low', 'high', 'normal', 'urgent', 'normal']) {
    const body = { traderId, subject: 'Sorted', priority, body: 'text' }
    expect((await app.call('POST', '/v1/support/tickets', { as: firm.as.operator, body })).status).toBe(201)
  }
  const inOrder = ['urgent', 'urgent', 'high', 'normal', 'normal', 'normal', 'low']
  for (const filter of ['', '&status=open']) {
    const down = await readPages(`/v1/support/tickets?sort=-priority&limit=2${filter}`)
    expect(down.map(({ priority }) => priority)).toEqual(inOrder)
    expect(new Set(down.map(({ id }) => id)).size).toBe(7)
    const up = await readPages(`/v1/support/tickets?sort=priority&limit=2${filter}`)
    expect(up.map(({ id }) => id)).toEqual(down.map(({ id }) => id).toReversed())
  }
})

test('deposits are sorted by when they were settled, and the pending ones come last, each once', async () => {
  const ids: string[] = []
  for (const isSettled of [true, false, true, true, false]) {
    app.clock.advance(1000)
    const body = { traderId: await firm.trader(), currency: 'EUR', amount: '10', method: 'bank' }
    const { id } = (await app.call('POST', '/v1/deposits', { as: firm.as.operator, body })).body
    if (isSettled) await app.call('POST', `/v1/deposits/${id}/settle`, { as: firm.as.manager })
    ids.push(id)
  }
  const [first, a, second, third, b] = ids
  const shown = await readPages('/v1/deposits?sort=-settledAt&limit=2')
  expect(shown.map(({ id }) => id)).toEqual([third, second, first, b, a].map(String))
})
