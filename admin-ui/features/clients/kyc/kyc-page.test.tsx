import { expect, test } from 'bun:test'
import type { Role } from '../../../lib/api/session.ts'
import type { Answer } from '../../../operations.ts'
import { type Answers, refusal } from '../../../testing/answers.ts'
import { blank } from '../../../testing/blank.ts'
import { fill, keys, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { trader } from '../../../testing/samples.ts'
import { KycPage } from './kyc-page.tsx'

type Submission = Answer<'kyc.submissions.get'>
const AT = '2026-11-20T10:00:00.000Z'
const paper = (id: string, kind: 'passport' | 'proof_of_address'): Submission['documents'][number] => ({
  id,
  traderId: 'trd_1',
  submissionId: 'sub_1',
  kind,
  side: null,
  contentType: 'image/png',
  size: 4,
  createdAt: AT,
})
const submission = (with_: Partial<Submission> = {}): Submission => ({
  ...blank('kyc.submissions.get'),
  id: 'sub_1',
  traderId: 'trd_1',
  level: 2,
  status: 'requested',
  version: 6,
  createdAt: AT,
  updatedAt: AT,
  documents: [paper('doc_1', 'passport'), paper('doc_2', 'proof_of_address')],
  ...with_,
})
const REASONS: Answer<'kyc.rejectReasons.get'> = {
  version: 1,
  reasons: [
    {
      code: 'blurred',
      kind: 'retry',
      revokes: false,
      staffText: 'Blurred, cut off or glare',
      clientText: 'We cannot read it. Please send it again.',
    },
    {
      code: 'forged',
      kind: 'final',
      revokes: true,
      staffText: 'Forged',
      clientText: 'We cannot accept your papers.',
    },
  ],
}

const open = (with_: Partial<Submission> = {}, answers: Answers = {}, role: Role = 'manager') =>
  renderPage(<KycPage />, {
    at: '/kyc/sub_1',
    route: '/kyc/$id',
    role,
    answers: {
      'kyc.submissions.get': submission(with_),
      'traders.get': trader(),
      'kyc.documents.file': new Response('png', { headers: { 'content-type': 'image/png' } }),
      'kyc.rejectReasons.get': REASONS,
      ...answers,
    },
  })
/** Opens the form of the rejection by its key. */
const rejecting = async () => {
  await seen('heading', 'Ana Lima')
  await keys('r')
  return within(await seen('dialog', 'Reject these documents'))
}

test('documents are shown beside the client’s data, and each is read at most once each time it is opened', async () => {
  const { server } = await open()
  expect(await screen.findByText('Level asked for')).toBeDefined()
  await press(await seen('radio', 'Proof of address'))
  await press(await seen('radio', 'Passport'))
  await seen('img', 'Passport')
  await waitFor(() => expect(server.of('kyc.documents.file').length).toBeLessThanOrEqual(3))
})

test('the key A approves a submission only if nobody changed it meanwhile', async () => {
  const { server } = await open({}, { 'kyc.submissions.approve': submission({ status: 'approved' }) })
  await seen('heading', 'Ana Lima')
  await keys('a')
  expect(await screen.findByText(/gets identity level 2/)).toBeDefined()
  await press(within(await seen('dialog', 'Approve these documents')).getByRole('button', { name: 'Approve' }))
  expect(await screen.findByText('Ana Lima approved for level 2.')).toBeDefined()
  expect(server.of('kyc.submissions.approve')[0]).toMatchObject({ body: {}, ifMatch: '"6"' })
})

test('a chosen reason fills in the text for the client, and whether the client may try again', async () => {
  const { server } = await open({}, { 'kyc.submissions.reject': submission({ status: 'rejected' }) })
  const form = await rejecting()
  await press(await form.findByRole('radio', { name: 'Forged' }))
  expect(form.getByLabelText(/^Text for the client/)).toHaveProperty('value', 'We cannot accept your papers.')
  await press(form.getByRole('button', { name: 'Reject' }))
  await waitFor(() =>
    expect(server.of('kyc.submissions.reject')[0]).toMatchObject({
      body: { code: 'forged', detail: 'We cannot accept your papers.', kind: 'final' },
      ifMatch: '"6"',
    }),
  )
})

test('a rejection names to the client the wrong one of several documents', async () => {
  const { server } = await open({}, { 'kyc.submissions.reject': submission({ status: 'rejected' }) })
  const form = await rejecting()
  await press(await form.findByRole('radio', { name: 'Blurred, cut off or glare' }))
  await press(form.getByRole('checkbox', { name: 'Passport' }))
  const told = 'Passport: We cannot read it. Please send it again.'
  expect(form.getByText(`The client reads: ${told}`)).toBeDefined()
  await press(form.getByRole('button', { name: 'Reject' }))
  await waitFor(() => expect(server.of('kyc.submissions.reject')[0]?.body).toMatchObject({ detail: told }))
  expect(await screen.findByText('Documents of Ana Lima rejected.')).toBeDefined()
})

test('a rejection names wrong documents in their own order, whichever was ticked first', async () => {
  const { server } = await open({}, { 'kyc.submissions.reject': submission({ status: 'rejected' }) })
  const form = await rejecting()
  await press(await form.findByRole('checkbox', { name: 'Proof of address' }))
  await press(form.getByRole('checkbox', { name: 'Passport' }))
  await fill(form.getByLabelText(/^Text for the client/), ' Too old. ')
  await press(form.getByRole('button', { name: 'Reject' }))
  await waitFor(() =>
    expect(server.of('kyc.submissions.reject')[0]?.body).toEqual({
      detail: 'Passport, Proof of address: Too old.',
      kind: 'retry',
    }),
  )
})

test('a rejection of a single document does not ask which document is wrong', async () => {
  await open({ documents: [paper('doc_1', 'passport')] })
  const form = await rejecting()
  expect(form.queryByRole('checkbox')).toBeNull()
})

test('a submission is not rejected without a text for the client', async () => {
  const { server } = await open()
  const form = await rejecting()
  await press(form.getByRole('button', { name: 'Reject' }))
  expect(await form.findByText('Enter the text for the client')).toBeDefined()
  expect(server.of('kyc.submissions.reject')).toEqual([])
})

test('the keys A and R do nothing for a reader who may not decide', async () => {
  await open({}, {}, 'operator')
  await seen('heading', 'Ana Lima')
  await keys('ar')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.queryByRole('button', { name: /^Approve/ })).toBeNull()
})

