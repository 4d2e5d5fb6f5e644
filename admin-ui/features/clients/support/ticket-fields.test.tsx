import { expect, test } from 'bun:test'
import type { Role } from '../../../lib/api/session.ts'
import type { Answer } from '../../../operations.ts'
import { type Answers, refusal } from '../../../testing/answers.ts'
import { press, pressButton, renderPage, screen, seen, waitFor } from '../../../testing/render.tsx'
import { meAs, ticket as sample } from '../../../testing/samples.ts'
import type { TicketRecord } from './support.api.ts'
import { TicketFields } from './ticket-fields.tsx'

const { sla } = sample()
const ticket = (with_: Partial<TicketRecord> = {}): TicketRecord => ({ ...sample(), traderName: 'Ana Lima', ...with_ })
const target = { firstReplyMinutes: 30, resolutionMinutes: 240, roundTheClock: false }
const SLA: Partial<Answer<'support.sla.get'>> = {
  targets: { low: target, normal: target, high: target, urgent: { ...target, roundTheClock: true } },
}
const open = (with_: Partial<TicketRecord> = {}, answers: Answers = {}, role: Role = 'operator') =>
  renderPage(<TicketFields ticket={ticket(with_)} />, {
    at: '/support/tic_1',
    route: '/support/$id',
    role,
    answers: { 'auth.me': meAs(role), 'support.sla.get': Response.json(SLA), ...answers },
  })
const choose = async (field: string, option: string): Promise<void> => {
  await press(await seen('combobox', field))
  await press(await seen('option', option))
}
/** Finds the text beside a label of the ticket's deadlines. */
const findFact = async (label: string): Promise<string | null | undefined> =>
  (await screen.findByText(label, { selector: 'dt' })).nextElementSibling?.textContent

test('assignee, priority and category of a ticket are saved only if nobody changed it meanwhile', async () => {
  const { server } = await open({}, { 'support.tickets.update': sample({ version: 8 }) })
  await choose('Assigned to', 'Marco Bianchi')
  await choose('Category', 'Payments')
  await pressButton('Save')
  expect(await screen.findByText('Ticket saved.')).toBeDefined()
  expect(server.of('support.tickets.update')[0]).toMatchObject({
    body: { priority: 'normal', assignedTo: 'usr_marco', category: 'payments' },
    ifMatch: '"7"',
  })
})

test('a change of priority shows its effect on the deadlines, before and after saving', async () => {
  const due = { firstReplyDueAt: '2026-01-05T10:30:00.000Z', resolutionDueAt: '2026-01-05T14:00:00.000Z' }
  await open({}, { 'support.tickets.update': sample({ priority: 'urgent', version: 8, sla: { ...sla, ...due } }) })
  await choose('Priority', 'Urgent')
  expect((await seen('status', '')).textContent).toContain(
    'first reply within 30 min, resolution within 4 h day and night',
  )
  await pressButton('Save')
  expect(
    await screen.findByText(
      /^Ticket saved\. Priority: Normal → Urgent\. The first reply is due Jan 5, 2026.*, the resolution Jan 5/,
    ),
  ).toBeDefined()
})

test('a change of priority moves only the resolution of a ticket that was answered', async () => {
  await open({ sla: { ...sla, firstRepliedAt: '2026-01-05T10:00:00.000Z' } })
  await choose('Priority', 'High')
  expect((await seen('status', '')).textContent).toContain(
    'changes when you save: resolution within 4 h in working hours',
  )
})

test('a ticket that a colleague changed first is reported, and the chosen values stay', async () => {
  await open({}, { 'support.tickets.update': refusal(412, 'version_mismatch', 'Marco changed it.') })
  await choose('Category', 'Payments')
  await pressButton('Save')
  expect(await screen.findByText('This changed while you were working')).toBeDefined()
  expect(await seen('combobox', 'Category')).toHaveProperty('value', 'Payments')
})

test('a category that a program invented is shown in words and can be kept', async () => {
  await open({ category: 'vip_desk' })
  expect(await seen('combobox', 'Category')).toHaveProperty('value', 'Vip desk')
  await press(await seen('combobox', 'Category'))
  expect(await seen('option', 'Vip desk')).toBeDefined()
})

test('a viewer reads the fields of a ticket and changes none', async () => {
  await open({ assignedTo: 'usr_marco', priority: 'urgent' }, {}, 'viewer')
  expect(await findFact('Priority')).toBe('Urgent')
  await waitFor(async () => expect(await findFact('Assigned to')).toBe('Marco Bianchi'))
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
})

test.each([
  ['Due', { status: 'pending' }, 'Paused'],
  ['Due', {}, '—'],
  ['Due', { sla: { ...sla, nextDueAt: new Date(Date.now() + 7_210_000).toISOString() } }, '2 h left'],
  // The server's state is old, but a deadline that has passed since is shown as missed.
  ['Due', { sla: { ...sla, nextDueAt: new Date(Date.now() - 300_000).toISOString() } }, '5 min over'],
  ['First reply', {}, '—'],
  ['First reply', { sla: { ...sla, firstReplyDueAt: '2026-01-05T10:30:00.000Z' } }, /^Due Jan 5, 2026/],
  ['First reply', { sla: { ...sla, firstRepliedAt: '2026-01-05T10:30:00.000Z' } }, /^Jan 5, 2026/],
  ['Closed', { closedAt: '2026-01-06T10:30:00.000Z' }, /^Jan 6, 2026/],
  ['Paused since', { sla: { ...sla, pausedAt: '2026-01-04T10:30:00.000Z' } }, /^Jan 4, 2026/],
] satisfies [string, Partial<TicketRecord>, string | RegExp][])('the deadline “%s” of %j shows: %s', async (...row) => {
  const [label, with_, words] = row
  await open(with_)
  expect(await findFact(label)).toMatch(words)
})

test('a missed deadline stays visible', async () => {
  await open({ sla: { ...sla, firstReplyLateMinutes: 125, resolutionLateMinutes: 4320 } })
  expect(await screen.findByText('First reply 2 h 5 min late')).toBeDefined()
  expect(screen.getByText('Resolved 3 days late')).toBeDefined()
})
