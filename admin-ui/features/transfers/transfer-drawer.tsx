import { Drawer, Stack } from '@mantine/core'
import { Money } from '../../components/money.tsx'
import { Facts } from '../../components/record-page.tsx'
import { When } from '../../components/when.tsx'
import { humanize } from '../../lib/format.ts'
import { TraderLink } from '../traders/trader-link.tsx'
import { Acknowledge } from './acknowledge.tsx'
import { KINDS, TransferState } from './transfer-columns.tsx'
import type { NamedTransfer } from './transfers.api.ts'

type TransferDrawerProps = { transfer: NamedTransfer | null; onClose: () => void }

/** One transfer with the rate that was frozen for it. */
export const TransferDrawer = ({ transfer, onClose }: TransferDrawerProps) => (
  <Drawer opened={transfer !== null} onClose={onClose} title={transfer?.reference ?? 'Transfer'}>
    {transfer && (
      <Stack>
        <Facts
          items={[
            ['State', <TransferState key="state" state={transfer.state} />],
            ['Client', <TraderLink key="trader" id={transfer.traderId} name={transfer.traderName} />],
            ['Kind', KINDS[transfer.kind]],
            ['Taken', <Money key="from" amount={transfer.fromAmount} currency={transfer.fromCurrency} />],
            ['Given', <Money key="to" amount={transfer.toAmount} currency={transfer.toCurrency} />],
            ['Rate', transfer.rate ?? undefined],
            ['Source of the rate', transfer.rateSource ? humanize(transfer.rateSource) : undefined],
            ['Rate as of', transfer.rateAsOf ? <When key="asOf" at={transfer.rateAsOf} /> : undefined],
            ['From wallet', transfer.fromWalletId ?? undefined],
            ['To wallet', transfer.toWalletId ?? undefined],
            ['Trading account', transfer.accountId ?? undefined],
            ['Note', transfer.note ?? undefined],
            ['When', <When key="at" at={transfer.createdAt} />],
            ['Acknowledged', transfer.acknowledgedAt ? <When key="ack" at={transfer.acknowledgedAt} /> : undefined],
            ['Reference of the platform', transfer.platformReference ?? undefined],
            ['Refused because', transfer.refusalReason ?? undefined],
          ]}
        />
        {transfer.state === 'sent' && <Acknowledge transfer={transfer} onDone={onClose} />}
      </Stack>
    )}
  </Drawer>
)
