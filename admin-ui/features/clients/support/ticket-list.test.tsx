import { expect, test } from 'bun:test'
import type { Role } from '../../../lib/api/session.ts'
import { type Answers, buildPage, noAnswer, onlyDecided, refusal } from '../../../testing/answers.ts'
import { PHONE } from '../../../testing/dom.ts'
import { fill, keys, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { meAs, ticket, trader } from '../../../testing/samples.ts'
import type { NamedTicket } from './support.api.ts'
import { TicketList } from './ticket-list.tsx'

const HOUR = 3_600_000
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR + 20_000).toISOString()
const row = (with_: Partial<NamedTicket> = {}): NamedTicket => ({ ...ticket(), traderName: 'Ana Lima', ...with_ })
const { sla } = ticket()
const late = row({
  id: 'tic_2',
  subject: 'Wrong price',
  priority: 'urgent',
  traderName: null,
  assignedTo: 'usr_marco',
  sla: { ...sla, standing: 'breached', nextDueAt: inHours(-3) },
})
type Setting = { answers?: Answers; at?: string; role?: Role; width?: number }
const open = ({ answers, role = 'operator', ...setting }: Setting = {}) =>
  renderPage(<TicketList />, {
    at: '/support',
    route: '/support',
    role,
    ...setting,
    answers: { 'auth.me': meAs(role), 'support.tickets.list': buildPage(row(), late), ...answers },
  })
const findCells = async (subject: string): Promise<(string | null)[]> =>
  within(await seen('row', new RegExp(subject)))
    .getAllByRole('cell')
    .filter((cell) => !cell.classList.contains('rows-choose'))
    .map(({ textContent }) => textContent)

test('the inbox lists open tickets, the earliest deadline on top', async () => {
  const { server } = await open()
  await seen('table', 'Tickets')
  expect(server.of('support.tickets.list')[0]?.query).toMatchObject({ status: 'open', sort: 'nextDueAt' })
})

test('a chosen order of tickets replaces the usual one', async () => {
  const { server } = await open({ at: '/support?sort=-createdAt&status=*' })
  await seen('table', 'Tickets')
  expect(server.of('support.tickets.list')[0]?.query.sort).toBe('-createdAt')
  expect(server.of('support.tickets.list')[0]?.query.status).toBeUndefined()
})

test('a ticket’s row shows its deadline, priority, client and assignee', async () => {
  await open()
  await waitFor(async () =>
    expect((await findCells('Wrong price')).slice(0, 6)).toEqual([
      'Wrong price',
      '3 h over',
      'Urgent',
      '—',
      'Open',
      'Marco Bianchi',
    ]),
  )
  expect((await findCells('Where is my deposit')).slice(0, 5)).toEqual([
    'Where is my deposit?',
    '—',
    'Normal',
    'Ana Lima',
    'Open',
  ])
})

test('the tab of overdue tickets has a request of its own, without the filters of the inbox', async () => {
  const { server, address } = await open({
    at: '/support?priority=low',
    answers: { 'support.overdue': buildPage(late) },
  })
  await press(await seen('tab', 'Overdue'))
  expect(await seen('table', 'Overdue tickets')).toBeDefined()
  expect(address()).toBe('/support?tab=overdue')
  expect(server.of('support.overdue')[0]?.query.priority).toBeUndefined()
})

test.each([
  ['/support', 'No tickets yet'],
  ['/support?status=closed', 'No tickets yet'],
  ['/support?tab=overdue', 'Nothing is overdue'],
])('tickets at %s without rows show: %s', async (at, words) => {
  await open({ at, answers: { 'support.tickets.list': buildPage(), 'support.overdue': buildPage() } })
  if (at.includes('closed')) await pressButton('Clear search and filters')
  expect(await screen.findByText(words)).toBeDefined()
})

test('an inbox in which no ticket waits, although there are resolved ones, is empty', async () => {
  await open({ answers: { 'support.tickets.list': onlyDecided(row()) } })
  expect(await screen.findByText('The inbox is empty')).toBeDefined()
})

