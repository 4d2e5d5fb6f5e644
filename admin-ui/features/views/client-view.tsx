import { Stack, Text, Title } from '@mantine/core'
import { useEffect } from 'react'
import { say } from '../../../src/words/say.ts'
import { call, type Page, type Query } from '../../api.ts'
import { type Column, DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Facts } from '../../components/record-page.tsx'
import { Section } from '../../components/section.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { When } from '../../components/when.tsx'
import type { View } from '../../lib/view.ts'
import { ACCOUNT_COLUMNS } from '../accounts/account-columns.tsx'
import type { Me } from '../auth/auth.api.ts'
import { DEPOSIT_COLUMNS } from '../deposits/deposit-columns.tsx'
import { WALLET_COLUMNS } from '../wallets/wallet-columns.tsx'
import { WITHDRAWAL_COLUMNS } from '../withdrawals/withdrawal-columns.tsx'
import { ViewBanner } from './view-banner.tsx'

/** Those of a list's columns that mean something to the client whose rows they are. */
const own = <T,>(columns: readonly Column<T>[], ...keys: readonly string[]): Column<T>[] =>
  columns.filter(({ key }) => keys.includes(key)).map((column) => ({ ...column, optional: false }))
/** The client's own page of a list: nobody need be asked for the name. */
const named =
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
  <Section title={say(`views.client.${id}`)} flush>
    <DataList
      id={`own-${id}`}
      label={say(`views.client.${id}`)}
      fetch={fetch}
      columns={columns}
      plain
      empty={<EmptyState title={say(`views.client.none.${id}`)} />}
    />
  </Section>
)

type Ticket = { id: string; subject: string; status: string; createdAt: string }
const TICKETS: readonly Column<Ticket>[] = [
  { key: 'subject', title: say('views.client.subject'), render: ({ subject }) => subject },
  { key: 'status', title: say('views.client.status'), render: ({ status }) => <StatusBadge status={status} /> },
  {
    key: 'createdAt',
    title: say('views.client.since'),
    wide: true,
    render: ({ createdAt }) => <When at={createdAt} as="date" />,
  },
]

/** What a client has with the firm, as the client is answered: the view's own requests, and nothing else. */
export const ClientView = ({ me, view }: { me: Me; view: View }) => {
  useEffect(() => {
    document.title = `${view.name} · Brokerbase`
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
                [say('views.client.email'), me.email],
                [say('views.client.twoFactor'), me.twoFactor ? say('views.client.on') : say('views.client.off')],
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
            fetch={named((query) => call('accounts.list', { query }))}
            columns={ACCOUNT_COLUMNS.filter(({ key }) => key !== 'trader')}
          />
          <OwnList
            id="deposits"
            fetch={named((query) => call('deposits.list', { query }))}
            columns={own(DEPOSIT_COLUMNS, 'status', 'amount', 'method', 'createdAt')}
          />
          <OwnList
            id="withdrawals"
            fetch={named((query) => call('withdrawals.list', { query }))}
            columns={own(WITHDRAWAL_COLUMNS, 'status', 'amount', 'createdAt')}
          />
          <OwnList id="tickets" fetch={(query) => call('support.tickets.list', { query })} columns={TICKETS} />
        </Stack>
      </main>
    </>
  )
}
