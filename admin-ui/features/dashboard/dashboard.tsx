import { Page } from '../../components/page.tsx'
import { useMe } from '../../lib/session.ts'
import { MoneyInSection } from './money-in-section.tsx'
import { NewestDeposits, NewestTraders } from './newest.tsx'
import { Waiting } from './waiting.tsx'

/** The first page: what waits, what came in, who is new. */
export const Dashboard = () => {
  const { displayName } = useMe()
  return (
    <Page title="Dashboard" subtitle={`Good to see you, ${displayName}.`}>
      <div className="dash">
        <div className="dash-column">
          <Waiting />
          <NewestTraders />
        </div>
        <div className="dash-column">
          <MoneyInSection />
          <NewestDeposits />
        </div>
      </div>
    </Page>
  )
}
