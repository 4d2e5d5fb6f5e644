import { expect, test } from 'bun:test'
import { refusal } from '../../../testing/answers.ts'
import { act, keys, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import type { Dashboard } from './dashboard.api.ts'
import { MoneySection } from './money-section.tsx'

const sum = (count: number, amount: string) => ({ count, amount })
const day = (name: string) => ({
  day: name,
  startsAt: `${name}T00:00:00.000Z`,
  endsAt: `${name}T24:00:00.000Z`,
  registrations: 0,
  firstDeposits: 0,
})
const moved = (currency: string): Dashboard['money'][number] => ({
  currency,
  deposits: sum(1203, '21500.00'),
  withdrawals: sum(1, '250.00'),
  net: '21250.00',
  days: [
    { day: '2026-11-19', deposits: sum(1, '1500.00'), withdrawals: sum(0, '0.00'), net: '1500.00' },
    { day: '2026-11-20', deposits: sum(1202, '20000.00'), withdrawals: sum(1, '250.00'), net: '19750.00' },
  ],
})
const dashboard = (with_: Partial<Dashboard> = {}): Dashboard => ({
  from: '2026-11-18',
  to: '2026-11-21',
  today: '2026-11-20',
  timeZone: 'Europe/Isle_of_Man',
  asOf: '2026-11-20T10:00:00.000Z',
  days: ['2026-11-18', '2026-11-19', '2026-11-20'].map(day),
  money: [moved('EUR')],
  waiting: [],
  ...with_,
})
const open = (answer: Dashboard | Response) =>
  renderPage(<MoneySection />, { answers: { 'reporting.dashboard': answer } })
const search = (link: HTMLElement): Record<string, string> =>
  Object.fromEntries(new URL(link.getAttribute('href') ?? '', 'http://console.test').searchParams)
const TODAY = { settledFrom: '2026-11-20T00:00:00.000Z', settledTo: '2026-11-20T24:00:00.000Z' }

test('today’s deposits link to the list of the summed deposits', async () => {
  await open(dashboard())
  const tile = await seen('link', /^In today/)
  expect(tile.textContent).toBe('In today20,000.00 EUR1,202 deposits')
  expect(search(tile)).toEqual({ status: '*', currency: 'EUR', ...TODAY })
  expect(screen.getByText('Credited and paid, by day of Europe/Isle of Man.')).toBeDefined()
})

test('the net of all days links to money in and out, and omits zeros', async () => {
  await open(dashboard({ money: [{ ...moved('EUR'), withdrawals: sum(0, '0.00') }] }))
  expect((await seen('link', /1,203 in/)).textContent).toBe('1,203 in · 21,500.00 EUR')
  expect(search(await seen('link', /1,203 in/))).toMatchObject({ settledFrom: '2026-11-18T00:00:00.000Z' })
  expect(screen.queryByRole('link', { name: /\d out ·/ })).toBeNull()
})

test.each([
  ['deposits', /^2 to settle · 7\.00 USDT$/, { currency: 'USDT', status: 'pending' }],
  ['requestedWithdrawals', /^2 to approve · 7\.00 USDT$/, { currency: 'USDT', status: 'requested' }],
  ['approvedWithdrawals', /^2 to pay · 7\.00 USDT$/, { currency: 'USDT', status: 'approved' }],
] as const)('waiting %s link to their queue', async (which, name, query) => {
  const none = { deposits: sum(0, '0'), requestedWithdrawals: sum(0, '0'), approvedWithdrawals: sum(0, '0') }
  await open(dashboard({ money: [], waiting: [{ currency: 'USDT', ...none, [which]: sum(2, '7.00') }] }))
  expect(search(await seen('link', name))).toEqual(query)
  expect(screen.queryByText('Nothing')).toBeNull()
})

test('the arrows move between the bars of money, and Tab stops at only one of them', async () => {
  await open(dashboard())
  const last = await seen('link', 'Nov 20, 2026: 20,000.00 EUR in (1,202)')
  expect(last.getAttribute('tabindex')).toBe('0')
  act(() => last.focus())
  await keys('{ArrowDown}{ArrowLeft}')
  const now = document.activeElement
  expect(now?.getAttribute('aria-label')).toBe('Nov 19, 2026: 0.00 EUR out (0)')
  expect(document.querySelectorAll('[data-bar][tabindex="0"]')).toHaveLength(1)
  expect(now?.getAttribute('href')).toStartWith('/admin/withdrawals?')
})

test('the table of money lists the days on which money moved, to the cent', async () => {
  await open(dashboard())
  const rows = within(await seen('table', 'Money in and out by day, EUR'))
    .getAllByRole('row')
    .slice(1)
  expect(rows.map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
    ['Nov 19, 2026', '1,500.00', '0.00', '1,500.00'],
    ['Nov 20, 2026', '20,000.00', '250.00', '19,750.00'],
  ])
})

test('a currency in which money only waits says that no money moved', async () => {
  await open(
    dashboard({
      money: [],
      waiting: [
        {
          currency: 'GBP',
          deposits: sum(1, '5.00'),
          requestedWithdrawals: sum(0, '0'),
          approvedWithdrawals: sum(0, '0'),
        },
      ],
    }),
  )
  expect(await screen.findByText('No money moved on these days.')).toBeDefined()
})

test('the currency of the money figures can be chosen, and today’s money in others is shown beside it', async () => {
  await open(dashboard({ money: [moved('EUR'), moved('USD')] }))
  const others = await screen.findByText('Also today')
  expect(others.parentElement?.textContent).toBe('Also today20,000.00 USD in250.00 USD out')
  await press(await seen('radio', 'USD'))
  expect(await seen('table', 'Money in and out by day, USD')).toBeDefined()
  await waitFor(() => expect(others.parentElement?.textContent).toContain('20,000.00 EUR in'))
})

test('the currency of the money figures is chosen from a list if there are more than five', async () => {
  await open(dashboard({ money: ['EUR', 'USD', 'GBP', 'CHF', 'JPY', 'AUD'].map(moved) }))
  await press(await seen('combobox', 'Currency'))
  await press(await seen('option', 'AUD'))
  expect(await seen('table', 'Money in and out by day, AUD')).toBeDefined()
})

test('a firm without any movement of money is told what will be shown here', async () => {
  await open(dashboard({ money: [] }))
  expect(await screen.findByText('No money moved in the last 3 days')).toBeDefined()
})

test('figures of money that cannot be read show why, and “Try again” reads them', async () => {
  const { server } = await open(refusal(422, 'too_long', 'The report took too long.'))
  expect((await screen.findByRole('alert')).textContent).toContain('The report took too long.')
  server.now({ 'reporting.dashboard': dashboard() })
  await pressButton('Try again')
  expect(await seen('link', /^In today/)).toBeDefined()
})
