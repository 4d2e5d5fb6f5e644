import { expect, test } from 'bun:test'
import type { Row } from '../../../operations.ts'
import { type Answers, buildPage, noAnswer, onlyDecided, refusal } from '../../../testing/answers.ts'
import { blank } from '../../../testing/blank.ts'
import { PHONE } from '../../../testing/dom.ts'
import {
  fill,
  press,
  pressButton,
  renderPage,
  screen,
  seen,
  upload,
  waitFor,
  within,
} from '../../../testing/render.tsx'
import { SanctionsPage } from './hit-list.tsx'
import type { SanctionsList } from './sanctions.api.ts'

const AT = '2026-11-20T10:00:00.000Z'
const list = (with_: Partial<SanctionsList> = {}): SanctionsList => ({
  id: 'lst_1',
  source: 'eu',
  version: '2026-11-01',
  hash: 'ab'.repeat(32),
  entries: 12000,
  current: true,
  status: 'screened',
  failure: null,
  screenedAt: AT,
  createdAt: AT,
  ...with_,
})
const hit = (with_: Partial<Row<'sanctions.hits.list'>> = {}): Row<'sanctions.hits.list'> => ({
  ...blank('sanctions.hits.get'),
  id: 'hit_1',
  traderId: 'trd_1',
  traderName: 'Ana Lima',
  source: 'eu',
  reference: 'EU.77',
  name: 'Anna LIMA',
  score: 86,
  explanation: { listedAs: 'LIMA', nameScore: 93, birth: 'differs', country: 'same', words: [] },
  listHash: 'a',
  status: 'open',
  version: 4,
  createdAt: AT,
  updatedAt: AT,
  ...with_,
})
const buildListsPage = (...data: SanctionsList[]) => ({ data, nextCursor: null })
type Setting = { at?: string; role?: 'manager' | 'admin'; width?: number }
const open = (answers: Answers = {}, { at = '/sanctions', role = 'admin', ...more }: Setting = {}) =>
  renderPage(<SanctionsPage />, {
    at,
    route: '/sanctions',
    role,
    ...more,
    answers: { 'sanctions.hits.list': buildPage(hit()), 'sanctions.lists.list': buildListsPage(list()), ...answers },
  })
const openForm = async (answers: Answers = {}) => {
  const drawn = await open(answers, { at: '/sanctions?tab=lists' })
  await pressButton('Load a list')
  const form = within(await seen('dialog', 'Load a list'))
  await press(form.getByRole('combobox', { name: 'List' }))
  await press(await seen('option', 'EU consolidated'))
  const input = [...document.querySelectorAll<HTMLInputElement>('input[type=file]')].at(-1)
  if (!input) throw new Error('there is no field for the file')
  return { ...drawn, form, choose: () => upload(input, new File(['<export/>'], 'eu.xml')) }
}

test('matches that wait are listed first, with client and similarity', async () => {
  const { server } = await open({ 'sanctions.hits.list': buildPage(hit(), hit({ id: 'hit_2', traderName: null })) })
  const rows = within(await seen('table', 'Matches'))
    .getAllByRole('row')
    .slice(1)
  expect(rows[0]?.textContent).toContain('Ana LimaTo decide86Anna LIMADiffersSameEU consolidated, entry EU.77')
  expect(rows[1]?.textContent).toContain('Deleted client')
  expect(server.of('sanctions.hits.list')[0]?.query).toMatchObject({ status: 'open' })
})

test('two matches of one client are told apart by birth, country and entry', async () => {
  const other = hit({
    id: 'hit_2',
    reference: 'EU.78',
    explanation: { listedAs: 'LIMA', nameScore: 93, birth: 'same_year', country: 'unknown', words: [] },
  })
  await open({ 'sanctions.hits.list': buildPage(hit(), other) })
  const rows = (await screen.findAllByRole('row')).map(({ textContent }) => textContent)
  expect(rows[1]).toContain('DiffersSameEU consolidated, entry EU.77')
  expect(rows[2]).toContain('Same yearNot knownEU consolidated, entry EU.78')
})