test('the filter by colleague offers the reader and nobody before all others', async () => {
  await open()
  await pressButton('Add a filter')
  await press(await seen('button', 'Assigned to'))
  await seen('checkbox', 'Me')
  const offered = screen.getAllByRole('checkbox').map((box) => box.getAttribute('value'))
  expect(offered.filter((value) => value !== null && /^(usr_|none)/.test(value))).toEqual([
    'usr_me',
    'none',
    'usr_marco',
  ])
})

test('the arrows and Enter open a ticket', async () => {
  const { address } = await open()
  await seen('row', /Wrong price/)
  await keys('{ArrowDown}{ArrowDown}{Enter}')
  await waitFor(() => expect(address()).toBe('/support/tic_2'))
})

test('a phone shows a ticket’s card with its client and deadline', async () => {
  await open({ width: PHONE })
  const [first] = within(await seen('list', 'Tickets')).getAllByRole('listitem')
  expect(first?.textContent).toContain('Ana Lima')
  expect(first?.textContent).not.toContain('Normal')
})

test('a viewer creates no ticket', async () => {
  await open({ role: 'viewer', at: '/support?new=1' })
  await seen('row', /Wrong price/)
  expect(screen.queryByRole('button', { name: 'New ticket' })).toBeNull()
  expect(screen.queryByRole('dialog')).toBeNull()
})

const openForm = async (answers: Answers = {}) => {
  const drawn = await open({ at: '/support?new=1', answers: { 'traders.list': buildPage(trader()), ...answers } })
  await seen('dialog', 'New ticket')
  return drawn
}
const write = async (): Promise<void> => {
  await fill(await screen.findByLabelText(/^Subject/), 'A call about fees')
  await fill(screen.getByLabelText(/^Message/), 'They asked why.')
}

test('a ticket is created for a client and its page opened', async () => {
  const { server, address } = await openForm({ 'support.tickets.create': ticket({ id: 'tic_new' }) })
  await press(await seen('combobox', 'Client'))
  await press(await seen('option', /^Ana Lima/))
  await write()
  await press(await seen('combobox', 'Priority'))
  await press(await seen('option', 'Urgent'))
  await press(await seen('combobox', 'Category'))
  await press(await seen('option', 'Payments'))
  await pressButton('Open ticket')
  await waitFor(() => expect(address()).toBe('/support/tic_new'))
  expect(server.of('support.tickets.create')[0]?.body).toEqual({
    traderId: 'trd_1',
    subject: 'A call about fees',
    body: 'They asked why.',
    priority: 'urgent',
    category: 'payments',
  })
})

test('a ticket may be without a client, but not without a text', async () => {
  const { server } = await openForm({ 'support.tickets.create': ticket({ id: 'tic_new' }) })
  await pressButton('Open ticket')
  expect(await screen.findByText('Say what it is about')).toBeDefined()
  expect(screen.getByText('Write the first message')).toBeDefined()
  await write()
  await pressButton('Open ticket')
  await waitFor(() => expect(server.of('support.tickets.create')).toHaveLength(1))
  expect(server.of('support.tickets.create')[0]?.body).toEqual({
    subject: 'A call about fees',
    body: 'They asked why.',
    priority: 'normal',
    category: 'general',
  })
})

test('a refusal of a new ticket is shown at its field, and the text stays', async () => {
  await openForm({
    'support.tickets.create': refusal(422, 'validation_failed', 'Not valid', [
      { path: '/subject', message: 'must have at most 200 characters' },
    ]),
  })
  await write()
  await pressButton('Open ticket')
  expect(await screen.findByText('Must have at most 200 characters')).toBeDefined()
  expect(screen.getByLabelText(/^Message/)).toHaveProperty('value', 'They asked why.')
})

test('a new ticket that got no answer is sent again with the Idempotency-Key of the first try', async () => {
  let times = 0
  const { server, address } = await openForm({
    'support.tickets.create': () => (++times === 1 ? noAnswer() : ticket({ id: 'tic_new' })),
  })
  await write()
  await pressButton('Open ticket')
  expect(await screen.findByText(/It may have been done: look/)).toBeDefined()
  await pressButton('Open ticket')
  await waitFor(() => expect(address()).toBe('/support/tic_new'))
  const [first, second] = server.of('support.tickets.create')
  expect(second?.key).toBe(first?.key ?? 'none')
})
