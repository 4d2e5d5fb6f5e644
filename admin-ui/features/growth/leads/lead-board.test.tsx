import { expect, test } from 'bun:test'
import { fireEvent } from '@testing-library/react'
import type { Role } from '../../../lib/api/session.ts'
import { type Answers, buildPage, refusal } from '../../../testing/answers.ts'
import { blank } from '../../../testing/blank.ts'
import { press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { LeadBoard } from './lead-board.tsx'
import type { Lead } from './leads.api.ts'

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
  assignedTo: 'usr_marco',
  version: 2,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
  ...with_,
})
const NEW = lead()
const JUNK = lead({ id: 'led_2', firstName: 'Bo', lastName: null, status: 'junk', version: 9 })
const open = async (answers: Answers = {}, role: Role = 'operator') => {
  const opened: string[] = []
  const drawn = await renderPage(<LeadBoard query={{}} onOpen={({ id }) => void opened.push(id)} />, {
    role,
    answers: {
      'leads.list': ({ query: { status } }) => ({
        ...buildPage(...[NEW, JUNK].filter((one) => one.status === status)),
        total: status === 'new' ? 1200 : 1,
      }),
      ...answers,
    },
  })
  await seen('button', 'Sara Haddad')
  return { ...drawn, opened }
}
const column = (name: string): Promise<HTMLElement> => seen('region', name)
const card = async (name: string): Promise<HTMLElement> => {
  const found = (await seen('button', name)).closest('li')
  if (!found) throw new Error(`no card is called ${name}`)
  return found
}
/** Drags a card to a column and drops it there. */
const dragTo = async (name: string, to: string): Promise<void> => {
  const dataTransfer = { setData: () => undefined, effectAllowed: '' }
  fireEvent.dragStart(await card(name), { dataTransfer })
  fireEvent.dragOver(await column(to), { dataTransfer })
  fireEvent.drop(await column(to), { dataTransfer })
}

test('each status has its column on the board, with its count and the assigned colleagues', async () => {
  const { server } = await open()
  expect(screen.getAllByRole('heading').map(({ textContent }) => textContent?.replace(/ .*/, ''))).toEqual([
    'New',
    'Contacted',
    'Nurture',
    'Qualified',
    'Converted',
    'Unqualified',
    'Junk',
  ])
  expect(within(await column('New')).getByRole('heading').textContent).toBe('New 1200')
  await waitFor(async () => expect((await card('Sara Haddad')).textContent).toContain('website · Marco Bianchi · '))
  expect(await within(await column('Nurture')).findByText('None')).toBeDefined()
  expect(server.of('leads.list')[0]?.query).toMatchObject({ limit: '25', status: 'new', count: 'true' })
})

test('a press on the name of a card opens its lead', async () => {
  const { opened } = await open()
  await pressButton('Sara Haddad')
  expect(opened).toEqual(['led_1'])
})

test('a card is moved by its menu to possible next statuses only', async () => {
  const { server } = await open({ 'leads.update': lead({ status: 'contacted', version: 3 }) })
  await pressButton('Move Bo')
  expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual(['New'])
  await pressButton('Move Sara Haddad')
  await press(await seen('menuitem', 'Contacted'))
  expect(await screen.findByText('Sara Haddad: New → Contacted.')).toBeDefined()
  expect(server.of('leads.update')[0]).toMatchObject({ body: { status: 'contacted' }, ifMatch: '"2"' })
})

test('a card that is dragged to its next status is sent, and the columns are read again', async () => {
  const { server } = await open({ 'leads.update': lead({ status: 'qualified', version: 3 }) })
  const before = server.of('leads.list').length
  await dragTo('Sara Haddad', 'Qualified')
  await waitFor(() => expect(server.of('leads.update').map(({ body }) => body)).toEqual([{ status: 'qualified' }]))
  await waitFor(() => expect(server.of('leads.list').length).toBeGreaterThanOrEqual(before + 7))
})

test.each([
  ['Sara Haddad', 'Converted'],
  ['Sara Haddad', 'New'],
  ['Bo', 'Qualified'],
])('the card %s cannot be dragged to %s', async (name, to) => {
  const { server } = await open()
  await dragTo(name, to)
  expect(server.of('leads.update')).toEqual([])
})

test('a move of a card that a colleague changed first says why it failed, and the columns are read again', async () => {
  const { server } = await open({ 'leads.update': refusal(412, 'version_mismatch', 'A colleague changed it.') })
  const before = server.of('leads.list').length
  await pressButton('Move Sara Haddad')
  await press(await seen('menuitem', 'Junk'))
  expect(await screen.findByText('Not moved: A colleague changed it.')).toBeDefined()
  await waitFor(() => expect(server.of('leads.list').length).toBeGreaterThan(before))
})

test('a reader who may not change leads moves no card', async () => {
  await open({}, 'viewer')
  expect(screen.queryByRole('button', { name: /^Move/ })).toBeNull()
  expect((await card('Sara Haddad')).getAttribute('draggable')).toBe('false')
})

test('a column that cannot be read says so in its place, and the others stay', async () => {
  const { server } = await open({
    'leads.list': ({ query }) =>
      query.status === 'junk'
        ? refusal(422, 'invalid', 'Junk cannot be read')
        : buildPage(...(query.status === 'new' ? [NEW] : [])),
  })
  const junk = within(await column('Junk'))
  expect((await junk.findByRole('alert')).textContent).toContain('Junk cannot be read')
  server.now({ 'leads.list': buildPage(JUNK) })
  await press(junk.getByRole('button', { name: 'Try again' }))
  expect(await junk.findByText('Bo')).toBeDefined()
})
