import { useState } from 'react'
import { DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import type { ClientTab } from '../traders/client-tab.ts'
import { POSITION_COLUMNS } from './position-columns.tsx'
import { PositionDrawer } from './position-drawer.tsx'
import { fetchPositions, type Position } from './positions.api.ts'

/** The positions of one client, open and closed. */
const TraderPositions = ({ traderId }: { traderId: string }) => {
  const [shown, setShown] = useState<Position | null>(null)
  return (
    <>
      <DataList
        id="positions"
        label="Positions"
        fetch={fetchPositions}
        columns={POSITION_COLUMNS.map((column) => (column.key === 'status' ? { ...column, optional: false } : column))}
        fixed={{ traderId }}
        onOpen={setShown}
        refetchEvery={15_000}
        plain
        empty={
          <EmptyState title="No positions yet">This client has not traded, or no platform is connected.</EmptyState>
        }
      />
      <PositionDrawer position={shown} onClose={() => setShown(null)} />
    </>
  )
}

/** Positions on the page of a client. */
export const positionsTab: ClientTab = {
  key: 'positions',
  label: 'Positions',
  records: 'positions',
  panel: ({ id }) => <TraderPositions traderId={id} />,
}
