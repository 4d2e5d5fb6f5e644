import { expect, test } from 'bun:test'
import { type Answers, refusal } from '../../../testing/answers.ts'
import { act, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { trader } from '../../../testing/samples.ts'
import type { Undo } from './bulk.api.ts'
import { BulkEdit, UndoEdit } from './bulk-edit.tsx'

const ROWS = [
  trader({ segments: ['vip'] }),
  trader({ id: 'trd_2', firstName: 'Noor', lastName: 'Darwish', riskLevel: 'high', assignedTo: 'usr_me' }),
]
const CHANGED = {
  results: [
    { id: 'trd_1', ok: true, changed: ['riskLevel'] },
    { id: 'trd_2', ok: false, code: 'forbidden', message: 'A manager lowers a risk' },
  ],
}
const open = async (answers: Answers = {}) => {
  const heard: (Undo | 'closed')[] = []
  const drawn = await renderPage(
    <BulkEdit rows={ROWS} onResults={(undo) => heard.push(undo)} onClose={() => heard.push('closed')} />,
    { at: '/traders', route: '/traders', answers: { 'traders.bulkEdit': CHANGED, ...answers } },
  )
  return { ...drawn, heard }
}
const choose = async (label: string, option: string): Promise<void> => {
  await press(await seen('combobox', label))
  await press(await seen('option', option))
}

test('a bulk edit sends only chosen values, and an empty field changes nothing', async () => {
  const { server, heard } = await open()
  await choose('Risk', 'Medium')
  await pressButton('Change')
  await waitFor(() => expect(heard).toHaveLength(1))
  expect(server.of('traders.bulkEdit').map(({ body }) => body)).toEqual([
    { ids: ['trd_1', 'trd_2'], changes: { riskLevel: 'medium' } },
  ])
})

test('each client of a bulk edit has a result, and only changed ones can be undone', async () => {
  const { heard } = await open()
  await choose('Risk', 'Medium')
  await pressButton('Change')
  const table = within(await seen('dialog', /./))
  expect(await table.findByText('A manager lowers a risk')).toBeDefined()
  expect(table.getByText('Ana Lima')).toBeDefined()
  expect(table.getByText('Noor Darwish')).toBeDefined()
  expect(heard).toEqual([[{ id: 'trd_1', name: 'Ana Lima', back: { riskLevel: 'low' }, version: 5 }]])
})

test('a bulk edit that changes nothing says so for each client, and leaves nothing to undo', async () => {
  const results = ROWS.map(({ id }) => ({ id, ok: true, changed: [] }))
  const { heard } = await open({ 'traders.bulkEdit': { results } })
  await choose('Risk', 'Medium')
  await pressButton('Change')
  expect(await screen.findByText('0 of 2 done. 2 are unchanged: they were so already.')).toBeDefined()
  expect(screen.getAllByText('Unchanged')).toHaveLength(2)
  expect(heard).toEqual([[]])
})

test('a bulk edit can remove the assigned colleague', async () => {
  const { server } = await open()
  await choose('Assign to', 'Nobody')
  await pressButton('Change')
  await waitFor(() => expect(server.of('traders.bulkEdit')[0]?.body).toMatchObject({ changes: { assignedTo: null } }))
})

test('a bulk edit without a change is not sent, and no field of it is marked as required', async () => {
  const { server } = await open()
  await seen('dialog', /./)
  expect(document.querySelector('[aria-required="true"], [data-required]')).toBeNull()
  await pressButton('Change')
  await waitFor(() => expect(document.querySelector('[data-error]')).not.toBeNull())
  expect(server.of('traders.bulkEdit')).toEqual([])
})

test('a refusal of a whole bulk edit keeps the form', async () => {
  const { heard } = await open({ 'traders.bulkEdit': refusal(403, 'forbidden', 'Not for your role') })
  await choose('Risk', 'High')
  await pressButton('Change')
  expect(await screen.findByText('Not for your role')).toBeDefined()
  expect(heard).toEqual([])
})

const UNDO: Undo = [
  { id: 'trd_1', name: 'Ana Lima', back: { riskLevel: 'low' }, version: 4 },
  { id: 'trd_2', name: 'Noor Darwish', back: { segments: ['vip'], assignedTo: null }, version: 8 },
]

test('an undo restores each client and sends the version that the bulk edit made', async () => {
  const done: true[] = []
  const { server } = await renderPage(<UndoEdit undo={UNDO} onDone={() => void done.push(true)} />, {
    answers: { 'traders.update': trader() },
  })
  await pressButton('Undo')
  await waitFor(() => expect(done).toHaveLength(1))
  expect(server.of('traders.update').map(({ params, body, ifMatch }) => [params.id, body, ifMatch])).toEqual([
    ['trd_1', { riskLevel: 'low' }, '"4"'],
    ['trd_2', { segments: ['vip'], assignedTo: null }, '"8"'],
  ])
  expect(await screen.findByText('2 clients are as before.')).toBeDefined()
})

test('an undo of a bulk edit runs once, however often it is pressed, and stops when its page is left', async () => {
  const answer = Promise.withResolvers<ReturnType<typeof trader>>()
  const { server, router } = await renderPage(<UndoEdit undo={UNDO} onDone={() => {}} />, {
    answers: { 'traders.update': () => answer.promise },
  })
  const undo = await screen.findByRole('button', { name: 'Undo' })
  act(() => {
    undo.click()
    undo.click()
  })
  await act(async () => void router.navigate({ to: '/kyc' }))
  expect(await screen.findByText(/^Rows are being sent/)).toBeDefined()
  await pressButton('Leave')
  await screen.findByText('another page')
  answer.resolve(trader())
  expect(await screen.findByText(/^You left before the end: 1 of 2 are done/)).toBeDefined()
  expect(server.of('traders.update')).toHaveLength(1)
})

test('an undo leaves out a client whom a colleague has changed since the bulk edit, and says so', async () => {
  await renderPage(<UndoEdit undo={UNDO} onDone={() => {}} />, {
    answers: {
      'traders.update': ({ params }) =>
        params.id === 'trd_1' ? refusal(412, 'version_conflict', 'Changed since') : trader(),
    },
  })
  await pressButton('Undo')
  const said = '1 client is as before. 1 stays as it is: somebody else has changed it since.'
  expect(await screen.findByText(said)).toBeDefined()
  expect(await screen.findByText('Not undone: Ana Lima.')).toBeDefined()
})
