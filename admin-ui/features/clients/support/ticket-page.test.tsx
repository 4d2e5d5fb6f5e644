import { expect, test } from 'bun:test'
import { listScreenKeys } from '../../../lib/screen/screen-keys.ts'
import { type Answers, buildPage, noAnswer, refusal } from '../../../testing/answers.ts'
import {
  act,
  fill,
  keys,
  press,
  pressButton,
  renderPage,
  screen,
  seen,
  waitFor,
  within,
} from '../../../testing/render.tsx'
import { deposit, meAs, overview, ticket as sample, trader } from '../../../testing/samples.ts'
import type { Message } from './support.api.ts'
import { TicketPage } from './ticket-page.tsx'

const AT = '2026-11-20T10:00:00.000Z'
const message = (with_: Partial<Message> = {}): Message => ({
  id: 'msg_1',
  body: 'Where is my money?',
  authorId: 'trd_1',
  authorKind: 'trader',
  internal: false,
  createdAt: AT,
  ...with_,
})
const ticket = (with_: Partial<ReturnType<typeof sample>> = {}) => ({ ...sample(with_), messages: [message()] })

/** A test whose message gets no answer names another ticket, because such a message is remembered by ticket. */
const open = (
  answers: Answers = {},
  { id = 'tic_1', role = 'operator' }: { id?: string; role?: 'viewer' | 'operator' } = {},
) =>
  renderPage(<TicketPage />, {
    at: `/support/${id}`,
    route: '/support/$id',
    role,
    answers: {
      'auth.me': meAs(role),
      'support.tickets.get': { ...ticket(), id },
      'support.sla.get': refusal(503, 'unavailable', 'Busy'),
      'traders.get': trader(),
      'traders.overview': overview(),
      'support.tickets.list': buildPage(),
      'deposits.list': buildPage(),
      'withdrawals.list': buildPage(),
      'accounts.list': buildPage(),
      ...answers,
    },
  })
const reply = (): Promise<HTMLElement> => screen.findByRole('textbox', { name: 'Reply' })
const note = (): Promise<HTMLElement> => screen.findByRole('textbox', { name: 'Internal note' })
type Router = Awaited<ReturnType<typeof open>>['router']
const go = (router: Router, to: string): Promise<void> => act(() => router.navigate({ to }))
const textIn = (field: HTMLElement): unknown => Reflect.get(field, 'value')

test('Ctrl-Enter sends the reply, Enter alone begins a line', async () => {
  const { server } = await open({ 'support.messages.add': message({ id: 'msg_2', authorKind: 'staff' }) })
  await fill(await reply(), ' Soon.{Enter}Today ')
  expect(server.of('support.messages.add')).toEqual([])
  await fill(await reply(), ' Soon.{Enter}Today {Control>}{Enter}{/Control}')
  await waitFor(() => expect(server.of('support.messages.add')).toHaveLength(1))
  expect(server.of('support.messages.add')[0]).toMatchObject({
    params: { id: 'tic_1' },
    body: { body: 'Soon.\nToday' },
  })
  expect(await screen.findByText('Reply sent.')).toBeDefined()
  await waitFor(async () => expect(textIn(await reply())).toBe(''))
})

test('a reply keeps the ticket open on request', async () => {
  const { server } = await open({ 'support.messages.add': message({ id: 'msg_2' }) })
  await fill(await reply(), 'Soon')
  await pressButton('Reply and keep open')
  await waitFor(() => expect(server.of('support.messages.add')).toHaveLength(1))
  expect(server.of('support.messages.add')[0]?.body).toEqual({ body: 'Soon', keepOpen: true })
})

