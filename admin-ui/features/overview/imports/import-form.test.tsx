import { expect, test } from 'bun:test'
import { type Answers, buildPage, refusal } from '../../../testing/answers.ts'
import { press, pressButton, renderPage, screen, seen, upload, waitFor, within } from '../../../testing/render.tsx'
import { ImportForm } from './import-form.tsx'
import { FIELD_LABELS } from './import-words.tsx'
import type { Import } from './imports.api.ts'

// No other test uses this id: the window, which tests share, keeps the file of an import.
const MADE: Import = {
  id: 'imp_form',
  fileName: 'clients.csv',
  platform: null,
  headLine: 1,
  currency: null,
  dates: null,
  decimals: null,
  notes: [],
  status: 'checking',
  dryRun: true,
  skipErrors: false,
  columns: ['Nr', 'Kontakt'],
  mapping: { Kontakt: 'email' },
  lines: 1,
  progress: 0,
  refused: 0,
  created: 0,
  known: 0,
  accounts: 0,
  undone: 0,
  left: 0,
  failure: null,
  balances: [],
  errors: [],
  createdBy: 'usr_me',
  confirmedBy: null,
  confirmedAt: null,
  note: null,
  undoneBy: null,
  finishedAt: null,
  version: 1,
  createdAt: '2026-01-15T12:00:00Z',
}

const open = async (answers: Answers = {}) => {
  const drawn = await renderPage(<ImportForm onClose={() => undefined} />, {
    at: '/traders/import',
    route: '/traders/import',
    role: 'admin',
    answers: {
      'tenants.current': Response.json({ platforms: ['terminal5'] }),
      'traders.imports.list': buildPage(),
      'traders.import': MADE,
      ...answers,
    },
  })
  const dialog = within(await seen('dialog', 'New file'))
  const input = [...document.querySelectorAll<HTMLInputElement>('input[type=file]')].at(-1)
  if (!input) throw new Error('there is no field for the file')
  const choose = (...parts: BlobPart[]) => upload(input, new File(parts, 'clients.csv'))
  const column = (name: string) => dialog.findByRole('combobox', { name })
  const pick = async (name: string, option: string): Promise<void> => {
    await press(await column(name))
    await press(await seen('option', option))
  }
  const sent = () => drawn.server.of('traders.import').map(({ body }) => body)
  return {
    ...drawn,
    dialog,
    choose,
    column,
    pick,
    sent,
    check: () => dialog.getByRole('button', { name: 'Check the file' }),
  }
}

test('the columns of a file are shown with their fields, and a missing field is named before sending', async () => {
  const { dialog, choose, column, pick, check, sent } = await open()
  await choose('Nr;Kontakt;Vorname\n1;a@b.example;Ann')
  expect(await column('Vorname')).toHaveProperty('value', FIELD_LABELS.firstName)
  expect(await column('Kontakt')).toHaveProperty('value', '')
  expect(dialog.getByText(/No column says who a line is about/)).toBeDefined()
  expect(check().hasAttribute('disabled')).toBe(true)
  await pick('Kontakt', 'E-mail')
  expect(dialog.queryByText(/No column/)).toBeNull()
  await press(check())
  await waitFor(() => expect(sent()).toHaveLength(1))
  expect(sent()).toEqual([
    {
      csv: 'Nr;Kontakt;Vorname\n1;a@b.example;Ann',
      fileName: 'clients.csv',
      dryRun: true,
      skipErrors: false,
      headLine: 1,
      mapping: { Kontakt: 'email', Vorname: 'firstName' },
      controlTotals: {},
    },
  ])
})

test('the columns of a file get the fields that an earlier file with the same headings had', async () => {
  const { choose, column, check } = await open({ 'traders.imports.list': buildPage(MADE) })
  await choose('Nr,Kontakt\n1,a@b.example')
  await waitFor(async () => expect(await column('Kontakt')).toHaveProperty('value', FIELD_LABELS.email))
  expect(check().hasAttribute('disabled')).toBe(false)
})

test('Excel’s line above the headings is not shown, but it is sent, since it names the separator', async () => {
  const { choose, column, check, sent } = await open()
  await choose('\uFEFFsep=;\r\nE-Mail;Vorname\r\na@b.example;Ann')
  expect(await column('E-Mail')).toHaveProperty('value', FIELD_LABELS.email)
  await press(check())
  await waitFor(() =>
    expect(sent()).toEqual([expect.objectContaining({ csv: 'sep=;\r\nE-Mail;Vorname\r\na@b.example;Ann' })]),
  )
})

test.each([
  ['csv', 'cannot be read as CSV from line 4711, column 1 on', 'File: Cannot be read as CSV from line 4711'],
  ['csv', 'must have at most 200,000 rows', 'File: Must have at most 200,000 rows'],
  ['mapping', 'must say which column is the client’s id', 'Columns of the file: Must say which column'],
  ['mapping.Kontakt', 'is no column of the file', 'Kontakt: Is no column of the file'],
  ['controlTotals.EUR', 'must not be negative', 'Control total EUR: Must not be negative'],
])('the server’s error about %s of an import is shown: %s', async (path, message, told) => {
  const { choose, check } = await open({
    'traders.import': refusal(422, 'validation_failed', 'Some fields are not valid.', [{ path, message }]),
  })
  await choose('Mail\na@b.example')
  await waitFor(() => expect(check().hasAttribute('disabled')).toBe(false))
  await press(check())
  expect((await seen('alert', '')).textContent).toContain(told)
})

