import { expect, test } from 'bun:test'
import { renderPage, screen, seen, within } from '../../../testing/render.tsx'
import { EarningsReport } from './earnings-report.tsx'
import { earnings, revenue } from './revenue-samples.ts'

const open = (with_: Parameters<typeof revenue>[0]) =>
  renderPage(<EarningsReport />, {
    at: '/reports?tab=earnings',
    route: '/reports',
    answers: { 'reporting.revenue': revenue(with_) },
  })
const tiles = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent)
const PARTS = [
  { part: 'spread', converted: '400.00' },
  { part: 'commission', converted: '550.00' },
  { part: 'swap', converted: '-20.00' },
  { part: 'conversion', converted: '70.00' },
  { part: 'house', converted: '-3000.00' },
] as const

test('revenue shows what clients were charged, beside the period before; prices and affiliates are apart', async () => {
  const data = [{ part: 'commission', currency: 'USD', amount: '600.00', converted: '550.00' } as const]
  await open({
    total: '150.00',
    net: '850.00',
    earned: earnings('2026-11-01', '2026-12-01', { total: '1000.00', parts: [...PARTS], data, trades: 1200 }),
    earnedBefore: earnings('2026-10-02', '2026-11-01', { total: '800.00', parts: [...PARTS] }),
  })
  const table = await seen('table', 'Revenue by kind and currency')
  expect(
    within(table)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual(['Commissions', 'USD', '600.00', '550.00 '])
  expect(tiles()).toEqual([
    'Charged to clients1,000.00 EURBefore: 800.00 EUR (+25%)',
    'Spread400.00 EURBefore: 400.00 EUR (0%)',
    'Commissions550.00 EURBefore: 550.00 EUR (0%)',
    'Swaps−20.00 EURBefore: −20.00 EUR',
    'Conversion margin70.00 EURBefore: 70.00 EUR (0%)',
    'Lost by clients on prices−3,000.00 EURBefore: −3,000.00 EUR',
    'Affiliate costs150.00 EUR',
    'Charged, less affiliate costs850.00 EUR',
  ])
  expect(screen.getByText(/1,200 closed trades on live accounts/).textContent).toContain('Before: Oct 2 – 31, 2026.')
})

test('trades without a spread or an account, and amounts without a rate, are named', async () => {
  const data = [{ part: 'spread', currency: 'CHF', amount: '6.00', converted: null } as const]
  const missingRates = [{ currency: 'CHF', day: '2026-11-02', amount: '6.00' }]
  const parts = [{ part: 'spread', converted: null } as const]
  await open({
    net: null,
    earned: earnings('2026-11-01', '2026-12-01', {
      total: null,
      parts,
      data,
      trades: 3,
      withoutSpread: 2,
      unlinked: 1,
      missingRates,
    }),
  })
  expect(await screen.findByText(/No spread was reported for 2 trades/)).toBeDefined()
  expect(screen.getByText('One closed trade is of no known account and not in these sums.')).toBeDefined()
  expect(screen.getByText('Nov 2, 2026 · 6.00 CHF')).toBeDefined()
  expect(tiles()).toContain('Charged to clientsno rateBefore: 0.00 EUR')
})

test('a firm that charged nothing is told what will be shown', async () => {
  await open({})
  expect(await screen.findByText('The firm charged nothing in this period')).toBeDefined()
})
