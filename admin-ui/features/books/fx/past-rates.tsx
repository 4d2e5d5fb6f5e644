import { Table, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Confirm } from '../../../components/forms/confirm.tsx'
import { ErrorState } from '../../../components/page/error-state.tsx'
import { MoreMenu } from '../../../components/page/more-menu.tsx'
import { Section } from '../../../components/page/section.tsx'
import { When } from '../../../components/show/moment.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { dayText } from '../../../lib/text/day-text.ts'
import { groupDigits, humanize } from '../../../lib/text/format.ts'
import { fetchPastRates, type Rate, removeRate } from './fx.api.ts'
import { say } from './words.ts'

/** Lists the rates that were entered for past days without a rate; shows nothing if there are none. */
export const PastRates = () => {
  const can = useCan()
  const refresh = useRefresh()
  const [removing, setRemoving] = useState<Rate | null>(null)
  const past = useQuery({ queryKey: ['fx', 'past'], queryFn: fetchPastRates })
  const rates = past.data?.data ?? []
  // An error must not look as if there were no such rates.
  if (past.isLoadingError)
    return (
      <Section title={say('fx.past.title')}>
        <ErrorState error={past.error} retry={() => void past.refetch()} />
      </Section>
    )
  if (rates.length === 0) return null
  const remove = async (): Promise<void> => {
    if (!removing) return
    await removeRate(removing)
    notify(say('fx.past.removed'))
    await refresh('fx')
  }
  return (
    <Section title={say('fx.past.title')} description={say('fx.past.about')} flush>
      <Table verticalSpacing={8} horizontalSpacing="lg" aria-label={say('fx.past.title')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{say('fx.past.pair')}</Table.Th>
            <Table.Th ta="right">{say('fx.past.rate')}</Table.Th>
            <Table.Th>{say('fx.past.since')}</Table.Th>
            <Table.Th visibleFrom="sm">{say('fx.past.source')}</Table.Th>
            <Table.Th visibleFrom="sm">{say('fx.past.entered')}</Table.Th>
            {can('admin') && (
              <Table.Th>
                <VisuallyHidden>{say('fx.past.acts')}</VisuallyHidden>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rates.map((rate) => (
            <PastRate key={rate.id} rate={rate} onRemove={can('admin') ? setRemoving : null} />
          ))}
        </Table.Tbody>
      </Table>
      <Confirm
        title={say('fx.past.remove_title')}
        confirmLabel={say('fx.past.remove')}
        opened={removing !== null}
        onClose={() => setRemoving(null)}
        action={remove}
      >
        {say('fx.past.remove_text')}
      </Confirm>
    </Section>
  )
}

/** Shows one rate of a past day, and its menu if the viewer may remove it. */
const PastRate = ({ rate, onRemove }: { rate: Rate; onRemove: ((rate: Rate) => void) | null }) => (
  <Table.Tr>
    <Table.Td>
      {rate.base} → {rate.quote}
    </Table.Td>
    <Table.Td ta="right" className="money">
      {groupDigits(rate.rate)}
    </Table.Td>
    <Table.Td>{rate.since && dayText(rate.since)}</Table.Td>
    <Table.Td visibleFrom="sm">{humanize(rate.source)}</Table.Td>
    <Table.Td visibleFrom="sm">
      <When at={rate.asOf} as="ago" />
    </Table.Td>
    {onRemove && (
      <Table.Td ta="right">
        <MoreMenu
          label={say('fx.past.actions', { base: rate.base, quote: rate.quote })}
          actions={[{ label: say('fx.past.remove'), danger: true, onClick: () => onRemove(rate) }]}
        />
      </Table.Td>
    )}
  </Table.Tr>
)
