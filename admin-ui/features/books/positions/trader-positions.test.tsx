import { expect, test } from 'bun:test'
import { buildPage } from '../../../testing/answers.ts'
import { PHONE } from '../../../testing/dom.ts'
import { position } from '../../../testing/money-samples.ts'
import { press, renderPage, screen, seen, within } from '../../../testing/render.tsx'
import { trader } from '../../../testing/samples.ts'
import type { Position } from './positions.api.ts'
import { positionsTab } from './trader-positions.tsx'

const AT = '2026-01-05T10:00:05.000Z'
const open = (rows: Position[], width?: number) =>
  renderPage(positionsTab.panel(trader()), {
    at: '/traders/trd_1?tab=positions',
    route: '/traders/$id',
    ...(width !== undefined && { width }),
    answers: { 'positions.list': buildPage(...rows) },
  })
const opened = async (with_: Partial<Position> = {}) => {
  await open([position(with_)])
  await press(within(await seen('table', 'Positions')).getByText('EURUSD'))
  const drawer = within(await seen('dialog', /^EURUSD/))
  return (label: string) => drawer.queryByText(label, { selector: 'dt' })?.nextElementSibling?.textContent
}

test('open and closed positions of a client are listed together and marked', async () => {
  const { server } = await open([
    position(),
    position({ id: 'pos_2', symbol: 'XAUUSD', status: 'closed', closedAt: AT }),
  ])
  const table = within(await seen('table', 'Positions'))
  expect(table.getByText('Open')).toBeDefined()
  expect(table.getByText('Closed')).toBeDefined()
  expect(server.of('positions.list')[0]?.query).toMatchObject({ traderId: 'trd_1' })
  expect(server.of('positions.list')[0]?.query.status).toBeUndefined()
})

test('a closed position shows when it was closed and when the platform last reported it', async () => {
  const findFact = await opened({ status: 'closed', closedAt: AT, updatedAt: AT })
  expect(findFact('Closed')).toStartWith('Jan 5, 2026')
  expect(findFact('Last report')).toMatch(/Jan 5.*:05/)
})

test('an open position has no closing time', async () => {
  const findFact = await opened()
  expect(findFact('Closed')).toBeUndefined()
})

test.each([
  ['Lots', { volume: '12345.10' }, '12,345.10'],
  ['Open price', { openPrice: '65432.1' }, '65,432.1'],
  ['Swap', { swap: '-3.10' }, '−3.10 USD'],
  ['Commission', { commission: '1200.00', currency: 'JPY' }, '1,200.00 JPY'],
  ['Ticket', { ticket: '880001' }, '880001'],
  ['Account', { accountId: null, accountNumber: '42' }, '42 No account'],
] satisfies [string, Partial<Position>, string][])(
  'the position’s %s is shown with all digits: %j',
  async (label, with_, words) => {
    const findFact = await opened(with_)
    expect(findFact(label)).toBe(words)
  },
)

test('the page says that a client has not traded', async () => {
  await open([])
  expect(await screen.findByText('No positions yet')).toBeDefined()
})

test('a phone shows a position’s volume and result', async () => {
  await open([position()], PHONE)
  const [card] = within(await seen('list', 'Positions')).getAllByRole('listitem')
  for (const words of ['EURUSD', 'Ana Lima', '−1,500.25']) expect(card?.textContent).toContain(words)
  expect(card?.textContent).not.toContain('1.0845')
})
