import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { call } from '../../../api.ts'
import { Loaded } from '../../../components/page/loaded.tsx'
import { Facts } from '../../../components/page/record-page.tsx'
import { Section } from '../../../components/page/section.tsx'
import { When } from '../../../components/show/moment.tsx'
import { Money } from '../../../components/show/money.tsx'
import { StatusBadge } from '../../../components/show/status-badge.tsx'
import type { NamedState } from '../../../lib/text/state-name.ts'
import { type Stated, stateSince } from '../../../lib/text/state-since.ts'
import { traderName } from '../traders/trader-names.ts'
import { KYC_LABELS, RISKS } from '../traders/trader-words.ts'
import { fetchTrader } from '../traders/traders.api.ts'
import { fetchTickets, type Ticket } from './support.api.ts'
import { TicketStatus } from './ticket-words.tsx'
import { say } from './words.ts'

/** At most this many records of each kind are shown beside a ticket; the client's own page has them all. */
const FEW = 3

/** Shows a ticket's client: state and risk, other open tickets, and the last deposits and withdrawals as links. */
export const ClientBeside = ({ traderId, ticket }: { traderId: string; ticket: Ticket['id'] }) => {
  const trader = useQuery({ queryKey: ['traders', 'one', traderId], queryFn: () => fetchTrader(traderId) })
  return (
    <Section title={say('support.client.title')}>
      <Loaded query={trader}>
        {(data) => (
          <>
            <Text size="sm" mb="sm">
              <Link to="/traders/$id" params={{ id: traderId }} className="text-link">
                {traderName(data)}
              </Link>
            </Text>
            {data.deletedAt !== null && (
              <Text size="sm" c="dimmed" mb="sm">
                {say('support.client.deleted')}
              </Text>
            )}
            <div className="beside-facts">
              <Facts
                items={[
                  [say('field.status'), <StatusBadge key="status" status={data.status} />],
                  [
                    say('field.riskLevel'),
                    <StatusBadge
                      key="risk"
                      status={data.riskLevel}
                      label={RISKS.find(({ value }) => value === data.riskLevel)?.label ?? data.riskLevel}
                    />,
                  ],
                  [
                    say('support.client.documents'),
                    <StatusBadge key="kyc" status={data.kycStatus} label={KYC_LABELS[data.kycStatus]} />,
                  ],
                  [say('support.client.since'), <When key="since" at={data.createdAt} as="date" />],
                ]}
              />
            </div>
            <OtherTickets traderId={traderId} ticket={ticket} />
            <LastDeposits traderId={traderId} />
            <LastWithdrawals traderId={traderId} />
          </>
        )}
      </Loaded>
    </Section>
  )
}

type FewProps = { title: string; none: string; children: ReactNode[] }

const Few = ({ title, none, children }: FewProps) => (
  <section className="beside" aria-label={title}>
    <h3>{title}</h3>
    {children.length === 0 ? <span className="dim">{none}</span> : <ul>{children}</ul>}
  </section>
)

const OtherTickets = ({ traderId, ticket }: { traderId: string; ticket: string }) => {
  const tickets = useQuery({
    queryKey: ['support', 'beside', traderId],
    queryFn: async () => {
      // A ticket that is not done is open or pending; one more is read, because one may be this ticket itself.
      const [open, pending] = await Promise.all(
        (['open', 'pending'] as const).map((status) => fetchTickets({ traderId, status, limit: FEW + 1 })),
      )
      return [...(open?.data ?? []), ...(pending?.data ?? [])]
    },
  })
  if (!tickets.data) return null
  return (
    <Few title={say('support.client.tickets')} none={say('support.client.tickets.none')}>
      {tickets.data
        .filter(({ id }) => id !== ticket)
        .slice(0, FEW)
        .map(({ id, subject, status }) => (
          <li key={id}>
            <Link to="/support/$id" params={{ id }} className="text-link">
              {subject}
            </Link>
            <TicketStatus status={status} />
          </li>
        ))}
    </Few>
  )
}

const LastDeposits = ({ traderId }: { traderId: string }) => {
  const { data } = useQuery({
    queryKey: ['deposits', 'beside', traderId],
    queryFn: () => call('deposits.list', { query: { traderId, limit: FEW } }),
  })
  if (!data) return null
  return (
    <Few title={say('support.client.deposits')} none={say('support.client.deposits.none')}>
      {data.data.map((deposit) => (
        <Payment key={deposit.id} to={`/deposits/${deposit.id}`} payment={deposit} />
      ))}
    </Few>
  )
}

const LastWithdrawals = ({ traderId }: { traderId: string }) => {
  const { data } = useQuery({
    queryKey: ['withdrawals', 'beside', traderId],
    queryFn: () => call('withdrawals.list', { query: { traderId, limit: FEW } }),
  })
  if (!data) return null
  return (
    <Few title={say('support.client.withdrawals')} none={say('support.client.withdrawals.none')}>
      {data.data.map((withdrawal) => (
        <Payment key={withdrawal.id} to={`/withdrawals/${withdrawal.id}`} payment={withdrawal} />
      ))}
    </Few>
  )
}

type Paid = Stated & { amount: string; currency: string; status: NamedState }

const Payment = ({ to, payment }: { to: string; payment: Paid }) => (
  <li>
    <Link to={to} className="text-link">
      <Money amount={payment.amount} currency={payment.currency} />
    </Link>
    <span>
      <StatusBadge status={payment.status} /> <When at={stateSince(payment)} as="date" />
    </span>
  </li>
)
