import { expect, test } from 'bun:test'
import { type Answers, buildPage, refusal } from '../../../testing/answers.ts'
import { press, pressButton, renderPage, screen, seen, waitFor } from '../../../testing/render.tsx'
import type { TimelineEntry } from '../../clients/traders/traders.api.ts'
import { RecordTimeline } from './record-timeline.tsx'

const entry = (with_: Partial<TimelineEntry> = {}): TimelineEntry => ({
  id: 'aud_1',
  at: '2026-01-05T14:30:00.000Z',
  action: 'deposit.settle',
  entity: 'deposit',
  entityId: 'dep_1',
  group: 'money',
  actorKind: 'user',
  actorId: 'usr_1',
  actorName: 'Ingrid Solheim',
  record: { entity: 'deposit', id: 'dep_1', name: null, reference: null, amount: '1914.66', currency: 'EUR' },
  before: null,
  after: null,
  names: {},
  ...with_,
})
const created = entry({
  id: 'aud_0',
  at: '2026-01-04T09:00:00.000Z',
  action: 'deposit.create',
  actorKind: 'api_key',
  actorName: 'Website',
  after: { note: 'By wire' },
})
const open = (answers: Answers = {}, at = '/traders/trd_1', entityId?: string) =>
  renderPage(<RecordTimeline traderId="trd_1" {...(entityId && { entityId })} />, {
    at,
    route: '/traders/$id',
    answers: { 'traders.timeline': buildPage(entry(), created), ...answers },
  })

test('a timeline is grouped by day, with the colleague, a link to the record and the note', async () => {
  await open()
  const [settled, begun] = await screen.findAllByRole('listitem')
  expect(settled?.textContent).toContain('Deposit of 1,914.66 EUR settled · Ingrid Solheim')
  expect(begun?.textContent).toContain('Deposit of 1,914.66 EUR created')
  expect(begun?.textContent).toContain('By wire')
  expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'Jan 5, 2026',
    'Jan 4, 2026',
  ])
  const [link] = screen.getAllByRole('link', { name: 'Deposit of 1,914.66 EUR' })
  expect(link?.getAttribute('href')).toBe('/admin/deposits/dep_1')
})

test('the filter of a timeline by kind is in the address, and can be cleared', async () => {
  const { server, address } = await open()
  await press(await seen('radio', 'Money'))
  await waitFor(() => expect(server.of('traders.timeline').at(-1)?.query.group).toBe('money'))
  expect(address()).toBe('/traders/trd_1?group=money')
  await press(await seen('radio', 'All'))
  await waitFor(() => expect(address()).toBe('/traders/trd_1'))
})

test('an unknown kind in the address does not filter the timeline', async () => {
  const { server } = await open({}, '/traders/trd_1?group=nonsense')
  await screen.findAllByRole('listitem')
  expect(server.of('traders.timeline').map(({ query }) => query.group)).toEqual([undefined])
})

test('the timeline of one record has no filter by kind', async () => {
  const { server } = await open({}, '/traders/trd_1?group=money', 'dep_1')
  await screen.findAllByRole('listitem')
  expect(server.of('traders.timeline')[0]?.query).toMatchObject({ entityId: 'dep_1' })
  expect(server.of('traders.timeline')[0]?.query.group).toBeUndefined()
  expect(screen.queryByRole('radio')).toBeNull()
})

test.each([
  ['/traders/trd_1', 'Nothing has happened yet'],
  ['/traders/trd_1?group=support', 'Nothing of this kind has happened yet'],
])('an empty timeline at %s shows “%s”', async (at, words) => {
  await open({ 'traders.timeline': buildPage() }, at)
  expect(await screen.findByText(words)).toBeDefined()
})

test('“Try again” reads a timeline that could not be read', async () => {
  const { server } = await open({ 'traders.timeline': refusal(422, 'broken', 'The log cannot be read.') })
  await seen('button', 'Try again')
  server.now({ 'traders.timeline': buildPage(entry()) })
  await pressButton('Try again')
  expect(await screen.findByText(/Ingrid Solheim/)).toBeDefined()
})

test('older entries of a timeline are added below; if they cannot be read, the present ones stay', async () => {
  let fails = true
  await open({
    'traders.timeline': ({ query }) => {
      if (!query.cursor) return { data: [entry()], nextCursor: 'older' }
      return fails ? refusal(422, 'broken', 'The older ones cannot be read.') : buildPage(created)
    },
  })
  await pressButton('Load more')
  expect(await screen.findByText('The older ones cannot be read.')).toBeDefined()
  expect(screen.getByText(/settled/)).toBeDefined()
  fails = false
  await pressButton('Load more')
  expect(await screen.findByText('By wire')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
})
