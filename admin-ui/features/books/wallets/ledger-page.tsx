import { Alert, Stack, Table } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Loaded } from '../../../components/page/loaded.tsx'
import { Page } from '../../../components/page/page.tsx'
import { Section } from '../../../components/page/section.tsx'
import { Money } from '../../../components/show/money.tsx'
import { formatCount } from '../../../lib/text/format.ts'
import { LEDGER_LABELS } from './wallet-columns.tsx'
import { fetchTrialBalance, type TrialBalance } from './wallets.api.ts'
import { say } from './words.ts'

// These accounts sum up the wallets that the list of wallets shows.
const OF_CLIENTS: ReadonlySet<string> = new Set(['client_available', 'client_held'])

/** Shows every ledger account, and whether each currency sums to zero. */
export const LedgerPage = () => {
  const balance = useQuery({ queryKey: ['wallets', 'trial-balance'], queryFn: fetchTrialBalance })
  return (
    <Page title={say('wallets.ledger.title')} subtitle={say('wallets.ledger.about')}>
      <Loaded query={balance}>{(data) => <Balance balance={data} />}</Loaded>
    </Page>
  )
}

const Balance = ({ balance }: { balance: TrialBalance }) => {
  if (balance.accounts.length === 0) {
    return <EmptyState title={say('wallets.entries.empty')}>{say('wallets.ledger.empty')}</EmptyState>
  }
  return (
    <Stack gap="md">
      <Verdict isBalanced={balance.balanced} />
      {balance.totals.map((total) => (
        <Section key={total.currency} title={total.currency} flush>
          <Books total={total} accounts={balance.accounts.filter(({ currency }) => currency === total.currency)} />
        </Section>
      ))}
    </Stack>
  )
}

const Verdict = ({ isBalanced }: { isBalanced: boolean }) =>
  isBalanced ? (
    <Alert
      role="status"
      color="green"
      variant="light"
      icon={<IconCircleCheck size={18} />}
      title={say('wallets.ledger.balanced.title')}
    >
      {say('wallets.ledger.balanced.about')}
    </Alert>
  ) : (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle size={18} />}
      title={say('wallets.ledger.unbalanced.title')}
    >
      {say('wallets.ledger.unbalanced.about')}
    </Alert>
  )

type BooksProps = { total: TrialBalance['totals'][number]; accounts: TrialBalance['accounts'] }

/** Lists the ledger accounts of one currency and their sum. */
const Books = ({ total, accounts }: BooksProps) => (
  <Table className="ledger" aria-label={say('wallets.ledger.table', { currency: total.currency })}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{say('wallets.ledger.account')}</Table.Th>
        <Table.Th ta="right">{say('wallets.entries')}</Table.Th>
        <Table.Th ta="right">{say('wallets.balance')}</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {accounts.map(({ account, entries, balance, currency }) => (
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
            <Money amount={balance} currency={currency} />
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
    <Table.Tfoot>
      <Table.Tr>
        <Table.Th>{say('wallets.sum')}</Table.Th>
        <Table.Td />
        <Table.Th ta="right">
          <Money amount={total.balance} currency={total.currency} />
        </Table.Th>
      </Table.Tr>
    </Table.Tfoot>
  </Table>
)
