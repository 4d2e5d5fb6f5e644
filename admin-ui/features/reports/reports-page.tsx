import { Tabs } from '@mantine/core'
import { say } from '../../../src/words/say.ts'
import { Page } from '../../components/page.tsx'
import { useSearchParams } from '../../lib/search-params.ts'
import { ActivityReport } from './activity-report.tsx'
import { CohortsReport } from './cohorts-report.tsx'
import { OverviewReport } from './overview-report.tsx'
import { RevenueReport } from './revenue-report.tsx'
import './reports.css'
import { TaxReport } from './tax-report.tsx'

const TABS = ['overview', 'cohorts', 'revenue', 'activity', 'tax'] as const
const REPORTS = {
  overview: OverviewReport,
  cohorts: CohortsReport,
  revenue: RevenueReport,
  activity: ActivityReport,
  tax: TaxReport,
}

/** What happened in the firm, by day, month, source, colleague and client. */
export const ReportsPage = () => {
  const [search, setSearch] = useSearchParams()
  const tab = TABS.find((key) => key === search.tab) ?? 'overview'
  const Report = REPORTS[tab]
  return (
    <Page title={say('reports.page.title')} subtitle={say('reports.page.subtitle')}>
      <Tabs
        value={tab}
        // another report has another usual period
        onChange={(next) =>
          setSearch({ tab: next === 'overview' ? undefined : (next ?? undefined), from: undefined, to: undefined })
        }
        keepMounted={false}
        className="tabs"
      >
        <Tabs.List mb="md">
          {TABS.map((key) => (
            <Tabs.Tab key={key} value={key}>
              {say(`reports.tab.${key}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab}>
          <Report />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}
