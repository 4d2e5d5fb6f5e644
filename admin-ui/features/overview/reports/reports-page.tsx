import { Page } from '../../../components/page/page.tsx'
import { PageTabs } from '../../../components/page/page-tabs.tsx'
import { ActivityReport } from './activity-report.tsx'
import { CohortsReport } from './cohorts-report.tsx'
import { EarningsReport } from './earnings-report.tsx'
import { OverviewReport } from './overview-report.tsx'
import { RevenueReport } from './revenue-report.tsx'
import { say } from './words.ts'
import './reports.css'
import { TaxReport } from './tax-report.tsx'

const TABS = (['overview', 'cohorts', 'earnings', 'revenue', 'activity', 'tax'] as const).map(
  (key) => [key, say(`reports.tab.${key}`)] as const,
)
const KEPT = ['currency']
const REPORTS = {
  overview: <OverviewReport />,
  cohorts: <CohortsReport />,
  earnings: <EarningsReport />,
  revenue: <RevenueReport />,
  activity: <ActivityReport />,
  tax: <TaxReport />,
}

/** Reports what happened in the firm, by day, month, source, colleague and client. */
export const ReportsPage = () => (
  <Page title={say('reports.page.title')} subtitle={say('reports.page.subtitle')}>
    <PageTabs tabs={TABS} first="overview" panels={REPORTS} keep={KEPT} />
  </Page>
)
