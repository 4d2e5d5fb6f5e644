import { expect, test } from 'bun:test'
import type { Role } from '../../../lib/api/session.ts'
import type { Answer } from '../../../operations.ts'
import { type Answers, buildPage } from '../../../testing/answers.ts'
import { PHONE } from '../../../testing/dom.ts'
import { fill, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { trader } from '../../../testing/samples.ts'
import { TraderList } from './trader-list.tsx'

const noor = trader({
  id: 'trd_2',
  firstName: 'Noor',
  lastName: null,
  email: 'noor@mail.example',
  country: null,
  kycStatus: 'requested',
  riskLevel: 'high',
  status: 'suspended',
  createdAt: '2026-01-05T10:00:00.000Z',
})
const nobody = trader({ id: 'trd_3', firstName: null, lastName: null, email: null })
const STATS: Answer<'traders.stats'> = {
  total: 1200,
  byStatus: { active: 900, suspended: 3, closed: 2 },
  newIn7Days: 4,
  newIn30Days: 9,
  byKycLevel: { 0: 2, 1: 1, 2: 7, 3: 0 },
  asOf: '2026-11-25T10:00:00.000Z',
  byKycStatus: { none: 1, requested: 7, approved: 1, rejected: 1 },
  byRiskLevel: { low: 1, medium: 1, high: 8 },
}
type Setting = { answers?: Answers; at?: string; role?: Role; width?: number }
const open = ({ answers, ...setting }: Setting = {}) =>
  renderPage(<TraderList />, {
    at: '/traders',
    route: '/traders',
    ...setting,
    answers: {
      'traders.list': buildPage(trader(), noor),
      'traders.stats': STATS,
      'wallets.list': buildPage(),
      ...answers,
    },
  })
const tick = async (name: string): Promise<void> => press(await seen('checkbox', `Choose ${name}`))
const findCells = async (name: string): Promise<(string | null)[]> =>
  within(await seen('row', new RegExp(name)))
    .getAllByRole('cell')
    .map(({ textContent }) => textContent)

test('a client’s row shows name and states, and a dash for an unknown value', async () => {
  const wallet = (traderId: string, currency: string, available: string, held: string) => ({
    id: `wal_${currency}`,
    version: 1,
    createdAt: '2026-01-05T10:00:00.000Z',
    updatedAt: '2026-01-05T10:00:00.000Z',
    traderId,
    currency,
    available,
    held,
    traderName: null,
  })
  const wallets = [
    wallet('trd_1', 'EUR', '1000.00', '250.50'),
    wallet('trd_1', 'USD', '0.00', '0.00'),
    wallet('trd_1', 'JPY', '30', '0'),
  ]
  const { server } = await open({
    role: 'viewer',
    answers: { 'traders.list': buildPage(trader(), noor, nobody), 'wallets.list': buildPage(...wallets) },
  })
  await screen.findByText('1,250.50', { exact: false })
  expect(server.of('wallets.list').map(({ query }) => query.traderIds)).toEqual(['trd_1,trd_2,trd_3'])
  expect(await findCells('Ana Lima')).toEqual([
    'Ana Lima',
    'Active',
    'ana@mail.example',
    'Approved',
    'Low',
    '1,250.50 EUR30 JPY',
    'Jan 31, 2026',
    'Nov 20, 2026',
  ])
  expect(await findCells('Noor')).toEqual([
    'Noor',
    'Suspended',
    'noor@mail.example',
    'Waiting for review',
    'High',
    '—',
    'Jan 31, 2026',
    'Jan 5, 2026',
  ])
  expect((await findCells('trd_3'))[0]).toBe('trd_3')
})

test('the list of clients sends the filters of the address to the server', async () => {
  const { server } = await open({ at: '/traders?status=suspended&country=PT,ES&segment=vip&from=2026-01-01&q=noor' })
  await seen('table', 'Clients')
  expect(server.of('traders.list')[0]?.query).toMatchObject({
    status: 'suspended',
    country: 'PT,ES',
    segment: 'vip',
    q: 'noor',
  })
  expect(server.of('traders.list')[0]?.query.from).toStartWith('2026-01-01')
})

test('a count above the list of clients filters it, and a second press removes the filter', async () => {
  const { address } = await open()
  await pressButton(/^3\s*Suspended$/)
  await waitFor(() => expect(address()).toBe('/traders?status=suspended'))
  await pressButton(/^3\s*Suspended$/)
  await waitFor(() => expect(address()).toBe('/traders'))
})

test('a merge of two chosen clients keeps the older one', async () => {
  const { address } = await open()
  await tick('Ana Lima')
  expect(screen.queryByRole('button', { name: 'Merge' })).toBeNull()
  await tick('Noor')
  await pressButton('Merge')
  await waitFor(() => expect(address()).toBe('/merge?primary=trd_2&secondary=trd_1'))
})

test('an operator changes several clients at once, and merges none', async () => {
  await open({ role: 'operator' })
  await tick('Ana Lima')
  await tick('Noor')
  expect(screen.queryByRole('button', { name: 'Merge' })).toBeNull()
  await pressButton('Change')
  expect(await seen('dialog', /2 clients/)).toBeDefined()
})

test('a viewer chooses and adds no client', async () => {
  await open({ role: 'viewer', at: '/traders?new=1' })
  await seen('row', /Ana Lima/)
  expect(screen.queryByRole('checkbox')).toBeNull()
  expect(screen.queryByRole('button', { name: 'New client' })).toBeNull()
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a client who was added is opened', async () => {
  const { server, address } = await open({
    at: '/traders?new=1',
    role: 'operator',
    answers: { 'traders.create': trader({ id: 'trd_new' }) },
  })
  await fill(await screen.findByLabelText(/^E-mail/), 'new@mail.example')
  await pressButton('Add client')
  await waitFor(() => expect(address()).toBe('/traders/trd_new'))
  expect(server.of('traders.create')[0]?.body).toMatchObject({ email: 'new@mail.example' })
})

test('an empty list of clients explains how the first one comes', async () => {
  await open({ answers: { 'traders.list': buildPage() } })
  expect(await screen.findByText('No clients yet')).toBeDefined()
  const [, second] = screen.getAllByRole('button', { name: 'New client' })
  await press(second ?? document.body)
  expect(await seen('dialog', 'New client')).toBeDefined()
})

test('a phone shows a client as a card with name, state, e-mail, country and phone', async () => {
  const { address } = await open({ width: PHONE, role: 'viewer' })
  const cards = within(await seen('list', 'Clients'))
  expect(cards.getByText('ana@mail.example')).toBeDefined()
  expect(cards.getByText('PT')).toBeDefined()
  expect(cards.getAllByText('+44 770 090 0123')).toHaveLength(2)
  // the usual state is not shown
  expect([cards.queryByText('Active'), cards.getByText('Suspended')]).toEqual([null, expect.anything()])
  await press(cards.getByText('Ana Lima'))
  await waitFor(() => expect(address()).toBe('/traders/trd_1'))
})
