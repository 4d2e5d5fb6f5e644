import { expect, test } from 'bun:test'
import type { Role } from '../../../lib/api/session.ts'
import type { Answer } from '../../../operations.ts'
import { type Answers, buildPage, refusal } from '../../../testing/answers.ts'
import { blank } from '../../../testing/blank.ts'
import {
  fill,
  keys,
  press,
  pressButton,
  renderPage,
  screen,
  seen,
  upload,
  waitFor,
  within,
} from '../../../testing/render.tsx'
import { LeadDrawer } from './lead-drawer.tsx'
import { ImportLeads } from './lead-import.tsx'
import { LeadList } from './lead-list.tsx'
import type { Lead } from './leads.api.ts'

const AT = '2026-11-20T10:00:00.000Z'
const lead = (with_: Partial<Lead> = {}): Lead => ({
  ...blank('leads.get'),
  id: 'led_1',
  email: 'sara@mail.example',
  firstName: 'Sara',
  lastName: 'Haddad',
  country: 'AE',
  language: 'ar',
  status: 'new',
  source: 'website',
  version: 2,
  createdAt: AT,
  updatedAt: AT,
  ...with_,
})
const ROLE: Role = 'manager'

const openList = (answers: Answers = {}, role: Role = ROLE, at = '/leads') =>
  renderPage(<LeadList />, {
    at,
    route: '/leads',
    role,
    answers: { 'leads.list': buildPage(lead()), 'leads.get': lead(), ...answers },
  })

const openDrawer = async (with_: Partial<Lead> = {}, answers: Answers = {}, role: Role = ROLE) => {
  const closed: true[] = []
  const drawn = await renderPage(<LeadDrawer id="led_1" onClose={() => void closed.push(true)} />, {
    at: '/leads',
    route: '/leads',
    role,
    answers: { 'leads.get': lead(with_), ...answers },
  })
  await seen('dialog', /Sara Haddad/)
  return { ...drawn, closed }
}

/** Presses a button of the dialog with that title. */
const confirmed = async (title: string, name: string): Promise<void> =>
  press(within(await seen('dialog', title)).getByRole('button', { name }))

test('a lead is converted in its row, and the new client is opened', async () => {
  const { server, address } = await openList({ 'leads.convert': { traderId: 'trd_9', created: true, lead: lead() } })
  await pressButton('Convert')
  await confirmed('Convert this lead to a client', 'Convert to client')
  await waitFor(() => expect(address()).toBe('/traders/trd_9'))
  expect(await screen.findByText('The lead is a client now.')).toBeDefined()
  expect(server.of('leads.convert')).toHaveLength(1)
})

test('a lead whose address belongs to a client is linked, and says so', async () => {
  await openList({ 'leads.convert': { traderId: 'trd_9', created: false, lead: lead() } })
  await pressButton('Convert')
  await confirmed('Convert this lead to a client', 'Convert to client')
  expect(await screen.findByText('Linked to the client with that e-mail address.')).toBeDefined()
})

test('a viewer converts, adds and imports no lead', async () => {
  await openList({}, 'viewer')
  await screen.findByText('Sara Haddad')
  for (const name of ['Convert', 'New lead', 'Import']) expect(screen.queryByRole('button', { name })).toBeNull()
})

test('leads are filtered by several colleagues at once', async () => {
  const { server } = await openList({}, ROLE, '/leads?assignedTo=usr_me,usr_marco')
  await screen.findByText('Sara Haddad')
  expect(server.of('leads.list')[0]?.query).toMatchObject({ assignedTo: 'usr_me,usr_marco' })
  expect(await seen('button', /Me, Marco Bianchi/)).toBeDefined()
})

test('a lead is moved to a possible next status, only if nobody changed it meanwhile', async () => {
  const { server } = await openDrawer({}, { 'leads.update': lead({ status: 'qualified', version: 3 }) })
  await press(await seen('combobox', 'Move to'))
  expect(screen.queryByRole('option', { name: 'Converted' })).toBeNull()
  await press(await seen('option', 'Qualified'))
  await waitFor(() =>
    expect(server.of('leads.update')[0]).toMatchObject({ body: { status: 'qualified' }, ifMatch: '"2"' }),
  )
})

