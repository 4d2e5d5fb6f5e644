import { expect, test } from 'bun:test'
import type { Role } from '../../../lib/api/session.ts'
import { type Answers, buildPage, onlyDecided, refusal } from '../../../testing/answers.ts'
import { PHONE } from '../../../testing/dom.ts'
import { fill, keys, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import type { NamedSubmission } from './kyc.api.ts'
import { KycList } from './kyc-list.tsx'

const AT = '2026-11-20T10:00:00.000Z'
const row = (id: string, traderName: string | null, with_: Partial<NamedSubmission> = {}): NamedSubmission => ({
  id,
  traderId: `trd_${id}`,
  traderName,
  level: 2,
  status: 'requested',
  rejectionKind: null,
  rejectionDetail: null,
  decidedAt: null,
  note: null,
  version: 6,
  createdAt: AT,
  updatedAt: AT,
  ...with_,
})
const ROWS = [
  row('1', 'Ana Lima'),
  row('2', null),
  row('3', 'Bo Ek', { status: 'rejected', rejectionKind: 'final', decidedAt: AT }),
]
type Setting = { at?: string; role?: Role; width?: number }
const open = (answers: Answers = {}, { at = '/kyc?status=*', role = 'manager', ...more }: Setting = {}) =>
  renderPage(<KycList />, {
    at,
    route: '/kyc',
    role,
    ...more,
    answers: {
      'kyc.submissions.list': buildPage(...ROWS),
      'kyc.rejectReasons.get': { version: 1, reasons: [] },
      ...answers,
    },
  })
const results = (...failed: string[]) => ({
  results: ['trd_1', 'trd_2'].map((id) =>
    failed.includes(id) ? { id, ok: false, message: 'Decided meanwhile' } : { id, ok: true },
  ),
  succeeded: 2 - failed.length,
  failed: failed.length,
})
/** Chooses both submissions that wait. */
const chooseBoth = async (): Promise<void> => {
  await press(await seen('checkbox', 'Choose Ana Lima'))
  await press(await seen('checkbox', 'Choose Deleted client'))
}

test('submissions that wait are listed first, the oldest before the newest', async () => {
  const { server } = await open({}, { at: '/kyc' })
  await screen.findByText('Ana Lima')
  expect(server.of('kyc.submissions.list')[0]?.query).toMatchObject({ status: 'requested', sort: 'createdAt' })
})

test('a submission shows its state, and that a rejection is final', async () => {
  await open()
  const rows = within(await seen('table', 'Submissions'))
    .getAllByRole('row')
    .slice(1)
  expect(rows[0]?.textContent).toContain('Ana LimaWaiting for review2')
  expect(rows[2]?.textContent).toContain('Bo EkRejected for good2')
})

test('Enter opens the submission that is marked', async () => {
  const { address } = await open()
  await screen.findByText('Ana Lima')
  await keys('{ArrowDown}{Enter}')
  await waitFor(() => expect(address()).toBe('/kyc/1'))
})

test('a decided submission cannot be chosen, and shows why', async () => {
  await open()
  expect(await seen('checkbox', 'Decided already')).toHaveProperty('disabled', true)
})

test('several submissions are approved at once, and each shows its result by client', async () => {
  const { server } = await open({ 'kyc.bulkApprove': results('trd_2') })
  await chooseBoth()
  await pressButton('Approve')
  const form = within(await screen.findByRole('dialog'))
  await fill(form.getByLabelText(/^Note/), ' seen in person ')
  await press(form.getByRole('button', { name: 'Approve' }))
  const shown = within(await seen('dialog', 'Approvals'))
  expect(shown.getByRole('row', { name: /^Deleted client/ }).textContent).toContain('Decided meanwhile')
  expect(server.of('kyc.bulkApprove').map(({ body }) => body)).toEqual([
    { ids: ['trd_1', 'trd_2'], note: 'seen in person' },
  ])
  await waitFor(() => expect(server.of('kyc.submissions.list').length).toBeGreaterThan(1))
})

test('several submissions are rejected at once with a text for the clients, and not without one', async () => {
  const { server } = await open({ 'kyc.bulkReject': results() })
  await chooseBoth()
  await pressButton('Reject')
  const form = within(await screen.findByRole('dialog'))
  await press(form.getByRole('button', { name: 'Reject' }))
  expect(await form.findByText('Enter the text for the client')).toBeDefined()
  await fill(form.getByLabelText(/^Text for the client/), 'Please send all pages.')
  await press(form.getByRole('button', { name: 'Reject' }))
  await seen('dialog', 'Rejections')
  expect(server.of('kyc.bulkReject').map(({ body }) => body)).toEqual([
    { ids: ['trd_1', 'trd_2'], detail: 'Please send all pages.', kind: 'retry' },
  ])
})

test('a refusal of a whole bulk decision stays in the form', async () => {
  const { server } = await open({
    'kyc.bulkApprove': refusal(403, 'forbidden', 'Your role does not approve documents.'),
  })
  await chooseBoth()
  await pressButton('Approve')
  const form = within(await screen.findByRole('dialog'))
  await press(form.getByRole('button', { name: 'Approve' }))
  expect(await form.findByText('Your role does not approve documents.')).toBeDefined()
  expect(server.of('kyc.bulkApprove').map(({ body }) => body)).toEqual([{ ids: ['trd_1', 'trd_2'] }])
})

test.each([
  ['viewer', false],
  ['operator', true],
] as const)('the role %s decides no submission, and may upload documents: %s', async (role, mayUpload) => {
  await open({}, { role })
  await screen.findByText('Ana Lima')
  expect(screen.queryAllByRole('checkbox')).toEqual([])
  expect(screen.queryAllByRole('button', { name: 'Upload documents' })).toHaveLength(mayUpload ? 1 : 0)
})

test.each([
  ['/kyc', 'No documents yet'],
  ['/kyc?status=*', 'No documents yet'],
])('submissions at %s without rows explain it', async (at, words) => {
  await open({ 'kyc.submissions.list': buildPage() }, { at })
  expect(await screen.findByText(words)).toBeDefined()
})

test('submissions of which none waits, although there are decided ones, say so', async () => {
  await open({ 'kyc.submissions.list': onlyDecided(row('1', 'Ana Lima')) }, { at: '/kyc' })
  expect(await screen.findByText('Nothing is waiting')).toBeDefined()
})

test('a phone shows a submission as a card with its level and the day it was submitted', async () => {
  await open({ 'kyc.submissions.list': buildPage(row('1', 'Ana Lima')) }, { width: PHONE })
  expect(await screen.findByText('Ana Lima')).toBeDefined()
  expect(screen.getByText(/Nov 20, 2026/)).toBeDefined()
  expect(screen.getByText('Level 2')).toBeDefined()
})
