import { expect, test } from 'bun:test'
import { type Answers, refusal } from '../../../testing/answers.ts'
import { act, keys, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { CohortsReport } from './cohorts-report.tsx'
import type { Cohorts } from './reports.api.ts'

type Months = Cohorts['cohorts'][number]['months']
const cohort = (month: string, traders: number, months: Months): Cohorts['cohorts'][number] => ({
  month,
  traders,
  months,
  startsAt: `${month}-01T00:00:00.000Z`,
  endsAt: `${month}-28T00:00:00.000Z`,
})
const cohorts = (of?: Cohorts['cohorts']): Cohorts => ({
  from: '2026-09-01',
  to: '2026-12-01',
  timeZone: 'UTC',
  asOf: '2026-11-20T10:00:00.000Z',
  monthEdges: ['2026-09-01', '2026-10-01', '2026-11-01'].map((day) => `${day}T00:00:00.000Z`),
  cohorts: of ?? [
    cohort('2026-09', 1200, [
      { since: 0, month: '2026-09', withFirstDeposit: 300, depositing: 300 },
      { since: 1, month: '2026-10', withFirstDeposit: 600, depositing: 12 },
    ]),
    cohort('2026-10', 4, [{ since: 0, month: '2026-10', withFirstDeposit: 1, depositing: 1 }]),
  ],
})
const open = (answers: Answers = {}) =>
  renderPage(<CohortsReport />, {
    at: '/reports?tab=cohorts',
    route: '/reports',
    answers: { 'reporting.cohorts': cohorts(), ...answers },
  })
const cell = (name: string): Promise<HTMLElement> => seen('link', name)
const FIRST = '25%, Sep 2026: 300 of the 1,200 clients of Sep 2026'
const SECOND = '50%, Oct 2026: 600 of the 1,200 clients of Sep 2026'
const BELOW = '25%, Oct 2026: 1 of the 4 clients of Oct 2026'

const search = (link: HTMLElement): Record<string, string> =>
  Object.fromEntries(new URL(link.getAttribute('href') ?? '', 'http://console.test').searchParams)
const SEPTEMBER = { from: '2026-09-01T00:00:00.000Z', to: '2026-09-28T00:00:00.000Z' }

test('a cell of cohorts shows how many of a month’s clients it counts, and links to exactly these', async () => {
  await open()
  expect((await cell(SECOND)).textContent).toBe('50%')
  expect(search(await cell(FIRST))).toEqual({ ...SEPTEMBER, firstDepositTo: '2026-10-01T00:00:00.000Z' })
  expect(search(await cell(SECOND))).toEqual({ ...SEPTEMBER, firstDepositTo: '2026-11-01T00:00:00.000Z' })
  expect(search(await cell(BELOW))).toMatchObject({ firstDepositTo: '2026-11-01T00:00:00.000Z' })
  expect(search(await seen('link', '1,200'))).toEqual(SEPTEMBER)
})

test('the cells of cohorts show who deposited in that month, on request', async () => {
  await open()
  await cell(SECOND)
  await press(await seen('radio', 'Deposited in the month'))
  expect(search(await cell('1%, Oct 2026: 12 of the 1,200 clients of Sep 2026'))).toEqual({
    ...SEPTEMBER,
    depositedFrom: '2026-10-01T00:00:00.000Z',
    depositedTo: '2026-11-01T00:00:00.000Z',
  })
  // a deposit from before its client was entered counts in the first month
  expect(search(await cell(FIRST))).toEqual({ ...SEPTEMBER, firstDepositTo: '2026-10-01T00:00:00.000Z' })
  expect(screen.getByText(/^Each cell: how many of the clients of a month made a deposit/)).toBeDefined()
})

test.each([
  ['{ArrowRight}', SECOND],
  ['{ArrowRight}{ArrowRight}', SECOND],
  ['{End}{Home}', FIRST],
  ['{ArrowRight}{ArrowDown}', BELOW],
  ['{ArrowDown}{ArrowUp}', FIRST],
])('the keys %s move the focus from the first cell of cohorts, and stop at the end of a row', async (pressed, name) => {
  await open()
  const first = await cell(FIRST)
  act(() => first.focus())
  await keys(pressed)
  expect(document.activeElement?.getAttribute('aria-label')).toBe(name)
  expect(document.activeElement?.getAttribute('tabindex')).toBe('0')
  expect(document.querySelectorAll('[data-cell][tabindex="0"]')).toHaveLength(1)
})

test('a month of cohorts without new clients has no link and no shares', async () => {
  const nobody = cohort('2026-10', 0, [{ since: 0, month: '2026-10', withFirstDeposit: 0, depositing: 0 }])
  await open({ 'reporting.cohorts': cohorts([...cohorts().cohorts.slice(0, 1), nobody]) })
  const row = within(await seen('row', /^Oct 2026/))
  expect(row.getByText('0')).toBeDefined()
  expect(row.queryByRole('link')).toBeNull()
})

test('the report of cohorts says that nobody registered in a period', async () => {
  await open({ 'reporting.cohorts': cohorts([cohort('2026-10', 0, [])]) })
  expect(await screen.findByText('Nobody registered in these months')).toBeDefined()
})

test('“Try again” reads a report of cohorts that could not be read', async () => {
  const { server } = await open({ 'reporting.cohorts': () => refusal(422, 'invalid', 'At most ten years.') })
  expect((await screen.findByRole('alert')).textContent).toContain('At most ten years.')
  server.now({ 'reporting.cohorts': cohorts() })
  await pressButton('Try again')
  await waitFor(async () => expect(await cell(FIRST)).toBeDefined())
})
