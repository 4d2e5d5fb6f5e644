import { expect, test } from 'bun:test'
import { type Answers, buildPage, refusal } from '../../../testing/answers.ts'
import { PHONE } from '../../../testing/dom.ts'
import { fill, keys, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
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

test('a chosen risk of a client is saved at once and alone, only if nobody changed the client meanwhile', async () => {
  const { server } = await open({ answers: { 'traders.update': trader({ riskLevel: 'high', version: 5 }) } })
  await pressButton('Change: Risk')
  await press(await seen('option', 'High'))
  await waitFor(() => expect(server.of('traders.update')).toHaveLength(1))
  expect(server.of('traders.update')[0]).toMatchObject({ ifMatch: '"4"' })
  expect(server.of('traders.update')[0]?.body).toEqual({ riskLevel: 'high' })
  expect(await screen.findByText('Client saved. Risk: Low → High')).toBeDefined()
  await waitFor(async () => expect(document.activeElement).toBe(await seen('button', 'Change: Risk')))
})

test.each([
  ['manager', true],
  ['operator', false],
] as const)('a raised risk has an Undo for a %s: %j, since an operator may not lower it', async (role, has) => {
  const { server } = await open({ role, answers: { 'traders.update': trader({ riskLevel: 'high', version: 5 }) } })
  await pressButton('Change: Risk')
  await press(await seen('option', 'High'))
  await screen.findByText(/^Client saved\. Risk: Low → High/)
  expect(screen.queryByRole('button', { name: 'Undo' }) !== null).toBe(has)
  if (!has) return
  await keys('{Control>}z{/Control}')
  await waitFor(() => expect(server.of('traders.update')).toHaveLength(2))
  expect(server.of('traders.update')[1]).toMatchObject({ body: { riskLevel: 'low' }, ifMatch: '"5"' })
})

test('Undo takes back a new owner of a client, unless somebody has changed the client since', async () => {
  const { server } = await open({ answers: { 'traders.update': trader({ assignedTo: 'usr_me', version: 5 }) } })
  await pressButton('Change: Assigned to')
  await waitFor(() => expect(screen.getAllByRole('option')[0]?.textContent).toEndWith('(you)'))
  await press(screen.getAllByRole('option')[0] ?? document.body)
  await pressButton('Undo')
  await waitFor(() => expect(server.of('traders.update')).toHaveLength(2))
  expect(server.of('traders.update')[1]).toMatchObject({ body: { assignedTo: trader().assignedTo }, ifMatch: '"5"' })
})

test('the reader comes first among the colleagues to whom a client can be assigned', async () => {
  const { server } = await open({ answers: { 'traders.update': trader({ assignedTo: 'usr_me', version: 5 }) } })
  await pressButton('Change: Assigned to')
  await waitFor(() => expect(screen.getAllByRole('option')[0]?.textContent).toEndWith('(you)'))
  await press(screen.getAllByRole('option')[0] ?? document.body)
  await waitFor(() => expect(server.of('traders.update').map(({ body }) => body)).toEqual([{ assignedTo: 'usr_me' }]))
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

const editPhone = async (setting: Parameters<typeof open>[0] = {}) => {
  const drawn = await open(setting)
  await pressButton('Change: Phone')
  const phone = await screen.findByRole('textbox', { name: /^Phone/ })
  await waitFor(() => expect(document.activeElement).toBe(phone))
  return { ...drawn, phone }
}

test('a client’s value is changed in place: Enter saves it, and its pencil has the focus again', async () => {
  const { server, phone } = await editPhone({
    answers: { 'traders.update': trader({ phone: '+351210000', version: 5 }) },
  })
  expect(screen.queryByRole('dialog')).toBeNull()
  await fill(phone, '+351 21 0000')
  await keys('{Enter}')
  await waitFor(() => expect(server.of('traders.update')).toHaveLength(1))
  expect(server.of('traders.update')[0]).toMatchObject({ params: { id: 'trd_1' }, ifMatch: '"4"' })
  expect(server.of('traders.update')[0]?.body).toEqual({ phone: '+351 21 0000' })
  await waitFor(async () => expect(document.activeElement).toBe(await seen('button', 'Change: Phone')))
})

test('Esc leaves a value of a client as it was', async () => {
  const { server, phone } = await editPhone()
  await fill(phone, '1')
  await keys('{Escape}')
  await waitFor(async () => expect(document.activeElement).toBe(await seen('button', 'Change: Phone')))
  expect(screen.queryByRole('textbox', { name: /^Phone/ })).toBeNull()
  expect(server.of('traders.update')).toEqual([])
})

test('Esc asks before it leaves several fields of a client with typed text', async () => {
  await open()
  await pressButton('Change: Address')
  await fill(await screen.findByRole('textbox', { name: 'City' }), 'Lisbon')
  await keys('{Escape}')
  await pressButton('Keep editing')
  expect(await screen.findByRole('textbox', { name: 'City' })).toHaveProperty('value', 'Lisbon')
})

test('leaving the page with a typed value of a client asks first', async () => {
  const { phone, address } = await editPhone()
  await fill(phone, '1')
  await press(await seen('link', 'Clients'))
  await pressButton('Keep editing')
  expect(address()).toBe('/traders/trd_1')
  expect(phone).toHaveProperty('value', '1')
})

test('a value of a client that the server refuses keeps its text, with the error below it', async () => {
  const errors = [{ path: '/phone', message: 'has too few digits' }]
  const { phone } = await editPhone({ answers: { 'traders.update': refusal(422, 'invalid', 'Invalid', errors) } })
  await fill(phone, '12')
  await pressButton('Save: Phone')
  expect(await screen.findByText('Has too few digits')).toBeDefined()
  expect(phone).toHaveProperty('value', '12')
  expect(phone.getAttribute('aria-invalid')).toBe('true')
})

test('a colleague’s newer value of a client is shown beside the typed one, with who changed it', async () => {
  let version = 4
  const { server, phone } = await editPhone({
    answers: {
      'traders.get': () => trader({ version, ...(version > 4 && { phone: '+35199', lastName: 'Silva' }) }),
      'traders.update': () => {
        if (version > 4) return trader({ version: 6 })
        version = 5
        return refusal(412, 'version_conflict', 'Somebody changed this meanwhile')
      },
    },
  })
  await fill(phone, '+35111')
  await keys('{Enter}')
  const table = within(await seen('table', 'Yours and theirs'))
  expect(table.getByText('+35111')).toBeDefined()
  expect(table.getByText('+35199')).toBeDefined()
  // a value that this form does not change is no part of the conflict
  expect(table.queryByText('Silva')).toBeNull()
  await press(table.getByText('Yours', { selector: '.mantine-SegmentedControl-label, span' }))
  await pressButton('Save both')
  await waitFor(() => expect(server.of('traders.update')).toHaveLength(2))
  expect(server.of('traders.update')[1]).toMatchObject({ body: { phone: '+35111' }, ifMatch: '"5"' })
})

test('saving one value of a client while another is being typed causes no conflict', async () => {
  let saved = trader()
  const { server, phone } = await editPhone({
    answers: {
      'traders.get': () => saved,
      'traders.update': ({ body }: { body: unknown }) => {
        saved = trader({ ...saved, ...(typeof body === 'object' && body), version: saved.version + 1 })
        return saved
      },
    },
  })
  await fill(phone, '+35111')
  await pressButton('Change: Source')
  await fill(await screen.findByRole('textbox', { name: 'Source' }), 'fair')
  await pressButton('Save: Source')
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Source' })).toBeNull())
  expect(phone).toHaveProperty('value', '+35111')
  await pressButton('Save: Phone')
  await waitFor(() => expect(server.of('traders.update').map(({ ifMatch }) => ifMatch)).toEqual(['"4"', '"5"']))
})

test('a viewer reads and copies a client’s facts, and changes none', async () => {
  await open({ role: 'viewer' })
  expect(await seen('button', 'Copy: E-mail')).toBeDefined()
  for (const name of [/^Change/, 'Edit all', 'Note', 'New deposit', 'Actions'])
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
