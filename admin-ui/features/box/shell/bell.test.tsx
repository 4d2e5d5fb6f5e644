import { expect, test } from 'bun:test'
import { type Answers, refusal } from '../../../testing/answers.ts'
import { keys, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { summary } from '../../../testing/samples.ts'
import { Bell } from './bell.tsx'
import type { MyWork } from './mine.ts'

const work = (with_: Partial<MyWork> = {}): MyWork => ({
  kind: 'ticket',
  id: 'tic_1',
  title: 'Where is my deposit?',
  name: 'Ana Lima',
  amount: null,
  currency: null,
  at: '2026-01-05T10:00:00.000Z',
  ...with_,
})
const payment = work({
  kind: 'withdrawal',
  id: 'wdr_1',
  title: 'Noor Darwish',
  name: null,
  amount: '1500',
  currency: 'JPY',
})
const open = (data: MyWork[], answers: Answers = {}, isMore = false) =>
  renderPage(<Bell userId="usr_me" />, {
    answers: { 'notifications.summary': summary(), 'notifications.mine': { data, isMore }, ...answers },
  })

test('the bell’s name counts new work until its list was opened, and the list marks it while it is open', async () => {
  await open([work(), payment])
  await pressButton('Waiting for you: 2, new: 2')
  const list = within(await seen('dialog', /^Waiting for you/))
  expect(list.getAllByText('(new)', { exact: false })).toHaveLength(2)
  await keys('{Escape}')
  await pressButton('Waiting for you: 2, new: 0')
  expect(within(await seen('dialog', /^Waiting for you/)).queryByText('(new)', { exact: false })).toBeNull()
})

test('the bell lists work by its kind with client and amount, and links to its page', async () => {
  await open([payment, work({ title: '', name: null }), work({ kind: 'lead', id: 'led_1', title: 'Tom' })])
  await pressButton(/^Waiting for you/)
  expect((await screen.findAllByRole('region')).map((part) => part.getAttribute('aria-label'))).toEqual([
    'Tickets assigned to you',
    'Withdrawals you have not decided',
    'New leads assigned to you',
  ])
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/admin/support/tic_1',
    '/admin/withdrawals/wdr_1',
    '/admin/leads?lead=led_1',
  ])
  expect(screen.getByText('Without a name', { exact: false })).toBeDefined()
  expect(screen.getByText('1,500', { exact: false })).toBeDefined()
})

test('a press on work in the bell opens it and closes the list', async () => {
  const { address } = await open([work()])
  await pressButton(/^Waiting for you/)
  await press(await seen('link', /Where is my deposit/))
  await waitFor(() => expect(address()).toBe('/support/tic_1'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('an empty bell says where other work is, and a long list says that there is more', async () => {
  await open([], {}, true)
  await pressButton('Waiting for you: 0, new: 0')
  expect(await screen.findByText(/^Nothing waits for you personally/)).toBeDefined()
  expect(screen.getByText('There are more: open the list of each.')).toBeDefined()
})

test('the bell shows “9+” for more than nine new items', async () => {
  await open(Array.from({ length: 12 }, (_, at) => work({ id: `tic_${at}` })))
  expect(await seen('button', 'Waiting for you: 12, new: 12')).toBeDefined()
  expect(await screen.findByText('9+')).toBeDefined()
})

test('“Try again” reads a bell that could not be read, and work that was seen before is not new', async () => {
  localStorage.setItem('seen-work:usr_me', JSON.stringify(['ticket tic_1 2026-01-05T10:00:00.000Z']))
  const { server } = await open([], { 'notifications.mine': refusal(422, 'broken', 'Not now.') })
  await pressButton('Waiting for you: 0, new: 0')
  await seen('button', 'Try again')
  server.now({ 'notifications.mine': { data: [work(), payment], isMore: false } })
  await pressButton('Try again')
  await seen('link', /Where is my deposit/)
  expect(screen.getByRole('button', { name: /^Waiting for you: 2/, hidden: true }).getAttribute('aria-label')).toBe(
    'Waiting for you: 2, new: 1',
  )
})

test('the bell’s work is read again after a count of the firm has changed', async () => {
  const { server, client } = await open([])
  await seen('button', 'Waiting for you: 0, new: 0')
  server.now({ 'notifications.mine': { data: [work()], isMore: false } })
  client.setQueryData(['summary'], summary({ openTickets: 1 }))
  expect(await seen('button', 'Waiting for you: 1, new: 1')).toBeDefined()
  expect(server.of('notifications.mine')).toHaveLength(2)
})
