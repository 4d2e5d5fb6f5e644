import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import { VisuallyHidden } from '@mantine/core'
import { formatDate, groupDigits } from '../../lib/format.ts'
import type { DaySums } from './dashboard.api.ts'

const short = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const compact = new Intl.NumberFormat(undefined, { notation: 'compact' })
const atNoon = (day: string): string => `${day}T12:00:00`

/** A bar for each day. The numbers only set the heights; the exact sums are in the table for screen readers. */
export const MoneyChart = ({ sums: { currency, days } }: { sums: DaySums }) => (
  <>
    <div aria-hidden>
      <BarChart
        h={190}
        data={days.map(({ day, amount }) => ({ day: short.format(new Date(atNoon(day))), [currency]: Number(amount) }))}
        dataKey="day"
        barChartProps={{ accessibilityLayer: false }}
        series={[{ name: currency, color: 'accent.6' }]}
        valueFormatter={(value) => compact.format(value)}
        tickLine="none"
        gridAxis="x"
        maxBarWidth={22}
        barProps={{ radius: [3, 3, 0, 0], isAnimationActive: false }}
        xAxisProps={{ interval: 'preserveStartEnd', minTickGap: 28 }}
        yAxisProps={{ width: 44 }}
      />
    </div>
    <VisuallyHidden>
      <table>
        <caption>Money in by day, {currency}</caption>
        <tbody>
          {days
            .filter(({ amount }) => amount !== '0')
            .map(({ day, amount }) => (
              <tr key={day}>
                <th scope="row">{formatDate(atNoon(day))}</th>
                <td>
                  {groupDigits(amount)} {currency}
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </VisuallyHidden>
  </>
)
