import { expect, test } from 'bun:test'
import type { Role } from '../../../lib/api/session.ts'
import { type Answers, buildPage, refusal } from '../../../testing/answers.ts'
import { fill, keys, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { deposit, meAs, overview, trader } from '../../../testing/samples.ts'
import { DepositPage } from './deposit-page.tsx'
import type { Deposit } from './deposits.api.ts'

const AT = '2026-01-05T10:00:00.000Z'
const open = (with_: Partial<Deposit> = {}, role: Role = 'manager', answers: Answers = {}) =>
  renderPage(<DepositPage />, {
    at: '/deposits/dep_1',
    route: '/deposits/$id',
    role,
    answers: {
      'auth.me': meAs(role),
      'deposits.get': deposit(with_),
      'traders.get': trader(),
      'traders.overview': overview(),
      'deposits.list': buildPage(),
      ...answers,
    },
  })
const offered = async (button: string): Promise<(string | null)[]> => {
  await pressButton(button)
  return (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)
}
/** Finds the text beside a label of the facts or under one of the figures. */
const findFact = async (label: string): Promise<string | null | undefined> =>
  (await screen.findByText(label, { selector: 'dt' })).nextElementSibling?.textContent
const decide = async (name: string): Promise<void> => {
  await pressButton('Other decisions')
  await press(await seen('menuitem', name))
}
const send = async (title: string, name: string): Promise<void> =>
  press(within(await seen('dialog', title)).getByRole('button', { name }))

test('a manager has buttons to settle, cancel and fail a pending deposit', async () => {
  await open()
  expect(await seen('button', 'Settle')).toBeDefined()
  expect(await offered('Other decisions')).toEqual(['Cancel it', 'Mark as failed'])
})

test('a deposit’s page shows facts about its client, and the client’s other deposits', async () => {
  await open({}, 'manager', {
    'traders.overview': overview({
      sanctions: 'open',
      wallets: [
        { currency: 'USD', available: '7.00', held: '0.00' },
        { currency: 'EUR', available: '52.10', held: '0.00' },
      ],
    }),
    'deposits.list': buildPage(
      deposit(),
      deposit({ id: 'dep_2', amount: '33.00', status: 'settled', settledAt: '2026-03-04T10:00:00Z' }),
    ),
  })
  expect(await findFact('In the wallet')).toBe('52.10 EUR')
  expect(await findFact('Identity')).toBe('Approved')
  expect((await seen('link', 'Match to decide')).getAttribute('href')).toContain('/admin/sanctions?q=trd_1')
  const others = within(await seen('region', 'Other deposits'))
  expect(others.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/admin/deposits/dep_2'])
  expect(others.getByText('Settled').parentElement?.querySelector('time')?.dateTime).toBe('2026-03-04T10:00:00Z')
})

test('the page of a pending deposit does not tell a manager who may settle it', async () => {
  await open()
  await seen('button', 'Settle')
  expect(screen.queryByText(/settles this deposit/)).toBeNull()
})

test('an operator can only cancel a pending deposit', async () => {
  await open({}, 'operator')
  expect(await screen.findByText('A manager, an admin or an owner settles this deposit.')).toBeDefined()
  expect(await offered('More')).toEqual(['Cancel it'])
  expect(screen.queryByRole('button', { name: 'Settle' })).toBeNull()
})

test.each([
  ['viewer', 'pending'],
  ['manager', 'settled'],
  ['manager', 'cancelled'],
] as const)('the role %s decides nothing about a deposit that is %s', async (role, status) => {
  await open({ status }, role)
  await seen('heading', '1,500.00 EUR')
  for (const name of ['Settle', 'Other decisions', 'More']) expect(screen.queryByRole('button', { name })).toBeNull()
})

test('a deposit shows on top how much was announced, settled and is missing, and by whom', async () => {
  await open({
    status: 'partially_settled',
    settledAmount: '1490.50',
    settledAt: AT,
    settledBy: 'usr_marco',
    announcedBy: null,
  })
  await waitFor(async () => expect(await findFact('Settled')).toMatch(/^1,490.50 EURMarco Bianchi · Jan 5, 2026/))
  expect(await findFact('Announced')).toStartWith('1,500.00 EURThe client · ')
  expect(await findFact('Missing')).toBe('9.50 EUR')
})

test('a deposit that a gateway settled in full shows no missing amount', async () => {
  await open({ status: 'settled', settledAmount: '1500.00', settledAt: AT, settledBy: null })
  expect(await findFact('Settled')).toStartWith('1,500.00 EURThe gateway · ')
  expect(screen.queryByText('Missing')).toBeNull()
})

test('a pending deposit shows neither a settled nor a missing amount', async () => {
  await open()
  expect(await findFact('Settled')).toBe('Nothing yet')
  expect(screen.queryByText('Missing')).toBeNull()
})

test('the first of two approvals is shown above everything, with who gave it', async () => {
  await open({ firstWord: { by: 'usr_marco', at: AT, settledAmount: '1500.00' } })
  expect(await screen.findByText('It waits for a second person')).toBeDefined()
  expect(
    await screen.findByText(
      'Marco Bianchi gave the first approval of 1,500.00 EUR; a second person settles it, for the same amount.',
    ),
  ).toBeDefined()
  expect(screen.getByText('Pending, 1 of 2')).toBeDefined()
})

test('the origin of a deposit links to the client and to the deposit with the same reference', async () => {
  await open({ status: 'failed', failureReason: 'Card refused', repeatOf: 'dep_old' })
  expect((await seen('link', 'dep_old')).getAttribute('href')).toBe('/admin/deposits/dep_old')
  const [client] = screen.getAllByRole('link', { name: 'Ana Lima' })
  expect(client?.getAttribute('href')).toBe('/admin/traders/trd_1')
  expect(await findFact('Failed because')).toBe('Card refused')
  expect(screen.queryByText('Gateway', { selector: 'dt' })).toBeNull()
})

test('a manager does not see the name of a deposit’s gateway', async () => {
  await open({ pspConnectionId: 'psp_1' }, 'manager')
  expect(await findFact('Gateway')).toBe('A payment gateway')
})

test('an administrator sees that a deposit’s gateway was removed', async () => {
  await open({ pspConnectionId: 'psp_1' }, 'admin', { 'psp.list': buildPage() })
  await waitFor(async () => expect(await findFact('Gateway')).toBe('A removed gateway'))
})

test('a pending deposit is cancelled only if nobody changed it meanwhile', async () => {
  const { server } = await open({}, 'operator', { 'deposits.cancel': deposit({ status: 'cancelled' }) })
  await pressButton('More')
  await press(await seen('menuitem', 'Cancel it'))
  await send('Cancel this deposit', 'Cancel deposit')
  expect(await screen.findByText(/^Deposit of .* for Ana Lima cancelled\.$/)).toBeDefined()
  expect(server.of('deposits.cancel')).toMatchObject([{ params: { id: 'dep_1' }, ifMatch: '"3"' }])
})

test('a failed deposit shows the reason, which the client reads', async () => {
  const { server } = await open({}, 'manager', { 'deposits.fail': deposit({ status: 'failed' }) })
  await decide('Mark as failed')
  await send('Mark as failed', 'Mark as failed')
  expect(await screen.findByText('Say why it failed')).toBeDefined()
  await fill(screen.getByLabelText(/^Reason/), ' The bank sent it back. ')
  await send('Mark as failed', 'Mark as failed')
  expect(await screen.findByText(/^Deposit of .* for Ana Lima marked as failed\.$/)).toBeDefined()
  expect(server.of('deposits.fail')).toMatchObject([{ body: { reason: 'The bank sent it back.' }, ifMatch: '"3"' }])
})

test('a deposit that a colleague settled first is not marked as failed, and the typed text stays', async () => {
  const { server } = await open({}, 'manager', {
    'deposits.fail': refusal(409, 'wrong_state', 'It is settled already.'),
  })
  await decide('Mark as failed')
  await fill(await screen.findByLabelText(/^Reason/), 'No money came')
  await send('Mark as failed', 'Mark as failed')
  expect(await screen.findByText('It is settled already.')).toBeDefined()
  expect(screen.getByLabelText(/^Reason/)).toHaveProperty('value', 'No money came')
  const before = server.of('deposits.get').length
  await pressButton('Load the current version')
  await pressButton('Discard')
  await waitFor(() => expect(server.of('deposits.get').length).toBeGreaterThan(before))
})

test.each([
  ['manager', 'pending', 1],
  ['operator', 'pending', 0],
  ['manager', 'settled', 0],
] as const)('the key S of the role %s on a deposit that is %s opens %i form', async (role, status, forms) => {
  await open({ status }, role)
  await seen('heading', '1,500.00 EUR')
  await keys('s')
  await waitFor(() => expect(screen.queryAllByRole('dialog')).toHaveLength(forms))
})
