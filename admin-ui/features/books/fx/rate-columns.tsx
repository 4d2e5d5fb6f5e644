import { Text } from '@mantine/core'
import type { Column } from '../../../components/lists/data-list.tsx'
import { When } from '../../../components/show/moment.tsx'
import { StatusBadge } from '../../../components/show/status-badge.tsx'
import { groupDigits, humanize } from '../../../lib/text/format.ts'
import type { Rate } from './fx.api.ts'
import { say, tell } from './words.ts'

export const RATE_COLUMNS: readonly Column<Rate>[] = [
  { key: 'pair', title: say('fx.past.pair'), render: ({ base, quote }) => `${base} → ${quote}` },
  {
    key: 'rate',
    title: say('fx.past.rate'),
    align: 'right',
    render: ({ rate }) => <span className="money">{groupDigits(rate)}</span>,
  },
  {
    key: 'pool',
    title: say('fx.whose'),
    render: ({ pool }) =>
      pool === 'tenant' ? (
        <StatusBadge status="active" label={say('fx.pool.own')} tone="info" />
      ) : (
        <StatusBadge status="global" label={say('fx.pool.common')} tone="off" />
      ),
  },
  {
    key: 'state',
    title: say('common.state'),
    render: (rate) => <RateState rate={rate} />,
  },
  { key: 'source', title: say('fx.past.source'), wide: true, render: ({ source }) => humanize(source) },
  { key: 'asOf', title: say('fx.set_at'), wide: true, render: ({ asOf }) => <When at={asOf} as="ago" /> },
]

/** Shows whether a rate is in force, or who has to confirm an unusual one first. */
const RateState = ({ rate: { confirmation } }: { rate: Rate }) => {
  if (!confirmation) return <StatusBadge status="active" label={say('fx.holds')} />
  const { by, from } = confirmation
  return (
    <>
      <StatusBadge status="pending" label={say('fx.unconfirmed')} />
      <Text size="xs" c="dimmed">
        {by === 'another_person'
          ? say('fx.unconfirmed.other')
          : tell('fx.unconfirmed.owner', { when: <When at={from} /> })}
      </Text>
    </>
  )
}
