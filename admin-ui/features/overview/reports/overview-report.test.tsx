import { expect, test } from 'bun:test'
import { fireEvent } from '@testing-library/react'
import { type Answers, refusal } from '../../../testing/answers.ts'
import { pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { OverviewReport } from './overview-report.tsx'
import type { Overview } from './reports.api.ts'

const frame = {
  from: '2026-11-20',
  to: '2026-11-22',
  timeZone: 'Europe/Isle_of_Man',
  asOf: '2026-11-21T10:00:00.000Z',
  today: '2026-11-21',
  money: [],
  waiting: [],
}
/** Returns a day of a time zone that is an hour ahead of UTC. */
const day = (name: string, registrations: number, firstDeposits: number): Overview['days'][number] => {
  const before = new Date(Date.parse(name) - 3_600_000)
  return {
    day: name,
    registrations,
    firstDeposits,
    startsAt: before.toISOString(),
    endsAt: new Date(before.getTime() + 86_400_000).toISOString(),
  }
}
const sums = { deposits: '1500.00', withdrawals: '250.50', net: '1249.50' }
const converted = (with_: Partial<Overview['converted']> = {}): NonNullable<Overview['converted']> => ({
  currency: 'EUR',
  ...sums,
  days: [{ day: '2026-11-20', ...sums }],
  missingRates: [],
  ...with_,
})
const overview = (with_: Partial<Overview> = {}): Overview => ({
  ...frame,
  days: [day('2026-11-20', 12, 3), day('2026-11-21', 1500, 0)],
  converted: converted(),
  ...with_,
})
const firm = Response.json({ currency: 'EUR' })
const open = (answers: Answers = {}, at = '/reports') =>
  renderPage(<OverviewReport />, {
    at,
    route: '/reports',
    answers: { 'tenants.current': firm, 'reporting.dashboard': overview(), ...answers },
  })
const MONEY = 'Money in and out, in EUR'
const findRow = async (table: string, name: RegExp): Promise<HTMLElement> =>
  within(await seen('table', table)).getByRole('row', { name })
const hrefs = (row: HTMLElement): (string | null)[] =>
  within(row)
    .getAllByRole('link')
    .map((link) => link.getAttribute('href'))

test('the overview report reads sums in the firm’s currency, and names its time zone', async () => {
  const { server } = await open()
  expect(await seen('heading', MONEY)).toBeDefined()
  expect(screen.getByText(/^Days in the time zone Europe\/Isle of Man/)).toBeDefined()
  expect(server.of('reporting.dashboard').map(({ query }) => query)).toEqual([{ currency: 'EUR' }])
  const tiles = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(tiles).toEqual(['Deposits1,500.00 EUR', 'Withdrawals250.50 EUR', 'Net1,249.50 EUR'])
})

test('each figure of a day in the overview report links to its rows, within the firm’s time zone', async () => {
  await open()
  const bounds = 'From=2026-11-19T23%3A00%3A00.000Z'
  const ends = 'To=2026-11-20T23%3A00%3A00.000Z'
  expect(hrefs(await findRow(MONEY, /1,249\.50/))).toEqual([
    `/admin/deposits?status=*&settled${bounds}&settled${ends}`,
    `/admin/withdrawals?status=*&paid${bounds}&paid${ends}`,
  ])
  expect(hrefs(await findRow('New clients', /^Nov 20, 2026 12 3$/))).toEqual([
    '/admin/traders?from=2026-11-19T23%3A00%3A00.000Z&to=2026-11-20T23%3A00%3A00.000Z',
    `/admin/traders?firstDeposit${bounds}&firstDeposit${ends}`,
  ])
  expect(within(await findRow('New clients', /^Nov 21/)).getByText('1,500')).toBeDefined()
})

test('the last chosen day is in the report, although the server’s period ends with the day after', async () => {
  const { server, address } = await open()
  await seen('heading', MONEY)
  expect(screen.getByLabelText('Last day')).toHaveProperty('value', '11/21/2026')
  fireEvent.change(screen.getByLabelText('Last day'), { target: { value: '2026-11-30' } })
  await waitFor(() =>
    expect(server.of('reporting.dashboard').at(-1)?.query).toEqual({ to: '2026-12-01', currency: 'EUR' }),
  )
  expect(address()).toBe('/reports?to=2026-11-30')
})

test('the file of the report has the same days and currency as the page', async () => {
  await open({}, '/reports?from=2026-11-01&to=2026-11-30&currency=USD')
  const link = await seen('link', 'Export CSV')
  const { pathname, searchParams } = new URL(link.getAttribute('href') ?? '', 'http://console.test')
  expect([pathname, Object.fromEntries(searchParams)]).toEqual([
    '/v1/admin/reporting/dashboard',
    { from: '2026-11-01', to: '2026-12-01', currency: 'USD', format: 'csv' },
  ])
})

test.each([
  ['/reports?from=2026-13&to=20', { currency: 'EUR' }],
  ['/reports?from=0202-11-01', { currency: 'EUR' }],
  ['/reports?currency=USD', { currency: 'USD' }],
])('the report ignores a day of the address that is not fully typed: %s', async (at, query) => {
  const { server } = await open({}, at)
  await seen('heading', 'New clients')
  expect(server.of('reporting.dashboard').map((asked) => asked.query)).toEqual([query])
})

test('money without a rate is not in the sums, and is named with its day', async () => {
  const missingRates = Array.from({ length: 7 }, (_, at) => ({
    currency: 'JPY',
    day: `2026-11-0${at + 1}`,
    amount: '120000',
  }))
  await open({
    'reporting.dashboard': overview({ converted: converted({ deposits: null, net: null, missingRates }) }),
  })
  const notice = within(await seen('status', 'Some amounts have no rate into EUR'))
  expect(notice.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(
    [1, 2, 3, 4, 5].map((day) => `Nov ${day}, 2026 · 120,000 JPY`),
  )
  expect(notice.getByText('and 2 more days, all of them in the export.')).toBeDefined()
  expect(screen.getByText('Deposits', { selector: '.tile-label' }).parentElement?.textContent).toBe('Depositsno rate')
})

test('a report that was refused shows why, and “Try again” reads it', async () => {
  const { server } = await open({
    'reporting.dashboard': () => refusal(422, 'invalid', 'At most 1,100 days are reported at once'),
  })
  expect(await screen.findByRole('alert')).toHaveProperty('textContent', expect.stringContaining('At most 1,100 days'))
  server.now({ 'reporting.dashboard': overview() })
  await pressButton('Try again')
  expect(await seen('heading', MONEY)).toBeDefined()
})

test('a firm whose currency cannot be read says so, and does not load for ever', async () => {
  const { server } = await open({ 'tenants.current': refusal(503, 'unavailable', 'The server is busy') })
  expect((await screen.findByRole('alert')).textContent).toContain('The server is busy')
  server.now({ 'tenants.current': firm })
  await pressButton('Try again')
  expect(await seen('heading', MONEY)).toBeDefined()
})
