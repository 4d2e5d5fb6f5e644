import { Alert, Stack, Table } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { EmptyState } from '../../components/empty-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Money } from '../../components/money.tsx'
import { Page } from '../../components/page.tsx'
import { Section } from '../../components/section.tsx'
import { formatCount } from '../../lib/format.ts'
import { LEDGER_LABELS } from './wallet-columns.tsx'
import { fetchTrialBalance, type TrialBalance } from './wallets.api.ts'

// What these sum up stands in the list of wallets.
const OF_CLIENTS: ReadonlySet<string> = new Set(['client_available', 'client_held'])

/** The books in one view: every ledger account, and whether each currency sums to zero. */
export const LedgerPage = () => {
  const balance = useQuery({ queryKey: ['wallets', 'trial-balance'], queryFn: fetchTrialBalance })
  return (
    <Page title="Ledger" subtitle="The trial balance: every movement has two sides, so each currency sums to zero.">
      <Loaded query={balance}>{(data) => <Balance balance={data} />}</Loaded>
    </Page>
  )
}

const Balance = ({ balance }: { balance: TrialBalance }) => {
  if (balance.accounts.length === 0) {
    return <EmptyState title="No movements yet">The first settled deposit makes the first entries.</EmptyState>
  }
  return (
    <Stack gap="md">
      {balance.balanced ? (
        <Alert
          role="status"
          color="green"
          variant="light"
          icon={<IconCircleCheck size={18} />}
          title="The books balance"
        >
          Every currency sums to zero.
        </Alert>
      ) : (
        <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} />} title="The books do not balance">
          A currency below does not sum to zero. Stop paying out and find the cause first.
        </Alert>
      )}
      {balance.totals.map((total) => (
        <Section key={total.currency} title={total.currency} flush>
          <Table className="ledger" aria-label={`Ledger in ${total.currency}`}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Ledger account</Table.Th>
                <Table.Th ta="right">Entries</Table.Th>
                <Table.Th ta="right">Balance</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {balance.accounts
                .filter(({ currency }) => currency === total.currency)
                .map(({ account, entries, balance: sum, currency }) => (
                  <Table.Tr key={account}>
                    <Table.Td>
                      {OF_CLIENTS.has(account) ? (
                        <Link to="/wallets" search={{ currency }} className="text-link">
                          {LEDGER_LABELS[account]}
                        </Link>
                      ) : (
                        LEDGER_LABELS[account]
                      )}
                    </Table.Td>
                    <Table.Td ta="right">{formatCount(entries)}</Table.Td>
                    <Table.Td ta="right">
                      <Money amount={sum} currency={currency} />
                    </Table.Td>
                  </Table.Tr>
                ))}
            </Table.Tbody>
            <Table.Tfoot>
              <Table.Tr>
                <Table.Th>Sum</Table.Th>
                <Table.Td />
                <Table.Th ta="right">
                  <Money amount={total.balance} currency={total.currency} />
                </Table.Th>
              </Table.Tr>
            </Table.Tfoot>
          </Table>
        </Section>
      ))}
    </Stack>
  )
}
