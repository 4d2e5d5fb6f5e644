import { expect, test } from 'bun:test'
import type { Role } from '../../../lib/api/session.ts'
import { type Answers, buildPage, refusal } from '../../../testing/answers.ts'
import { fill, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import type { Run } from './affiliates.api.ts'
import { runDays } from './run-drawer.tsx'
import { RunForm } from './run-form.tsx'
import { RunList } from './run-list.tsx'

const affiliate = (id: string, name: string) => ({
  id,
  name,
  traderId: null,
  code: name.toUpperCase(),
  parentId: null,
  planId: null,
  status: 'active' as const,
  version: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  clients: 0,
  balances: [],
})
const total = (affiliateId: string, amount: string, currency = 'EUR') => ({ affiliateId, currency, amount, lines: 1 })
const run = (with_: Partial<Run> = {}): Run => ({
  id: 'run_2',
  from: '2026-10-01',
  to: '2026-11-01',
  dryRun: true,
  status: 'done',
  sources: 12000,
  lines: 4,
  corrections: 0,
  skipped: {},
  missingRates: [],
  totals: [],
  lastError: null,
  askedBy: 'usr_me',
  createdAt: '2026-11-02T10:00:00.000Z',
  closedAt: null,
  ...with_,
})
const closed = run({
  id: 'run_1',
  from: '2026-09-01',
  to: '2026-10-01',
  dryRun: false,
  status: 'closed',
  createdAt: '2026-10-02T10:00:00.000Z',
  totals: [total('aff_1', '100.00'), total('aff_3', '7.50')],
})
const open = async (runs: Run[], answers: Answers = {}, role: Role = 'admin') => {
  const drawn = await renderPage(<RunList />, {
    at: '/affiliates?tab=runs',
    route: '/affiliates',
    role,
    answers: {
      'commissions.runs.list': buildPage(...runs),
      'affiliates.list': buildPage(affiliate('aff_1', 'North'), affiliate('aff_2', 'West'), affiliate('aff_3', 'East')),
      ...answers,
    },
  })
  await press(await screen.findByText(runDays(runs[0] ?? run())))
  return { ...drawn, drawer: within(await seen('dialog', 'Run')) }
}
const totals = async (): Promise<(string | null)[][]> => {
  await screen.findByText('North')
  const rows = within(await seen('table', 'By affiliate'))
    .getAllByRole('row')
    .slice(1)
  return rows.map((row) => within(row).getAllByRole('cell')).map((cells) => cells.map((cell) => cell.textContent))
}

test.each([
  ['2026-10-01', '2026-11-01', 'Oct 1 – 31, 2026'],
  ['2026-12-30', '2027-01-03', 'Dec 30, 2026 – Jan 2, 2027'],
  ['2026-02-28', '2026-03-01', 'Feb 28, 2026'],
])('a run from %s to before %s is shown as %s', (from, to, words) => {
  // The range has thin spaces around its dash.
  expect(runDays(run({ from, to })).replace(/\s/g, ' ')).toBe(words)
})

test('each affiliate’s amount is shown beside that of the last closed run, even if it is zero now', async () => {
  await open([run({ totals: [total('aff_1', '250.25'), total('aff_2', '30.00')] }), closed])
  expect(await totals()).toEqual([
    ['North', '250.25 EUR', '100.00 EUR', '150.25 EUR'],
    ['West', '30.00 EUR', '0.00 EUR', '30.00 EUR'],
    ['East', '0.00 EUR', '7.50 EUR', '−7.50 EUR'],
  ])
})

test('the first run is compared with no other', async () => {
  await open([run({ totals: [total('aff_1', '250.25')] })])
  expect(await totals()).toEqual([['North', '250.25 EUR']])
})

test('trades without commission are shown by their reason, and a new reason by its code', async () => {
  const { drawer } = await open([run({ skipped: { demo: 1, too_short: 1200, moon: 3 } })])
  expect(await drawer.findByText('1 trade on a demo account')).toBeDefined()
  expect(drawer.getByText('1,200 trades held for less than three minutes')).toBeDefined()
  expect(drawer.getByText('moon: 3')).toBeDefined()
  expect(drawer.getByText('Nobody gets anything new.')).toBeDefined()
})

test.each([
  ['admin', true],
  ['manager', false],
] as const)('missing rates are named by day; a %s may enter them: %s', async (role, mayEnter) => {
  const missingRates = [
    { currency: 'JPY', day: '2026-10-03' },
    { currency: 'GBP', day: '2026-10-04' },
  ]
  const { drawer } = await open([run({ status: 'failed', missingRates, lastError: 'It waits for rates.' })], {}, role)
  expect(await drawer.findByText(/JPY, Oct 3, 2026; GBP, Oct 4, 2026\./)).toBeDefined()
  expect(drawer.getByText('It waits for rates.')).toBeDefined()
  const link = drawer.queryByRole('link', { name: 'Enter rates for these days' })
  expect(link?.getAttribute('href') ?? null).toBe(mayEnter ? '/admin/rates' : null)
})

test('a dry run is followed by a real run over the same days', async () => {
  const { server } = await open([run()], { 'commissions.runs.create': run({ id: 'run_3', dryRun: false }) })
  await pressButton('Compute it in earnest')
  const form = within(await seen('dialog', 'Compute commissions'))
  expect(form.getByRole('checkbox', { name: 'Dry run' })).toHaveProperty('checked', false)
  await press(form.getByRole('button', { name: 'Start' }))
  await waitFor(() => expect(screen.queryAllByRole('dialog')).toEqual([]))
  expect(server.of('commissions.runs.create').map(({ body }) => body)).toEqual([
    { from: '2026-10-01', to: '2026-11-01', dryRun: false },
  ])
})

test.each([
  [run({ status: 'closed', dryRun: false }), 'admin'],
  [run(), 'manager'],
] as const)('a closed run, or one of a reader who may not compute it, offers no real run', async (shown, role) => {
  const { drawer } = await open([shown], {}, role)
  await drawer.findByText('12,000')
  expect(drawer.queryAllByRole('button', { name: 'Compute it in earnest' })).toEqual([])
})

test('a run that computes is read again until it has ended', async () => {
  const { server, drawer } = await open([run({ status: 'computing', sources: 1 })])
  server.now({ 'commissions.runs.list': buildPage(run({ sources: 99 })) })
  expect(await drawer.findByText('99')).toBeDefined()
})

const openForm = (answers: Answers = {}) => {
  const heard: string[] = []
  return renderPage(<RunForm onClose={() => void heard.push('closed')} />, { role: 'admin', answers }).then(
    (drawn) => ({
      ...drawn,
      heard,
    }),
  )
}

test('a new run is a dry one of the last month, its last day included', async () => {
  const { server, heard } = await openForm({ 'commissions.runs.create': run() })
  const now = new Date()
  const month = (by: number): string =>
    new Date(Date.UTC(now.getFullYear(), now.getMonth() + by, 1)).toISOString().slice(0, 10)
  await pressButton('Start')
  await waitFor(() => expect(heard).toEqual(['closed']))
  expect(server.of('commissions.runs.create')[0]?.body).toEqual({ from: month(-1), to: month(0), dryRun: true })
})

test('a commission run needs both days, and a period that has not ended is refused at its field', async () => {
  const { server } = await openForm({
    'commissions.runs.create': refusal(422, 'invalid', 'No', [{ path: 'to', message: 'must be over' }]),
  })
  await fill(await screen.findByLabelText(/^First day/), '')
  await pressButton('Start')
  expect(await screen.findByText('Enter a day')).toBeDefined()
  expect(server.of('commissions.runs.create')).toEqual([])
  await fill(await screen.findByLabelText(/^First day/), '2026-10-01')
  await pressButton('Start')
  expect(await screen.findByText('Must be over')).toBeDefined()
})