test('a file that is not Unicode shows its encoding, which can be changed', async () => {
  const { dialog, choose, check, sent } = await open()
  // “Иван” as Excel saves it in Russia
  await choose('Mail;Name\n', Uint8Array.of(0x61, 0x40, 0x62, 0x3b, 0xc8, 0xe2, 0xe0, 0xed))
  expect(await dialog.findByRole('combobox', { name: 'Read as' })).toHaveProperty('value', 'Cyrillic (Windows-1251)')
  const lines = within(dialog.getByRole('region', { name: 'Lines of the file as it was read' }))
  expect(lines.getByText('a@b;Иван')).toBeDefined()
  await press(dialog.getByRole('combobox', { name: 'Read as' }))
  await press(await seen('option', 'Western Europe (Windows-1252)'))
  expect(await lines.findByText('a@b;Èâàí')).toBeDefined()
  await press(check())
  await waitFor(() => expect(sent()).toEqual([expect.objectContaining({ csv: 'Mail;Name\na@b;Èâàí' })]))
})

test('a file without column names, or with hundreds, is refused before anything is sent', async () => {
  const { dialog, choose, sent } = await open()
  await choose('')
  expect(await dialog.findByText('No line of the file names columns.')).toBeDefined()
  await choose(Array.from({ length: 201 }, (_, at) => `c${at}`).join(','))
  expect(await dialog.findByText('The file has more than 200 columns.')).toBeDefined()
  expect(screen.queryByRole('combobox', { name: 'c1' })).toBeNull()
  expect(sent()).toEqual([])
})

test('a column may be named like a property of every object', async () => {
  const { choose, column } = await open()
  await choose('constructor,Mail\nx,a@b.example')
  expect(await column('constructor')).toHaveProperty('value', '')
})

test('a change of the encoding keeps the chosen fields while the columns stay the same', async () => {
  const { dialog, choose, pick, column } = await open()
  await choose('Kontakt;Ort\n', Uint8Array.of(0x61, 0x3b, 0x4b, 0xf6, 0x6c, 0x6e))
  await pick('Kontakt', 'E-mail')
  await press(dialog.getByRole('combobox', { name: 'Read as' }))
  await press(await seen('option', 'Central Europe (Windows-1250)'))
  expect(await column('Kontakt')).toHaveProperty('value', FIELD_LABELS.email)
  await pressButton('Cancel')
  expect(await seen('dialog', 'Discard changes?')).toBeDefined()
})

test('the headings of a platform’s export are found below its title; its balance is left out at first', async () => {
  const { dialog, choose, column, pick, check, sent } = await open()
  await choose('Clients of MT4\n\nLogin;Name;Group;Leverage;Balance\n7001;Ann;real-EUR;1:100;5,00')
  expect(await dialog.findByRole('combobox', { name: /^Line with the names/ })).toHaveProperty(
    'value',
    'Line 3: Login, Name, Group, Leverage, Balance',
  )
  expect(await column('Login')).toHaveProperty('value', FIELD_LABELS.accountNumber)
  expect(dialog.getByText(/is what each account has on its platform/)).toBeDefined()
  expect(dialog.getByText(/cannot sign in until you enter it/)).toBeDefined()
  await pick('Balance', FIELD_LABELS.balance)
  expect(dialog.queryByText(/is what each account has on its platform/)).toBeNull()
  await pick('Amounts', 'Decimal comma')
  await press(check())
  await waitFor(() => expect(sent()).toHaveLength(1))
  expect(sent()).toMatchObject([
    { headLine: 3, decimals: 'comma', mapping: { Login: 'accountNumber', Group: 'group', Balance: 'balance' } },
  ])
})

test('a workbook of Excel is read by the server, and another sheet of it can be chosen', async () => {
  const sheet = (name: string, csv: string) => Response.json({ sheets: ['Old', 'New'], sheet: name, csv })
  const answers = [sheet('Old', 'Mail,Name\na@b.example,Ann'), sheet('New', 'Mail,Phone\nc@d.example,1')]
  const { dialog, choose, column, check, sent, server } = await open({
    'workbooks.read': () => answers.shift() ?? sheet('New', ''),
  })
  await choose(Uint8Array.of(0x50, 0x4b, 3, 4, 5))
  expect(await column('Name')).toBeDefined()
  await press(dialog.getByRole('combobox', { name: 'Sheet' }))
  await press(await seen('option', 'New'))
  expect(await column('Phone')).toBeDefined()
  expect(server.of('workbooks.read').map(({ body }) => body)).toEqual([
    { content: 'UEsDBAU=' },
    { content: 'UEsDBAU=', sheet: 'New' },
  ])
  await press(check())
  await waitFor(() => expect(sent()).toMatchObject([{ csv: 'Mail,Phone\nc@d.example,1' }]))
})

test('a workbook that the server cannot read is refused at the file', async () => {
  const message = 'is no Excel workbook (.xlsx) that can be read'
  const { dialog, choose } = await open({
    'workbooks.read': refusal(422, 'validation_failed', 'Some fields are not valid.', [{ path: 'content', message }]),
  })
  await choose(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0))
  expect(await dialog.findByText(/Is no Excel workbook/)).toBeDefined()
})
