import { Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Loaded } from '../../../components/page/loaded.tsx'
import { PrintButton } from '../../../components/page/print-button.tsx'
import { Section } from '../../../components/page/section.tsx'
import { Opens } from '../../../components/show/opens.tsx'
import type { Place } from '../../../lib/lists/places.ts'
import { dayText } from '../../../lib/text/day-text.ts'
import { formatCount } from '../../../lib/text/format.ts'
import { actionText } from '../../clients/audit/audit-words.ts'
import { Chart } from './chart.tsx'
import { ChartTable, FigureTable } from './figure-table.tsx'
import { AsOf } from './notices.tsx'
import { CsvButton } from './report-bar.tsx'
import { makeActivityFile } from './report-files.ts'
import { type Activity, activityCsv, fetchActivity } from './reports.api.ts'
import { say } from './words.ts'

const SHOWN = 8

/** Shows what each colleague did in the last seven days. */
export const ActivityReport = () => {
  const read = useQuery({ queryKey: ['reports', 'activity'], queryFn: fetchActivity })
  return (
    <>
      <Group mb="md">
        <CsvButton href={activityCsv()} name="activity" make={makeActivityFile} shown={read.data} />
        <PrintButton />
      </Group>
      <Section title={say('reports.activity.title')} description={read.data && <AsOf {...read.data} />}>
        <Loaded query={read}>
          {(activity) =>
            activity.users.length === 0 ? (
              <EmptyState title={say('reports.activity.empty')}>{say('reports.activity.empty.about')}</EmptyState>
            ) : (
              <People activity={activity} />
            )
          }
        </Loaded>
      </Section>
    </>
  )
}

const getUserName = ({ name, userId }: Activity['users'][number]): string => name ?? userId

/** Links to what was done on the day with that index, or on all days of the report without an index. */
const doneOn = ({ dayEdges }: Activity, index?: number, actorId?: string): Place => {
  const [from, to] = index === undefined ? [dayEdges.at(0), dayEdges.at(-1)] : [dayEdges[index], dayEdges[index + 1]]
  return { to: '/audit', search: { ...(actorId && { actorId }), ...(from && to && { from, to }) } }
}

const People = ({ activity, activity: { users, days } }: { activity: Activity }) => (
  <>
    <Chart
      names={days.map(dayText)}
      series={[
        {
          name: say('reports.activity.acts'),
          color: 'var(--info)',
          texts: days.map((_, index) => String(users.reduce((sum, user) => sum + (user.days[index] ?? 0), 0))),
          opens: (index) => doneOn(activity, index),
        },
      ]}
    />
    <FigureTable
      label={say('reports.activity.title')}
      headings={[
        { title: say('reports.head.user') },
        { title: say('reports.activity.acts'), right: true },
        { title: say('reports.activity.by_key'), right: true },
        { title: say('reports.activity.as_client'), right: true },
        { title: say('reports.activity.what'), long: true },
      ]}
      rows={users.map((user) => ({
        key: user.userId,
        cells: [
          getUserName(user),
          <Opens key="total" place={doneOn(activity, undefined, user.userId)} rows={user.total}>
            {formatCount(user.total)}
          </Opens>,
          user.byKey === 0 ? '' : formatCount(user.byKey),
          user.asClient === 0 ? '' : formatCount(user.asClient),
          user.actions
            .slice(0, SHOWN)
            .map(({ action, count }) => `${actionText(action)} ${formatCount(count)}`)
            .join(' · '),
        ],
      }))}
    />
    <ChartTable
      label={say('reports.activity.days')}
      headings={[{ title: say('reports.head.user') }, ...days.map((day) => ({ title: dayText(day), right: true }))]}
      rows={users.map((user) => ({
        key: user.userId,
        cells: [
          getUserName(user),
          ...user.days.map((count, index) => (
            <Opens key={days[index]} place={doneOn(activity, index, user.userId)} rows={count}>
              {formatCount(count)}
            </Opens>
          )),
        ],
      }))}
    />
  </>
)
