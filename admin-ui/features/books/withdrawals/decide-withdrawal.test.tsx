import { expect, test } from 'bun:test'
import { beginQueue } from '../../../lib/lists/queue.ts'
import { type Answers, noAnswer, refusal } from '../../../testing/answers.ts'
import { withdrawal as sample } from '../../../testing/money-samples.ts'
import { fill, keys, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { meAs, trader } from '../../../testing/samples.ts'
import { WithdrawalPage } from './withdrawal-page.tsx'

const LAPSED = '2026-01-05T10:00:00.000Z'
const { review: fine } = sample()
if (!fine) throw new Error('a withdrawal that waits has its review')
type Given = ReturnType<typeof sample>
const open = (with_: Partial<Given> = {}, answers: Answers = {}) =>
  renderPage(<WithdrawalPage />, {
    at: '/withdrawals/wdr_1',
    route: '/withdrawals/$id',
    answers: {
      'auth.me': meAs('manager'),
      'withdrawals.get': sample(with_),
      'traders.get': trader(),
      ...answers,
    },
  })
const dialog = async (title: string) => within(await seen('dialog', title))
const send = async (title: string, name: string): Promise<void> =>
  press((await dialog(title)).getByRole('button', { name }))

test('an approval is sent with the version that was shown, and a notice says that it is recorded', async () => {
  const { server } = await open({}, { 'withdrawals.approve': sample({ version: 4 }) })
  await pressButton('Approve')
  const form = await dialog('Approve this withdrawal')
  expect(form.getByText('All checks are fine.')).toBeDefined()
  expect(form.getByText('PT50000201231234567890154')).toBeDefined()
  await send('Approve this withdrawal', 'Approve')
  expect(await screen.findByText('Approval of 1,500.00 EUR for Ana Lima recorded.')).toBeDefined()
  expect(server.of('withdrawals.approve')).toMatchObject([{ params: { id: 'wdr_1' }, body: {}, ifMatch: '"3"' }])
})

test('a failed check is shown again in the dialog and requires a note', async () => {
  const review: typeof fine = {
    ...fine,
    checks: [
      { name: 'kyc', state: 'fine', ok: true, blocks: false, text: 'KYC level 2' },
      { name: 'destination_age', state: 'look_closer', ok: false, blocks: false, text: 'Entered today' },
    ],
    viewer: { mayApprove: true, why: null, noteOn: ['the age of the destination'], needsSecond: null },
  }
  const { server } = await open({ review }, { 'withdrawals.approve': sample({ status: 'approved' }) })
  await pressButton('Approve')
  const form = await dialog('Approve this withdrawal')
  expect(form.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Age of the destinationEntered todayLook closer',
  ])
  expect(form.getByText(/^Needed here, on: the age of the destination/)).toBeDefined()
  await send('Approve this withdrawal', 'Approve')
  expect(await form.findByText('Say why you approve it all the same')).toBeDefined()
  await fill(form.getByLabelText(/^Note/), ' called the client ')
  await send('Approve this withdrawal', 'Approve')
  expect(await screen.findByText('1,500.00 EUR for Ana Lima approved; it can be paid now.')).toBeDefined()
  expect(server.of('withdrawals.approve').map(({ body }) => body)).toEqual([{ note: 'called the client' }])
})

test('a decision sends the version with which its dialog was opened, although the page reads a newer one', async () => {
  const { server, client } = await open({}, { 'withdrawals.approve': refusal(412, 'version_mismatch', 'Changed.') })
  await pressButton('Approve')
  await dialog('Approve this withdrawal')
  server.now({ 'withdrawals.get': sample({ version: 9 }) })
  await client.refetchQueries({ queryKey: ['withdrawals'] })
  await send('Approve this withdrawal', 'Approve')
  expect(await screen.findByText('This changed while you were working')).toBeDefined()
  expect(server.of('withdrawals.approve').map(({ ifMatch }) => ifMatch)).toEqual(['"3"'])
  await pressButton('Load the current version')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a rejection of a withdrawal has one text for the client and another for colleagues', async () => {
  const { server } = await open({}, { 'withdrawals.reject': sample({ status: 'rejected' }) })
  await pressButton('Reject')
  await send('Reject this withdrawal', 'Reject')
  expect(await screen.findByText('Enter the text for the client')).toBeDefined()
  await fill(screen.getByLabelText(/^Text for the client/), ' Please use your own account. ')
  await fill(screen.getByLabelText(/^Internal note/), ' third party ')
  await send('Reject this withdrawal', 'Reject')
  expect(
    await screen.findByText('Withdrawal of 1,500.00 EUR by Ana Lima rejected; the amount is free again.'),
  ).toBeDefined()
  expect(server.of('withdrawals.reject')).toMatchObject([
    { body: { detail: 'Please use your own account.', note: 'third party' }, ifMatch: '"3"' },
  ])
})

