import { expect, test } from 'bun:test'
import type { Answer } from '../../operations.ts'
import { refusal } from '../../testing/answers.ts'
import { pressButton, renderPage, screen, seen } from '../../testing/render.tsx'
import { Waiting } from './waiting.tsx'

const nothing: Answer<'notifications.summary'> = {
  ...{ pendingKyc: 0, openSanctions: 0, failedScreenings: 0, pendingDeposits: 0, requestedWithdrawals: 0 },
  ...{ approvedWithdrawals: 0, openTickets: 0, overdueTickets: 0, newLeads: 0, requestedAdjustments: 0 },
  ...{ requestedPayouts: 0, pspExceptions: 0, sentTransfers: 0, unconfirmedRates: 0 },
}
const open = (counts: Partial<Answer<'notifications.summary'>>, role: 'operator' | 'manager' = 'manager') =>
  renderPage(<Waiting />, { role, answers: { 'notifications.summary': { ...nothing, ...counts } } })

test('one record is told of in the singular, several with their number', async () => {
  await open({ pendingDeposits: 1, requestedWithdrawals: 1200 })
  expect((await seen('link', /^Deposit to decide/)).textContent).toContain('1')
  expect((await seen('link', /^Withdrawals to approve/)).textContent).toContain('1,200')
})

test('a queue is opened as a list, or with its first record', async () => {
  await open({ approvedWithdrawals: 2, pspExceptions: 1 })
  expect((await seen('link', /^Withdrawals to pay/)).getAttribute('href')).toBe('/admin/withdrawals?status=approved')
  expect((await seen('link', 'Start with the first: Withdrawals to pay')).getAttribute('href')).toBe(
    '/admin/withdrawals?status=approved&start=first',
  )
  // a message of a gateway is a drawer over its list
  expect(screen.queryByRole('link', { name: /^Start with the first: Gateway/ })).toBeNull()
})

test('what somebody may not decide is not waiting for them', async () => {
  await open({ pendingDeposits: 3, overdueTickets: 1 }, 'operator')
  expect(await seen('link', /^Ticket is overdue/)).toBeDefined()
  expect(screen.queryByText(/Deposits to decide/)).toBeNull()
})

test('when nothing waits it says so', async () => {
  await open({})
  expect(await screen.findByText('Nothing is waiting')).toBeDefined()
})

test('counts that cannot be read say why, and are tried again', async () => {
  const refused = { 'notifications.summary': () => refusal(503, 'unavailable', 'The server is busy') }
  const { server } = await renderPage(<Waiting />, { role: 'manager', answers: refused })
  expect(await screen.findAllByText(/The server is busy/)).not.toBeEmpty()
  server.now({ 'notifications.summary': nothing })
  await pressButton('Try again')
  expect(await screen.findByText('Nothing is waiting')).toBeDefined()
})
