import { Text } from '@mantine/core'
import type { Column } from '../../components/data-list.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { When } from '../../components/when.tsx'
import { groupDigits, humanize } from '../../lib/format.ts'
import type { Rate } from './fx.api.ts'

/** The columns of the list of rates. */
export const RATE_COLUMNS: readonly Column<Rate>[] = [
  { key: 'pair', title: 'Pair', render: ({ base, quote }) => `${base} → ${quote}` },
  {
    key: 'rate',
    title: 'Rate',
    align: 'right',
    render: ({ rate }) => <span className="money">{groupDigits(rate)}</span>,
  },
  {
    key: 'pool',
    title: 'Whose',
    render: ({ pool }) =>
      pool === 'tenant' ? (
        <StatusBadge status="active" label="Your firm" tone="info" />
      ) : (
        <StatusBadge status="global" label="Common pool" tone="off" />
      ),
  },
  {
    key: 'state',
    title: 'State',
    render: (rate) => <RateState rate={rate} />,
  },
  { key: 'source', title: 'Source', wide: true, render: ({ source }) => humanize(source) },
  { key: 'asOf', title: 'Set', wide: true, render: ({ asOf }) => <When at={asOf} as="ago" /> },
]

/** Who has to say the same before an unusual rate holds. */
const RateState = ({ rate: { confirmation } }: { rate: Rate }) => {
  if (!confirmation) return <StatusBadge status="active" label="Holds" />
  const { by, from } = confirmation
  return (
    <>
      <StatusBadge status="pending" label="Unconfirmed" />
      <Text size="xs" c="dimmed">
        {by === 'another_person' ? (
          'Another person who sets rates has to send it too'
        ) : (
          <>
            The owner may confirm it, from <When at={from} />
          </>
        )}
      </Text>
    </>
  )
}
