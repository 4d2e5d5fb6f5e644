import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { say } from '../../../src/words/say.ts'
import { DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { PageLoader } from '../../components/page-loader.tsx'
import { Section } from '../../components/section.tsx'
import { When } from '../../components/when.tsx'
import { POSITION_COLUMNS, POSITION_FILTERS } from './position-columns.tsx'
import { PositionDrawer } from './position-drawer.tsx'
import { fetchHeatmap, fetchPositions, type Position } from './positions.api.ts'

// The chart library is as large as the rest of the page; the list does not wait for it.
const HeatmapChart = lazy(async () => ({ default: (await import('./heatmap-chart.tsx')).HeatmapChart }))

/** What clients hold on the trading platforms, all of it at a glance and one by one. */
export const PositionList = () => {
  const [shown, setShown] = useState<Position | null>(null)
  return (
    <Page title="Positions" subtitle="What clients hold on the trading platforms.">
      <Stack gap="lg">
        <Exposure />
        <DataList
          id="positions"
          label="Positions"
          searchPlaceholder={say('lists.search_client')}
          counted="count"
          rowName={({ traderName, symbol }) => `${symbol} ${traderName ?? ''}`}
          fetch={fetchPositions}
          columns={POSITION_COLUMNS}
          filters={POSITION_FILTERS}
          onOpen={setShown}
          refetchEvery={15_000}
          empty={
            <EmptyState title="No open positions">
              They arrive from the trading platform’s bridge. Clear the status filter to see closed ones.
            </EmptyState>
          }
        />
      </Stack>
      <PositionDrawer position={shown} onClose={() => setShown(null)} />
    </Page>
  )
}

const Exposure = () => {
  const heatmap = useQuery({ queryKey: ['positions', 'heatmap'], queryFn: fetchHeatmap, refetchInterval: 15_000 })
  return (
    <Section
      title="Exposure"
      description={
        <>
          Open lots by symbol, long against short
          {heatmap.data && (
            <>
              {' '}
              · <When at={heatmap.data.asOf} as="second" />
            </>
          )}
        </>
      }
    >
      <Loaded query={heatmap}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState title="Nothing is open" />
          ) : (
            <Suspense fallback={<PageLoader />}>
              <HeatmapChart symbols={data} />
            </Suspense>
          )
        }
      </Loaded>
    </Section>
  )
}
