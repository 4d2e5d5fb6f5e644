import { expect, test } from 'bun:test'
import { press, renderPage, screen, waitFor, within } from '../../../testing/render.tsx'
import { HeatmapChart } from './heatmap-chart.tsx'
import type { Heatmap } from './positions.api.ts'

type Row = Heatmap['data'][number]
const row = (symbol: string, with_: Partial<Row> = {}): Row => ({
  symbol,
  long: '1250.5',
  short: '12000',
  net: '-10749.5',
  positions: 1200,
  traders: 3,
  ...with_,
})
const open = async (...rows: Row[]) => {
  const drawn = await renderPage(<HeatmapChart symbols={rows} />, { at: '/positions', route: '/positions' })
  return { ...drawn, table: within(await screen.findByLabelText('Open volume by symbol')) }
}

test('the bars of the heatmap are also listed as figures with all of their digits', async () => {
  const { table } = await open(row('EURUSD'))
  expect(table.getAllByRole('cell', { hidden: true }).map(({ textContent }) => textContent)).toEqual([
    'EURUSD',
    '1,250.5',
    '12,000',
    '−10,749.5',
    '1,200',
    '3',
  ])
})

test('a figure of the heatmap links to its positions', async () => {
  const { table, address } = await open(row('EURUSD'))
  await press(table.getByText('12,000'))
  await waitFor(() => expect(address()).toBe('/positions?symbol=EURUSD&side=short'))
  await press(table.getByText('EURUSD'))
  await waitFor(() => expect(address()).toBe('/positions?symbol=EURUSD'))
})

test('symbols without a bar are listed among the figures, with their number', async () => {
  const { table } = await open(...Array.from({ length: 20 }, (_, at) => row(`SYM${at}`, { long: String(at) })))
  expect(screen.getByText('In figures (20 symbols)')).toBeDefined()
  expect(table.getAllByRole('row', { hidden: true })).toHaveLength(21)
})
