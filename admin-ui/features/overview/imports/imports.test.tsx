import { expect, test } from 'bun:test'
import { buildPage } from '../../../testing/answers.ts'
import { press, pressButton, renderPage, screen, waitFor, within } from '../../../testing/render.tsx'
import { ImportList } from './import-list.tsx'
import { ImportPage } from './import-page.tsx'
import type { Import } from './imports.api.ts'

const FILE: Import = {
  id: 'imp_1',
  fileName: 'clients.csv',
  platform: null,
  headLine: 1,
  currency: null,
  dates: null,
  decimals: null,
  notes: [],
  status: 'loaded',
  dryRun: false,
  skipErrors: false,
  columns: ['mail', 'money'],
  mapping: { mail: 'email', money: 'balance' },
  lines: 3,
  progress: 4,
  refused: 1,
  created: 2,
  known: 0,
  accounts: 0,
  undone: 0,
  left: 0,
  failure: null,
  createdBy: 'usr_marco',
  balances: [
    {
      currency: 'EUR',
      control: '10.00',
      lines: 2,
      inFile: '10.00',
      refused: '0.00',
      known: '0.00',
      toPost: '10.00',
      posted: '0.00',
      undone: '0.00',
      agrees: true,
    },
  ],
  errors: [{ line: 4, field: 'email', column: 'mail', code: 'format', message: 'must be an e-mail address' }],
  confirmedBy: null,
  confirmedAt: null,
  note: null,
  undoneBy: null,
  finishedAt: null,
  createdAt: '2026-01-15T12:00:00Z',
  version: 3,
}
const FIRM = { 'tenants.current': Response.json({ platforms: ['terminal5'] }) }
const show = (file: Import, more: object = {}) =>
  renderPage(<ImportPage />, {
    at: '/traders/import/imp_1',
    route: '/traders/import/$id',
    role: 'admin',
    answers: { ...FIRM, 'traders.imports.get': Response.json(file), ...more },
  })

test('a firm without imports is told what they are for, and who may begin one', async () => {
  await renderPage(<ImportList />, { role: 'admin', answers: { ...FIRM, 'traders.imports.list': buildPage() } })
  expect(await screen.findByText('No file yet')).toBeDefined()
  await pressButton('New file')
  expect(await screen.findByRole('dialog', { name: 'New file' })).toBeDefined()
})

test('a manager sees the imports and begins none', async () => {
  await renderPage(<ImportList />, { role: 'manager', answers: { 'traders.imports.list': buildPage(FILE) } })
  const link = await screen.findByRole('link', { name: 'clients.csv' })
  expect(link.getAttribute('href')).toBe('/admin/traders/import/imp_1')
  expect(screen.getByText('Waits for confirmation')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'New file' })).toBeNull()
})

test('the report of an import has balances beside the control totals, and mistakes by line and column', async () => {
  await show(FILE)
  expect(await screen.findByText('Agrees')).toBeDefined()
  expect(screen.getByRole('row', { name: /^4 mail Must be an e-mail address/ })).toBeDefined()
  const file = screen.getByRole('link', { name: 'Mistakes as CSV' })
  expect(file.getAttribute('href')).toBe('/v1/traders/import/imp_1/errors.csv')
})

test('a second person confirms the balances, only if nobody changed the import meanwhile', async () => {
  const { server } = await show(FILE, { 'traders.imports.confirm': Response.json({ ...FILE, status: 'posting' }) })
  await pressButton('Confirm and post')
  await screen.findByRole('dialog', { name: 'Post the opening balances' })
  const [, confirm] = screen.getAllByRole('button', { name: 'Confirm and post' })
  confirm?.click()
  const sent = () => server.asked.filter(({ id }) => id === 'traders.imports.confirm')
  await waitFor(() => expect(sent().map(({ ifMatch }) => ifMatch)).toEqual(['"3"']))
})

test('the person who began an import does not confirm it, and reads why', async () => {
  await show({ ...FILE, createdBy: 'usr_me' })
  const button = await screen.findByRole('button', { name: 'Confirm and post' })
  expect(button.hasAttribute('disabled')).toBe(true)
  expect(screen.getByText(/somebody else confirms its balances/)).toBeDefined()
})

