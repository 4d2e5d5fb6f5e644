import { Stack, Text, Title } from '@mantine/core'
import { useEffect } from 'react'
import { call, type Page, type Query } from '../../../api.ts'
import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Facts } from '../../../components/page/record-page.tsx'
import { Section } from '../../../components/page/section.tsx'
import { When } from '../../../components/show/moment.tsx'
import { Money } from '../../../components/show/money.tsx'
import { StatusBadge } from '../../../components/show/status-badge.tsx'
import type { View } from '../../../lib/api/viewed-person.ts'
import type { NamedState } from '../../../lib/text/state-name.ts'
import { type Stated, stateSince } from '../../../lib/text/state-since.ts'
import { ACCOUNT_COLUMNS } from '../../books/accounts/account-columns.tsx'
import { WALLET_COLUMNS } from '../../books/wallets/wallet-columns.tsx'
import type { Ticket } from '../../clients/support/support.api.ts'
import { TicketStatus } from '../../clients/support/ticket-words.tsx'
import type { Me } from '../../firm/auth/auth.api.ts'
import { ViewBanner } from '../../firm/views/view-banner.tsx'
import { say } from '../../firm/views/words.ts'

/** Removes the client's name from the rows, since every row is the viewed client's. */
const withoutClientNames =
  <T,>(fetch: (query: Query) => Promise<Page<T>>) =>
  async (query: Query) => {
    const page = await fetch(query)
    return { ...page, data: page.data.map((row) => ({ ...row, traderName: null })) }
  }

type ListProps<T extends { id: string }> = {
  id: 'wallets' | 'accounts' | 'deposits' | 'withdrawals' | 'tickets'
  fetch: (query: Query) => Promise<Page<T>>
  columns: readonly Column<T>[]
}
const OwnList = <T extends { id: string }>({ id, fetch, columns }: ListProps<T>) => (
  <section>
    <Title order={2} mb="xs">
      {say(`views.client.${id}`)}
    </Title>
    <DataList
      id={id === 'tickets' ? 'support' : id}
      within={['own', 'view']}
      label={say(`views.client.${id}`)}
      fetch={fetch}
      columns={columns}
      plain
      empty={<EmptyState title={say(`views.client.none.${id}`)} />}
    />
  </section>
)

type Moving = Stated & { id: string; status: NamedState; amount: string; currency: string }
const SINCE: Column<{ createdAt: string }> = {
  key: 'createdAt',
  title: say('views.client.since'),
  wide: true,
  render: ({ createdAt }) => <When at={createdAt} as="date" />,
}
const MONEY: readonly Column<Moving>[] = [
  { key: 'status', title: say('field.status'), render: ({ status }) => <StatusBadge status={status} /> },
  {
    key: 'amount',
    title: say('views.client.amount'),
    align: 'right',
    render: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  { ...SINCE, render: (payment) => <When at={stateSince(payment)} as="date" /> },
]

type OwnTicket = Pick<Ticket, 'id' | 'subject' | 'status' | 'createdAt'>
const TICKETS: readonly Column<OwnTicket>[] = [
  { key: 'subject', title: say('views.client.subject'), render: ({ subject }) => subject },
  { key: 'status', title: say('field.status'), render: ({ status }) => <TicketStatus status={status} /> },
  SINCE,
]

/** Shows what a client has with the firm. All its requests belong to the view, so the API answers as to the client. */
export const ClientView = ({ me, view }: { me: Me; view: View }) => {
  useEffect(() => {
    document.title = say('views.brokerbase', { name: view.name })
  }, [view.name])
  return (
    <>
      <ViewBanner view={view} />
      <main className="client-view" id="content">
        <Stack gap="md">
          <div>
            <Title order={1}>{me.displayName || view.name}</Title>
            <Text c="dimmed">{me.tenant.name}</Text>
          </div>
          <Section title={say('views.client.profile')}>
            <Facts
              items={[
                [say('field.email'), me.email],
                [say('views.client.two_factor'), me.twoFactor ? say('views.client.on') : say('views.client.off')],
              ]}
            />
          </Section>
          <OwnList
            id="wallets"
            fetch={(query) => call('wallets.list', { query })}
            columns={WALLET_COLUMNS.filter(({ key }) => key !== 'trader')}
          />
          <OwnList
            id="accounts"
            fetch={withoutClientNames((query) => call('accounts.list', { query }))}
            columns={ACCOUNT_COLUMNS.filter(({ key }) => key !== 'trader')}
          />
          <OwnList id="deposits" fetch={(query) => call('deposits.list', { query })} columns={MONEY} />
          <OwnList id="withdrawals" fetch={(query) => call('withdrawals.list', { query })} columns={MONEY} />
          <OwnList id="tickets" fetch={(query) => call('support.tickets.list', { query })} columns={TICKETS} />
        </Stack>
      </main>
    </>
  )
}
