import { expect, test } from 'bun:test'
import type { Answer, Row } from '../../../operations.ts'
import { type Answers, buildPage, refusal } from '../../../testing/answers.ts'
import { blank } from '../../../testing/blank.ts'
import { pressButton, renderPage, screen, seen, waitFor } from '../../../testing/render.tsx'
import { summary } from '../../../testing/samples.ts'
import { Waiting } from './waiting.tsx'

const AT = '2026-11-20T10:00:00.000Z'
type Role = 'operator' | 'manager' | 'admin'
const open = (counts: Partial<Answer<'notifications.summary'>>, role: Role = 'manager', answers: Answers = {}) =>
  renderPage(<Waiting />, { role, answers: { 'notifications.summary': summary(counts), ...answers } })
const webhook = (id: string, failures: number, status: 'active' | 'disabled' = 'active') => ({
  ...blank('webhooks.subscriptions.get'),
  id,
  url: 'https://site.example/hooks',
  status,
  health: { failures, failingSince: null, lastSuccessAt: null, lastFailureAt: null },
  version: 1,
  createdAt: AT,
  updatedAt: AT,
})
const held = (total: number) => ({ ...buildPage<Row<'mails.list'>>(), total })

test('one waiting record is shown in the singular, several with their number', async () => {
  await open({ pendingDeposits: 1, requestedWithdrawals: 1200 })
  expect((await seen('link', /^Deposit to decide/)).textContent).toContain('1')
  expect((await seen('link', /^Withdrawals to approve/)).textContent).toContain('1,200')
})

test('a waiting queue opens as a list, or at its first record', async () => {
  await open({ approvedWithdrawals: 2, pspExceptions: 1 })
  expect((await seen('link', /^Withdrawals to pay/)).getAttribute('href')).toBe('/admin/withdrawals?status=approved')
  expect((await seen('link', 'Start with the first: Withdrawals to pay')).getAttribute('href')).toBe(
    '/admin/withdrawals?status=approved&start=first',
  )
  // an exception has no page of its own, so there is no first one to start with
  expect(screen.queryByRole('link', { name: /^Start with the first: Gateway/ })).toBeNull()
})

test('the dashboard leaves out work that the reader may not decide', async () => {
  await open({ pendingDeposits: 3, overdueTickets: 1 }, 'operator')
  expect(await seen('link', /^Ticket is overdue/)).toBeDefined()
  expect(screen.queryByText(/Deposits to decide/)).toBeNull()
})

test('the dashboard says when nothing waits', async () => {
  await open({})
  expect(await screen.findByText('Nothing waits for you')).toBeDefined()
})

test('waiting counts that cannot be read show why, and “Try again” reads them', async () => {
  const refused = { 'notifications.summary': () => refusal(503, 'unavailable', 'The server is busy') }
  const { server } = await renderPage(<Waiting />, { role: 'manager', answers: refused })
  expect(await screen.findAllByText(/The server is busy/)).not.toBeEmpty()
  server.now({ 'notifications.summary': summary() })
  await pressButton('Try again')
  expect(await screen.findByText('Nothing waits for you')).toBeDefined()
})

test('an administrator gets links to the one failing webhook, and to mails to pass on', async () => {
  await open({}, 'admin', {
    'webhooks.subscriptions.list': buildPage(webhook('whk_1', 0), webhook('whk_2', 3), webhook('whk_3', 5, 'disabled')),
    // one of them is to the reader, who need not pass it on
    'mails.list': ({ query }) => held(query.recipient === 'elena@meridian.example' ? 1 : 1201),
  })
  expect((await seen('link', /^Webhook that fails/)).getAttribute('href')).toBe('/admin/webhooks/whk_2/deliveries')
  const mail = await seen('link', /^Mails to pass on/)
  expect([mail.getAttribute('href'), mail.textContent]).toEqual(['/admin/mail?status=held', 'Mails to pass on1,200'])
})

test('a held mail to the reader alone is nothing to pass on', async () => {
  await open({}, 'admin', { 'webhooks.subscriptions.list': buildPage(), 'mails.list': held(1) })
  expect(await screen.findByText('Nothing waits for you')).toBeDefined()
})

test('several failing webhooks open as a list', async () => {
  await open({}, 'admin', {
    'webhooks.subscriptions.list': buildPage(webhook('whk_1', 1), webhook('whk_2', 3)),
    'mails.list': held(0),
  })
  const link = await seen('link', /^Webhooks that fail/)
  expect([link.getAttribute('href'), link.textContent]).toEqual(['/admin/webhooks', 'Webhooks that fail2'])
  expect(screen.queryByText(/^Mails/)).toBeNull()
})

test('webhooks that cannot be read are reported beside the other work, and can be read again', async () => {
  const { server } = await open({ pendingDeposits: 1 }, 'admin', {
    'webhooks.subscriptions.list': refusal(422, 'invalid', 'Webhooks cannot be read'),
    'mails.list': held(0),
  })
  expect((await screen.findByRole('alert')).textContent).toContain('Webhooks cannot be read')
  expect(screen.getByRole('link', { name: /^Deposit to decide/ })).toBeDefined()
  server.now({ 'notifications.summary': summary(), 'webhooks.subscriptions.list': buildPage(webhook('whk_1', 0)) })
  await pressButton('Try again')
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
})