test('a failed import shows why, and can be repeated with the same columns', async () => {
  await show({ ...FILE, status: 'failed', failure: '1 line has mistakes: nothing was imported.' })
  expect(await screen.findByText('1 line has mistakes: nothing was imported.')).toBeDefined()
  await pressButton('Import')
  expect(await screen.findByLabelText('Control total EUR')).toBeDefined()
  expect(screen.getByRole('combobox', { name: 'money' })).toBeDefined()
})

const ACTS: [status: Import['status'], answer: Import['status'], words: RegExp, told: string][] = [
  ['receiving', 'failed', /Nothing has been imported yet/, 'The import was stopped. Nothing was imported.'],
  ['checking', 'failed', /Nothing has been imported yet/, 'The import was stopped. Nothing was imported.'],
  ['loading', 'undoing', /made so far are taken back/, 'The import is being taken back.'],
  ['posting', 'undoing', /posted so far are taken back/, 'The import is being taken back.'],
]
test.each(ACTS)('an import that is %s can be stopped, and the question says what that undoes', async (...row) => {
  const [status, answer, words, told] = row
  const { server } = await show({ ...FILE, status }, { 'traders.imports.undo': { ...FILE, status: answer } })
  await pressButton('Stop')
  const dialog = within(await screen.findByRole('dialog', { name: 'Stop the import' }))
  expect(dialog.getByText(words)).toBeDefined()
  await press(dialog.getByRole('button', { name: 'Stop the import' }))
  expect(await screen.findByText(told)).toBeDefined()
  // a stop is sent without a version, which changes while the import is at work
  expect(server.of('traders.imports.undo').map(({ ifMatch }) => ifMatch)).toEqual([null])
})

test('a finished import is taken back only if nobody changed it meanwhile', async () => {
  const { server } = await show({ ...FILE, status: 'done' }, { 'traders.imports.undo': { ...FILE, status: 'undoing' } })
  await pressButton('Take the import back')
  const dialog = within(await screen.findByRole('dialog', { name: 'Take the import back' }))
  await press(dialog.getByRole('button', { name: 'Take the import back' }))
  await screen.findByText('The import is being taken back.')
  expect(server.of('traders.imports.undo').map(({ ifMatch }) => ifMatch)).toEqual(['"3"'])
  expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull()
})

test.each(['undoing', 'undone', 'failed', 'checked'] as const)(
  'an import that is %s cannot be stopped or taken back',
  async (status) => {
    await show({ ...FILE, status })
    await screen.findByRole('button', { name: 'Print the report' })
    expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Take the import back' })).toBeNull()
  },
)

test('a manager cannot stop an import', async () => {
  await renderPage(<ImportPage />, {
    at: '/traders/import/imp_1',
    route: '/traders/import/$id',
    role: 'manager',
    answers: { ...FIRM, 'traders.imports.get': Response.json({ ...FILE, status: 'loading' }) },
  })
  await screen.findByRole('button', { name: 'Print the report' })
  expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull()
})

test.each(['done', 'undone'] as const)('the errors of an import that is %s are shown', async (status) => {
  await show({ ...FILE, status, failure: 'Two balances could not be posted.' })
  expect((await screen.findByRole('note')).textContent).toBe('Two balances could not be posted.')
})

test('the confirming person gets a file of each client’s balance at the button and in the dialog', async () => {
  await show(FILE)
  expect(await screen.findByText(/shows the balance of each client. Look at it before you confirm/)).toBeDefined()
  const [beside] = screen.getAllByRole('link', { name: 'Balances by client (CSV)' })
  expect(beside?.getAttribute('href')).toBe('/v1/traders/import/imp_1/balances.csv')
  expect(beside?.hasAttribute('download')).toBe(true)
  await pressButton('Confirm and post')
  const dialog = within(await screen.findByRole('dialog', { name: 'Post the opening balances' }))
  const link = dialog.getByRole('link', { name: 'Balances by client (CSV)' })
  expect(link.getAttribute('href')).toBe('/v1/traders/import/imp_1/balances.csv')
})

test('an import without balances offers no file of them', async () => {
  await show({ ...FILE, balances: [] })
  await screen.findByRole('button', { name: 'Confirm and post' })
  expect(screen.queryByRole('link', { name: 'Balances by client (CSV)' })).toBeNull()
})