test('a note is sent as one, says that no client sees it, and does not keep the ticket open', async () => {
  const { server } = await open({ 'support.messages.add': message({ id: 'msg_2', internal: true }) })
  await press(await seen('radio', 'Internal note'))
  expect(await screen.findByText('Only colleagues see it')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Reply and keep open' })).toBeNull()
  await fill(await note(), 'Look at it')
  await pressButton('Add note')
  await waitFor(() => expect(server.of('support.messages.add')).toHaveLength(1))
  expect(server.of('support.messages.add')[0]?.body).toEqual({ body: 'Look at it', internal: true })
  expect(await screen.findByText('Note added.')).toBeDefined()
})

test('an empty reply is not sent', async () => {
  const { server } = await open()
  await fill(await reply(), '   ')
  await pressButton('Reply')
  expect(await screen.findByText('Write something first')).toBeDefined()
  expect(server.of('support.messages.add')).toEqual([])
})

test('the draft of a note returns with its ticket, and as a note', async () => {
  const { router } = await open()
  await press(await seen('radio', 'Internal note'))
  await fill(await note(), 'Only for us')
  await go(router, '/elsewhere')
  expect(await screen.findByText('another page')).toBeDefined()
  await go(router, '/support/tic_1')
  await waitFor(async () => expect(textIn(await note())).toBe('Only for us'))
})

test('the draft of one ticket does not appear in the next one', async () => {
  const { router } = await open({ 'support.tickets.get': ({ params }) => ({ ...ticket(), id: params.id ?? '' }) })
  await fill(await reply(), 'For the first')
  await go(router, '/support/tic_2')
  await waitFor(async () => expect(textIn(await reply())).toBe(''))
  await go(router, '/support/tic_1')
  await waitFor(async () => expect(textIn(await reply())).toBe('For the first'))
})

test('a reply that got no answer is sent again with the same Idempotency-Key', async () => {
  let times = 0
  const { server } = await open(
    { 'support.messages.add': () => (++times === 1 ? noAnswer() : message({ id: 'msg_2' })) },
    { id: 'tic_lost' },
  )
  await fill(await reply(), 'Soon')
  await pressButton('Reply')
  expect(await screen.findByText(/It may have been done: look/)).toBeDefined()
  await pressButton('Reply')
  expect(await screen.findByText('Reply sent.')).toBeDefined()
  const [one, two] = server.of('support.messages.add')
  expect(two?.key).toBe(one?.key ?? 'none')
})

test('a reply that was saved, but whose answer was lost, is not sent again by the other button', async () => {
  const { server } = await open({ 'support.messages.add': noAnswer }, { id: 'tic_found' })
  await fill(await reply(), 'Soon')
  await pressButton('Reply')
  expect(await screen.findByText(/It may have been done: look/)).toBeDefined()
  const mine = message({ id: 'msg_2', body: 'Soon', authorId: 'usr_me', authorKind: 'staff' })
  server.now({ 'support.tickets.get': { ...ticket(), id: 'tic_found', messages: [message(), mine] } })
  await pressButton('Reply and keep open')
  expect(await screen.findByText(/The reply had been sent\.|Reply sent\./)).toBeDefined()
  expect(server.of('support.messages.add')).toHaveLength(1)
  await waitFor(async () => expect(textIn(await reply())).toBe(''))
})

test('a closed ticket offers a note first, and says that a reply needs the ticket to be opened again', async () => {
  await open({ 'support.tickets.get': ticket({ status: 'closed' }) })
  expect(await note()).toBeDefined()
  await press(await seen('radio', 'Reply to the client'))
  expect(await screen.findByText('The client gets it, but the ticket has to be opened again first')).toBeDefined()
})

test('a refused reply stays with its text', async () => {
  await open({ 'support.messages.add': refusal(409, 'wrong_state', 'The ticket was closed meanwhile.') })
  await fill(await reply(), 'Soon')
  await pressButton('Reply')
  expect(await screen.findByText('The ticket was closed meanwhile.')).toBeDefined()
  expect(textIn(await reply())).toBe('Soon')
})

test.each([
  ['Resolve', 'Mark as resolved', 'resolved'],
  ['Close for good', 'Close ticket', 'closed'],
] as const)('“%s” closes the ticket only if nobody changed it meanwhile', async (act, confirm, status) => {
  const { server } = await open({
    'support.tickets.close': ticket({ status, version: 8 }),
    'support.tickets.reopen': ticket({ version: 9 }),
  })
  if (act === 'Resolve') await pressButton(act)
  else {
    await pressButton('More')
    await press(await seen('menuitem', act))
  }
  await pressButton(confirm)
  await waitFor(() => expect(server.of('support.tickets.close')).toHaveLength(1))
  expect(server.of('support.tickets.close')[0]).toMatchObject({ body: { status }, ifMatch: '"7"' })
  expect(await screen.findByText('Ticket closed.')).toBeDefined()
  await pressButton('Open again')
  expect(await screen.findByText('Ticket opened again.')).toBeDefined()
  expect(server.of('support.tickets.reopen')[0]).toMatchObject({ params: { id: 'tic_1' }, ifMatch: '"8"' })
})

test('a ticket with a new message of the client is not closed before it was read', async () => {
  const { server } = await open({
    'support.tickets.close': refusal(412, 'version_mismatch', 'The client wrote meanwhile.'),
  })
  await pressButton('Resolve')
  await pressButton('Mark as resolved')
  const before = server.of('support.tickets.get').length
  expect(await screen.findByText('The client wrote meanwhile.')).toBeDefined()
  await pressButton('Load the current version')
  await waitFor(() => expect(server.of('support.tickets.get').length).toBeGreaterThan(before))
})

test('a closed ticket is reopened', async () => {
  const { server } = await open({
    'support.tickets.get': ticket({ status: 'closed' }),
    'support.tickets.reopen': ticket(),
  })
  await pressButton('Open again')
  await press(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Open again' }))
  await waitFor(() => expect(server.of('support.tickets.reopen')).toHaveLength(1))
  expect(await screen.findByText('Ticket opened again.')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Resolve' })).toBeNull()
})

test('a viewer reads the conversation with marked notes, and answers nothing', async () => {
  await open(
    {
      'support.tickets.get': {
        ...ticket(),
        messages: [
          message(),
          message({ id: 'msg_2', body: 'We know', authorId: 'usr_marco', authorKind: 'staff', internal: true }),
          message({ id: 'msg_3', body: 'Opened again', authorId: null, authorKind: 'system' }),
        ],
      },
    },
    { role: 'viewer' },
  )
  const [asked, noted, told] = await screen.findAllByRole('listitem')
  await waitFor(() => expect(noted?.textContent).toContain('Marco BianchiInternal note'))
  expect(asked?.textContent).toStartWith('Ana Lima')
  expect(told?.textContent).toStartWith('Brokerbase')
  for (const name of ['Reply', 'Resolve', 'More']) expect(screen.queryByRole('button', { name })).toBeNull()
})

test.each([
  ['open', 'breached', true],
  ['open', 'fine', false],
  ['pending', 'breached', false],
] as const)(
  'a ticket that is %s, with a deadline that is %s, shows it in its header: %j',
  async (status, standing, says) => {
    const { sla } = sample()
    const late = { ...sla, standing, nextDueAt: new Date(Date.now() - 60_000).toISOString() }
    await open({
      'support.tickets.get': ticket({ status, sla: standing === 'fine' ? { ...late, nextDueAt: AT } : late }),
    })
    const head = (await seen('heading', sample().subject)).closest('.page-head')
    expect(head?.querySelector('[data-standing]') !== null).toBe(says)
  },
)

test('a ticket is taken by one button, and given back by Undo', async () => {
  const { server } = await open({
    'support.tickets.get': ticket({ assignedTo: 'usr_marco', version: 3 }),
    'support.tickets.update': sample({ assignedTo: 'usr_me', version: 4 }),
  })
  await pressButton('Assign to me')
  await pressButton('Undo')
  await waitFor(() => expect(server.of('support.tickets.update')).toHaveLength(2))
  expect(server.of('support.tickets.update').map(({ body, ifMatch }) => [body, ifMatch])).toEqual([
    [{ assignedTo: 'usr_me' }, '"3"'],
    [{ assignedTo: 'usr_marco' }, '"4"'],
  ])
})

test('the assignee of a ticket has no button to take it', async () => {
  await open({ 'support.tickets.get': ticket({ assignedTo: 'usr_me' }) })
  await seen('button', 'Resolve')
  expect(screen.queryByRole('button', { name: 'Assign to me' })).toBeNull()
})

test('a deposit that was settled in part is shown as “Settled in part” beside a ticket', async () => {
  await open({ 'deposits.list': buildPage(deposit({ status: 'partially_settled' })) })
  expect(await screen.findByText('Settled in part')).toBeDefined()
})

test('R begins a reply, A takes the ticket and E asks before it is resolved, but not while writing', async () => {
  const { server } = await open({ 'support.tickets.update': sample({ assignedTo: 'usr_me', version: 4 }) })
  const editor = await reply()
  await keys('r')
  expect(document.activeElement).toBe(editor)
  await keys('are')
  expect(editor).toHaveProperty('value', 'are')
  expect(server.of('support.tickets.update')).toEqual([])
  editor.blur()
  await keys('a')
  expect(await screen.findByText(/^The ticket is yours now\. Assigned to: nothing → Elena Rossi/)).toBeDefined()
  await keys('e')
  await seen('dialog', 'Mark as resolved')
  expect(server.of('support.tickets.close')).toEqual([])
})

test('a viewer has no keys that act on a ticket', async () => {
  await open({}, { role: 'viewer' })
  await screen.findByText('Where is my money?')
  expect(listScreenKeys()).toEqual([])
})

test('a ticket that the list opened for a reply has the focus in the editor', async () => {
  const { router } = await open()
  await go(router, '/support/tic_1?reply=1')
  const editor = await reply()
  await waitFor(() => expect(document.activeElement).toBe(editor))
})
