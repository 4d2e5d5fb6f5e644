import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'

let app: TestApp
let firm: Firm
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
})
afterAll(() => app.close())

test('a line of the timeline names its record and the people in it, as far as the caller may read them', async () => {
  const { body: trader } = await app.call('POST', '/v1/traders', { as: firm.as.operator, body: { email: 't@x.test' } })
  const { id } = trader
  const owner = firm.as.operator.id
  const changes = { assignedTo: owner, address: { street: '63 Mill Lane' } }
  const patched = await app.call('PATCH', `/v1/traders/${id}`, { as: firm.as.operator, body: changes })
  expect(patched.status).toBe(200)
  const { body: deposit } = await app.call('POST', '/v1/deposits', {
    as: firm.as.operator,
    body: { traderId: id, currency: 'EUR', amount: '1914.66', method: 'bank', providerReference: 'BANK-1' },
  })
  const { body: ticket } = await app.call('POST', '/v1/support/tickets', {
    as: firm.as.operator,
    body: { traderId: id, subject: 'My wire', body: 'Where is it?' },
  })
  const timeline = async (as: Caller, query = '') =>
    (await app.call('GET', `/v1/traders/${id}/timeline?limit=200${query}`, { as })).body.data
  const lines = await timeline(firm.as.viewer)
  const line = (action: string) => lines.find((entry: { action: string }) => entry.action === action)
  expect(line('deposit.create')).toMatchObject({
    group: 'money',
    record: { entity: 'deposit', id: deposit.id, amount: '1914.66', currency: 'EUR', reference: 'BANK-1' },
  })
  const message = lines.find(({ entity }: { entity: string }) => entity === 'ticket_message')
  expect(message.record).toMatchObject({ entity: 'ticket', id: ticket.id, name: 'My wire' })
  const { names } = line('trader.update')
  expect(names).toEqual({ [owner]: line('deposit.create').actorName })
  const [change] = await timeline(await firm.key(['traders:read']), '&group=changes')
  expect([change.action, change.names]).toEqual(['trader.update', {}])

  const groups = async (group: string) => [
    ...new Set((await timeline(firm.as.viewer, `&group=${group}`)).map((row: { group: string }) => row.group)),
  ]
  expect(await groups('money')).toEqual(['money'])
  expect(await groups('identity')).toEqual([])
  expect(
    (await timeline(firm.as.viewer, `&entityId=${deposit.id}`)).map((row: { action: string }) => row.action),
  ).toEqual(['deposit.create'])
  const wrong = await app.call('GET', `/v1/traders/${id}/timeline?group=weather`, { as: firm.as.viewer })
  expect(wrong.status).toBe(422)
})
