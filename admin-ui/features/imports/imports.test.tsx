import { expect, test } from 'bun:test'
import { pageOf } from '../../testing/answers.ts'
import { pressButton, renderPage, screen, waitFor } from '../../testing/render.tsx'
import { ImportList } from './import-list.tsx'
import { ImportPage } from './import-page.tsx'
import type { Import } from './imports.api.ts'

const FILE: Import = {
  ...{ id: 'imp_1', fileName: 'clients.csv', platform: null, status: 'loaded', dryRun: false, skipErrors: false },
  ...{ columns: ['mail', 'money'], mapping: { mail: 'email', money: 'balance' }, lines: 3, progress: 4, refused: 1 },
  ...{ created: 2, known: 0, accounts: 0, undone: 0, left: 0, failure: null, createdBy: 'usr_marco' },
  balances: [
    {
      ...{ currency: 'EUR', control: '10.00', lines: 2, inFile: '10.00', refused: '0.00', known: '0.00' },
      ...{ toPost: '10.00', posted: '0.00', undone: '0.00', agrees: true },
    },
  ],
  errors: [{ line: 4, field: 'email', column: 'mail', code: 'format', message: 'must be an e-mail address' }],
  ...{ confirmedBy: null, confirmedAt: null, note: null, undoneBy: null, finishedAt: null },
  ...{ createdAt: '2026-01-15T12:00:00Z', version: 3 },
}
const FIRM = { 'tenants.current': Response.json({ platforms: ['terminal5'] }) }
const show = (file: Import, more: object = {}) =>
  renderPage(<ImportPage />, {
    ...{ at: '/traders/import/imp_1', route: '/traders/import/$id', role: 'admin' },
    answers: { ...FIRM, 'traders.imports.get': Response.json(file), ...more },
  })

test('a firm that brought no file is told what will be there, and who may bring one', async () => {
  await renderPage(<ImportList />, { role: 'admin', answers: { ...FIRM, 'traders.imports.list': pageOf() } })
  expect(await screen.findByText('No file yet')).toBeDefined()
  await pressButton('New file')
  expect(await screen.findByRole('dialog', { name: 'New file' })).toBeDefined()
})

test('a manager sees the files and brings none', async () => {
  await renderPage(<ImportList />, { role: 'manager', answers: { 'traders.imports.list': pageOf(FILE) } })
  const link = await screen.findByRole('link', { name: 'clients.csv' })
  expect(link.getAttribute('href')).toBe('/admin/traders/import/imp_1')
  expect(screen.getByText('Waits for confirmation')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'New file' })).toBeNull()
})

test('the report has balances beside the control totals, and mistakes by line and column', async () => {
  await show(FILE)
  expect(await screen.findByText('Agrees')).toBeDefined()
  expect(screen.getByRole('row', { name: /^4 mail Must be an e-mail address/ })).toBeDefined()
  const file = screen.getByRole('link', { name: 'Mistakes as CSV' })
  expect(file.getAttribute('href')).toBe('/v1/traders/import/imp_1/errors.csv')
})

test('a second person confirms the balances, with the version that was looked at', async () => {
  const { server } = await show(FILE, { 'traders.imports.confirm': Response.json({ ...FILE, status: 'posting' }) })
  await pressButton('Confirm and post')
  await screen.findByRole('dialog', { name: 'Post the opening balances' })
  const [, confirm] = screen.getAllByRole('button', { name: 'Confirm and post' })
  confirm?.click()
  const sent = () => server.asked.filter(({ id }) => id === 'traders.imports.confirm')
  await waitFor(() => expect(sent().map(({ ifMatch }) => ifMatch)).toEqual(['"3"']))
})

test('who brought the file does not confirm it, and reads why', async () => {
  await show({ ...FILE, createdBy: 'usr_me' })
  const button = await screen.findByRole('button', { name: 'Confirm and post' })
  expect(button.hasAttribute('disabled')).toBe(true)
  expect(screen.getByText(/somebody else confirms its balances/)).toBeDefined()
})

test('a file that failed says why, and can be imported once more with what it was read as', async () => {
  await show({ ...FILE, status: 'failed', failure: '1 line has mistakes: nothing was imported.' })
  expect(await screen.findByText('1 line has mistakes: nothing was imported.')).toBeDefined()
  await pressButton('Import')
  expect(await screen.findByLabelText('Control total EUR')).toBeDefined()
  expect(screen.getByRole('combobox', { name: 'money' })).toBeDefined()
})
