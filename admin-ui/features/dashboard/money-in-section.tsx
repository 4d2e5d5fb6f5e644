import { SegmentedControl, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { EmptyState } from '../../components/empty-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Money } from '../../components/money.tsx'
import { Section } from '../../components/section.tsx'
import { formatDate } from '../../lib/format.ts'
import { DAYS, moneyInQuery } from './dashboard.api.ts'

const MoneyChart = lazy(() => import('./money-chart.tsx').then((module) => ({ default: module.MoneyChart })))

/** Money in by day, one currency at a time. */
export const MoneyInSection = () => {
  const money = useQuery(moneyInQuery)
  const [chosen, setChosen] = useState<string | null>(null)
  const currencies = money.data?.currencies ?? []
  const shown = currencies.find(({ currency }) => currency === chosen) ?? currencies[0]
  return (
    <Section
      title="Money in"
      description={`Deposits credited in the last ${money.data?.days ?? DAYS} days.`}
      actions={
        currencies.length > 1 &&
        shown && (
          <SegmentedControl
            size="xs"
            aria-label="Currency"
            data={currencies.slice(0, 5).map(({ currency }) => currency)}
            value={shown.currency}
            onChange={setChosen}
          />
        )
      }
    >
      <Loaded query={money}>
        {({ complete, since }) =>
          shown ? (
            <>
              <Text className="money-total" component="div">
                <Money amount={shown.total} currency={shown.currency} />
              </Text>
              <Suspense fallback={<Skeleton height={190} />}>
                <MoneyChart sums={shown} />
              </Suspense>
              <Text size="xs" c="dimmed" mt="sm">
                By day of settlement in your time zone, of deposits announced since {formatDate(since)}.
                {!complete && ' Earlier days have too many deposits to sum here; export them instead.'}
              </Text>
            </>
          ) : (
            <EmptyState title="No money came in">Settled deposits of the last {DAYS} days are summed here.</EmptyState>
          )
        }
      </Loaded>
    </Section>
  )
}
