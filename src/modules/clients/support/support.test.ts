import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { DAY, HOUR, MINUTE } from '../../../platform/clock.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { addWorkingTime, type Calendar, workingTimeBetween } from './business-hours.ts'
import { watchSla } from './support.jobs.ts'

let app: TestApp
let firm: Firm
let other: Firm
let traderId: string
let client: Caller
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  other = await app.firm('beta')
  traderId = await firm.trader()
  client = await firm.traderSession(traderId)
  // it is Thursday, 12:00 UTC; the default hours are 9 to 18 UTC
  app.clock.set(Date.UTC(2026, 0, 15, 12))
  firm.effects()
})
afterAll(() => app.close())

const open = async (body: object = {}, as = firm.as.operator) => {
  const answer = await app.call('POST', '/v1/support/tickets', {
    as,
    body: { traderId, subject: 'Help', body: 'It does not work.', ...body },
  })
  expect(answer.status).toBe(201)
  return answer.body
}
const say = (id: string, body: object, as: Caller = firm.as.operator) =>
  app.call('POST', `/v1/support/tickets/${id}/messages`, { as, body: { body: 'Hello', ...body } })
const act = (id: string, what: string, as: Caller = firm.as.operator, body: object = {}) =>
  app.call('POST', `/v1/support/tickets/${id}/${what}`, { as, body })
const read = async (id: string, as: Caller = firm.as.viewer) =>
  (await app.call('GET', `/v1/support/tickets/${id}`, { as })).body
const iso = (...parts: [number, number, number, number, number?]) => new Date(Date.UTC(...parts)).toISOString()

