import { expect, test } from 'bun:test'
import type { Role } from '../../../lib/api/session.ts'
import { type Answers, buildPage, noAnswer, refusal } from '../../../testing/answers.ts'
import { act, fill, press, pressButton, renderPage, screen, seen, waitFor } from '../../../testing/render.tsx'
import { meAs, trader } from '../../../testing/samples.ts'
import type { Note, Trader } from '../../clients/traders/traders.api.ts'
import { NoteForm, TraderNotes } from './trader-notes.tsx'

const note = (with_: Partial<Note> = {}): Note => ({
  id: 'nte_1',
  traderId: 'trd_1',
  body: 'Called about the card',
  authorId: 'usr_marco',
  createdAt: '2026-01-05T10:00:00.000Z',
  ...with_,
})
/** Each test names another client, since the console remembers for each client what was sent without an answer. */
const open = (answers: Answers = {}, with_: Partial<Trader> = {}, role: Role = 'operator') =>
  renderPage(<TraderNotes trader={trader(with_)} />, {
    at: '/traders/trd_1',
    route: '/traders/$id',
    role,
    answers: { 'auth.me': meAs(role), 'traders.notes.list': buildPage(note()), ...answers },
  })
const field = (): Promise<HTMLElement> => screen.findByRole('textbox', { name: 'New note' })

test('a note shows who wrote it and when, and one without a colleague is a program’s', async () => {
  await open({ 'traders.notes.list': buildPage(note(), note({ id: 'nte_2', body: 'Imported', authorId: null })) })
  const [first, second] = await screen.findAllByRole('listitem')
  await waitFor(() => expect(first?.textContent).toBe('Called about the cardMarco Bianchi · Jan 5, 2026'))
  expect(second?.textContent).toStartWith('ImportedA program')
})

test('a note is added without surrounding blanks, and the field is empty again', async () => {
  const { server } = await open({ 'traders.notes.add': note({ id: 'nte_2' }) })
  await fill(await field(), '  Wants a call on Monday ')
  await pressButton('Add note')
  await waitFor(() => expect(server.of('traders.notes.add')).toHaveLength(1))
  expect(server.of('traders.notes.add')[0]).toMatchObject({
    params: { id: 'trd_1' },
    body: { body: 'Wants a call on Monday' },
  })
  await waitFor(async () => expect(await field()).toHaveProperty('value', ''))
  await waitFor(() => expect(server.of('traders.notes.list').length).toBeGreaterThan(1))
})

test('a note without text is not sent', async () => {
  const { server } = await open()
  await fill(await field(), '  ')
  await pressButton('Add note')
  expect(await screen.findByText('Write something first')).toBeDefined()
  expect(server.of('traders.notes.add')).toEqual([])
})

test('the draft of a note is there when the page is opened again', async () => {
  const { router } = await open({}, { id: 'trd_draft' })
  await fill(await field(), 'Half a thought')
  await act(() => router.navigate({ to: '/kyc' }))
  expect(await screen.findByText('another page')).toBeDefined()
  await act(() => router.navigate({ to: '/traders/$id', params: { id: 'trd_draft' } }))
  await waitFor(async () => expect(await field()).toHaveProperty('value', 'Half a thought'))
})

test('a note that got no answer is sent again with the same Idempotency-Key', async () => {
  let times = 0
  const { server } = await open(
    { 'traders.notes.add': () => (++times === 1 ? noAnswer() : note({ id: 'nte_2' })) },
    { id: 'trd_lost' },
  )
  await fill(await field(), 'Once only')
  await pressButton('Add note')
  expect(await screen.findByText(/It may have been done: look/)).toBeDefined()
  expect(await field()).toHaveProperty('value', 'Once only')
  await pressButton('Add note')
  await waitFor(async () => expect(await field()).toHaveProperty('value', ''))
  const [first, second] = server.of('traders.notes.add')
  expect(second?.key).toBe(first?.key ?? 'none')
})

test('a client without notes shows what notes are for', async () => {
  await open({ 'traders.notes.list': buildPage() })
  expect(await screen.findByText('No notes yet')).toBeDefined()
})

test('“Try again” reads notes that could not be read', async () => {
  const { server } = await open({ 'traders.notes.list': refusal(422, 'broken', 'These notes cannot be read.') })
  expect(await screen.findByText('These notes cannot be read.', { selector: 'p:last-of-type' })).toBeDefined()
  server.now({ 'traders.notes.list': buildPage(note()) })
  await pressButton('Try again')
  expect(await screen.findByText('Called about the card')).toBeDefined()
})

test('older notes are added below the present ones', async () => {
  const { server } = await open({
    'traders.notes.list': ({ query }) =>
      query.cursor ? buildPage(note({ id: 'nte_old', body: 'Of last year' })) : { data: [note()], nextCursor: 'older' },
  })
  await pressButton('Load more')
  expect(await screen.findByText('Of last year')).toBeDefined()
  expect(screen.getByText('Called about the card')).toBeDefined()
  expect(server.of('traders.notes.list').at(-1)?.query.cursor).toBe('older')
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
})

test.each([
  ['a viewer', 'viewer', {}],
  ['a manager, once the client is deleted,', 'manager', { deletedAt: '2026-11-21T10:00:00.000Z' }],
] as const)('%s cannot write a note about a client', async (_, role, with_) => {
  await open({}, with_, role)
  await screen.findByText('Called about the card')
  expect(screen.queryByRole('textbox')).toBeNull()
})

test('the dialog and the tab of a client’s notes share one draft, which is gone once it was sent', async () => {
  const closed: true[] = []
  const one = trader({ id: 'trd_shared' })
  const { server } = await renderPage(
    <>
      <NoteForm trader={one} onClose={() => void closed.push(true)} />
      <TraderNotes trader={one} />
    </>,
    {
      at: '/traders/trd_shared',
      route: '/traders/$id',
      answers: { 'traders.notes.list': buildPage(), 'traders.notes.add': note() },
    },
  )
  const dialog = await seen('textbox', 'Note')
  await fill(dialog, 'From the dialog')
  const [send] = await screen.findAllByRole('button', { name: 'Add note' })
  await press(send ?? dialog)
  await waitFor(() => expect(closed).toHaveLength(1))
  expect(await screen.findByText('Note added.')).toBeDefined()
  expect(server.of('traders.notes.add')).toHaveLength(1)
  expect(Object.keys(sessionStorage).filter((key) => key.includes('trd_shared'))).toEqual([])
})