test('matches of two clients with the same name show their dates of birth, and no others are read', async () => {
  const namesake = hit({ id: 'hit_2', traderId: 'trd_2' })
  const { server } = await open({
    'sanctions.hits.list': buildPage(hit(), namesake, hit({ id: 'hit_3', traderId: 'trd_3', traderName: 'Noor' })),
    'sanctions.hits.get': ({ params: { id } }) => ({
      ...blank('sanctions.hits.get'),
      ...hit(),
      client: { name: 'Ana', dateOfBirth: id === 'hit_1' ? '1990-02-03' : '1961-05-06', country: null, city: null },
      entry: null,
    }),
  })
  expect(await screen.findByText(', Feb 3, 1990')).toBeDefined()
  expect(await screen.findByText(', May 6, 1961')).toBeDefined()
  expect(server.of('sanctions.hits.get').map(({ params }) => params.id)).toEqual(['hit_1', 'hit_2'])
})

test.each([
  ['/sanctions', 'No matches'],
  ['/sanctions?status=*', 'No matches'],
])('matches at %s without rows explain it', async (at, words) => {
  await open({ 'sanctions.hits.list': buildPage() }, { at })
  expect(await screen.findByText(words)).toBeDefined()
})

test('matches of which none waits, although there are decided ones, say so', async () => {
  await open({ 'sanctions.hits.list': onlyDecided(hit()) }, { at: '/sanctions' })
  expect(await screen.findByText('Nothing is waiting')).toBeDefined()
})

test('a phone shows a match as a card with the day it was found', async () => {
  await open({}, { width: PHONE })
  expect(await screen.findByText('Ana Lima')).toBeDefined()
  expect(screen.getByText(/Nov 20, 2026/)).toBeDefined()
  expect(screen.queryByText('Anna LIMA')).toBeNull()
})

