import { Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { say } from '../../../src/words/say.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Section } from '../../components/section.tsx'
import { dayText } from '../../lib/day-text.ts'
import { formatCount } from '../../lib/format.ts'
import { actionText } from '../audit/audit-words.ts'
import { Chart } from './chart.tsx'
import { Figures, FigureTable } from './figures.tsx'
import { AsOf } from './notices.tsx'
import { CsvButton } from './report-bar.tsx'
import { type Activity, activityCsv, fetchActivity } from './reports.api.ts'

const SHOWN = 8

/** What each colleague did in the last seven days. */
export const ActivityReport = () => {
  const read = useQuery({ queryKey: ['reports', 'activity'], queryFn: fetchActivity })
  return (
    <>
      <Group mb="md">
        <CsvButton href={activityCsv()} />
      </Group>
      <Section title={say('reports.activity.title')} description={read.data && <AsOf {...read.data} />}>
        <Loaded query={read}>
          {(activity) =>
            activity.users.length === 0 ? (
              <EmptyState title={say('reports.activity.empty')} />
            ) : (
              <People activity={activity} />
            )
          }
        </Loaded>
      </Section>
    </>
  )
}

const nameOf = ({ name, userId }: Activity['users'][number]): string => name ?? userId

const People = ({ activity: { users, days } }: { activity: Activity }) => (
  <>
    <Chart
      names={days.map(dayText)}
      series={[
        {
          name: say('reports.activity.acts'),
          color: 'var(--info)',
          texts: days.map((_, index) => String(users.reduce((sum, user) => sum + (user.days[index] ?? 0), 0))),
        },
      ]}
    />
    <FigureTable
      label={say('reports.activity.title')}
      minWidth={640}
      heads={[
        { title: say('reports.head.user') },
        { title: say('reports.activity.acts'), right: true },
        { title: say('reports.activity.byKey'), right: true },
        { title: say('reports.activity.asClient'), right: true },
        { title: say('reports.activity.what') },
      ]}
      rows={users.map((user) => ({
        key: user.userId,
        cells: [
          nameOf(user),
          formatCount(user.total),
          user.byKey === 0 ? '' : formatCount(user.byKey),
          user.asClient === 0 ? '' : formatCount(user.asClient),
          user.actions
            .slice(0, SHOWN)
            .map(({ action, count }) => `${actionText(action)} ${formatCount(count)}`)
            .join(' · '),
        ],
      }))}
    />
    <Figures
      label={say('reports.activity.days')}
      minWidth={760}
      heads={[{ title: say('reports.head.user') }, ...days.map((day) => ({ title: dayText(day), right: true }))]}
      rows={users.map((user) => ({ key: user.userId, cells: [nameOf(user), ...user.days.map(formatCount)] }))}
    />
  </>
)
