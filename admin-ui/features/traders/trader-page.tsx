import { Alert, Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { Link, useParams } from '@tanstack/react-router'
import { say } from '../../../src/words/say.ts'
import { Loaded } from '../../components/loaded.tsx'
import { PageTabs } from '../../components/page-tabs.tsx'
import { RecordPage } from '../../components/record-page.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { When } from '../../components/when.tsx'
import { useCan } from '../../lib/session.ts'
import { useAsked } from '../../lib/use-asked.ts'
import { useRecord } from '../../lib/use-record.ts'
import { TraderAccounts } from '../accounts/trader-accounts.tsx'
import { TraderDeposits } from '../deposits/trader-deposits.tsx'
import { TraderKyc } from '../kyc/trader-kyc.tsx'
import { TraderPositions } from '../positions/trader-positions.tsx'
import { TraderTickets } from '../support/trader-tickets.tsx'
import { TraderTransfers } from '../transfers/trader-transfers.tsx'
import { TraderWallets } from '../wallets/trader-wallets.tsx'
import { TraderWithdrawals } from '../withdrawals/trader-withdrawals.tsx'
import { EditTrader } from './edit-trader.tsx'
import { RecordTimeline } from './record-timeline.tsx'
import { TraderActions } from './trader-actions.tsx'
import { TraderDetails } from './trader-details.tsx'
import { traderName } from './trader-names.ts'
import { TraderNotes } from './trader-notes.tsx'
import { fetchTrader, type Trader } from './traders.api.ts'

const TABS = [
  ['details', 'Details'],
  ['accounts', 'Accounts'],
  ['wallets', 'Wallets'],
  ['deposits', 'Deposits'],
  ['withdrawals', 'Withdrawals'],
  ['transfers', 'Transfers'],
  ['kyc', 'KYC'],
  ['tickets', 'Tickets'],
  ['positions', 'Positions'],
  ['notes', 'Notes'],
  ['timeline', 'Timeline'],
] as const

/** One client: everything the firm knows and may do. */
export const TraderPage = () => {
  const { id = '' } = useParams({ strict: false })
  const trader = useRecord('traders', id, fetchTrader)
  return <Loaded query={trader}>{(data) => <TraderRecord trader={data} />}</Loaded>
}

const TraderRecord = ({ trader }: { trader: Trader }) => {
  const can = useCan()
  const { asked, record, ask, close } = useAsked<'edit', Trader>(trader)
  const deleted = trader.deletedAt !== null
  return (
    <RecordPage
      title={traderName(trader)}
      back={{ to: '/traders', label: 'Clients' }}
      status={<StatusBadge status={deleted ? 'deleted' : trader.status} />}
      subtitle={
        <>
          {trader.email ?? 'No e-mail'} · client since <When at={trader.createdAt} as="date" />
        </>
      }
      actions={
        <>
          {can('operator') && !deleted && (
            <Button variant="default" leftSection={<IconPencil size={16} />} onClick={() => ask('edit')}>
              Edit
            </Button>
          )}
          <TraderActions trader={trader} />
        </>
      }
    >
      {trader.mergedInto !== null && (
        <Alert color="yellow" variant="light" mb="md" title={say('merges.record.title')}>
          {say('merges.record.text')}{' '}
          <Link to={`/traders/${trader.mergedInto}`} className="text-link">
            {say('merges.record.open')}
          </Link>
        </Alert>
      )}
      {deleted && trader.mergedInto === null && (
        <Alert color="yellow" variant="light" mb="md" title="This trader has been deleted">
          Deleted <When at={trader.deletedAt} as="ago" />. Personal data is erased 30 days after that, unless there is a
          legal hold; a manager can restore the client until then.
        </Alert>
      )}
      {trader.legalHold && (
        <Alert color="blue" variant="light" mb="md" title="Legal hold">
          Nothing is erased and no money leaves while it lasts.
        </Alert>
      )}
      <PageTabs
        tabs={TABS}
        first="details"
        panels={{
          details: <TraderDetails trader={trader} />,
          accounts: <TraderAccounts trader={trader} />,
          wallets: <TraderWallets traderId={trader.id} />,
          deposits: <TraderDeposits trader={trader} />,
          withdrawals: <TraderWithdrawals trader={trader} />,
          transfers: <TraderTransfers trader={trader} />,
          kyc: <TraderKyc trader={trader} />,
          tickets: <TraderTickets trader={trader} />,
          positions: <TraderPositions traderId={trader.id} />,
          notes: <TraderNotes trader={trader} />,
          timeline: <RecordTimeline traderId={trader.id} />,
        }}
      />
      {asked && <EditTrader trader={record} onClose={close} />}
    </RecordPage>
  )
}
