import { expect, test } from 'bun:test'
import type { Role } from '../../../lib/api/session.ts'
import { listScreenKeys } from '../../../lib/screen/screen-keys.ts'
import { type Answers, buildPage, onlyDecided, refusal } from '../../../testing/answers.ts'
import { DESKTOP, PHONE } from '../../../testing/dom.ts'
import { withdrawal, withdrawalRow } from '../../../testing/money-samples.ts'
import { fill, keys, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { trader } from '../../../testing/samples.ts'
import { columnsFor } from './withdrawal-columns.tsx'
import { WithdrawalList } from './withdrawal-list.tsx'
import type { Review } from './withdrawals.api.ts'

const { review: fine } = withdrawal()
if (!fine) throw new Error('a withdrawal that waits has its review')
const vote = (userId: string): Review['decisions'][number] => ({
  userId,
  name: userId,
  role: 'manager',
  decision: 'approve',
  note: null,
  lapsed: false,
  createdAt: '2026-01-05T10:00:00.000Z',
})
const erased = withdrawalRow({ id: 'wdr_2', traderName: null, amount: '70.50' })
const open = (answers: Answers = {}, role: Role = 'manager', at = '/withdrawals', width = DESKTOP) =>
  renderPage(<WithdrawalList />, {
    at,
    route: '/withdrawals',
    role,
    width,
    answers: {
      'withdrawals.list': buildPage(withdrawalRow(), erased),
      'withdrawals.reviews': ({ query }) => buildPage(...(query.ids ?? '').split(',').map((id) => withdrawal({ id }))),
      'withdrawals.get': withdrawal(),
      'traders.get': trader(),
      ...answers,
    },
  })
const findCells = async (name: RegExp): Promise<(string | null)[]> =>
  within(await seen('row', name))
    .getAllByRole('cell')
    .map(({ textContent }) => textContent)

test('the queue of withdrawals opens on those that wait for approval', async () => {
  const { server } = await open()
  await seen('table', 'Withdrawals')
  expect(server.of('withdrawals.list')[0]?.query).toMatchObject({ status: 'requested' })
})

test('checks and approvals of the rows are read in one request', async () => {
  const { server } = await open()
  await waitFor(async () => expect(await findCells(/Ana Lima/)).toContain('0 of 1'))
  expect(await findCells(/Ana Lima/)).toContain('All fine')
  expect(server.of('withdrawals.reviews').at(-1)?.query.ids).toBe('wdr_1,wdr_2')
})

test('cells of approvals and checks show no dash before they are read, and say so if they cannot be read', async () => {
  const answer = Promise.withResolvers<Response>()
  await open({ 'withdrawals.reviews': () => answer.promise })
  const isDash = (text: string | null): boolean => text === '—'
  expect((await findCells(/Ana Lima/)).filter(isDash)).toEqual([])
  answer.resolve(refusal(403, 'forbidden', 'Not for your role'))
  await waitFor(async () =>
    expect((await findCells(/Ana Lima/)).filter((text) => text === 'not loaded')).toHaveLength(2),
  )
})

test('the checkbox of a withdrawal without client data is named “Deleted client” with the amount', async () => {
  await open()
  expect(await seen('checkbox', 'Choose Deleted client 70.50 EUR')).toBeDefined()
})

test('a reader who has approved sees that another person is needed, and no button', async () => {
  await open({
    'withdrawals.list': buildPage(withdrawalRow()),
    'withdrawals.reviews': buildPage(
      withdrawal({
        review: {
          ...fine,
          approvalsNeeded: 2,
          decisions: [vote('usr_me')],
          viewer: { mayApprove: false, why: 'You have decided.', noteOn: [], needsSecond: null },
        },
      }),
    ),
  })
  expect(await screen.findByText('Approved by you; another person is needed')).toBeDefined()
  expect((await findCells(/Ana Lima/)).join('|')).toContain('1 of 2 · yours')
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
})

test('a withdrawal is approved from its row, and several after they were chosen', async () => {
  await open()
  const [first] = await screen.findAllByRole('button', { name: 'Approve' })
  await press(first ?? document.body)
  expect(await seen('dialog', 'Approve this withdrawal')).toBeDefined()
  await pressButton('Cancel')
  await press(await seen('checkbox', 'Choose all rows shown'))
  const [bulk] = within(screen.getByText('2 selected').parentElement ?? document.body).getAllByRole('button', {
    name: 'Approve',
  })
  await press(bulk ?? document.body)
  expect(await seen('dialog', 'Approve 2 withdrawals')).toBeDefined()
})

test('the notice after an approval in a row leads to the withdrawal', async () => {
  const { address } = await open({
    'withdrawals.list': buildPage(withdrawalRow()),
    'withdrawals.approve': withdrawal({ status: 'approved' }),
  })
  await pressButton('Approve')
  await seen('textbox', /^Note/)
  await press(within(await seen('dialog', 'Approve this withdrawal')).getByRole('button', { name: 'Approve' }))
  expect(await screen.findByText(/^1,500.00 EUR for Ana Lima approved/)).toBeDefined()
  expect(address()).toBe('/withdrawals')
  await pressButton('View')
  await waitFor(() => expect(address()).toBe('/withdrawals/wdr_1'))
})

test('one chosen withdrawal is rejected by the form of its page, and is no longer chosen after it', async () => {
  const { server } = await open({ 'withdrawals.reject': withdrawal({ status: 'rejected' }) })
  await press(await seen('checkbox', 'Choose Ana Lima 1,500.00 EUR'))
  await keys('r')
  await fill(await seen('textbox', /^Text for the client/), 'The account is closed.')
  await press(within(await seen('dialog', 'Reject this withdrawal')).getByRole('button', { name: 'Reject' }))
  await waitFor(() => expect(server.of('withdrawals.reject')).toHaveLength(1))
  await waitFor(() => expect(screen.queryByText('1 selected')).toBeNull())
})

test('an operator enters withdrawals and approves none', async () => {
  await open({}, 'operator')
  await waitFor(async () => expect(await findCells(/Ana Lima/)).toContain('All fine'))
  expect(await seen('button', 'New withdrawal')).toBeDefined()
  expect(screen.queryByRole('checkbox')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
})

test.each([
  ['/withdrawals', 'No withdrawals yet'],
  ['/withdrawals?status=*', 'No withdrawals yet'],
])('withdrawals at %s without rows show: %s', async (at, words) => {
  await open({ 'withdrawals.list': buildPage() }, 'manager', at)
  expect(await screen.findByText(words)).toBeDefined()
})

test('withdrawals of which none waits, although there are decided ones, say so', async () => {
  await open({ 'withdrawals.list': onlyDecided(withdrawalRow()) }, 'manager', '/withdrawals')
  expect(await screen.findByText('Nothing is waiting')).toBeDefined()
})

test.each([
  [undefined, ['trader', 'amount', 'policy', 'flags', 'createdAt', 'id']],
  ['approved', ['trader', 'amount', 'status', 'createdAt', 'approvedAt', 'payBefore', 'id']],
  ['paid', ['trader', 'amount', 'status', 'createdAt', 'approvedAt', 'payBefore', 'paidAt', 'paymentReference', 'id']],
])('a list of %s withdrawals has the columns that apply', (status, keys) => {
  expect(columnsFor(status).map(({ key }) => key)).toEqual(keys)
})

test('a phone shows on the card of a withdrawal what its checks found', async () => {
  await open({}, 'manager', '/withdrawals', PHONE)
  const [card] = within(await seen('list', 'Withdrawals')).getAllByRole('listitem')
  await waitFor(() => expect(card?.textContent).toContain('All fine'))
})

test.each([
  ['a', 'Approve this withdrawal'],
  ['r', 'Reject this withdrawal'],
] as const)('the key %s asks about the marked withdrawal, and about none before one is marked', async (key, title) => {
  const { server } = await open()
  await seen('row', /Ana Lima/)
  await keys(key)
  expect(screen.queryByRole('dialog')).toBeNull()
  await keys(`{ArrowDown}${key}`)
  await seen('dialog', title)
  expect([...server.of('withdrawals.bulkApprove'), ...server.of('withdrawals.reject')]).toEqual([])
})

test('an operator has a key for a new withdrawal, and none that decides', async () => {
  await open({}, 'operator')
  await seen('row', /Ana Lima/)
  await keys('{ArrowDown}arx')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(listScreenKeys().map(({ key }) => key)).toEqual(expect.arrayContaining(['n', 'f', '/', 'j', 'k', 'enter']))
  expect(listScreenKeys().map(({ key }) => key)).not.toContain('a')
})
