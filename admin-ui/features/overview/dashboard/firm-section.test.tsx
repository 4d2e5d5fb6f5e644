import { expect, test } from 'bun:test'
import { type Answers, buildPage, refusal } from '../../../testing/answers.ts'
import { blank } from '../../../testing/blank.ts'
import { renderPage, screen, seen } from '../../../testing/render.tsx'
import { earnings, revenue } from '../reports/revenue-samples.ts'
import type { Dashboard } from './dashboard.api.ts'
import { Dashboard as Home } from './dashboard.tsx'
import { FirmSection, LargestClients } from './firm-section.tsx'

const flow = { deposits: '1500.00', withdrawals: '300.00', net: '1200.00' }
const dashboard = (with_: Partial<NonNullable<Dashboard['firm']>> = {}): Dashboard => ({
  from: '2026-11-01',
  to: '2026-12-01',
  today: '2026-11-30',
  timeZone: 'UTC',
  asOf: '2026-11-30T10:00:00.000Z',
  days: [],
  money: [],
  waiting: [],
  converted: { currency: 'EUR', ...flow, days: [], missingRates: [] },
  firm: {
    registrations: 30,
    firstDeposits: 12,
    active: 140,
    before: {
      from: '2026-10-02',
      to: '2026-11-01',
      deposits: '1000.00',
      withdrawals: '0.00',
      net: '1000.00',
      registrations: 40,
      firstDeposits: 0,
      active: 100,
      missingRates: [],
    },
    held: {
      total: '99000.00',
      currencies: [{ currency: 'USD', wallets: 1200, amount: '110000.00', converted: '99000.00' }],
    },
    open: { positions: 7, traders: 3, profit: '-50.00' },
    largest: [{ traderId: 'trd_1', name: 'Vera Stone', balance: '44000.00' }],
    missingRates: [],
    ...with_,
  },
})
const answers = (with_: Answers = {}): Answers => ({
  'reporting.dashboard': dashboard(),
  'reporting.revenue': revenue({
    total: '20.00',
    earned: earnings('2026-11-01', '2026-12-01', {
      total: '500.00',
      parts: [
        { part: 'spread', converted: '500.00' },
        { part: 'house', converted: '9000.00' },
      ],
    }),
    earnedBefore: earnings('2026-10-02', '2026-11-01', { total: '400.00' }),
  }),
  'positions.heatmap': {
    data: [
      { symbol: 'EURUSD', long: '3.00', short: '1.00', net: '2.00', positions: 4, traders: 2 },
      { symbol: 'XAUUSD', long: '0.00', short: '9.50', net: '-9.50', positions: 3, traders: 2 },
    ],
    asOf: '2026-11-30T10:00:00.000Z',
  },
  ...with_,
})
const tiles = () =>
  screen.getAllByRole('listitem').flatMap((item) => (item.className === 'tile' ? [item.textContent ?? ''] : []))

test('a manager sees what the firm moved, charged and holds, who was active, and the period before', async () => {
  await renderPage(<FirmSection />, { answers: answers() })
  await seen('link', 'XAUUSD: −9.50 lots net')
  await screen.findByText('Affiliates cost', { exact: false })
  expect(tiles()).toEqual([
    'Net deposits1,200.00 EURBefore: 1,000.00 (+20%)In 1,500.00 EURBefore: 1,000.00 (+50%)Out 300.00 EURBefore: 0.00',
    'Charged to clients500.00 EURBefore: 400.00 (+25%)Spread 500.00 EURAffiliates cost 20.00 EUR',
    'Held for clients now99,000.00 EUR110,000.00 USD · 1,200 wallets',
    'Active clients140Before: 100 (+40%)12 first depositsBefore: 030 registrationsBefore: 40 (-25%)',
    'Clients’ result on open positions−50.00 EUR7 positions of 3 clientsXAUUSD: −9.50 lots netEURUSD: 2.00 lots net',
  ])
  expect(screen.getByText(/Nov 1 – 30, 2026, before: Oct 2 – 31, 2026, by day of UTC/)).toBeDefined()
})

test('an amount without a rate is named, and its sum is not shown as if it were whole', async () => {
  const held = { total: null, currencies: [{ currency: 'CHF', wallets: 1, amount: '3.00', converted: null }] }
  const missingRates = [{ currency: 'CHF', day: '2026-11-30', amount: '3.00' }]
  await renderPage(<FirmSection />, {
    answers: answers({ 'reporting.dashboard': dashboard({ held, missingRates }) }),
  })
  expect((await screen.findByRole('status')).textContent).toBe('Without a rate into EUR: 3.00 CHF (Nov 30, 2026)')
  expect(tiles()[2]).toBe('Held for clients nowno rate3.00 CHF · 1 wallet')
})

test('the largest clients are listed with the money held for them, and link to their pages', async () => {
  await renderPage(<LargestClients />, { answers: answers() })
  const link = await seen('link', /Vera Stone/)
  expect([link.textContent, link.getAttribute('href')]).toEqual(['Vera Stone44,000.00 EUR', '/admin/traders/trd_1'])
})

test('revenue that cannot be read says why beside the other figures', async () => {
  const broken = answers({ 'reporting.revenue': () => refusal(503, 'reports.too_long', 'It took too long.') })
  await renderPage(<FirmSection />, { answers: broken })
  expect(await screen.findByText('It took too long.')).toBeDefined()
  expect(tiles()[0]).toStartWith('Net deposits1,200.00 EUR')
})

const home = (role: 'operator' | 'manager' | 'owner') =>
  renderPage(<Home />, {
    role,
    answers: answers({
      'setup.progress': blank('setup.progress'),
      'notifications.summary': blank('notifications.summary'),
      'webhooks.subscriptions.list': buildPage(),
      'mails.list': { ...buildPage(), total: 0 },
      'deposits.list': buildPage(),
      'traders.list': buildPage(),
    }),
  })
const headings = () =>
  screen
    .getAllByRole('heading', { level: 2 })
    .flatMap(({ textContent }) => (/^Set up/.test(textContent) ? [] : textContent))

test('an owner’s home begins with the firm, then shows the money and the work', async () => {
  await home('owner')
  await screen.findByText('Largest clients')
  expect(headings().slice(0, 3)).toEqual(['The firm, in EUR', 'Money', 'Waiting'])
})

test('an operator’s home begins with the work and has no figures of the firm', async () => {
  await home('operator')
  await screen.findByText('Newest clients')
  expect(headings()).toEqual(['Waiting', 'Money', 'Newest clients', 'Newest deposits'])
})

test('a manager’s home has the work, then the firm', async () => {
  await home('manager')
  await screen.findByText('Largest clients')
  expect(headings().slice(0, 3)).toEqual(['Waiting', 'The firm, in EUR', 'Money'])
})
