import { Stack } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo } from 'react'
import { DataList } from '../../../components/lists/data-list.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Loaded } from '../../../components/page/loaded.tsx'
import { Page } from '../../../components/page/page.tsx'
import { PageLoader } from '../../../components/page/page-loader.tsx'
import { Section } from '../../../components/page/section.tsx'
import { When } from '../../../components/show/moment.tsx'
import { POSITION_COLUMNS, positionFilters } from './position-columns.tsx'
import { PositionDrawer } from './position-drawer.tsx'
import { fetchHeatmap, fetchPositions } from './positions.api.ts'
import { say } from './words.ts'

// The chart library is as large as the rest of the page, so the list does not wait for it.
const HeatmapChart = lazy(async () => ({ default: (await import('./heatmap-chart.tsx')).HeatmapChart }))

const heatmapQuery = queryOptions({
  queryKey: ['positions', 'heatmap'],
  queryFn: fetchHeatmap,
  refetchInterval: 15_000,
})

/** Shows what clients hold on the trading platforms, as a chart and as a list. */
export const PositionList = () => {
  const { data: exposure } = useQuery(heatmapQuery)
  const filters = useMemo(() => positionFilters(exposure?.data.map(({ symbol }) => symbol) ?? []), [exposure])
  return (
    <Page title={say('positions.positions')} subtitle={say('positions.about')}>
      <Stack gap="lg">
        <Exposure />
        <DataList
          id="positions"
          file="positions.export"
          label={say('positions.positions')}
          searchPlaceholder={say('lists.search_client')}
          counted="count"
          rowName={({ traderName, symbol }) => `${symbol} ${traderName ?? ''}`}
          fetch={fetchPositions}
          columns={POSITION_COLUMNS}
          filters={filters}
          beside={(position, close) => <PositionDrawer position={position} onClose={close} />}
          refetchEvery={15_000}
          empty={<EmptyState title={say('positions.empty.title_client')}>{say('positions.empty.about')}</EmptyState>}
          nothingWaits={<EmptyState title={say('positions.empty.title')}>{say('positions.empty.closed')}</EmptyState>}
        />
      </Stack>
    </Page>
  )
}

const Exposure = () => {
  const heatmap = useQuery(heatmapQuery)
  return (
    <Section
      title={say('positions.exposure')}
      description={
        <>
          {say('positions.exposure.about')}
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
            <EmptyState title={say('positions.exposure.empty')} />
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