test('an approval of documents is revoked with a reason for colleagues', async () => {
  const { server } = await open(
    { status: 'approved' },
    { 'kyc.submissions.revoke': submission({ status: 'rejected' }) },
  )
  await pressButton('Revoke approval')
  const form = within(await seen('dialog', 'Revoke this approval'))
  await press(form.getByRole('button', { name: 'Revoke approval' }))
  expect(await form.findByText('Say why the approval is taken back')).toBeDefined()
  await fill(form.getByLabelText(/^Reason/), 'The bank says it is forged')
  await press(form.getByRole('button', { name: 'Revoke approval' }))
  await waitFor(() =>
    expect(server.of('kyc.submissions.revoke')[0]?.body).toEqual({ reason: 'The bank says it is forged' }),
  )
  expect(await screen.findByText('Approval of Ana Lima revoked.')).toBeDefined()
})

test('a submission that a colleague decided first is reported', async () => {
  await open({}, { 'kyc.submissions.approve': refusal(409, 'already_decided', 'Ingrid Solheim approved it') })
  await seen('heading', 'Ana Lima')
  await keys('a')
  await press(within(await seen('dialog', 'Approve these documents')).getByRole('button', { name: 'Approve' }))
  expect(await screen.findByText(/Ingrid Solheim approved it|This changed while you were working/)).toBeDefined()
})

test('a viewer reads the data of a submission and never its documents', async () => {
  const { server } = await open({}, {}, 'viewer')
  expect(await screen.findByText('Documents are not for your role')).toBeDefined()
  expect(server.of('kyc.documents.file')).toEqual([])
})

test('the rejection form opens once its reasons have come, with the first one focused and none chosen', async () => {
  const late = Promise.withResolvers<typeof REASONS>()
  await open({}, { 'kyc.rejectReasons.get': () => late.promise })
  await seen('heading', 'Ana Lima')
  await keys('r')
  expect(screen.queryByRole('dialog')).toBeNull()
  const revoked = {
    code: 'revoked',
    kind: 'retry',
    revokes: false,
    staffText: 'Taken back',
    clientText: 'Ask.',
  } as const
  late.resolve({ ...REASONS, reasons: [...REASONS.reasons, revoked] })
  const form = within(await seen('dialog', 'Reject these documents'))
  const radios = form.getAllByRole('radio')
  // the reason `revoked` is only for documents that were approved
  expect(radios.map((radio) => radio.getAttribute('value'))).toEqual(['blurred', 'forged', ''])
  expect(form.queryByRole('radio', { checked: true })).toBeNull()
  expect(radios[0]?.hasAttribute('data-autofocus')).toBe(true)
})
