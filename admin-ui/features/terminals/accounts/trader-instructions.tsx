import { IconServerBolt } from '@tabler/icons-react'
import type { ClientTab } from '../../clients/traders/client-tab.ts'
import { InstructionTable } from './instruction-table.tsx'
import { OpenAccount } from './open-account.tsx'
import { say } from './words.ts'

/** What was asked of trading servers for a client, and the act that opens an account. */
export const instructionsTab: ClientTab = {
  key: 'instructions',
  label: say('terminals.order.title'),
  act: {
    label: say('terminals.order.open.title'),
    icon: <IconServerBolt size={16} />,
    form: (client, close) => <OpenAccount trader={client} onClose={close} />,
  },
  panel: ({ id }) => <InstructionTable fixed={{ traderId: id }} />,
}