test('a notice says that no client is screened without a list, and an administrator loads one from it', async () => {
  await open({ 'sanctions.lists.list': buildListsPage() })
  const notice = within(await seen('status', 'No list is loaded: nobody is screened'))
  await press(notice.getByRole('link', { name: 'Load a list' }))
  const form = within(await seen('dialog', 'Load a list'))
  // the tab of the lists has its own button, so the notice has none there
  expect(screen.queryByRole('link', { name: 'Load a list' })).toBeNull()
  expect(form.getByRole('link').getAttribute('href')).toMatch(/^https:\/\/sanctionslist\.ofac\.treas\.gov\//)
})

test('a manager is told that no client is screened without a list, and cannot load one', async () => {
  await open({ 'sanctions.lists.list': buildListsPage() }, { role: 'manager' })
  await seen('status', 'No list is loaded: nobody is screened')
  expect(screen.queryByRole('link', { name: 'Load a list' })).toBeNull()
})

const failed = list({
  id: 'lst_2',
  version: '2026-11-15',
  current: false,
  status: 'failed',
  createdAt: '2026-11-21T10:00:00.000Z',
})
test.each([
  ['a failed list is shown while the one before it is in use', [list(), failed], true, 'The list before it is in use.'],
  [
    'a failed list is shown if a later one failed too',
    [failed, { ...failed, id: 'lst_9', version: '2026-11-16', createdAt: '2026-11-23T10:00:00.000Z' }],
    true,
    'No other list',
  ],
  [
    'a failed list is shown if no list of its publisher is in use',
    [list({ source: 'un' }), failed],
    true,
    'No other list of this publisher is in use.',
  ],
  [
    'a failed list is not shown once a later list is in use',
    [failed, list({ id: 'lst_3', createdAt: '2026-11-22T10:00:00.000Z' })],
    false,
    '',
  ],
] as const)('%s', async (_, lists, told, words) => {
  const { server } = await open({ 'sanctions.lists.list': buildListsPage(...lists) })
  await waitFor(() => expect(server.of('sanctions.lists.list')).not.toBeEmpty())
  await screen.findByText('Ana Lima')
  const notice = screen.queryByRole('status', { name: 'EU consolidated 2026-11-15 is not in use' })
  expect(notice !== null).toBe(told)
  expect(notice?.textContent ?? '').toContain(words)
})

test('a notice says that all clients are being compared, until the lists report its end', async () => {
  const { server } = await open({ 'sanctions.lists.list': buildListsPage(list({ status: 'screening' })) })
  await seen('status', 'Everybody is being compared with a new list')
  server.now({ 'sanctions.lists.list': buildListsPage(list()) })
  await waitFor(() => expect(screen.queryAllByText(/^Everybody is being compared/)).toHaveLength(0))
})

test('sanctions lists are shown with their state, size and the beginning of their digest', async () => {
  const replaced = list({ id: 'lst_0', status: 'replaced', current: false })
  await open({ 'sanctions.lists.list': buildListsPage(list(), replaced, failed) }, { at: '/sanctions?tab=lists' })
  const rows = within(await seen('table', 'Lists'))
    .getAllByRole('row')
    .slice(1)
  const words = rows.map(({ textContent }) => textContent)
  expect(words[0]).toContain('EU consolidated2026-11-01In use12,000abababababababab…')
  expect([words[1]?.includes('Replaced'), words[2]?.includes('Failed')]).toEqual([true, true])
})

test('a new sanctions list is sent with its version as typed, and the lists are read again', async () => {
  const { server, form, choose } = await openForm({ 'sanctions.lists.load': list({ entries: 12500 }) })
  await fill(form.getByLabelText('Version'), ' 2026-11-20 ')
  await choose()
  const before = server.of('sanctions.lists.list').length
  await press(form.getByRole('button', { name: 'Load and screen' }))
  expect(await screen.findByText(/12,500/)).toBeDefined()
  expect(server.of('sanctions.lists.load').map(({ body }) => body)).toEqual([
    { source: 'eu', version: '2026-11-20', content: '<export/>' },
  ])
  await waitFor(() => expect(server.of('sanctions.lists.list').length).toBeGreaterThan(before))
})

test('a new sanctions list without a version or a file is not sent, and both are marked', async () => {
  const { server, form } = await openForm()
  await press(form.getByRole('button', { name: 'Load and screen' }))
  expect(await form.findByText('Say which version this is')).toBeDefined()
  expect(form.getByText('Choose the file')).toBeDefined()
  expect(server.of('sanctions.lists.load')).toEqual([])
})

test('a sanctions list that lost half of its names is refused at the file, and loaded after confirmation', async () => {
  let times = 0
  const { server, form, choose } = await openForm({
    'sanctions.lists.load': () =>
      ++times === 1
        ? refusal(422, 'invalid', 'Not valid', [
            { path: 'files.sdn', message: 'holds 10 names, the list in use 12,000' },
          ])
        : list(),
  })
  await fill(form.getByLabelText('Version'), '2')
  await choose()
  await press(form.getByRole('button', { name: 'Load and screen' }))
  expect(await form.findByText(/olds 10 names, the list in use 12,000/)).toBeDefined()
  await press(form.getByRole('checkbox', { name: 'Load it although it looks incomplete' }))
  await press(form.getByRole('button', { name: 'Load and screen' }))
  await waitFor(() => expect(server.of('sanctions.lists.load').at(-1)?.body).toMatchObject({ force: true }))
})

test('a sanctions list whose loading got no answer is sent again with the same Idempotency-Key', async () => {
  let times = 0
  const { server, form, choose } = await openForm({
    'auth.me': noAnswer,
    'sanctions.lists.load': () => (++times === 1 ? noAnswer() : list()),
  })
  await fill(form.getByLabelText('Version'), '2')
  await choose()
  await press(form.getByRole('button', { name: 'Load and screen' }))
  expect(await form.findByText(/No answer came/)).toBeDefined()
  await press(form.getByRole('button', { name: 'Load and screen' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(new Set(server.of('sanctions.lists.load').map(({ key }) => key)).size).toBe(1)
})
