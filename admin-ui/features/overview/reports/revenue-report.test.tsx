import { expect, test } from 'bun:test'
import { type Answers, refusal } from '../../../testing/answers.ts'
import { press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { ReportsPage } from './reports-page.tsx'
import { RevenueReport } from './revenue-report.tsx'
import { revenue } from './revenue-samples.ts'

const open = (answers: Answers = {}, at = '/reports?tab=revenue') =>
  renderPage(<RevenueReport />, { at, route: '/reports', answers: { 'reporting.revenue': revenue(), ...answers } })
const findRows = async (table: string): Promise<(string | null)[][]> =>
  within(await seen('table', table))
    .getAllByRole('row')
    .slice(1)
    .map((one) => within(one).getAllByRole('cell'))
    .map((cells) => cells.map(({ textContent }) => textContent?.trim() ?? null))

test('the total cost of affiliates comes first, then each source with an amount', async () => {
  await open()
  await seen('table', 'Affiliate costs by source')
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Total cost1,320.50 EUR',
    'Trades1,300.00 EURone line',
    'Overrides20.50 EUR12 lines',
  ])
})

test('each source of affiliate costs is listed by its currency, and by day', async () => {
  await open()
  expect(await findRows('Affiliate costs by source')).toEqual([
    ['Trades', 'USD', '1', '1,410.00', '1,300.00'],
    ['Overrides', 'JPY', '12,000', '3,000', 'no rate'],
  ])
  expect(await findRows('Affiliate costs by day')).toEqual([['Nov 2, 2026', 'Trades', '1,300.00']])
})

test('another currency of the costs is read, and stays in the address', async () => {
  const { server, address } = await open()
  const field = await seen('combobox', 'In currency')
  await waitFor(() => expect(field).toHaveProperty('value', 'EUR'))
  await press(field)
  await press(await seen('option', 'GBP'))
  await waitFor(() => expect(server.of('reporting.revenue').at(-1)?.query).toEqual({ currency: 'GBP' }))
  expect(address()).toBe('/reports?tab=revenue&currency=GBP')
})

test('the report of affiliate costs says when there will be commissions in an empty period', async () => {
  await open({ 'reporting.revenue': revenue({ total: '0.00', sources: [], data: [], days: [] }) })
  expect(await screen.findByText('No affiliate costs in this period')).toBeDefined()
  expect(screen.getByText('What affiliates earn appears here once a run that found it is closed.')).toBeDefined()
})

test('a report of affiliate costs that cannot be read shows why, and “Try again” reads the same days', async () => {
  const { server } = await open(
    { 'reporting.revenue': () => refusal(422, 'too_long', 'The report took too long.') },
    '/reports?tab=revenue&from=2020-01-01',
  )
  expect((await screen.findByRole('alert')).textContent).toContain('The report took too long.')
  expect(screen.getByLabelText('First day')).toHaveProperty('value', '01/01/2020')
  server.now({ 'reporting.revenue': revenue() })
  await pressButton('Try again')
  expect(await seen('table', 'Affiliate costs by day')).toBeDefined()
  expect(server.of('reporting.revenue').at(-1)?.query).toEqual({ from: '2020-01-01' })
})

test('the tab “Affiliate costs” opens at the address that it had before', async () => {
  await renderPage(<ReportsPage />, {
    at: '/reports?tab=revenue',
    route: '/reports',
    answers: { 'reporting.revenue': revenue() },
  })
  expect((await seen('tab', 'Affiliate costs')).getAttribute('aria-selected')).toBe('true')
  expect(screen.getByRole('tab', { name: 'Revenue' }).getAttribute('aria-selected')).toBe('false')
  expect(await seen('table', 'Affiliate costs by source')).toBeDefined()
})
