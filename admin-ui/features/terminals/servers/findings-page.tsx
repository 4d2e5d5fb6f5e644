import { Page } from '../../../components/page/page.tsx'
import { FindingTable } from '../records/finding-table.tsx'
import { useServerChoices } from './server-choices.ts'
import { say } from './words.ts'

/** Lists what does not fit between the trading servers and the books. */
export const FindingsPage = () => (
  <Page title={say('terminals.finding.title')} subtitle={say('terminals.finding.subtitle')}>
    <FindingTable servers={useServerChoices()} />
  </Page>
)
