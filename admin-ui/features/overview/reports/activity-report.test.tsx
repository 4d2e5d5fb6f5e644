import { expect, test } from 'bun:test'
import type { Answers } from '../../../testing/answers.ts'
import { renderPage, screen, seen, within } from '../../../testing/render.tsx'
import { ActivityReport } from './activity-report.tsx'
import type { Activity } from './reports.api.ts'

const EDGES = ['2026-11-18T23:00:00.000Z', '2026-11-19T23:00:00.000Z', '2026-11-20T23:00:00.000Z']
const user = (with_: Partial<Activity['users'][number]> = {}): Activity['users'][number] => ({
  userId: 'usr_marco',
  name: 'Marco Bianchi',
  total: 1503,
  byKey: 0,
  asClient: 2,
  days: [0, 1503],
  actions: [{ action: 'deposit.settle', count: 1501 }],
  ...with_,
})
const activity = (...users: Activity['users']): Activity => ({
  from: '2026-11-19',
  to: '2026-11-21',
  timeZone: 'Europe/Berlin',
  asOf: '2026-11-20T10:00:00.000Z',
  days: ['2026-11-19', '2026-11-20'],
  dayEdges: EDGES,
  users,
})
const open = (answer: Activity) => {
  const answers: Answers = { 'reporting.activity': answer }
  return renderPage(<ActivityReport />, { at: '/reports?tab=activity', route: '/reports', answers })
}
const WEEK = 'What colleagues did in the last seven days'
const findCells = async (table: string): Promise<HTMLElement[]> =>
  within(await seen('table', table)).getAllByRole('cell')
const readSearch = (link: HTMLElement): Record<string, string> =>
  Object.fromEntries(new URL(link.getAttribute('href') ?? '', 'http://console.test').searchParams)

test('a colleague’s actions are counted, and link to the audit log', async () => {
  await open(activity(user()))
  const cells = await findCells(WEEK)
  expect(cells.slice(0, 4).map(({ textContent }) => textContent)).toEqual(['Marco Bianchi', '1,503', '', '2'])
  expect(readSearch(await within(cells[1] ?? document.body).findByRole('link'))).toEqual({
    actorId: 'usr_marco',
    from: EDGES[0] ?? '',
    to: EDGES[2] ?? '',
  })
})

test('a day with actions links to them, from its first moment in the firm’s time zone', async () => {
  await open(activity(user()))
  const [, first, second] = await findCells('Actions by day')
  expect(first?.textContent).toBe('0')
  expect(first && within(first).queryByRole('link')).toBeNull()
  expect(readSearch(await within(second ?? document.body).findByRole('link'))).toEqual({
    actorId: 'usr_marco',
    from: EDGES[1] ?? '',
    to: EDGES[2] ?? '',
  })
})

test('the eight most frequent kinds of actions are shown in words', async () => {
  const actions = Array.from({ length: 9 }, (_, at) => ({ action: `robot.step_${at}`, count: 1000 - at }))
  await open(activity(user({ actions })))
  const words = (await findCells(WEEK)).at(-1)?.textContent?.split(' · ')
  expect(words).toHaveLength(8)
  expect(words?.[0]).toBe('Robot step 0 1,000')
})

test('a colleague without a name is shown by id', async () => {
  await open(activity(user({ name: null })))
  expect((await findCells(WEEK))[0]?.textContent).toBe('usr_marco')
})

test('the report of activity says that nobody did anything in a week', async () => {
  await open(activity())
  expect(await screen.findByText('No actions on these days')).toBeDefined()
  expect((await seen('link', 'Export CSV')).getAttribute('href')).toContain('format=csv')
})
