import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { say } from '../../../src/words/say.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { ScrollRegion } from '../../components/scroll-region.tsx'
import { Section } from '../../components/section.tsx'
import { heatOf } from '../../lib/chart-look.ts'
import { formatCount } from '../../lib/format.ts'
import { AsOf } from './notices.tsx'
import { ReportBar, useAskedPeriod } from './report-bar.tsx'
import { type Cohorts, cohortsCsv, fetchCohorts } from './reports.api.ts'

const MEASURES = ['withFirstDeposit', 'depositing'] as const
type Measure = (typeof MEASURES)[number]

const month = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric' })
const monthText = (name: string): string => month.format(new Date(`${name}-15T12:00:00`))
const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 })

/** Clients by month of registration, and how many of them pay in as the months go by. */
export const CohortsReport = () => {
  const asked = useAskedPeriod()
  const read = useQuery({ queryKey: ['reports', 'cohorts', asked], queryFn: () => fetchCohorts(asked) })
  const [measure, setMeasure] = useState<Measure>('withFirstDeposit')
  return (
    <>
      <ReportBar csv={cohortsCsv(asked)} shown={read.data} />
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
          {({ cohorts }) =>
            cohorts.every(({ traders }) => traders === 0) ? (
              <EmptyState title={say('reports.cohorts.empty')} />
            ) : (
              <HeatTable cohorts={cohorts} measure={measure} />
            )
          }
        </Loaded>
      </Section>
    </>
  )
}

const HeatTable = ({ cohorts, measure }: { cohorts: Cohorts['cohorts']; measure: Measure }) => {
  const width = Math.max(...cohorts.map(({ months }) => months.length))
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
        <tbody>
          {cohorts.map(({ month: name, traders, months }) => (
            <tr key={name}>
              <th scope="row">{monthText(name)}</th>
              <td>{formatCount(traders)}</td>
              {months.map((one) => {
                const part = share(one[measure], traders)
                const title = say('reports.cohorts.cell', {
                  month: monthText(one.month),
                  count: one[measure],
                  of: traders,
                })
                return (
                  <td
                    key={one.since}
                    title={title}
                    className="heat-cell"
                    style={heatOf(part)}
                    data-warm={part > 0.55 || undefined}
                    data-hot={part > 0.93 || undefined}
                  >
                    {traders === 0 ? '' : percent.format(part)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
