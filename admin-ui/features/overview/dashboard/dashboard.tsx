import { Stack } from '@mantine/core'
import { Page } from '../../../components/page/page.tsx'
import { useMe } from '../../../lib/api/session.ts'
import { FirstWeek } from './first-week.tsx'
import { MoneySection } from './money-section.tsx'
import { NewestDeposits, NewestTraders } from './newest-records.tsx'
import { Waiting } from './waiting.tsx'
import { say } from './words.ts'

/** Shows on the first page what money moved, what waits and who is new. */
export const Dashboard = () => {
  const { displayName } = useMe()
  return (
    <Page title={say('dashboard.dashboard')} subtitle={say('dashboard.greeting', { displayName })}>
      <Stack gap="md">
        <FirstWeek place="first" />
        <MoneySection />
        <FirstWeek place="later" />
        <div className="dash">
          <div className="dash-column">
            <Waiting />
          </div>
          <div className="dash-column">
            <NewestDeposits />
            <NewestTraders />
          </div>
        </div>
      </Stack>
    </Page>
  )
}
