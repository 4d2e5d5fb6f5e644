import { Page } from '../../../components/page/page.tsx'
import { DayTable } from '../records/day-table.tsx'
import { useServerChoices } from './server-choices.ts'
import { say } from './words.ts'

/** Lists what lay on all trading servers at the end of each day. */
export const DaysPage = () => (
  <Page title={say('terminals.day.title')} subtitle={say('terminals.day.subtitle')}>
    <DayTable servers={useServerChoices()} />
  </Page>
)
