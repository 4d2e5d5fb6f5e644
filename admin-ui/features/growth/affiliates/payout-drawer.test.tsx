import { expect, test } from 'bun:test'
import type { Role } from '../../../lib/api/session.ts'
import { type Answers, noAnswer, refusal } from '../../../testing/answers.ts'
import { fill, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { meAs } from '../../../testing/samples.ts'
import type { Payout } from './affiliates.api.ts'
import { PayoutDrawer } from './payout-drawer.tsx'

const AT = '2026-11-20T10:00:00.000Z'
const payout = (with_: Partial<Payout> = {}): Payout => ({
  id: 'pay_1',
  affiliateId: 'aff_1',
  currency: 'EUR',
  amount: '1500.00',
  status: 'requested',
  requestedBy: 'usr_marco',
  decidedBy: null,
  decidedAt: null,
  reason: null,
  votes: [],
  version: 3,
  createdAt: AT,
  updatedAt: AT,
  ...with_,
})

const open = async (with_: Partial<Payout> = {}, answers: Answers = {}, role: Role = 'admin', own = false) => {
  const closed: true[] = []
  const drawn = await renderPage(
    <PayoutDrawer payout={payout(with_)} own={own} onClose={() => void closed.push(true)} />,
    {
      at: '/affiliates',
      route: '/affiliates',
      role,
      answers: {
        'affiliates.list': { data: [], nextCursor: null },
        'affiliates.get': refusal(404, 'not_found', 'Gone'),
        ...answers,
      },
    },
  )
  return { ...drawn, closed }
}

test('a payout is approved only if nobody changed it meanwhile', async () => {
  const { server, closed } = await open({}, { 'payouts.approve': payout({ status: 'approved' }) })
  await seen('dialog', 'Payout of 1,500.00 EUR')
  await pressButton('Approve')
  const question = within(await seen('dialog', 'Pay this commission?'))
  await press(question.getByRole('button', { name: 'Approve' }))
  await waitFor(() => expect(closed).toHaveLength(1))
  expect(server.of('payouts.approve').map(({ ifMatch }) => ifMatch)).toEqual(['"3"'])
})

test('an approval of a payout that got no answer is sent again with the same Idempotency-Key', async () => {
  let times = 0
  const { server } = await open(
    {},
    {
      'auth.me': meAs('admin'),
      'payouts.approve': () => {
        times += 1
        return times === 1 ? noAnswer() : payout({ status: 'approved' })
      },
    },
  )
  await pressButton('Approve')
  const question = within(await seen('dialog', 'Pay this commission?'))
  await press(question.getByRole('button', { name: 'Approve' }))
  expect(await question.findByText(/No answer came/)).toBeDefined()
  await press(question.getByRole('button', { name: 'Approve' }))
  expect(await screen.findByText('1,500.00 EUR paid into the wallet of aff_1.')).toBeDefined()
  expect(new Set(server.of('payouts.approve').map(({ key }) => key)).size).toBe(1)
})

test('a rejection of a payout needs the text that the affiliate reads', async () => {
  const { server } = await open({}, { 'payouts.reject': payout({ status: 'rejected' }) })
  await pressButton('Reject')
  const form = within(await seen('dialog', 'Reject this payout'))
  await press(form.getByRole('button', { name: 'Reject' }))
  expect(await form.findByText('Say why')).toBeDefined()
  await fill(form.getByLabelText(/^Reason/), ' below the least amount ')
  await press(form.getByRole('button', { name: 'Reject' }))
  await waitFor(() => expect(server.of('payouts.reject')[0]?.body).toEqual({ reason: 'below the least amount' }))
  expect(await screen.findByText('Payout of 1,500.00 EUR for aff_1 rejected.')).toBeDefined()
})

test('the requester of a payout may reject it, but not approve it', async () => {
  await open({ requestedBy: 'usr_me' })
  expect(await screen.findByText('You requested this, so another person approves it.')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
  expect(await seen('button', 'Reject')).toBeDefined()
})

test('a manager reads that an administrator decides the payout', async () => {
  await open({}, {}, 'manager')
  expect(await screen.findByText('An administrator decides this.')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Reject' })).toBeNull()
})

test('a broker sees their own payout without its requester and without buttons', async () => {
  await open({ status: 'rejected', reason: 'below the least amount', decidedAt: AT }, {}, 'viewer', true)
  expect(await screen.findByText('below the least amount')).toBeDefined()
  expect(screen.queryByText('Requested by')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Reject' })).toBeNull()
})