test('a payment needs its reference, and a used one is reported at its field', async () => {
  const used = [{ path: '/paymentReference', message: 'was used for another withdrawal' }]
  const { server } = await open(
    { status: 'approved' },
    { 'withdrawals.pay': refusal(409, 'reference_used', 'Used', used) },
  )
  await pressButton('Mark as paid')
  await send('Mark as paid', 'Mark as paid')
  expect(await screen.findByText('Enter the reference of the payment')).toBeDefined()
  await fill(screen.getByLabelText(/^Payment reference/), ' SEPA-1 ')
  await keys('{Enter}')
  expect(await screen.findByText('Was used for another withdrawal')).toBeDefined()
  server.now({ 'withdrawals.pay': sample({ status: 'paid' }) })
  await send('Mark as paid', 'Mark as paid')
  expect(await screen.findByText('1,500.00 EUR paid to Ana Lima.')).toBeDefined()
  expect(server.of('withdrawals.pay').map(({ body }) => body)).toEqual([
    { paymentReference: 'SEPA-1' },
    { paymentReference: 'SEPA-1' },
  ])
})

test('a payment that got no answer is entered again with the same Idempotency-Key', async () => {
  let times = 0
  const { server } = await open(
    { status: 'approved' },
    { 'withdrawals.pay': () => (++times === 1 ? noAnswer() : sample({ status: 'paid' })) },
  )
  await pressButton('Mark as paid')
  await fill(await screen.findByLabelText(/^Payment reference/), 'SEPA-2')
  await send('Mark as paid', 'Mark as paid')
  expect(await screen.findByText(/No answer came/)).toBeDefined()
  await send('Mark as paid', 'Mark as paid')
  expect(await screen.findByText('1,500.00 EUR paid to Ana Lima.')).toBeDefined()
  const [first, second] = server.of('withdrawals.pay')
  expect(second?.key).toBe(first?.key ?? 'none')
})

test('an approval that lapsed meanwhile is reported as a conflict, not as an error of a field', async () => {
  await open({ status: 'approved' }, { 'withdrawals.pay': refusal(409, 'approval_lapsed', 'Approve it again first.') })
  await pressButton('Mark as paid')
  await fill(await screen.findByLabelText(/^Payment reference/), 'SEPA-3')
  await send('Mark as paid', 'Mark as paid')
  expect(await screen.findByText('This changed while you were working')).toBeDefined()
  expect(screen.getByText('Approve it again first.')).toBeDefined()
})

const cancel = async (): Promise<void> => {
  await pressButton('More')
  await press(await seen('menuitem', 'Cancel for the client'))
}

test('a withdrawal that the client no longer wants is cancelled', async () => {
  const { server } = await open({}, { 'withdrawals.cancel': sample({ status: 'cancelled' }) })
  await cancel()
  const form = await dialog('Cancel this withdrawal')
  expect(form.queryByRole('checkbox')).toBeNull()
  await send('Cancel this withdrawal', 'Cancel withdrawal')
  expect(
    await screen.findByText('Withdrawal of 1,500.00 EUR by Ana Lima cancelled; the amount is free again.'),
  ).toBeDefined()
  expect(server.of('withdrawals.cancel')).toMatchObject([{ body: {}, ifMatch: '"3"' }])
})

test.each([
  ['cancelled', 'Cancel this withdrawal', 'Cancel withdrawal', 'withdrawals.cancel'],
  ['rejected', 'Reject this withdrawal', 'Reject', 'withdrawals.reject'],
] as const)(
  'a withdrawal that may have been sent is %s only if the user confirms that it was not',
  async (status, ...rest) => {
    const [title, label, id] = rest
    const { server } = await open({ lapsedAt: LAPSED }, { [id]: sample({ status }) })
    if (status === 'cancelled') await cancel()
    else {
      await pressButton('Reject')
      await fill(await screen.findByLabelText(/^Text for the client/), 'No.')
    }
    await send(title, label)
    expect(await screen.findByText('Confirm it first: look at the bank or the gateway')).toBeDefined()
    expect(server.of(id)).toEqual([])
    await press(await seen('checkbox', 'Nothing was sent'))
    await send(title, label)
    await waitFor(() => expect(server.of(id)[0]?.body).toMatchObject({ nothingSent: true }))
  },
)

test('a decision opens the next withdrawal of the queue, and K leads back to the decided one', async () => {
  beginQueue({
    list: '/withdrawals',
    total: 2,
    hrefs: ['/withdrawals/wdr_1', '/withdrawals/wdr_2'],
  })
  const { address } = await open(
    {},
    {
      'withdrawals.get': ({ params }) => sample({ id: params.id ?? '' }),
      'withdrawals.approve': sample({ status: 'approved' }),
    },
  )
  expect(await screen.findByText('1 of 2')).toBeDefined()
  await pressButton('Approve')
  await send('Approve this withdrawal', 'Approve')
  await waitFor(() => expect(address()).toBe('/withdrawals/wdr_2'))
  expect(await screen.findByText('1,500.00 EUR for Ana Lima approved; it can be paid now.')).toBeDefined()
  await keys('k')
  await waitFor(() => expect(address()).toBe('/withdrawals/wdr_1'))
})
