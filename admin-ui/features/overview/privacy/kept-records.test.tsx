import { expect, test } from 'bun:test'
import { type Answers, buildPage, refusal } from '../../../testing/answers.ts'
import { fill, press, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import type { KeptRecord } from './kept-records.api.ts'
import { KeptRecords } from './kept-records.tsx'

const AT = '2026-11-20T10:00:00.000Z'
const record: KeptRecord = { id: 'kpr_1', reason: 'documents_and_money', keptUntil: AT, createdAt: AT }
const open = (answers: Answers = {}) =>
  renderPage(<KeptRecords />, {
    at: '/kept-records',
    route: '/kept-records',
    role: 'owner',
    answers: { 'keptRecords.list': buildPage(record), 'keptRecords.open': new Response('PK'), ...answers },
  })

test('a kept record is shown by its number, and opened with a reason', async () => {
  const { server } = await open()
  const table = within(await seen('table', 'Kept records'))
  expect(await table.findByText('Documents and money')).toBeDefined()
  await press(await screen.findByLabelText('Open kpr_1'))
  const dialog = within(await screen.findByRole('dialog'))
  await press(dialog.getByRole('button', { name: 'Open' }))
  expect(await dialog.findByText('Say why it is opened')).toBeDefined()
  expect(server.of('keptRecords.open')).toEqual([])
  await fill(dialog.getByLabelText(/Why it is opened/), 'The regulator asks.')
  await press(dialog.getByRole('button', { name: 'Open' }))
  await waitFor(() => expect(server.of('keptRecords.open')[0]?.body).toEqual({ reason: 'The regulator asks.' }))
  expect(await screen.findByText('The record is in your downloads.')).toBeDefined()
})

test('a refusal to open a kept record is shown in the dialog', async () => {
  await open({ 'keptRecords.open': refusal(404, 'not_found', 'There is no such record.') })
  await press(await screen.findByLabelText('Open kpr_1'))
  const dialog = within(await screen.findByRole('dialog'))
  await fill(dialog.getByLabelText(/Why it is opened/), 'The regulator asks.')
  await press(dialog.getByRole('button', { name: 'Open' }))
  expect(await dialog.findByText('There is no such record.')).toBeDefined()
})

test('an empty list of kept records says when there will be one', async () => {
  await open({ 'keptRecords.list': buildPage() })
  expect(await screen.findByText(/One is made when a client is erased/)).toBeDefined()
})
