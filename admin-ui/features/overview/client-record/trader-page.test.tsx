import { expect, test } from 'bun:test'
import { type Answers, buildPage, refusal } from '../../../testing/answers.ts'
import { PHONE } from '../../../testing/dom.ts'
import { fill, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { overview, trader } from '../../../testing/samples.ts'
import type { ClientTab } from '../../clients/traders/client-tab.ts'
import { TraderPage } from './trader-page.tsx'

const TABS: readonly ClientTab[] = [
  {
    key: 'deposits',
    label: 'Deposits',
    records: 'deposits',
    act: { label: 'New deposit', icon: null, form: ({ name }) => <p>Form for {name}</p>, first: true },
    panel: ({ id }) => <p>Deposits of {id}</p>,
  },
  {
    key: 'accounts',
    label: 'Accounts',
    records: 'accounts',
    act: { label: 'New account', icon: null, form: ({ name }) => <p>Account for {name}</p> },
    panel: () => <p>Accounts</p>,
  },
]
const counted = overview()
counted.records.deposits = { total: 12, waiting: 2 }
counted.records.accounts = { total: 1000, waiting: 0 }

const open = (setting: Parameters<typeof renderPage>[1] & { answers?: Answers } = {}) =>
  renderPage(<TraderPage tabs={TABS} />, {
    at: '/traders/trd_1',
    route: '/traders/$id',
    ...setting,
    answers: {
      'traders.get': trader(),
      'traders.overview': counted,
      'traders.timeline': buildPage(),
      'traders.notes.list': buildPage(),
      ...setting.answers,
    },
  })
const menu = (name: string): Promise<HTMLElement> => seen('menuitem', name)

test('the tabs of a client show how many records there are, and which of them wait', async () => {
  await open()
  const [deposits, accounts] = [await seen('tab', /^Deposits/), await seen('tab', /^Accounts/)]
  await waitFor(() => expect(deposits.textContent).toBe('Deposits12'))
  expect(within(deposits).getByTitle('12 in all, 2 waiting')).toBeDefined()
  expect(within(accounts).getByTitle('1000+ in all')).toBeDefined()
  expect((await seen('tab', 'Notes')).textContent).toBe('Notes')
})

test('a tab of a client is opened by a click, and is in the address', async () => {
  const { address } = await open()
  await press(await seen('tab', /^Deposits/))
  expect(await screen.findByText('Deposits of trd_1')).toBeDefined()
  expect(address()).toBe('/traders/trd_1?tab=deposits')
})

test('another risk level of a client is saved over the version that was shown', async () => {
  const { server } = await open({ answers: { 'traders.update': trader({ riskLevel: 'high', version: 5 }) } })
  await pressButton('Change Risk: Low')
  await press(await menu('High'))
  await waitFor(() => expect(server.of('traders.update')).toHaveLength(1))
  expect(server.of('traders.update')[0]).toMatchObject({ body: { riskLevel: 'high' }, ifMatch: '"4"' })
  expect(await screen.findByText('Client saved.')).toBeDefined()
  // a higher risk is lowered by another person
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test('another owner of a client is taken back by Undo, over the version that the change made', async () => {
  const { server } = await open({ answers: { 'traders.update': trader({ assignedTo: 'usr_me', version: 5 }) } })
  await pressButton(/^Change Assigned to/)
  await press(await menu('Assign to me'))
  await pressButton('Undo')
  await waitFor(() => expect(server.of('traders.update')).toHaveLength(2))
  expect(server.of('traders.update')[1]).toMatchObject({ body: { assignedTo: trader().assignedTo }, ifMatch: '"5"' })
})

test('a colleague’s newer version of a client is read, not overwritten', async () => {
  const { server } = await open({
    answers: { 'traders.update': () => refusal(412, 'version_conflict', 'Somebody changed this meanwhile') },
  })
  const before = server.of('traders.get').length
  await pressButton('Change Assigned to: Nobody')
  await press(await menu('Assign to me'))
  expect(await screen.findByText(/Somebody changed this meanwhile|changed/)).toBeDefined()
  await waitFor(() => expect(server.of('traders.get').length).toBeGreaterThan(before))
})

test('the most used actions are in a client’s header, and the others behind Actions', async () => {
  await open()
  await pressButton('New deposit')
  expect(await screen.findByText('Form for Ana Lima')).toBeDefined()
  await pressButton('Actions')
  await press(await menu('New account'))
  expect(await screen.findByText('Account for Ana Lima')).toBeDefined()
})

test('a phone has the client’s note behind Actions', async () => {
  await open({ width: PHONE })
  await seen('button', 'New deposit')
  expect(screen.queryByRole('button', { name: 'Note' })).toBeNull()
  await pressButton('Actions')
  expect(await menu('Note')).toBeDefined()
})

test('a pencil of a client opens the form at its field', async () => {
  await open()
  await pressButton('Change: Phone')
  const phone = await screen.findByRole('textbox', { name: /^Phone/ })
  expect(phone.getAttribute('data-autofocus')).toBe('true')
})

test('a viewer reads and copies a client’s facts, and changes none', async () => {
  await open({ role: 'viewer' })
  expect(await seen('button', 'Copy: E-mail')).toBeDefined()
  for (const name of [/^Change/, 'Edit', 'Note', 'New deposit', 'Actions'])
    expect(screen.queryByRole('button', { name })).toBeNull()
})

test('a deleted client is marked, and gets no new records', async () => {
  await open({ answers: { 'traders.get': trader({ deletedAt: '2026-11-21T10:00:00.000Z' }) } })
  expect(await screen.findByText('This client has been deleted')).toBeDefined()
  expect(await seen('button', 'Restore')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'New deposit' })).toBeNull()
})

test.each([
  ['open', 'Match to decide', '/sanctions?q=trd_1&status=open'],
  ['clear', 'No match', null],
  ['not_screened', 'Not screened', null],
] as const)('screening that is %s is shown as “%s”', async (sanctions, words, to) => {
  await open({ answers: { 'traders.overview': overview({ sanctions }) } })
  const badge = await screen.findByText(words)
  expect(badge.closest('a')?.getAttribute('href') ?? null).toBe(to && `/admin${to}`)
})

test('a client whose overview cannot be read is shown without figures', async () => {
  await open({ answers: { 'traders.overview': () => refusal(503, 'unavailable', 'Busy') } })
  expect(await screen.findByText('What happened')).toBeDefined()
  expect(screen.queryByLabelText('Figures of this client')).toBeNull()
})

test('a note on a client is written from any tab', async () => {
  const { server } = await open({
    at: '/traders/trd_1?tab=accounts',
    answers: {
      'traders.notes.add': Response.json({
        id: 'nte_1',
        body: 'called',
        authorId: 'usr_me',
        createdAt: '2026-11-22T10:00:00.000Z',
      }),
    },
  })
  await pressButton('Note')
  await fill(await screen.findByRole('textbox', { name: /^Note/ }), ' called ')
  await pressButton('Add note')
  await waitFor(() => expect(server.of('traders.notes.add').map(({ body }) => body)).toEqual([{ body: 'called' }]))
  expect(await screen.findByText('Note added.')).toBeDefined()
})
