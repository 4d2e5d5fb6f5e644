import { SegmentedControl, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useRef, useState } from 'react'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Loaded } from '../../../components/page/loaded.tsx'
import { Section } from '../../../components/page/section.tsx'
import { Opens } from '../../../components/show/opens.tsx'
import { ScrollRegion } from '../../../components/show/scroll-region.tsx'
import { type Cell, cellAfter } from '../../../lib/lists/cell-keys.ts'
import { type Place, registeredIn } from '../../../lib/lists/places.ts'
import { buildHeatStyle } from '../../../lib/screen/chart-look.ts'
import { formatCount } from '../../../lib/text/format.ts'
import { locale } from '../../../lib/text/language.ts'
import { AsOf } from './notices.tsx'
import { ReportBar, useAskedPeriod } from './report-bar.tsx'
import { makeCohortsFile } from './report-files.ts'
import { type Cohorts, cohortsCsv, fetchCohorts } from './reports.api.ts'
import { say } from './words.ts'

const MEASURES = ['withFirstDeposit', 'depositing'] as const
type Measure = (typeof MEASURES)[number]

const month = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric' })
const monthText = (name: string): string => month.format(new Date(`${name}-15T12:00:00`))
const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)
const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 })

/** Shows clients by month of registration, and how many of them pay in as the months go by. */
export const CohortsReport = () => {
  const asked = useAskedPeriod()
  const read = useQuery({ queryKey: ['reports', 'cohorts', asked], queryFn: () => fetchCohorts(asked) })
  const [measure, setMeasure] = useState<Measure>('withFirstDeposit')
  return (
    <>
      <ReportBar csv={{ href: cohortsCsv(asked), name: 'cohorts', make: makeCohortsFile }} shown={read.data} />
      <Section
        title={say('reports.cohorts.title')}
        description={read.data && <AsOf {...read.data} />}
        actions={
          <SegmentedControl
            size="xs"
            aria-label={say('reports.cohorts.measure')}
            data={MEASURES.map((value) => ({ value, label: say(`reports.cohorts.${value}`) }))}
            value={measure}
            onChange={(next) => setMeasure(MEASURES.find((one) => one === next) ?? measure)}
          />
        }
      >
        <p className="report-hint">{say(`reports.cohorts.hint.${measure}`)}</p>
        <Loaded query={read}>
          {({ cohorts, monthEdges }) =>
            cohorts.every(({ traders }) => traders === 0) ? (
              <EmptyState title={say('reports.cohorts.empty')}>{say('reports.cohorts.empty.about')}</EmptyState>
            ) : (
              <HeatTable {...{ cohorts, monthEdges, measure }} />
            )
          }
        </Loaded>
      </Section>
    </>
  )
}

type Cohort = Cohorts['cohorts'][number]

/**
 * Links to the clients of a cell: who registered in its line's month, and had a first deposit by the end of the cell's
 * month, or paid in during it. A deposit from before its client was entered counts in the month of registration.
 */
function findClients(cohort: Cohort, measure: Measure, since: number, monthEdges: readonly string[]): Place {
  const [starts, ends] = [monthEdges[since], monthEdges[since + 1]]
  const by = ends === undefined ? {} : { firstDepositTo: ends }
  const during = starts === undefined || ends === undefined ? {} : { depositedFrom: starts, depositedTo: ends }
  return registeredIn(cohort, measure === 'withFirstDeposit' || since === 0 ? by : during)
}

/** The Tab key stops once for all cells; the arrows move the focus between them. */
const useCells = (widths: readonly number[]) => {
  const frame = useRef<HTMLTableSectionElement>(null)
  const [stop, setStop] = useState<Cell>({ row: 0, column: 0 })
  const name = ({ row, column }: Cell): string => `${row} ${column}`
  const cell = (at: Cell) => ({
    'data-cell': name(at),
    tabIndex: name(at) === name(stop) ? 0 : -1,
    onFocus: () => setStop(at),
    onKeyDown: (event: KeyboardEvent) => {
      const next = cellAfter(event.key, at, widths)
      if (!next) return
      event.preventDefault()
      frame.current?.querySelector<HTMLElement>(`[data-cell="${name(next)}"]`)?.focus()
    },
  })
  return { frame, cell }
}

type HeatProps = Pick<Cohorts, 'cohorts' | 'monthEdges'> & { measure: Measure }

const HeatTable = ({ cohorts, monthEdges, measure }: HeatProps) => {
  const widths = cohorts.map(({ months }) => months.length)
  const width = Math.max(...widths)
  const { frame, cell } = useCells(widths)
  return (
    <ScrollRegion className="heat" label={say('reports.cohorts.title')}>
      <table aria-label={say('reports.cohorts.title')}>
        <thead>
          <tr>
            <th scope="col">{say('reports.cohorts.month')}</th>
            <th scope="col">{say('reports.cohorts.traders')}</th>
            {Array.from({ length: width }, (_, since) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the number of months is what the column is
              <th key={since} scope="col">
                {since}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={frame}>
          {cohorts.map((cohort, row) => {
            const { month: name, traders, months } = cohort
            return (
              <tr key={name}>
                <th scope="row">{monthText(name)}</th>
                <td>
                  <Opens place={registeredIn(cohort)} rows={traders}>
                    {formatCount(traders)}
                  </Opens>
                </td>
                {months.map((one, column) => (
                  <HeatCell
                    key={one.since}
                    {...{ cohort, one, measure, name: cell({ row, column }) }}
                    place={findClients(cohort, measure, column, monthEdges.slice(row))}
                  />
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

type HeatCellProps = {
  cohort: Cohort
  one: Cohort['months'][number]
  measure: Measure
  place: Place
  name: ReturnType<ReturnType<typeof useCells>['cell']>
}

/** Shows which share of the clients of a month a cell has, as a link to them. */
const HeatCell = ({ cohort: { month, traders }, one, measure, place, name }: HeatCellProps) => {
  const part = share(one[measure], traders)
  const title = say('reports.cohorts.cell', {
    month: monthText(one.month),
    cohort: monthText(month),
    count: one[measure],
    of: traders,
  })
  return (
    <td className="heat-cell" style={buildHeatStyle(part)}>
      {traders > 0 && (
        <Tooltip label={title} openDelay={80} events={{ hover: true, focus: true, touch: false }}>
          <Link {...place} data-rows={one[measure]} aria-label={`${percent.format(part)}, ${title}`} {...name}>
            {percent.format(part)}
          </Link>
        </Tooltip>
      )}
    </td>
  )
}
