import { Table } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import {
  Bar,
  BarChart,
  CartesianGrid,
  Legend,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'
import type { SearchParams } from '../../../lib/lists/search-params.ts'
import { formatCount, groupDigits } from '../../../lib/text/format.ts'
import type { Heatmap, Position } from './positions.api.ts'
import { say } from './words.ts'

type SymbolRow = Heatmap['data'][number]
const SHOWN = 14
const MARGIN = { top: 0, right: 8, bottom: 0, left: 0 }

/** Builds the search for the open positions that a bar sums up. */
const held = (symbol: string, side?: Position['side']): SearchParams => ({ symbol, ...(side && { side }) })

const size = ({ long, short }: SymbolRow): number => Number(long) + Number(short)

/** Shows bars by symbol, long to the right and short to the left, and a table for readers who cannot see the bars. */
export const HeatmapChart = ({ symbols }: { symbols: readonly SymbolRow[] }) => {
  // The largest symbols are sorted by name, so that bars do not change places when amounts change.
  const rows = [...symbols]
    .sort((a, b) => size(b) - size(a))
    .slice(0, SHOWN)
    .sort((a, b) => (a.symbol < b.symbol ? -1 : 1))
  const isPart = symbols.length > rows.length
  return (
    <>
      <Bars rows={rows} />
      <details className="figures">
        <summary>
          {isPart ? say('positions.figures.title_count', { count: symbols.length }) : say('positions.figures.title')}
        </summary>
        <Table.ScrollContainer minWidth={420}>
          <Table aria-label={say('positions.figures.label')} verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{say('positions.symbol')}</Table.Th>
                {[
                  say('positions.long'),
                  say('positions.short'),
                  say('positions.net'),
                  say('positions.positions'),
                  say('common.clients'),
                ].map((title) => (
                  <Table.Th key={title} ta="right">
                    {title}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {symbols.map((row) => (
                <SymbolFigures key={row.symbol} row={row} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </details>
    </>
  )
}

const BAR = { stackId: 'lots', maxBarSize: 18, isAnimationActive: false, cursor: 'pointer' } as const

const SIDES = [
  ['short', say('positions.short')],
  ['long', say('positions.long')],
] as const

/** Draws the bars of some symbols; each opens the positions that it sums up. */
const Bars = ({ rows }: { rows: readonly SymbolRow[] }) => {
  const navigate = useNavigate()
  const bars = rows.map(({ symbol, long, short }) => ({ symbol, long: Number(long), short: -Number(short) }))
  const exact = new Map(rows.map((row) => [row.symbol, row]))
  const formatLots = (side: unknown, symbol: unknown): string => {
    const row = exact.get(String(symbol))
    return say('positions.lots', { lots: groupDigits((side === 'long' ? row?.long : row?.short) ?? '0') })
  }
  const open = (index: number, side: Position['side']): void => {
    const symbol = rows[index]?.symbol
    // The list of positions is below, on the same page.
    if (symbol) void navigate({ to: '/positions', search: held(symbol, side) })
  }
  return (
    <div aria-hidden className="heatmap">
      <ResponsiveContainer width="100%" height={Math.max(140, rows.length * 30 + 60)}>
        <BarChart accessibilityLayer={false} data={bars} layout="vertical" stackOffset="sign" margin={MARGIN}>
          <CartesianGrid horizontal={false} stroke="var(--line-soft)" />
          <XAxis
            type="number"
            tick={{ fontSize: 12, fill: 'var(--mantine-color-dimmed)' }}
            tickFormatter={(lots: number) => formatCount(Math.abs(lots))}
            stroke="var(--line)"
          />
          <YAxis
            type="category"
            dataKey="symbol"
            width={78}
            tick={{ fontSize: 12, fill: 'var(--mantine-color-text)' }}
            stroke="var(--line)"
          />
          <Tooltip
            cursor={{ fill: 'var(--line-soft)' }}
            contentStyle={{ background: 'var(--page-bg)', border: '1px solid var(--line)', borderRadius: 7 }}
            formatter={(_lots, _name, item) => formatLots(item.dataKey, Object(item.payload).symbol)}
          />
          <Legend wrapperStyle={{ fontSize: 12 }} itemSorter={null} />
          <ReferenceLine x={0} stroke="var(--line)" />
          {SIDES.map(([side, name]) => (
            <Bar
              key={side}
              {...BAR}
              dataKey={side}
              name={name}
              fill={`var(--${side})`}
              onClick={(_, index: number) => open(index, side)}
            />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </div>
  )
}

const SymbolFigures = ({ row }: { row: SymbolRow }) => {
  const { symbol, long, short, net, positions, traders } = row
  const link = (text: string, side?: Position['side']) => (
    <Link to="/positions" search={held(symbol, side)} className="text-link">
      {text}
    </Link>
  )
  return (
    <Table.Tr>
      <Table.Td>{link(symbol)}</Table.Td>
      <Table.Td ta="right" className="money">
        {link(groupDigits(long), 'long')}
      </Table.Td>
      <Table.Td ta="right" className="money">
        {link(groupDigits(short), 'short')}
      </Table.Td>
      <Table.Td ta="right" className="money">
        {groupDigits(net)}
      </Table.Td>
      <Table.Td ta="right">{formatCount(positions)}</Table.Td>
      <Table.Td ta="right">{formatCount(traders)}</Table.Td>
    </Table.Tr>
  )
}