test('a moved lead is moved back by Undo, unless somebody changed it after the move', async () => {
  const { server } = await openDrawer({}, { 'leads.update': lead({ status: 'qualified', version: 3 }) })
  await press(await seen('combobox', 'Move to'))
  await press(await seen('option', 'Qualified'))
  await pressButton('Undo')
  await waitFor(() => expect(server.of('leads.update')).toHaveLength(2))
  expect(server.of('leads.update')[1]).toMatchObject({ body: { status: 'new' }, ifMatch: '"3"' })
})

test('a move of a lead that cannot be reversed by another move has no Undo', async () => {
  await openDrawer({ status: 'qualified' }, { 'leads.update': lead({ status: 'junk', version: 3 }) })
  await press(await seen('combobox', 'Move to'))
  await press(await seen('option', 'Junk'))
  expect(await screen.findByText(/ → Junk/)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test('a lead that a colleague moved first is reported', async () => {
  await openDrawer({}, { 'leads.update': refusal(412, 'version_mismatch', 'A colleague changed it') })
  await press(await seen('combobox', 'Move to'))
  await press(await seen('option', 'Junk'))
  expect(await screen.findByText('This changed while you were working')).toBeDefined()
})

test('a converted lead links to its client and cannot be edited', async () => {
  await openDrawer({ status: 'converted', traderId: 'trd_9', convertedAt: AT })
  expect((await seen('link', 'Open the client')).getAttribute('href')).toBe('/admin/traders/trd_9')
  for (const name of ['Edit all', /^Change/, 'Convert to client'])
    expect(screen.queryByRole('button', { name })).toBeNull()
})

test('the pencil of a lead’s value changes only this value, and Esc in its field leaves the drawer open', async () => {
  const { server, closed } = await openDrawer({}, { 'leads.update': lead({ note: 'Call on Monday', version: 3 }) })
  await pressButton('Change: E-mail')
  await keys('{Escape}')
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'E-mail' })).toBeNull())
  expect(closed).toEqual([])
  await pressButton('Change: Note')
  await fill(await screen.findByRole('textbox', { name: 'Note' }), 'Call on Monday')
  await keys('{Control>}{Enter}{/Control}')
  await waitFor(() => expect(server.of('leads.update')).toHaveLength(1))
  expect(server.of('leads.update')[0]).toMatchObject({ body: { note: 'Call on Monday' }, ifMatch: '"2"' })
  expect(server.of('leads.update')[0]?.body).toEqual({ note: 'Call on Monday' })
})

test('a country of a lead is saved as soon as it is chosen', async () => {
  const { server } = await openDrawer({}, { 'leads.update': lead({ country: 'CY', version: 3 }) })
  await pressButton('Change: Country')
  await keys('Cyprus')
  await press(await seen('option', 'Cyprus'))
  await waitFor(() => expect(server.of('leads.update').map(({ body }) => body)).toEqual([{ country: 'CY' }]))
})

test('Undo takes back a value of a lead that was changed in its place, unless somebody has changed the lead since', async () => {
  const { server } = await openDrawer({ country: 'DE' }, { 'leads.update': lead({ country: 'CY', version: 3 }) })
  await pressButton('Change: Country')
  await keys('Cyprus')
  await press(await seen('option', 'Cyprus'))
  await pressButton('Undo')
  await waitFor(() => expect(server.of('leads.update')).toHaveLength(2))
  expect(server.of('leads.update')[1]).toMatchObject({ body: { country: 'DE' }, ifMatch: '"3"' })
})

test('the answers of an ad’s form are shown with their questions, and other values are not', async () => {
  await openDrawer({ leadGenId: 'lg_1', metadata: { 'How much would you invest?': '5,000', page: 7 } })
  expect(await screen.findByText('How much would you invest?')).toBeDefined()
  expect(screen.queryByText('page')).toBeNull()
})

