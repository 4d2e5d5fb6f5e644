import { Stack } from '@mantine/core'
import { Page } from '../../../components/page/page.tsx'
import { useCan, useMe } from '../../../lib/api/session.ts'
import { usePhone } from '../../../lib/screen/use-phone.ts'
import { FirmSection, LargestClients } from './firm-section.tsx'
import { FirstWeek } from './first-week.tsx'
import { MoneySection } from './money-section.tsx'
import { NewestDeposits, NewestTraders } from './newest-records.tsx'
import { Waiting } from './waiting.tsx'
import { say } from './words.ts'

/**
 * Shows on the first page what waits, what money moved and who is new. Administrators see the firm's figures first;
 * for everybody else, and on a phone, the work comes first.
 */
export const Dashboard = () => {
  const { displayName } = useMe()
  const can = useCan()
  const isPhone = usePhone()
  const isWorkFirst = isPhone || !can('admin')
  return (
    <Page title={say('dashboard.dashboard')} subtitle={say('dashboard.greeting', { displayName })}>
      <Stack gap="md">
        <FirstWeek place="first" />
        {isWorkFirst && <Waiting />}
        {can('manager') && <FirmSection />}
        <MoneySection />
        <FirstWeek place="later" />
        <div className="dash">
          <div className="dash-column">
            {isWorkFirst ? can('manager') && <LargestClients /> : <Waiting />}
            <NewestTraders />
          </div>
          <div className="dash-column">
            {!isWorkFirst && <LargestClients />}
            <NewestDeposits />
          </div>
        </div>
      </Stack>
    </Page>
  )
}
