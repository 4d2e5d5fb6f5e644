import { afterAll, afterEach, expect, spyOn, test } from 'bun:test'
import { meQuery } from '../../../lib/api/session.ts'
import { type Answers, buildPage, noAnswer, refusal } from '../../../testing/answers.ts'
import { fill, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { meAs, trader } from '../../../testing/samples.ts'
import { ViewAsTrader, ViewAsUser } from '../../firm/views/view-as.tsx'
import { ViewBanner } from '../../firm/views/view-banner.tsx'
import { ClientView } from './client-view.tsx'
import type { ViewRow } from './view-list.api.ts'
import { ViewList } from './view-list.tsx'

const AT = '2026-11-20T10:00:00.000Z'
const KEY = 'brokerbase-view'
const leave = spyOn(location, 'assign').mockImplementation(() => undefined)
afterEach(() => void leave.mockClear())
afterAll(() => leave.mockRestore())

const inMinutes = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString()
const view = (expiresAt = inMinutes(15)) =>
  ({ id: 'vie_1', token: 'tok', kind: 'trader', name: 'Ana Lima', expiresAt, back: '/admin/traders/trd_1' }) as const
const started = (with_: { traderId?: string; userId?: string }) => ({
  id: 'vie_1',
  token: 'tok',
  expiresAt: inMinutes(15),
  traderId: null,
  userId: null,
  ...with_,
})
const row = (with_: Partial<Omit<ViewRow, 'traderName'>> = {}): Omit<ViewRow, 'traderName'> => ({
  id: 'vie_1',
  impersonatorId: 'usr_marco',
  traderId: 'trd_1',
  userId: null,
  reason: 'a question',
  active: true,
  createdAt: AT,
  expiresAt: AT,
  endedAt: null,
  ...with_,
})

test('a view as a client begins with a reason, and turns this tab into the view', async () => {
  const { server } = await renderPage(
    <ViewAsTrader trader={{ id: 'trd_1', name: 'Ana Lima' }} onClose={() => undefined} />,
    { answers: { 'views.start': started({ traderId: 'trd_1' }) } },
  )
  await pressButton('View')
  expect(await screen.findByText('Say why you look')).toBeDefined()
  expect(server.of('views.start')).toEqual([])
  await fill(await screen.findByLabelText(/^Why you look/), ' a question ')
  await pressButton('View')
  await waitFor(() => expect(leave.mock.calls).toEqual([['/admin/']]))
  expect(server.of('views.start').map(({ body }) => body)).toEqual([{ traderId: 'trd_1', reason: 'a question' }])
  expect(JSON.parse(sessionStorage.getItem(KEY) ?? '{}')).toMatchObject({
    token: 'tok',
    kind: 'trader',
    name: 'Ana Lima',
  })
})

test('a view that the server refuses leaves the tab unchanged', async () => {
  await renderPage(<ViewAsTrader trader={{ id: 'trd_1', name: 'Ana' }} onClose={() => undefined} />, {
    answers: { 'views.start': refusal(403, 'forbidden', 'Not yours to look at.') },
  })
  await fill(await screen.findByLabelText(/^Why you look/), 'why')
  await pressButton('View')
  expect(await screen.findByText('Not yours to look at.')).toBeDefined()
  expect([sessionStorage.getItem(KEY), leave.mock.calls.length]).toEqual([null, 0])
})

test('a view as a colleague begins after a question', async () => {
  const { server } = await renderPage(<ViewAsUser user={{ id: 'usr_1', name: 'Marco' }} onClose={() => undefined} />, {
    role: 'owner',
    answers: { 'views.startAsUser': started({ userId: 'usr_1' }) },
  })
  await press(within(await seen('dialog', 'View as Marco')).getByRole('button', { name: 'View' }))
  await waitFor(() => expect(leave.mock.calls).toEqual([['/admin/']]))
  expect(server.of('views.startAsUser').map(({ params }) => params)).toEqual([{ id: 'usr_1' }])
  expect(JSON.parse(sessionStorage.getItem(KEY) ?? '{}')).toMatchObject({ kind: 'user', name: 'Marco' })
})

test('the banner of a view shows whom it shows and how long it lasts, and ends it on the server first', async () => {
  sessionStorage.setItem(KEY, JSON.stringify(view()))
  const { server } = await renderPage(<ViewBanner view={view(inMinutes(9.5))} />, {
    answers: { 'views.end': Response.json({}) },
  })
  expect(screen.getByText('You view as Ana Lima.')).toBeDefined()
  expect(screen.getByRole('timer').textContent).toMatch(/^9:(30|29)$/)
  await pressButton('End')
  await waitFor(() => expect(leave).toHaveBeenCalledTimes(1))
  expect(server.of('views.end').map(({ params }) => params)).toEqual([{ id: 'vie_1' }])
  expect(sessionStorage.getItem(KEY)).toBeNull()
})

test('a view that could not be ended continues, and shows why', async () => {
  await renderPage(<ViewBanner view={view()} />, { answers: { 'views.end': noAnswer } })
  await pressButton('End')
  expect(await screen.findByText(/No answer came/)).toBeDefined()
  expect(leave).not.toHaveBeenCalled()
})

test('a view ends when its time is up', async () => {
  await renderPage(<ViewBanner view={view(inMinutes(0))} />)
  expect(screen.getByRole('timer').textContent).toBe('0:00')
  await waitFor(() => expect(leave).toHaveBeenCalled())
})

const list = (answers: Answers = {}) =>
  renderPage(<ViewList />, {
    at: '/views',
    route: '/views',
    role: 'owner',
    answers: { 'views.list': buildPage(row()), 'traders.list': buildPage(trader()), ...answers },
  })

test('owners read who viewed as which person and why, with both names', async () => {
  const { server } = await list({
    'views.list': buildPage(
      row(),
      row({ id: 'vie_2' }),
      row({ id: 'vie_3', traderId: null, userId: 'usr_me', reason: null, active: false, endedAt: AT }),
    ),
  })
  const table = await seen('table', 'Views as others')
  expect(await within(table).findAllByText('Marco Bianchi')).toHaveLength(3)
  const [ana] = within(table).getAllByRole('link', { name: 'Ana Lima' })
  expect(ana?.getAttribute('href')).toBe('/admin/traders/trd_1')
  expect(within(table).getByText('Elena Rossi')).toBeDefined()
  expect(within(table).getAllByText('Going on')).toHaveLength(2)
  expect(within(table).getAllByRole('button', { name: 'End' })).toHaveLength(2)
  expect(server.of('traders.list').map(({ query }) => query.ids)).toEqual(['trd_1'])
})

test('a current view is ended from the list, which is read again', async () => {
  const { server } = await list({ 'views.end': Response.json({}) })
  await pressButton('End')
  await pressButton('End view')
  await waitFor(() => expect(server.of('views.end').map(({ params }) => params)).toEqual([{ id: 'vie_1' }]))
  await waitFor(() => expect(server.of('views.list').length).toBeGreaterThan(1))
})

test('an empty list of views reads no client', async () => {
  const { server } = await list({ 'views.list': buildPage() })
  expect(await screen.findByText('Nobody has looked as somebody else')).toBeDefined()
  expect(server.of('traders.list')).toEqual([])
})

test('a view as a client shows the client’s records, and says which are missing', async () => {
  const { client } = await renderPage(
    <ClientView me={{ ...meAs('viewer'), displayName: 'Ana Lima' }} view={view()} />,
    {
      answers: {
        'wallets.list': buildPage(),
        'accounts.list': buildPage(),
        'deposits.list': () => refusal(503, 'unavailable', 'Busy.'),
        'withdrawals.list': buildPage(),
        'support.tickets.list': buildPage(),
      },
    },
  )
  expect(await seen('heading', 'Ana Lima')).toBeDefined()
  expect(document.title).toBe('Ana Lima · Brokerbase')
  for (const none of ['No wallets yet', 'No trading accounts yet', 'No withdrawals yet', 'No questions yet'])
    expect(await screen.findByText(none)).toBeDefined()
  expect(screen.queryByText('No deposits yet')).toBeNull()
  expect(client.getQueryData(meQuery.queryKey)).toBeDefined()
})
