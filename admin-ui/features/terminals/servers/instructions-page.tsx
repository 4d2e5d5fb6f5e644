import { Page } from '../../../components/page/page.tsx'
import { InstructionTable } from '../accounts/instruction-table.tsx'
import { useServerChoices } from './server-choices.ts'
import { say } from './words.ts'

/** Lists what was asked of all trading servers. */
export const InstructionsPage = () => (
  <Page title={say('terminals.order.page_title')} subtitle={say('terminals.order.subtitle')}>
    <InstructionTable servers={useServerChoices()} />
  </Page>
)
