import { expect, test } from 'bun:test'
import { type Answers, refusal } from '../../../testing/answers.ts'
import { press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import type { TaxPage, TaxRow } from './reports.api.ts'
import { TaxReport } from './tax-report.tsx'

const row = (with_: Partial<TaxRow> = {}): TaxRow => ({
  traderId: 'trd_1',
  name: 'Ana Lima',
  country: 'PT',
  currency: 'USD',
  opening: '0.00',
  deposits: '1500.00',
  withdrawals: '-250.00',
  transfersIn: '0.00',
  transfersOut: '0.00',
  converted: '0.00',
  adjustments: '0.00',
  commissions: '0.00',
  merged: '0.00',
  closing: '1250.00',
  missingRates: [],
  depositsConverted: '1380.00',
  withdrawalsConverted: '-230.00',
  ...with_,
})
const page = (data: TaxRow[], with_: Partial<TaxPage> = {}): TaxPage => ({
  from: '2026-01-01',
  to: '2027-01-01',
  timeZone: 'UTC',
  asOf: '2026-11-20T10:00:00.000Z',
  currency: 'EUR',
  data,
  nextCursor: null,
  missingRates: [],
  ...with_,
})
const open = (answers: Answers, at = '/reports?tab=tax') =>
  renderPage(<TaxReport />, { at, route: '/reports', answers })
const rowsSeen = async (): Promise<(string | null)[][]> =>
  within(await seen('table', 'Movements by client and currency'))
    .getAllByRole('row')
    .slice(1)
    .map((one) => within(one).getAllByRole('cell'))
    .map((cells) => cells.map(({ textContent }) => textContent?.trim() ?? null))

test('a client’s movements are shown as in the books, without zeros', async () => {
  await open({ 'reporting.tax': page([row()]) })
  const nothing = Array.from({ length: 6 }, () => '–')
  expect(await rowsSeen()).toEqual([
    ['Ana Lima', 'USD', '–', '1,500.00', '−250.00', ...nothing, '1,250.00', '1,380.00', '−230.00'],
  ])
  expect((await seen('link', 'Ana Lima')).getAttribute('href')).toBe('/admin/traders/trd_1')
  expect(screen.getByRole('columnheader', { name: 'Deposits in EUR' })).toBeDefined()
})

test('a tax report shows an erased client without a name, and says where a rate is missing', async () => {
  await open({ 'reporting.tax': page([row({ name: null, depositsConverted: null })]) })
  const [cells] = await rowsSeen()
  expect(cells?.[0]).toBe('Deleted client')
  expect(cells?.at(-2)).toBe('no rate')
})

test('further clients of a tax report are added below, and a missing rate of both pages is shown once', async () => {
  const missing = (amount: string) => [{ currency: 'JPY', day: '2026-03-01', amount }]
  const { server } = await open({
    'reporting.tax': ({ query: { cursor } }) =>
      cursor === 'c2'
        ? page([row({ traderId: 'trd_2', name: 'Bo Ek' })], { missingRates: missing('500') })
        : page([row()], { nextCursor: 'c2', missingRates: missing('1000'), total: 2 }),
  })
  expect((await screen.findByText(/Days in the time zone UTC/)).textContent).toEndWith(' · 2 rows')
  expect(screen.getByText('1 of 2')).toBeDefined()
  await pressButton('Load more')
  await seen('link', 'Bo Ek')
  expect((await rowsSeen()).map(([name]) => name)).toEqual(['Ana Lima', 'Bo Ek'])
  expect(server.of('reporting.tax').map(({ query }) => query)).toEqual([
    { limit: '50', count: 'true' },
    { limit: '50', cursor: 'c2' },
  ])
  const notice = within(await seen('status', 'Some amounts have no rate into EUR'))
  expect(notice.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['Mar 1, 2026 · 1,500 JPY'])
})

test('the clients of a tax report stay when the next ones cannot be read', async () => {
  const { server } = await open({ 'reporting.tax': page([row()], { nextCursor: 'c2' }) })
  const more = await seen('button', 'Load more')
  server.now({ 'reporting.tax': refusal(422, 'too_long', 'Ask for a shorter period.') })
  await press(more)
  expect((await screen.findByRole('alert')).textContent).toBe('Ask for a shorter period.')
  expect((await rowsSeen()).map(([name]) => name)).toEqual(['Ana Lima'])
})

test('a tax report without money says so, and its file is of the same period', async () => {
  await open({ 'reporting.tax': page([]) }, '/reports?tab=tax&from=2025-01-01&to=2025-12-31')
  expect(await screen.findByText('No client had money in this period')).toBeDefined()
  const address = new URL((await seen('link', 'Export CSV')).getAttribute('href') ?? '', 'http://console.test')
  expect(Object.fromEntries(address.searchParams)).toEqual({ from: '2025-01-01', to: '2026-01-01', format: 'csv' })
})

test('“Try again” reads a tax report that could not be read', async () => {
  const { server } = await open({ 'reporting.tax': () => refusal(422, 'too_long', 'The report took too long.') })
  expect((await screen.findByRole('alert')).textContent).toContain('The report took too long.')
  server.now({ 'reporting.tax': page([row()]) })
  await pressButton('Try again')
  await waitFor(async () => expect(await rowsSeen()).toHaveLength(1))
})
