import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { RecordDrawer } from '../../../components/page/record-drawer.tsx'
import { Facts } from '../../../components/page/record-page.tsx'
import { When } from '../../../components/show/moment.tsx'
import { Money } from '../../../components/show/money.tsx'
import { groupDigits, humanize } from '../../../lib/text/format.ts'
import { TraderLink } from '../../clients/traders/trader-link.tsx'
import { AccountLink } from '../accounts/account-link.tsx'
import { accountName } from '../accounts/account-words.ts'
import { fetchAccount } from '../accounts/accounts.api.ts'
import { Acknowledge } from './acknowledge.tsx'
import { KINDS, TransferState } from './transfer-columns.tsx'
import type { NamedTransfer } from './transfers.api.ts'
import { say } from './words.ts'

type TransferDrawerProps = { transfer: NamedTransfer; onClose: () => void }

/** Names a wallet by its currency, and leads to it. */
const WalletLink = ({ id, currency }: { id: string; currency: string }) => (
  <Link to="/wallets" search={{ q: id }} className="text-link">
    {say('transfers.detail.wallet', { currency })}
  </Link>
)

/** Names a trading account by its number, and leads to it. */
const NamedAccount = ({ id }: { id: string }) => {
  const { data } = useQuery({ queryKey: ['accounts', 'one', id], queryFn: () => fetchAccount(id) })
  return <AccountLink id={id}>{data ? accountName(data) : id}</AccountLink>
}

/** Shows one transfer with the rate at which it was converted. */
export const TransferDrawer = ({ transfer, onClose }: TransferDrawerProps) => (
  <RecordDrawer opened onClose={onClose} title={transfer.reference}>
    <Stack>
      <Facts
        items={[
          [say('common.state'), <TransferState key="state" state={transfer.state} />],
          [say('common.client'), <TraderLink key="trader" id={transfer.traderId} name={transfer.traderName} />],
          [say('common.kind'), KINDS[transfer.kind]],
          [say('transfers.taken'), <Money key="from" amount={transfer.fromAmount} currency={transfer.fromCurrency} />],
          [say('transfers.given'), <Money key="to" amount={transfer.toAmount} currency={transfer.toCurrency} />],
          [say('transfers.rate'), transfer.rate === null ? undefined : groupDigits(transfer.rate)],
          [say('transfers.rate.source'), transfer.rateSource ? humanize(transfer.rateSource) : undefined],
          [say('transfers.rate.as_of'), transfer.rateAsOf ? <When key="asOf" at={transfer.rateAsOf} /> : undefined],
          [
            say('transfers.detail.from_wallet'),
            transfer.fromWalletId ? (
              <WalletLink key="out" id={transfer.fromWalletId} currency={transfer.fromCurrency} />
            ) : undefined,
          ],
          [
            say('transfers.detail.to_wallet'),
            transfer.toWalletId ? (
              <WalletLink key="in" id={transfer.toWalletId} currency={transfer.toCurrency} />
            ) : undefined,
          ],
          [
            say('transfers.detail.account'),
            transfer.accountId ? <NamedAccount key="account" id={transfer.accountId} /> : undefined,
          ],
          [say('common.note'), transfer.note ?? undefined],
          [say('common.when'), <When key="at" at={transfer.createdAt} />],
          [
            say('transfers.detail.acknowledged'),
            transfer.acknowledgedAt ? <When key="ack" at={transfer.acknowledgedAt} /> : undefined,
          ],
          [say('transfers.platform_reference'), transfer.platformReference ?? undefined],
          [say('transfers.detail.refusal'), transfer.refusalReason ?? undefined],
        ]}
      />
      {transfer.state === 'sent' && <Acknowledge transfer={transfer} onDone={onClose} />}
    </Stack>
  </RecordDrawer>
)
