import { expect, test } from 'bun:test'
import { type Answers, refusal } from '../../../testing/answers.ts'
import { blank } from '../../../testing/blank.ts'
import { fill, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { meAs } from '../../../testing/samples.ts'
import type { Backfill, Connection } from './ads.api.ts'
import { Backfills } from './backfills.tsx'

const AT = '2026-01-05T10:00:00.000Z'
const DAY = 86_400_000
const formatDaysAgo = (daysAgo: number): string => {
  const at = new Date(Date.now() - daysAgo * DAY)
  const two = (part: number): string => String(part).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}
const backfill = (with_: Partial<Backfill> = {}): Backfill => ({
  id: 'adb_1',
  connectionId: 'adc_1',
  formId: '8801',
  since: AT,
  status: 'running',
  fetched: 1200,
  created: 900,
  duplicates: 300,
  failed: 0,
  lastError: null,
  nextAttemptAt: null,
  createdAt: AT,
  finishedAt: null,
  ...with_,
})
const connection = (with_: Partial<Connection> = {}): Connection => ({
  ...blank('ads.connections.get'),
  id: 'adc_1',
  platform: 'social',
  name: 'Spring',
  status: 'active',
  testedAt: AT,
  version: 4,
  createdAt: AT,
  updatedAt: AT,
  backfills: [],
  ...with_,
})
const open = (with_: Partial<Connection> = {}, answers: Answers = {}) =>
  renderPage(<Backfills connection={connection(with_)} />, {
    at: '/ads/adc_1',
    route: '/ads/$id',
    role: 'admin',
    answers: { 'auth.me': meAs('admin'), ...answers },
  })
const start = async (form: string, since?: string) => {
  await pressButton('Fetch older leads')
  const dialog = within(await seen('dialog', 'Fetch older leads'))
  await fill(dialog.getByLabelText(/^Form/), form)
  if (since !== undefined) await fill(dialog.getByLabelText(/^Since/), since)
  await press(dialog.getByRole('button', { name: 'Start fetching' }))
  return dialog
}

test('a running fetch of older leads shows its progress', async () => {
  await open({ backfills: [backfill()] })
  expect((await screen.findByRole('listitem')).textContent).toContain('Form 8801 · since Jan 5, 2026')
  expect(screen.getByText(/1,200/)).toBeDefined()
  expect(screen.getByLabelText('Leads are being fetched')).toBeDefined()
  expect(screen.getByText('Fetching')).toBeDefined()
})

test('a fetch of older leads is shown as waiting while its connection does not work', async () => {
  await open({ status: 'error', backfills: [backfill({ nextAttemptAt: AT })] })
  expect(await screen.findByText('Waiting')).toBeDefined()
  expect(screen.queryByLabelText('Leads are being fetched')).toBeNull()
  expect(screen.queryByText(/^Continues/)).toBeNull()
  expect((await seen('button', 'Fetch older leads')).hasAttribute('disabled')).toBe(true)
})

test('a waiting fetch shows why, and when it continues', async () => {
  await open({ backfills: [backfill({ status: 'waiting', lastError: 'Wait a while.', nextAttemptAt: AT })] })
  expect(await screen.findByText('Wait a while.')).toBeDefined()
  expect(screen.getByText(/^Continues/).textContent).toContain('Jan 5, 2026')
})

test('a connection without a fetch of older leads says so', async () => {
  await open()
  expect(await screen.findByText('None were fetched yet.')).toBeDefined()
})

test('older leads of a form are requested from the start of the chosen day', async () => {
  const { server } = await open({}, { 'ads.backfill': backfill() })
  await start(' 8801 ', formatDaysAgo(10))
  expect(await screen.findByText('Fetching has begun.')).toBeDefined()
  expect(server.of('ads.backfill')[0]?.body).toEqual({
    connectionId: 'adc_1',
    formId: '8801',
    since: new Date(`${formatDaysAgo(10)}T00:00`).toISOString(),
  })
})

test('a request from the earliest possible day asks only for leads that the platform still keeps', async () => {
  const { server } = await open({}, { 'ads.backfill': backfill() })
  await start('8801', formatDaysAgo(90))
  await waitFor(() => expect(server.of('ads.backfill')).toHaveLength(1))
  const body: unknown = server.of('ads.backfill')[0]?.body
  const since = Date.parse(String(typeof body === 'object' && body && Reflect.get(body, 'since')))
  expect(since).toBeGreaterThan(Date.now() - 90 * DAY - 60_000)
})

test.each([
  ['', formatDaysAgo(5), 'Enter the number of the form'],
  ['8801', formatDaysAgo(-2), 'Choose a day that has been'],
  ['8801', formatDaysAgo(95), 'The platform keeps leads for 90 days only'],
])('a request for older leads of the form “%s” since %s is not sent', async (form, since, words) => {
  const { server } = await open()
  const dialog = await start(form, since)
  expect((await dialog.findAllByText(words)).length).toBeGreaterThan(0)
  expect(server.of('ads.backfill')).toEqual([])
})

test('a refused fetch stays in the dialog with the typed number', async () => {
  await open({}, { 'ads.backfill': refusal(409, 'too_many_backfills', 'Ten backfills are running.') })
  const dialog = await start('8801')
  expect(await dialog.findByText('Ten backfills are running.')).toBeDefined()
  expect(dialog.getByLabelText(/^Form/)).toHaveProperty('value', '8801')
})
