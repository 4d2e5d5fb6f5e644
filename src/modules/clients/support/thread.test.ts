import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { MOST_CHARACTERS } from '../../../platform/http/lists/page.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { CLIENT_MOST, STAFF_MOST } from './thread.ts'

let app: TestApp
let firm: Firm
let client: Caller
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
})
beforeEach(async () => {
  client = await firm.traderSession(await firm.trader())
})
afterAll(() => app.close())

const open = async (): Promise<string> => {
  const body = { subject: 'Help', body: 'first' }
  return (await app.call('POST', '/v1/support/tickets', { as: client, body })).body.id
}
const say = (id: string, as: Caller, body: object = {}) =>
  app.call('POST', `/v1/support/tickets/${id}/messages`, { as, body: { body: 'Hello', ...body } })
const read = (id: string, as: Caller) => app.call('GET', `/v1/support/tickets/${id}`, { as })

/** Inserts any number of messages of any size directly. */
const stored = (id: string, n: number, body: string, { internal = 0, by = 'trader' } = {}) => {
  const { connection, writer, clock } = app.platform
  return writer.submit(() =>
    connection.run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?4)
       INSERT INTO ticket_messages (tenant_id, id, ticket_id, trader_id, author_kind, internal, body, created_at)
       SELECT ?1, printf('msg_%s%06d%d', ?2, i, ?6), ?2, (SELECT trader_id FROM tickets WHERE id = ?2), ?7, ?6, ?5, ?3 + i FROM n`,
      [firm.tenantId, id, clock.now(), n, body, internal, by],
    ),
  )
}

test('a client may write a limited number of messages into a ticket, and staff twice as many', async () => {
  const id = await open()
  await stored(id, CLIENT_MOST.messages - 2, 'x')
  expect((await say(id, client)).status).toBe(201)
  const full = await say(id, client)
  expect([full.status, full.body.code, full.body.detail]).toEqual([
    409,
    'support.full',
    'The ticket is full; open a new one.',
  ])
  // messages of the client do not count for the staff
  await stored(id, STAFF_MOST.messages - 1, 'x', { internal: 1, by: 'staff' })
  expect((await say(id, firm.as.operator)).status).toBe(201)
  expect((await say(id, firm.as.operator)).body.code).toBe('support.full')
  expect((await say(id, firm.as.operator, { internal: true })).body.code).toBe('support.full')
})

test('a client may write a limited number of characters into a ticket', async () => {
  const id = await open()
  const body = 'яx'.repeat(10_000)
  let sent = 'first'.length
  while (sent + body.length <= CLIENT_MOST.characters) {
    expect((await say(id, client, { body })).status).toBe(201)
    sent += body.length
  }
  expect((await say(id, client, { body })).body.code).toBe('support.full')
  const rest = 'x'.repeat(CLIENT_MOST.characters - sent)
  expect((await say(id, client, { body: rest })).status).toBe(201)
  expect((await say(id, client, { body: 'я' })).body.code).toBe('support.full')
  expect((await say(id, firm.as.operator, { body })).status).toBe(201)
})

test('a full ticket is shown completely', async () => {
  const id = await open()
  const long = (most: typeof CLIENT_MOST) => 'x'.repeat(Math.floor(most.characters / most.messages))
  await stored(id, CLIENT_MOST.messages - 1, long(CLIENT_MOST))
  await stored(id, STAFF_MOST.messages, long(STAFF_MOST), { internal: 1, by: 'staff' })
  const { messages } = (await read(id, firm.as.viewer)).body
  expect(messages).toHaveLength(CLIENT_MOST.messages + STAFF_MOST.messages)
  expect(messages[0].body).toBe('first')
  expect(CLIENT_MOST.characters + STAFF_MOST.characters).toBeLessThanOrEqual(MOST_CHARACTERS)
})
