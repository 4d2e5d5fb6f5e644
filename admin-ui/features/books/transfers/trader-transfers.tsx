import { IconPlus } from '@tabler/icons-react'
import type { ClientAct, ClientTab } from '../../clients/traders/client-tab.ts'
import { TraderRecords } from '../../clients/traders/trader-records.tsx'
import { CreateTransfer } from './create-transfer.tsx'
import { TransfersOf } from './transfers-of.tsx'
import { say } from './words.ts'

const NEW_TRANSFER: ClientAct = {
  label: say('transfers.new.title'),
  icon: <IconPlus size={16} />,
  form: (client, close) => <CreateTransfer trader={client} onClose={close} />,
}

export const transfersTab: ClientTab = {
  key: 'transfers',
  label: say('transfers.transfers'),
  records: 'transfers',
  act: NEW_TRANSFER,
  panel: (trader) => (
    <TraderRecords trader={trader} act={NEW_TRANSFER}>
      <TransfersOf of={{ traderId: trader.id }} />
    </TraderRecords>
  ),
}
