import { expect, test } from 'bun:test'
import { FilterEditor } from '../../../components/lists/filter-editor.tsx'
import { type Answers, buildPage, onlyDecided } from '../../../testing/answers.ts'
import { position } from '../../../testing/money-samples.ts'
import { fill, keys, press, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { positionFilters } from './position-columns.tsx'
import { PositionList } from './position-list.tsx'

/** Opens the page of positions with these rows; the chart needs a real browser, so it has no data here. */
const open = (...rows: ReturnType<typeof position>[]) => openWith({ 'positions.list': buildPage(...rows) })
const openWith = (given: Answers) => {
  const answers: Answers = {
    ...given,
    'positions.heatmap': { data: [], asOf: '2026-11-20T10:00:00.000Z' },
  }
  return renderPage(<PositionList />, { at: '/positions', route: '/positions', answers })
}

test('the page of positions starts with the open ones, and reads the others on request', async () => {
  const { server } = await open(position())
  await seen('table', 'Positions')
  expect(server.of('positions.list')[0]?.query).toMatchObject({ status: 'open' })
})

test('Enter opens a position, with money in the account’s currency and its signs', async () => {
  await open(position())
  await seen('table', 'Positions')
  await keys('{ArrowDown}{Enter}')
  const drawer = within(await seen('dialog', 'EURUSD, long'))
  expect(drawer.getByText('1,250.5')).toBeDefined()
  expect(
    drawer
      .getByText(/−1,500\.25|-1,500\.25/)
      .closest('[data-sign]')
      ?.getAttribute('data-sign'),
  ).toBe('loss')
  expect(drawer.getByText('Terminal5, Live-1')).toBeDefined()
  expect(drawer.getByRole('link', { name: 'Ana Lima' }).getAttribute('href')).toContain('/traders/trd_1')
})

test('a position shows the lots that were closed, each with its times and result, and those that no longer hold', async () => {
  const closed = position({ status: 'closed', closedAt: '2026-11-20T10:00:00.000Z', closedVolume: '3.00' })
  const closing = (id: string, lots: string, profit: string, isVoid = false) => ({
    id,
    lots,
    openedAt: '2026-11-18T10:00:00.000Z',
    closedAt: '2026-11-20T10:00:00.000Z',
    profit,
    swap: '0.00',
    commission: '0.00',
    spread: null,
    deal: null,
    void: isVoid,
  })
  const closings = [closing('clo_2', '2.00', '-7.00'), closing('pos_1', '1.00', '10.00', true)]
  await openWith({
    'positions.list': buildPage(closed),
    'positions.get': { ...closed, closings, closingsTotal: 201 },
  })
  await seen('table', 'Positions')
  await keys('{ArrowDown}{Enter}')
  const rows = within(await seen('table', 'Closed lots')).getAllByRole('row')
  expect(rows.map(({ textContent }) => textContent?.replaceAll(/\d+ \w+ ago/g, ''))).toEqual([
    expect.stringContaining('Opened – Closed'),
    expect.stringMatching(/^2\.00.*7\.00/),
    expect.stringMatching(/^1\.00No longer holds.*10\.00/),
  ])
  expect(screen.getByText('The newest 2 of 201')).toBeDefined()
})

test('a result of zero is neither a loss nor a gain', async () => {
  await open(position({ profit: '0.00' }))
  const table = await seen('table', 'Positions')
  expect(table.querySelector('.result')?.hasAttribute('data-sign')).toBe(false)
})

test('a position on an account without an owner says so, and links to no client', async () => {
  await open(position({ accountId: null, traderId: null, traderName: null, currency: null }))
  await seen('table', 'Positions')
  await keys('{ArrowDown}{Enter}')
  const drawer = within(await seen('dialog', 'EURUSD, long'))
  expect(drawer.getByText('No account')).toBeDefined()
  expect(drawer.queryByRole('link')).toBeNull()
})

test('heatmap and list say so if no position is open', async () => {
  await open()
  expect(await screen.findByText('Nothing is open')).toBeDefined()
  expect(await screen.findByText('No positions yet')).toBeDefined()
})

test('a list whose positions are all closed says that none is open', async () => {
  await openWith({ 'positions.list': onlyDecided(position({ status: 'closed' })) })
  expect(await screen.findByText('No open positions')).toBeDefined()
})

test('positions are sorted by their result once one currency is chosen', async () => {
  const { router } = await open(position())
  const table = within(await seen('table', 'Positions'))
  expect(table.queryByRole('button', { name: 'Result' })).toBeNull()
  await router.navigate({ to: '/positions', search: { currency: 'EUR' } })
  await press(await seen('button', 'Result'))
  await waitFor(() => expect(router.state.location.search).toEqual({ currency: 'EUR', sort: '-amount' }))
})

test.each([
  ['jpy', 'USDJPY'],
  ['eurusd', 'EURUSD'],
  ['OLD', 'OLD'],
])(
  'the typed symbol “%s” filters by %s: an open symbol in upper or lower case, else the text itself',
  async (typed, found) => {
    const [symbol] = positionFilters(['EURUSD.x', 'EURUSD', 'USDJPY']).filter(({ key }) => key === 'symbol')
    if (!symbol) throw new Error('positions are not filtered by their symbol')
    let done = 0
    const { address } = await renderPage(<FilterEditor filter={symbol} onDone={() => (done += 1)} />, {
      at: '/positions',
      route: '/positions',
    })
    await fill(await seen('textbox', 'Symbol'), typed)
    await keys('{Enter}')
    await waitFor(() => expect(address()).toBe(`/positions?symbol=${found}`))
    expect(done).toBe(1)
  },
)