describe('tickets', () => {
  test('a ticket opens with its first message, event, audit entry, and deadlines in working time', async () => {
    firm.effects()
    const ticket = await open({ priority: 'high' })
    expect(firm.effects()).toEqual({ events: ['support.ticket_created'], actions: ['ticket.open', 'ticket.message'] })
    // 4 hours from Thursday noon; of 8 hours, six are on Thursday and two on Friday
    expect(ticket.sla).toMatchObject({
      firstReplyDueAt: iso(2026, 0, 15, 16),
      resolutionDueAt: iso(2026, 0, 16, 11),
      standing: 'fine',
    })
    const urgent = await open({ priority: 'urgent' })
    expect(urgent.sla.resolutionDueAt).toBe(iso(2026, 0, 15, 16))
    firm.effects()
  })

  test('a ticket pauses at a reply, and continues with the remaining time at the client’s message', async () => {
    const { id } = await open({ priority: 'normal' })
    firm.effects()
    expect((await say(id, {})).status).toBe(201)
    expect(firm.effects()).toEqual({ events: ['support.ticket_replied'], actions: ['ticket.message', 'ticket.reply'] })
    const waiting = await read(id)
    expect(waiting).toMatchObject({ status: 'pending', sla: { nextDueAt: null } })
    expect(waiting.sla.firstRepliedAt).toBe(new Date(app.clock.now()).toISOString())
    app.clock.advance(5 * DAY)
    await say(id, {}, client)
    const back = await read(id)
    expect(back.status).toBe('open')
    // at noon on Thursday 24 working hours were left, and at noon on the next Tuesday still are
    expect(back.sla.resolutionDueAt).toBe(iso(2026, 0, 22, 18))
    app.clock.set(Date.UTC(2026, 0, 15, 12))
    firm.effects()
  })

  test('a ticket keeps a deadline that had passed before the pause', async () => {
    const { id, sla } = await open({ priority: 'urgent' })
    app.clock.set(Date.parse(sla.resolutionDueAt))
    await say(id, {})
    app.clock.advance(HOUR)
    await say(id, {}, client)
    expect((await read(id)).sla.resolutionDueAt).toBe(sla.resolutionDueAt)
    app.clock.set(Date.UTC(2026, 0, 15, 12))
    firm.effects()
  })

  test('internal notes of a ticket never reach the client and fire no event', async () => {
    const { id } = await open()
    await say(id, { body: 'suspicious', internal: true })
    firm.effects()
    expect((await say(id, { body: 'really', internal: true })).status).toBe(201)
    expect(firm.effects()).toEqual({ events: [], actions: ['ticket.message'] })
    expect((await read(id)).messages.map(({ body }: { body: string }) => body)).toContain('suspicious')
    expect(JSON.stringify(await read(id, client))).not.toContain('suspicious')
    expect((await say(id, { internal: true }, client)).body.errors[0].path).toBe('internal')
    expect((await read(id)).status).toBe('open')
  })

  test('closing a ticket fires an event, and the ticket can be reopened for 14 days', async () => {
    const { id } = await open()
    firm.effects()
    expect((await act(id, 'close')).body.status).toBe('resolved')
    expect(firm.effects().events).toEqual(['support.ticket_closed'])
    expect((await say(id, {})).status).toBe(409)
    expect((await act(id, 'close', firm.as.operator, { status: 'closed' })).body.status).toBe('closed')
    expect(firm.effects().events).toEqual([])
    const older = { as: firm.as.operator, headers: { 'if-match': '"1"' } }
    expect((await app.call('POST', `/v1/support/tickets/${id}/reopen`, older)).status).toBe(412)
    expect((await act(id, 'reopen', client)).body.status).toBe('open')
    await act(id, 'close')
    app.clock.advance(14 * DAY)
    expect((await act(id, 'reopen')).body.status).toBe('open')
    await act(id, 'close')
    app.clock.advance(14 * DAY + 1)
    expect((await act(id, 'reopen')).body.code).toBe('support.too_old')
    app.clock.set(Date.UTC(2026, 0, 15, 12))
    firm.effects()
  })

  test('a ticket that is reopened without a first reply gets the time for it again', async () => {
    const { id } = await open({ priority: 'high' })
    await act(id, 'close')
    app.clock.set(Date.UTC(2026, 0, 19, 10))
    await act(id, 'reopen', client)
    expect((await read(id)).sla).toMatchObject({
      firstReplyDueAt: iso(2026, 0, 19, 14),
      nextDueAt: iso(2026, 0, 19, 14),
      standing: 'fine',
    })
    app.clock.set(Date.UTC(2026, 0, 15, 12))
    firm.effects()
  })

  test('a late ticket stays late after the answer, after another priority, and at its end', async () => {
    const { id } = await open({ priority: 'high' })
    expect((await read(id)).sla).toMatchObject({ firstReplyLateMinutes: null, resolutionLateMinutes: null })
    app.clock.set(Date.UTC(2026, 0, 15, 17, 59))
    expect((await read(id)).sla.firstReplyLateMinutes).toBeNull()
    await say(id, { keepOpen: true })
    expect((await read(id)).sla.firstReplyLateMinutes).toBe(119)
    const low = await app.call('PATCH', `/v1/support/tickets/${id}`, {
      as: firm.as.operator,
      body: { priority: 'low' },
    })
    expect(low.body.sla).toMatchObject({ firstReplyLateMinutes: 119, firstReplyDueAt: iso(2026, 0, 15, 16) })
    await app.call('PATCH', `/v1/support/tickets/${id}`, { as: firm.as.operator, body: { priority: 'urgent' } })
    await act(id, 'close')
    expect((await read(id)).sla).toMatchObject({ resolutionLateMinutes: 119, resolutionDueAt: iso(2026, 0, 15, 16) })
    app.clock.set(Date.UTC(2026, 0, 15, 12))
    firm.effects()
  })

  test('another priority counts a ticket’s time from its opening or last reopening, without pauses', async () => {
    const { id } = await open({ priority: 'normal' })
    const to = (priority: string) =>
      app.call('PATCH', `/v1/support/tickets/${id}`, { as: firm.as.operator, body: { priority } })
    app.clock.advance(HOUR)
    await say(id, {})
    app.clock.set(Date.UTC(2026, 0, 20, 10))
    await say(id, {}, client)
    // before the pause one of eight hours was used, so seven are left on Tuesday at ten
    expect((await to('high')).body.sla.resolutionDueAt).toBe(iso(2026, 0, 20, 17))
    expect((await to('urgent')).body.sla.resolutionDueAt).toBe(iso(2026, 0, 20, 13))
    await act(id, 'close')
    app.clock.set(Date.UTC(2026, 0, 21, 10))
    await act(id, 'reopen')
    expect((await to('high')).body.sla.resolutionDueAt).toBe(iso(2026, 0, 21, 18))
    app.clock.set(Date.UTC(2026, 0, 15, 12))
    firm.effects()
  })

  test('tickets belong to their client and firm; another priority sets other deadlines', async () => {
    const { id } = await open({}, client)
    expect((await read(id, client)).traderId).toBe(traderId)
    const stranger = await firm.traderSession(await firm.trader())
    expect((await app.call('GET', `/v1/support/tickets/${id}`, { as: stranger })).status).toBe(404)
    expect((await say(id, {}, stranger)).status).toBe(404)
    expect((await app.call('GET', `/v1/support/tickets/${id}`, { as: other.as.owner })).status).toBe(404)
    expect(
      (await app.call('PATCH', `/v1/support/tickets/${id}`, { as: client, body: { priority: 'urgent' } })).status,
    ).toBe(403)
    const patched = await app.call('PATCH', `/v1/support/tickets/${id}`, {
      as: firm.as.operator,
      body: { priority: 'urgent', assignedTo: firm.as.manager.id },
    })
    expect(patched.body).toMatchObject({
      priority: 'urgent',
      assignedTo: firm.as.manager.id,
      sla: { firstReplyDueAt: iso(2026, 0, 15, 13) },
    })
    const wrong = await app.call('PATCH', `/v1/support/tickets/${id}`, {
      as: firm.as.operator,
      body: { assignedTo: other.as.manager.id },
    })
    expect(wrong.body.errors[0].path).toBe('assignedTo')
    const mine = await app.call('POST', '/v1/support/tickets', {
      as: client,
      body: { subject: 'x', body: 'y', priority: 'urgent' },
    })
    expect(mine.body.priority).toBe('high')
  })
})