test('a manager removes a lead after a question, its drawer closes, and Undo restores it', async () => {
  const { server, closed } = await openDrawer(
    {},
    { 'leads.delete': new Response(null, { status: 204 }), 'leads.restore': lead() },
  )
  await pressButton('Remove')
  await confirmed('Remove this lead', 'Remove lead')
  await waitFor(() => expect(closed).toHaveLength(1))
  expect(server.of('leads.delete')[0]).toMatchObject({ params: { id: 'led_1' }, ifMatch: '"2"' })
  await pressButton('Undo')
  await waitFor(() => expect(server.of('leads.restore')[0]?.params).toEqual({ id: 'led_1' }))
})

test('an edit of a lead sends empty fields as null, and keeps the source', async () => {
  const { server } = await openDrawer({ note: 'old' }, { 'leads.update': lead({ version: 3 }) })
  await pressButton('Edit all')
  const form = within(await seen('dialog', 'Edit lead'))
  await fill(form.getByLabelText('Last name'), '')
  await fill(form.getByLabelText('Note'), ' ')
  await press(form.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(server.of('leads.update')).toHaveLength(1))
  const body: unknown = server.of('leads.update')[0]?.body
  expect(body).toMatchObject({ firstName: 'Sara', lastName: null, note: null, email: 'sara@mail.example' })
  expect(body).not.toHaveProperty('source')
})

test.each([
  ['', 'An e-mail address or a phone number is needed'],
  ['sara', 'Enter an e-mail address'],
])('a lead needs an e-mail address or a phone number (%p)', async (email, why) => {
  const { server } = await openList({}, ROLE, '/leads?new=1')
  const form = within(await seen('dialog', 'New lead'))
  if (email) await fill(form.getByLabelText('E-mail'), email)
  await press(form.getByRole('button', { name: 'Add lead' }))
  expect(await form.findByText(new RegExp(why))).toBeDefined()
  expect(server.of('leads.create')).toEqual([])
})

test('a new lead is sent as typed, without empty fields', async () => {
  const { server } = await openList({ 'leads.create': lead() }, ROLE, '/leads?new=1')
  const form = within(await seen('dialog', 'New lead'))
  await fill(form.getByLabelText('First name'), ' Sara ')
  await fill(form.getByLabelText('E-mail'), 'sara@mail.example')
  await fill(form.getByLabelText(/^Source/), ' fair ')
  await press(form.getByRole('button', { name: 'Add lead' }))
  expect(await screen.findByText('Lead added.')).toBeDefined()
  expect(server.of('leads.create').map(({ body }) => body)).toEqual([
    {
      firstName: 'Sara',
      lastName: null,
      email: 'sara@mail.example',
      phone: null,
      country: null,
      language: null,
      assignedTo: null,
      note: null,
      source: 'fair',
    },
  ])
})

test('the choice of the board of leads is in the address, and the choice of the list removes it', async () => {
  const { address } = await openList()
  await press(await seen('radio', 'Board'))
  await waitFor(() => expect(address()).toBe('/leads?view=board'))
  expect(await seen('region', 'Leads by status')).toBeDefined()
  await press(await seen('radio', 'List'))
  await waitFor(() => expect(address()).toBe('/leads'))
  expect(await seen('table', 'Leads')).toBeDefined()
})

const REPORT: Answer<'leads.import'> = {
  dryRun: true,
  rows: 3,
  created: 2,
  duplicates: 0,
  failed: 1,
  columns: ['Mail', 'Vorname', 'Extra'],
  notes: [],
  errors: [{ row: 4, path: 'email', code: 'invalid', message: 'must be an e-mail address' }],
}
const CSV = 'Mail;Vorname;Extra\nsara@mail.example;Sara;x\n'
const openImport = async (answers: Answers = {}) => {
  const closed: true[] = []
  const drawn = await renderPage(<ImportLeads onClose={() => void closed.push(true)} />, {
    at: '/leads',
    route: '/leads',
    role: ROLE,
    answers: { 'leads.import': ({ body }) => ({ ...REPORT, dryRun: Object(body).dryRun }), ...answers },
  })
  const dialog = within(await seen('dialog', 'Import leads'))
  const input = [...document.querySelectorAll<HTMLInputElement>('input[type=file]')].at(-1)
  if (!input) throw new Error('there is no field for the file')
  return { ...drawn, closed, dialog, choose: (...parts: BlobPart[]) => upload(input, new File(parts, 'fair.csv')) }
}

