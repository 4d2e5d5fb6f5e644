import { Text } from '@mantine/core'
import { type Column, DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import type { Filter } from '../../components/list-toolbar.tsx'
import { Money } from '../../components/money.tsx'
import { Page } from '../../components/page.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { When } from '../../components/when.tsx'
import { humanize } from '../../lib/format.ts'
import { type Deposit, fetchDeposits } from './deposits.api.ts'

const choices = (values: readonly string[]) => values.map((value) => ({ value, label: humanize(value) }))

const FILTERS: readonly Filter[] = [
  {
    key: 'status',
    label: 'Status',
    options: choices(['pending', 'settled', 'partially_settled', 'failed', 'cancelled'] satisfies Deposit['status'][]),
  },
  { key: 'from', label: 'From', kind: 'from' },
  { key: 'to', label: 'To', kind: 'to' },
]

const COLUMNS: readonly Column<Deposit>[] = [
  { key: 'reference', title: 'Reference', render: (row) => row.providerReference ?? row.id },
  { key: 'status', title: 'Status', render: (row) => <StatusBadge status={row.status} /> },
  {
    key: 'amount',
    title: 'Amount',
    align: 'right',
    render: (row) => <Money amount={row.amount} currency={row.currency} />,
  },
  {
    key: 'settledAmount',
    title: 'Settled',
    align: 'right',
    wide: true,
    render: (row) =>
      row.settledAmount ? (
        <Money amount={row.settledAmount} currency={row.currency} />
      ) : (
        <Text span c="dimmed">
          —
        </Text>
      ),
  },
  { key: 'method', title: 'Method', wide: true, render: (row) => humanize(row.method) },
  { key: 'createdAt', title: 'Announced', sort: 'createdAt', wide: true, render: (row) => <When at={row.createdAt} /> },
]

/** The queue of deposits. */
export const DepositList = () => (
  <Page title="Deposits" subtitle="Money on its way in, and what became of it.">
    <DataList
      id="deposits"
      label="Deposits"
      fetch={fetchDeposits}
      columns={COLUMNS}
      filters={FILTERS}
      searchPlaceholder="Reference or id"
      href={(row) => `/deposits/${row.id}`}
      empty={
        <EmptyState title="No deposits yet">
          A deposit appears here when a client announces one, when you record a bank wire, or when a gateway reports it.
        </EmptyState>
      }
    />
  </Page>
)
