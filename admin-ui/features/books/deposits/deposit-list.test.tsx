import { expect, test } from 'bun:test'
import type { Role } from '../../../lib/api/session.ts'
import { type Answers, buildPage, onlyDecided } from '../../../testing/answers.ts'
import { PHONE } from '../../../testing/dom.ts'
import { keys, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { deposit, overview, trader } from '../../../testing/samples.ts'
import { depositColumns } from './deposit-columns.tsx'
import { DepositList } from './deposit-list.tsx'

const AT = '2026-01-05T10:00:00.000Z'
const erased = deposit({ id: 'dep_2', providerReference: null, traderName: null, announcedBy: 'usr_marco' })
type Setting = { answers?: Answers; at?: string; role?: Role; width?: number }
const open = ({ answers, ...setting }: Setting = {}) =>
  renderPage(<DepositList />, {
    at: '/deposits',
    route: '/deposits',
    ...setting,
    answers: { 'deposits.list': buildPage(deposit(), erased), ...answers },
  })
const findCells = async (name: RegExp): Promise<string[]> =>
  within(await seen('row', name))
    .getAllByRole('cell')
    .filter((cell) => !cell.classList.contains('rows-choose'))
    .map(({ textContent }) => textContent ?? '')

test('the arrow keys and Enter open a deposit', async () => {
  const { address } = await open()
  expect(await seen('table', 'Deposits')).toBeDefined()
  await keys('{ArrowDown}{ArrowDown}{Enter}')
  expect(await screen.findByText('another page')).toBeDefined()
  expect(address()).toBe('/deposits/dep_2')
})

test('the queue of deposits opens on those that wait, and shows who announced them', async () => {
  const { server } = await open()
  expect((await findCells(/Ana Lima/)).slice(0, 6)).toEqual([
    'Ana Lima',
    'Pending',
    '1,500.00 EUR',
    'WIRE-1',
    'The client',
    '—',
  ])
  await waitFor(async () => expect((await findCells(/Deleted client/)).slice(3, 5)).toEqual(['—', 'Marco Bianchi']))
  expect(server.of('deposits.list')[0]?.query.status).toBe('pending')
})

test('a deposit is settled in its row, only if nobody changed it meanwhile', async () => {
  const { server, address } = await open({
    answers: { 'deposits.list': buildPage(deposit()), 'deposits.settle': deposit({ status: 'settled' }) },
  })
  await pressButton('Settle')
  await pressButton('Settle in full')
  expect(await screen.findByText(/^1,[\d.,]+ EUR settled for Ana Lima\./)).toBeDefined()
  expect(server.of('deposits.settle')).toMatchObject([{ params: { id: 'dep_1' }, ifMatch: '"3"' }])
  expect(address()).toBe('/deposits')
  await pressButton('View')
  await waitFor(() => expect(address()).toBe('/deposits/dep_1'))
})

test.each(['operator', 'viewer'] as const)('the role %s cannot settle a deposit in the list', async (role) => {
  await open({ role })
  await seen('row', /Ana Lima/)
  expect(screen.queryByRole('button', { name: 'Settle' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'New deposit' }) === null).toBe(role === 'viewer')
})

test('the first of two approvals is shown in the queue of deposits', async () => {
  const firstWord = { by: 'usr_marco', at: AT, settledAmount: '1500.00' }
  await open({ answers: { 'deposits.list': buildPage(deposit({ firstWord })) } })
  await waitFor(async () =>
    expect((await findCells(/Ana Lima/))[5]).toStartWith('Marco Bianchi gave the first approval of 1,500.00 EUR'),
  )
  expect((await findCells(/Ana Lima/))[1]).toBe('Pending, 1 of 2')
})

test('a settled deposit shows by whom and how much', async () => {
  const settled = deposit({ status: 'settled', settledAmount: '1490.50', settledAt: AT, settledBy: null })
  await open({ at: '/deposits?status=settled', role: 'viewer', answers: { 'deposits.list': buildPage(settled) } })
  const cells = await findCells(/Ana Lima/)
  expect(cells).toContain('1,490.50 EUR')
  expect(cells).toContain('The gateway')
})

test.each([
  [undefined, true, false],
  ['pending', true, false],
  ['settled', false, true],
  ['*', false, true],
])('a list of %s deposits has a column for the first approval: %p, for who settled: %p', (status, first, settled) => {
  const shown = depositColumns(status).map(({ key }) => key)
  expect([shown.includes('firstWord'), shown.includes('settledBy')]).toEqual([first, settled])
})

test.each([
  ['/deposits', 'No deposits yet'],
  ['/deposits?status=*', 'No deposits yet'],
])('deposits at %s without rows show: %s', async (at, words) => {
  await open({ at, answers: { 'deposits.list': buildPage() } })
  expect(await screen.findByText(words)).toBeDefined()
})

test('deposits of which none waits, although there are decided ones, say so', async () => {
  await open({ at: '/deposits', answers: { 'deposits.list': onlyDecided(deposit()) } })
  expect(await screen.findByText('Nothing is waiting')).toBeDefined()
})

test('the side bar links to the form for a new deposit', async () => {
  await open({ at: '/deposits?new=1', role: 'operator', answers: { 'traders.list': buildPage() } })
  expect(await seen('dialog', 'New deposit')).toBeDefined()
})

test('a phone shows a deposit as a card with amount, state and reference, and no button', async () => {
  const { address } = await open({ width: PHONE })
  const [card] = within(await seen('list', 'Deposits')).getAllByRole('listitem')
  for (const words of ['Ana Lima', '1,500.00', 'Pending', 'WIRE-1']) expect(card?.textContent).toContain(words)
  expect(screen.queryByRole('button', { name: 'Settle' })).toBeNull()
  await press(within(card ?? document.body).getByText('Ana Lima'))
  await waitFor(() => expect(address()).toBe('/deposits/dep_1'))
})

test('a deposit is settled beside the list, which then shows the next one', async () => {
  const { server, address } = await open({
    answers: {
      'deposits.get': ({ params }) => deposit({ id: params.id ?? '' }),
      'traders.get': trader(),
      'traders.overview': overview(),
      'deposits.settle': deposit({ status: 'settled' }),
    },
  })
  await seen('row', /Ana Lima/)
  await keys('{ArrowDown}p')
  const drawer = within(await seen('dialog', 'Deposits'))
  expect(await drawer.findByText('1 of 2')).toBeDefined()
  await press(await drawer.findByRole('button', { name: 'Settle' }))
  expect(await screen.findByText(/What is credited cannot be taken back\./)).toBeDefined()
  await pressButton('Settle in full')
  await waitFor(async () =>
    expect(within(await seen('dialog', 'Deposits')).getByRole('link', { name: 'Open the whole page' })).toHaveProperty(
      'href',
      expect.stringContaining('/deposits/dep_2'),
    ),
  )
  expect(server.of('deposits.settle')).toMatchObject([{ params: { id: 'dep_1' }, ifMatch: '"3"' }])
  expect(address()).toBe('/deposits')
})
