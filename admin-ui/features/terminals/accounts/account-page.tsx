import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Loaded } from '../../../components/page/loaded.tsx'
import { PageTabs } from '../../../components/page/page-tabs.tsx'
import { Facts, RecordPage } from '../../../components/page/record-page.tsx'
import { Section } from '../../../components/page/section.tsx'
import { When } from '../../../components/show/moment.tsx'
import { StatusBadge } from '../../../components/show/status-badge.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { useRecord } from '../../../lib/api/use-record.ts'
import { accountName, platformName } from '../../books/accounts/account-words.ts'
import { type Account, fetchAccount } from '../../books/accounts/accounts.api.ts'
import { PositionsOf } from '../../books/positions/positions-of.tsx'
import { TransfersOf } from '../../books/transfers/transfers-of.tsx'
import { TraderLink } from '../../clients/traders/trader-link.tsx'
import { traderName } from '../../clients/traders/trader-names.ts'
import { fetchTrader } from '../../clients/traders/traders.api.ts'
import { FindingTable } from '../records/finding-table.tsx'
import { useTerminalAccount } from './account.api.ts'
import { AccountActs } from './account-acts.tsx'
import { InstructionTable } from './instruction-table.tsx'
import { AccountOrders } from './order-acts.tsx'
import { PositionDeals } from './position-deals.tsx'
import { TerminalSide } from './terminal-side.tsx'
import { say, tell } from './words.ts'

/** Shows a trading account: what we have of it, what its terminal says, and what was traded and moved there. */
export const AccountPage = () => {
  const { id = '' } = useParams({ strict: false })
  const account = useRecord('accounts', id, fetchAccount)
  return <Loaded query={account}>{(data) => <AccountRecord key={data.id} account={data} />}</Loaded>
}

const AccountRecord = ({ account }: { account: Account }) => {
  const navigate = useNavigate()
  const { traderId, platform, server, isDemo, status } = account
  const { data: trader } = useQuery({ queryKey: ['traders', 'one', traderId], queryFn: () => fetchTrader(traderId) })
  const clientName = trader ? traderName(trader) : traderId
  return (
    <RecordPage
      title={say('terminals.account.title', { name: accountName(account) })}
      back={{ to: '/accounts', label: say('terminals.account.accounts') }}
      status={
        <>
          <StatusBadge status={status} />
          <StatusBadge status="kind" label={nameKind(isDemo)} tone={isDemo ? 'off' : 'info'} />
        </>
      }
      subtitle={tell('terminals.account.of', {
        place: namePlace(platform, server),
        client: <TraderLink id={traderId} name={clientName} />,
      })}
      actions={
        <>
          <AccountActs account={{ ...account, traderName: clientName }} onGone={() => navigate({ to: '/accounts' })} />
          <AccountOrders account={account} />
        </>
      }
    >
      <Stack gap="lg">
        <div className="workplace">
          <TerminalSide account={account} />
          <div className="client-facts">
            <AccountFacts account={account} clientName={clientName} />
          </div>
        </div>
        <Records account={account} />
      </Stack>
    </RecordPage>
  )
}

const nameKind = (isDemo: boolean): string => say(isDemo ? 'terminals.group.demo' : 'terminals.group.live')
const namePlace = (platform: string, server: string): string =>
  [platformName(platform), server].filter(Boolean).join(' · ')

const AccountFacts = ({ account, clientName }: { account: Account; clientName: string }) => {
  const { id, traderId, accountNumber, externalId, platform, server, isDemo, currency, createdAt } = account
  return (
    <Section title={say('terminals.account.facts')}>
      <Facts
        items={[
          [say('common.client'), <TraderLink key="client" id={traderId} name={clientName} />],
          [say('terminals.account.number'), accountNumber, { copy: accountNumber }],
          [say('terminals.form.server'), server || undefined],
          [say('common.platform'), platformName(platform)],
          [say('common.kind'), nameKind(isDemo)],
          [say('common.currency'), currency],
          [say('terminals.account.external'), externalId ?? undefined],
          [say('terminals.account.linked'), <When key="linked" at={createdAt} as="date" />],
          [say('terminals.account.id'), <code key="id">{id}</code>, { copy: id }],
        ]}
      />
    </Section>
  )
}

/** Lists what was traded and moved on the account, and for managers what does not fit. */
const Records = ({ account: { id } }: { account: Account }) => {
  const isManager = useCan()('manager')
  const { data: said } = useTerminalAccount(id)
  const tabs = [
    ['positions', say('terminals.account.positions')],
    ['transfers', say('terminals.account.transfers')],
    ['instructions', say('terminals.order.title')],
    ...(isManager && said ? [['findings', say('terminals.page.tab.findings')] as const] : []),
  ] as const
  return (
    <PageTabs
      tabs={tabs}
      first="positions"
      panels={{
        positions: (
          <PositionsOf
            of={{ accountId: id }}
            empty={say('terminals.account.no_positions')}
            more={({ ticket }) =>
              isManager && said && <PositionDeals connectionId={said.connectionId} position={ticket} />
            }
          />
        ),
        transfers: <TransfersOf of={{ accountId: id }} />,
        instructions: <InstructionTable fixed={{ accountId: id }} />,
        findings: said && <FindingTable connectionId={said.connectionId} login={said.login} />,
      }}
    />
  )
}
