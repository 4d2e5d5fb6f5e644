import { IconServerBolt } from '@tabler/icons-react'
import type { ClientAct, ClientTab } from '../../clients/traders/client-tab.ts'
import { TraderRecords } from '../../clients/traders/trader-records.tsx'
import { InstructionTable } from './instruction-table.tsx'
import { OpenAccount } from './open-account.tsx'
import { say } from './words.ts'

const OPEN: ClientAct = {
  label: say('terminals.order.open.title'),
  icon: <IconServerBolt size={16} />,
  form: (client, close) => <OpenAccount trader={client} onClose={close} />,
}

/** What was asked of trading servers for a client, and the act that opens an account. */
export const instructionsTab: ClientTab = {
  key: 'instructions',
  label: say('terminals.order.title'),
  act: OPEN,
  panel: (trader) => (
    <TraderRecords trader={trader} act={OPEN}>
      <InstructionTable fixed={{ traderId: trader.id }} />
    </TraderRecords>
  ),
}
