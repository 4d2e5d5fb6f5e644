import { afterEach, beforeEach, expect, test } from 'bun:test'
import { DAY, HOUR } from '../../../platform/clock.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { DAILY_BYTES, MOST_OPEN } from './client-limits.ts'

let app: TestApp
let firm: Firm
let traderId: string
let client: Caller
beforeEach(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  traderId = await firm.trader()
  client = await firm.traderSession(traderId)
})
afterEach(() => app.close())

const open = (as: Caller, body: object = {}) =>
  app.call('POST', '/v1/support/tickets', { as, body: { subject: 'Help', body: 'first', ...body } })
const on = (id: string, verb: string, as: Caller, body: object = {}) =>
  app.call('POST', `/v1/support/tickets/${id}/${verb}`, { as, body })
const said = ({ status, body }: Awaited<ReturnType<typeof open>>) => [status, body.code]

test('a client may have a limited number of open tickets; staff may open more, and closing one makes room', async () => {
  const ids: string[] = []
  for (let n = 0; n < MOST_OPEN; n += 1) ids.push((await open(client)).body.id)
  firm.effects()
  expect(said(await open(client))).toEqual([409, 'too_many_open'])
  expect(firm.effects()).toEqual({ events: [], actions: [] })
  expect((await open(firm.as.operator, { traderId })).status).toBe(201)
  expect((await open(await firm.traderSession(await firm.trader()))).status).toBe(201)
  // after a reply the ticket waits for the client, who still may not open another one
  const [first = '', second = ''] = ids
  await on(first, 'messages', firm.as.operator, { body: 'Which account?' })
  expect(said(await open(client))).toEqual([409, 'too_many_open'])
  for (const id of [first, second]) expect((await on(id, 'close', firm.as.operator)).status).toBe(200)
  expect((await open(client)).status).toBe(201)
  expect(said(await on(first, 'reopen', client))).toEqual([409, 'too_many_open'])
  expect((await on(first, 'reopen', firm.as.operator)).status).toBe(200)
})

test('a client may write a limited number of bytes a day over all tickets; staff have no limit', async () => {
  const words = '文'.repeat(20_000)
  const first = await open(client, { body: words })
  app.clock.advance(HOUR)
  for (let n = 0; n < 3; n += 1) expect((await open(client, { body: words })).status).toBe(201)
  const full = await on(first.body.id, 'messages', client, { body: words })
  expect([...said(full), full.headers.get('retry-after')]).toEqual([429, 'too_many_words', String(23 * 3600)])
  expect(said(await open(client, { body: words }))).toEqual([429, 'too_many_words'])
  const left = DAILY_BYTES - 4 * Buffer.byteLength(words)
  for (const size of [20_000, left - 20_000])
    expect((await on(first.body.id, 'messages', client, { body: 'x'.repeat(size) })).status).toBe(201)
  expect(said(await on(first.body.id, 'messages', client, { body: 'x' }))).toEqual([429, 'too_many_words'])
  for (let n = 0; n < 5; n += 1)
    expect((await on(first.body.id, 'messages', firm.as.operator, { body: words })).status).toBe(201)
  app.clock.advance(DAY - HOUR)
  expect((await open(client, { body: words })).status).toBe(201)
})