describe('service levels', () => {
  const run = () => watchSla.run({ platform: app.platform, signal: new AbortController().signal })

  test('a ticket is warned about at 75 % and breached at its deadline, once each, and is overdue until it is answered', async () => {
    const { id } = await open({ priority: 'urgent', subject: 'Late' })
    const noted = (action: string) =>
      app.platform.reader.all('SELECT 1 FROM audit WHERE entity_id = ? AND action = ?', [id, action])
    app.clock.advance(45 * MINUTE - 1)
    await run()
    expect([(await read(id)).sla.standing, noted('ticket.sla_warning')]).toEqual(['fine', []])
    firm.effects()
    app.clock.advance(1)
    await run()
    await run()
    expect(noted('ticket.sla_warning')).toHaveLength(1)
    expect((await read(id)).sla.standing).toBe('warning')
    app.clock.advance(15 * MINUTE - 1)
    await run()
    expect([(await read(id)).sla.standing, noted('ticket.sla_breached')]).toEqual(['warning', []])
    app.clock.advance(1)
    await run()
    await run()
    const overdue = async () =>
      (await app.call('GET', '/v1/admin/sla/overdue?limit=200', { as: firm.as.viewer })).body.data.map(
        (row: { id: string }) => row.id,
      )
    expect(noted('ticket.sla_breached')).toHaveLength(1)
    expect(noted('ticket.sla_warning')).toHaveLength(1)
    expect((await read(id)).sla.standing).toBe('breached')
    expect(await overdue()).toContain(id)
    await say(id, {})
    expect(await overdue()).not.toContain(id)
    expect((await app.call('GET', '/v1/admin/sla/overdue', { as: other.as.viewer })).body.data).toEqual([])
  })

  test('a ticket with a late first reply is also warned about its resolution, and breached', async () => {
    app.clock.set(Date.UTC(2026, 0, 15, 12))
    const { id } = await open({ priority: 'urgent' })
    const run = () => watchSla.run({ platform: app.platform, signal: new AbortController().signal })
    app.clock.advance(61 * MINUTE)
    await run()
    await say(id, { keepOpen: true })
    firm.effects()
    app.clock.advance(130 * MINUTE)
    await run()
    app.clock.advance(60 * MINUTE)
    await run()
    const noted = app.platform.reader.all<{ action: string }>(
      `SELECT action FROM audit WHERE entity_id = ? AND action LIKE 'ticket.sla%' ORDER BY seq`,
      [id],
    )
    expect(noted.map(({ action }) => action)).toEqual([
      'ticket.sla_breached',
      'ticket.sla_warning',
      'ticket.sla_breached',
    ])
    await act(id, 'close')
    app.clock.set(Date.UTC(2026, 0, 15, 12))
    firm.effects()
  })

  test('every due ticket is noted among many that are not due; the inbox starts with the earliest deadline', async () => {
    const late = await open({ priority: 'urgent', subject: 'Due among many' })
    const { connection, writer, clock } = app.platform
    await writer.submit(() =>
      connection.run(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
         INSERT INTO tickets (tenant_id, id, subject, priority, status, first_reply_due_at, resolution_due_at, last_message_at, created_at, updated_at)
         SELECT ?1, printf('tck_a%06d', i), 'Later', 'low', 'open', ?2 + 8 * 86400000, ?2 + 9 * 86400000, ?2, ?2 - i, ?2 FROM n`,
        [firm.tenantId, clock.now()],
      ),
    )
    app.clock.advance(61 * MINUTE)
    await run()
    expect((await read(late.id)).sla.breachedAt).not.toBeNull()
    const inbox = async (query = '') =>
      (
        await app.call('GET', `/v1/support/tickets?sort=nextDueAt&status=open&limit=200${query}`, {
          as: firm.as.viewer,
        })
      ).body
    const page = await inbox()
    const dues: string[] = page.data.map((row: { sla: { nextDueAt: string } }) => row.sla.nextDueAt)
    expect(dues).toEqual(dues.toSorted())
    const second = await inbox(`&cursor=${encodeURIComponent(page.nextCursor)}`)
    expect(second.data[0].sla.nextDueAt >= (dues.at(-1) ?? '')).toBe(true)
    const everything = await app.call('GET', '/v1/support/tickets?sort=-nextDueAt&limit=200', { as: firm.as.viewer })
    expect(everything.body.data[0].sla.nextDueAt).toBeNull()
    await writer.submit(() => connection.run(`DELETE FROM tickets WHERE id LIKE 'tck_a%'`))
  })

  test('an admin sets the service levels; an invalid value is refused with its field', async () => {
    const read = async () => (await app.call('GET', '/v1/support/sla-policies', { as: firm.as.viewer })).body
    // the default levels use the firm's time zone
    await app.call('PATCH', '/v1/tenants/current', { as: firm.as.owner, body: { timeZone: 'Asia/Tokyo' } })
    const { version, ...policies } = await read()
    expect([version, policies.timeZone]).toEqual([0, 'Asia/Tokyo'])
    const set = (change: object, as = firm.as.admin) =>
      app.call('PUT', '/v1/support/sla-policies', { as, body: { ...policies, ...change } })
    expect((await set({}, firm.as.manager)).status).toBe(403)
    expect((await set({ timeZone: 'Mars/Olympus' })).body.errors[0].path).toBe('timeZone')
    expect((await set({ hours: [{ day: 1, from: '18:00', to: '18:00' }] })).body.errors[0].path).toBe('hours.0.to')
    expect((await set({ holidays: ['2026-02-30'] })).status).toBe(422)
    const twice = ['09:00', '11:00'].map((from) => ({ day: 1, from, to: '12:00' }))
    expect((await set({ hours: twice })).body.errors[0].path).toBe('hours.1.from')
    const scarce = await set({ hours: [{ day: 1, from: '09:00', to: '10:00' }] })
    expect(scarce.body.errors[0].path).toBe('targets.low.resolutionMinutes')
    expect((await set({ timeZone: 'Europe/Nicosia', holidays: ['2026-01-16'] })).body).toMatchObject({
      timeZone: 'Europe/Nicosia',
      version: 1,
    })
    expect((await read()).timeZone).toBe('Europe/Nicosia')
    app.clock.set(Date.UTC(2026, 0, 15, 15))
    // it is 17:00 in Nicosia: one hour is left today and Friday is a holiday, so it is due three hours into Monday
    expect((await open({ priority: 'high' })).sla.firstReplyDueAt).toBe(iso(2026, 0, 19, 10))
  })

  test('warn at 75 % of the longest target, when the deadline is more than two weeks away', async () => {
    const began = app.clock.now()
    const { version: _, ...policies } = (await app.call('GET', '/v1/support/sla-policies', { as: firm.as.viewer })).body
    const longest = { firstReplyMinutes: 100_000, resolutionMinutes: 100_000, roundTheClock: true }
    const set = (targets: object) =>
      app.call('PUT', '/v1/support/sla-policies', { as: firm.as.admin, body: { ...policies, targets } })
    expect((await set({ ...policies.targets, urgent: longest })).status).toBe(200)
    const { id } = await open({ priority: 'urgent' })
    const warnings = () =>
      app.platform.reader.all(`SELECT 1 FROM audit WHERE entity_id = ? AND action = 'ticket.sla_warning'`, [id]).length
    app.clock.advance(75_000 * MINUTE - 1)
    await run()
    expect(warnings()).toBe(0)
    app.clock.advance(1)
    await run()
    expect(warnings()).toBe(1)
    app.clock.set(began)
    await act(id, 'close')
    await set(policies.targets)
    firm.effects()
  })
})

describe('business hours', () => {
  const week = (timeZone: string, holidays: string[] = []): Calendar => ({
    timeZone,
    holidays,
    hours: [1, 2, 3, 4, 5].map((day) => ({ day, from: '09:00', to: '17:00' })),
  })

  test('a day with a clock change has its working hours at the right instants', () => {
    // New York's winter time ends on Sunday, 8 March 2026
    const friday = Date.UTC(2026, 2, 6, 21) // 16:00 EST
    expect(addWorkingTime(friday, 2 * HOUR, week('America/New_York'))).toBe(Date.UTC(2026, 2, 9, 14)) // Monday 10:00 EDT
    expect(workingTimeBetween(friday, Date.UTC(2026, 2, 9, 14), week('America/New_York'))).toBe(2 * HOUR)
  })

  test('adding and measuring working time agree, from any start', () => {
    const calendar = week('Europe/Nicosia', ['2026-04-13', '2026-10-28'])
    const start = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 11, 31) })
    fc.assert(
      fc.property(start, fc.integer({ min: MINUTE, max: 200 * HOUR }), (from, duration) => {
        expect(workingTimeBetween(from, addWorkingTime(from, duration, calendar), calendar)).toBe(duration)
      }),
      { numRuns: 60 },
    )
  })

  test('a firm without working hours counts all hours', () => {
    const always = { timeZone: 'UTC', hours: [], holidays: [] }
    expect(addWorkingTime(0, 5 * HOUR, always)).toBe(5 * HOUR)
    expect(workingTimeBetween(HOUR, 6 * HOUR, always)).toBe(5 * HOUR)
    expect(workingTimeBetween(6 * HOUR, HOUR, always)).toBe(0)
  })
})
