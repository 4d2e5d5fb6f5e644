import { Stack } from '@mantine/core'
import { Page } from '../../components/page.tsx'
import { useMe } from '../../lib/session.ts'
import { FirstWeek } from './first-week.tsx'
import { MoneySection } from './money-section.tsx'
import { NewestDeposits, NewestTraders } from './newest.tsx'
import { Waiting } from './waiting.tsx'

/** The first page: what moved, what waits, who is new. */
export const Dashboard = () => {
  const { displayName } = useMe()
  return (
    <Page title="Dashboard" subtitle={`Good to see you, ${displayName}.`}>
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
