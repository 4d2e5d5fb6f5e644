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
import { formatCount, groupDigits } from '../../lib/format.ts'
import type { SearchParams } from '../../lib/search-params.ts'
import type { Heatmap, Position } from './positions.api.ts'

type SymbolRow = Heatmap['data'][number]
const SHOWN = 14

/** The open positions that a bar was added up from. */
const held = (symbol: string, side?: Position['side']): SearchParams => ({ symbol, ...(side && { side }) })

const size = ({ long, short }: SymbolRow): number => Number(long) + Number(short)

/** Bars by symbol, long to the right and short to the left; the same in figures for who cannot see them. */
export const HeatmapChart = ({ symbols }: { symbols: readonly SymbolRow[] }) => {
  // The largest ones, by name: bars that change by themselves must not change their places.
  const rows = [...symbols]
    .sort((a, b) => size(b) - size(a))
    .slice(0, SHOWN)
    .sort((a, b) => (a.symbol < b.symbol ? -1 : 1))
  const bars = rows.map(({ symbol, long, short }) => ({ symbol, Long: Number(long), Short: -Number(short) }))
  const exact = new Map(rows.map((row) => [row.symbol, row]))
  const textOf = (side: unknown, symbol: unknown): string => {
    const row = exact.get(String(symbol))
    return `${groupDigits((side === 'Long' ? row?.long : row?.short) ?? '0')} lots`
  }
  const navigate = useNavigate()
  const open = (index: number, side: Position['side']): void => {
    const symbol = rows[index]?.symbol
    // the list is below on the same page
    if (symbol) void navigate({ to: '/positions', search: held(symbol, side) })
  }
  const rest = symbols.length - rows.length
  return (
    <>
      <div aria-hidden className="heatmap">
        <ResponsiveContainer width="100%" height={Math.max(140, rows.length * 30 + 60)}>
          <BarChart
            accessibilityLayer={false}
            data={bars}
            layout="vertical"
            stackOffset="sign"
            margin={{ top: 0, right: 8, bottom: 0, left: 0 }}
          >
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
              formatter={(_lots, side, item) => textOf(side, Object(item.payload).symbol)}
            />
            <Legend wrapperStyle={{ fontSize: 12 }} itemSorter={null} />
            <ReferenceLine x={0} stroke="var(--line)" />
            <Bar
              dataKey="Short"
              stackId="lots"
              fill="var(--short)"
              maxBarSize={18}
              isAnimationActive={false}
              cursor="pointer"
              onClick={(_, index: number) => open(index, 'short')}
            />
            <Bar
              dataKey="Long"
              stackId="lots"
              fill="var(--long)"
              maxBarSize={18}
              isAnimationActive={false}
              cursor="pointer"
              onClick={(_, index: number) => open(index, 'long')}
            />
          </BarChart>
        </ResponsiveContainer>
      </div>
      <details className="figures">
        <summary>In figures{rest > 0 ? ` (${symbols.length} symbols)` : ''}</summary>
        <Table.ScrollContainer minWidth={420}>
          <Table aria-label="Open volume by symbol" verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Symbol</Table.Th>
                {['Long', 'Short', 'Net', 'Positions', 'Clients'].map((title) => (
                  <Table.Th key={title} ta="right">
                    {title}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {symbols.map(({ symbol, long, short, net, positions, traders }) => (
                <Table.Tr key={symbol}>
                  <Table.Td>
                    <Link to="/positions" search={held(symbol)} className="text-link">
                      {symbol}
                    </Link>
                  </Table.Td>
                  <Table.Td ta="right" className="money">
                    <Link to="/positions" search={held(symbol, 'long')} className="text-link">
                      {groupDigits(long)}
                    </Link>
                  </Table.Td>
                  <Table.Td ta="right" className="money">
                    <Link to="/positions" search={held(symbol, 'short')} className="text-link">
                      {groupDigits(short)}
                    </Link>
                  </Table.Td>
                  <Table.Td ta="right" className="money">
                    {groupDigits(net)}
                  </Table.Td>
                  <Table.Td ta="right">{formatCount(positions)}</Table.Td>
                  <Table.Td ta="right">{formatCount(traders)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </details>
    </>
  )
}
