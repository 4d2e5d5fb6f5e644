import { useQuery } from '@tanstack/react-query'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Loaded } from '../../../components/page/loaded.tsx'
import { Section } from '../../../components/page/section.tsx'
import { Opens } from '../../../components/show/opens.tsx'
import { earnedIn, type Place, toSpan } from '../../../lib/lists/places.ts'
import { dayText, shiftDay } from '../../../lib/text/day-text.ts'
import { formatCount, groupDigits } from '../../../lib/text/format.ts'
import { Chart } from './chart.tsx'
import { ChartTable, FigureTable } from './figure-table.tsx'
import { AsOf, Converted, MissingRates } from './notices.tsx'
import { ReportBar, useAskedPeriod } from './report-bar.tsx'
import { makeCostsFile } from './report-files.ts'
import { fetchRevenue, type Revenue, revenueCsv } from './reports.api.ts'
import { say } from './words.ts'

const COLORS: Record<Revenue['sources'][number]['sourceType'], string> = {
  trade: 'var(--long)',
  deposit: 'var(--info)',
  revenue: 'var(--good)',
  override: 'var(--wait)',
  correction: 'var(--short)',
}

/** Shows what affiliates cost the firm, by source. The address of the tab keeps its old name, because links have it. */
export const RevenueReport = () => {
  const asked = useAskedPeriod()
  const read = useQuery({ queryKey: ['reports', 'revenue', asked], queryFn: () => fetchRevenue(asked) })
  return (
    <>
      <ReportBar
        csv={{
          href: revenueCsv(asked),
          name: 'affiliate-costs',
          make: (text) => makeCostsFile(text, read.data?.currency ?? ''),
        }}
        shown={read.data}
        hasCurrency
      />
      <Section title={say('reports.revenue.title')} description={read.data && <AsOf {...read.data} />}>
        <Loaded query={read}>
          {(revenue) =>
            revenue.data.length === 0 ? (
              <EmptyState title={say('reports.revenue.empty')}>{say('reports.revenue.empty.text')}</EmptyState>
            ) : (
              <Breakdown revenue={revenue} />
            )
          }
        </Loaded>
      </Section>
    </>
  )
}

type Part = { revenue: Revenue }
/** Links to the lines of the whole report, or of a part of it. */
const linesIn = ({ from, to }: Revenue, part: Parameters<typeof earnedIn>[1] = {}): Place =>
  earnedIn(toSpan(from, to), part)
/** Links to the lines of one source on one day. */
const linesOn = (day: string, sourceType: string): Place => earnedIn(toSpan(day, shiftDay(day, 1)), { sourceType })
const listUsedSources = ({ sources }: Revenue) => sources.filter(({ count }) => count > 0)

const Breakdown = ({ revenue }: Part) => (
  <>
    <MissingRates missing={revenue.missingRates} currency={revenue.currency} />
    <SourceTiles revenue={revenue} />
    <SourceBars revenue={revenue} />
    <SourceTable revenue={revenue} />
    <DayFigures revenue={revenue} />
  </>
)

/** Shows the commission of all sources together, and of each source that has any. */
const SourceTiles = ({ revenue }: Part) => (
  <ul className="tiles">
    <li className="tile">
      <div className="tile-label">{say('reports.revenue.total')}</div>
      <div className="tile-figure money">
        <Opens place={linesIn(revenue)} rows={listUsedSources(revenue).reduce((sum, { count }) => sum + count, 0)}>
          <Converted amount={revenue.total} currency={revenue.currency} />
        </Opens>
      </div>
    </li>
    {listUsedSources(revenue).map(({ sourceType, count, converted }) => (
      <li key={sourceType} className="tile">
        <div className="tile-label">{say(`reports.source.${sourceType}`)}</div>
        <div className="tile-figure money">
          <Opens place={linesIn(revenue, { sourceType })} rows={count}>
            <Converted amount={converted} currency={revenue.currency} />
          </Opens>
        </div>
        <div className="tile-label">{say('reports.revenue.count', { count })}</div>
      </li>
    ))}
  </ul>
)

/** Draws a bar for each day, with its sources stacked. */
const SourceBars = ({ revenue, revenue: { days, currency } }: Part) => {
  const names = [...new Set(days.map(({ day }) => day))]
  const texts = (of: string): string[] => {
    const known = new Map(days.filter(({ sourceType }) => sourceType === of).map((one) => [one.day, one.converted]))
    return names.map((day) => known.get(day) ?? '0')
  }
  return (
    <Chart
      stacked
      names={names.map(dayText)}
      unit={currency}
      series={listUsedSources(revenue).map(({ sourceType }) => ({
        name: say(`reports.source.${sourceType}`),
        color: COLORS[sourceType],
        texts: texts(sourceType),
        opens: (index) => {
          const day = days.find((one) => one.day === names[index] && one.sourceType === sourceType)
          return day ? linesOn(day.day, sourceType) : null
        },
      }))}
    />
  )
}

/** Lists each source by the currencies in which it was earned. */
const SourceTable = ({ revenue, revenue: { data, currency } }: Part) => (
  <FigureTable
    label={say('reports.revenue.title')}
    headings={[
      { title: say('reports.head.source') },
      { title: say('reports.head.currency') },
      { title: say('reports.head.count'), right: true },
      { title: say('reports.head.amount'), right: true },
      { title: say('reports.head.converted', { currency }), right: true },
    ]}
    rows={data.map((row) => ({
      key: `${row.sourceType} ${row.currency}`,
      cells: [
        say(`reports.source.${row.sourceType}`),
        row.currency,
        <Opens
          key="count"
          place={linesIn(revenue, { sourceType: row.sourceType, currency: row.currency })}
          rows={row.count}
        >
          {formatCount(row.count)}
        </Opens>,
        groupDigits(row.amount),
        <Converted key="converted" amount={row.converted} />,
      ],
    }))}
  />
)

/** Lists the figures of the bars. */
const DayFigures = ({ revenue: { days, currency } }: Part) => (
  <ChartTable
    label={say('reports.revenue.days')}
    headings={[
      { title: say('reports.head.day') },
      { title: say('reports.head.source') },
      { title: say('reports.head.converted', { currency }), right: true },
    ]}
    rows={days.map(({ day, sourceType, converted }) => ({
      key: `${day} ${sourceType}`,
      cells: [
        dayText(day),
        say(`reports.source.${sourceType}`),
        <Opens key="converted" place={linesOn(day, sourceType)}>
          <Converted amount={converted} />
        </Opens>,
      ],
    }))}
  />
)