test('the columns of a file of leads are guessed, and the file can be imported only after it was tried', async () => {
  const { server, dialog, choose } = await openImport()
  await choose(CSV)
  expect(await dialog.findByLabelText('Source')).toHaveProperty('value', 'fair')
  expect(dialog.getByRole('button', { name: 'Import' }).hasAttribute('disabled')).toBe(true)
  await press(dialog.getByRole('button', { name: 'Try it' }))
  expect(await dialog.findByText('Tried; nothing has been changed')).toBeDefined()
  expect(dialog.getByText('Must be an e-mail address')).toBeDefined()
  await press(dialog.getByRole('button', { name: 'Import 2' }))
  expect(await dialog.findByText('Imported')).toBeDefined()
  expect(server.of('leads.import').map(({ body }) => body)).toEqual(
    [true, false].map((dryRun) => ({
      csv: CSV,
      source: 'fair',
      assignedTo: null,
      dryRun,
      mapping: { Mail: 'email', Vorname: 'firstName' },
    })),
  )
  expect(dialog.getByRole('button', { name: 'Done' })).toBeDefined()
})

test('a change of the source of leads drops the result of an earlier try', async () => {
  const { dialog, choose } = await openImport()
  await choose(CSV)
  await press(await dialog.findByRole('button', { name: 'Try it' }))
  await dialog.findByText('Tried; nothing has been changed')
  await fill(dialog.getByLabelText('Source'), 'trade fair')
  expect(dialog.queryByText('Tried; nothing has been changed')).toBeNull()
  expect(dialog.getByRole('button', { name: 'Import' }).hasAttribute('disabled')).toBe(true)
})

test('a field that one column of leads fills is not offered for another column', async () => {
  const { dialog, choose } = await openImport()
  await choose(CSV)
  await press(await dialog.findByRole('combobox', { name: 'Extra' }))
  await seen('option', 'Phone')
  expect(screen.queryByRole('option', { name: 'E-mail' })).toBeNull()
})

test('a file that Excel saved in Eastern Europe is decoded, and shows its encoding', async () => {
  const { server, dialog, choose } = await openImport()
  // “Łukasz” in Windows-1250
  await choose('Mail;Vorname\na@b.example;', Uint8Array.of(0xa3, 0x75, 0x6b, 0x61, 0x73, 0x7a))
  const field = await dialog.findByRole('combobox', { name: 'Read as' })
  expect(field).toHaveProperty('value', 'Central Europe (Windows-1250)')
  await press(dialog.getByRole('button', { name: 'Try it' }))
  await dialog.findByText('Tried; nothing has been changed')
  await press(field)
  await press(await seen('option', 'Western Europe (Windows-1252)'))
  expect(dialog.queryByText('Tried; nothing has been changed')).toBeNull()
  await press(dialog.getByRole('button', { name: 'Try it' }))
  await dialog.findByText('Tried; nothing has been changed')
  expect(server.of('leads.import').map(({ body }) => Object(body).csv)).toEqual([
    'Mail;Vorname\na@b.example;Łukasz',
    'Mail;Vorname\na@b.example;£ukasz',
  ])
})

test('an empty file of leads is refused before anything is sent', async () => {
  const { server, dialog, choose } = await openImport()
  await choose('')
  expect(await dialog.findByText('The file is empty.')).toBeDefined()
  expect(server.of('leads.import')).toEqual([])
})

test('the import of leads asks before it is closed with a chosen file that was not imported', async () => {
  const { closed, dialog, choose } = await openImport()
  await choose(CSV)
  await dialog.findByLabelText('Source')
  await press(dialog.getByRole('button', { name: 'Cancel' }))
  expect(await seen('dialog', 'Discard changes?')).toBeDefined()
  expect(closed).toEqual([])
})
