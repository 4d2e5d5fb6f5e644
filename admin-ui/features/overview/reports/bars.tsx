import { useNavigate } from '@tanstack/react-router'
import { Bar, BarChart, CartesianGrid, Legend, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import type { Place } from '../../../lib/lists/places.ts'
import { CHART_TIP } from '../../../lib/screen/chart-look.ts'
import { formatCount } from '../../../lib/text/format.ts'
import { barRows, barText } from './bar-rows.ts'

/** `texts` has an exact figure for each bar; `opens` returns the list behind the bar with that index. */
type Series = {
  name: string
  color: string
  texts: readonly string[]
  opens?: (index: number) => Place | null
}
type BarsProps = { names: readonly string[]; series: readonly Series[]; unit?: string; stacked?: boolean }

/** Draws bars over days, months or other names. What a bar opens must also be a link in the table of the figures. */
export const Bars = ({ names, series, unit = '', stacked = false }: BarsProps) => {
  const navigate = useNavigate()
  const open = (opens: Series['opens'], index: number): void => {
    const place = opens?.(index)
    if (place) void navigate(place)
  }
  return (
    <div aria-hidden className="report-chart">
      <ResponsiveContainer width="100%" height={260}>
        <BarChart
          accessibilityLayer={false}
          barGap={0}
          barCategoryGap="12%"
          data={barRows(names, series)}
          margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
        >
          <CartesianGrid vertical={false} stroke="var(--line-soft)" />
          <XAxis
            dataKey="name"
            minTickGap={24}
            tick={{ fontSize: 12, fill: 'var(--mantine-color-dimmed)' }}
            stroke="var(--line)"
          />
          <YAxis
            width={72}
            tick={{ fontSize: 12, fill: 'var(--mantine-color-dimmed)' }}
            tickFormatter={(value: number) => formatCount(value)}
            stroke="var(--line)"
          />
          <Tooltip
            cursor={{ fill: 'var(--line-soft)' }}
            contentStyle={CHART_TIP}
            itemSorter={() => 0}
            formatter={(_, of, { payload }) =>
              barText(
                series.find(({ name }) => name === of),
                payload.at,
                unit,
              )
            }
          />
          {series.length > 1 && <Legend wrapperStyle={{ fontSize: 12 }} itemSorter={null} />}
          {series.map(({ name, color, opens }, place) => (
            <Bar
              key={name}
              name={name}
              dataKey={`heights.${place}`}
              {...(stacked && { stackId: 'all' })}
              fill={color}
              maxBarSize={26}
              isAnimationActive={false}
              {...(opens && { cursor: 'pointer', onClick: (_, index: number) => open(opens, index) })}
            />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </div>
  )
}
