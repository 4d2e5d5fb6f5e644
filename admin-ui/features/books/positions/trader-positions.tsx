import { DataList } from '../../../components/lists/data-list.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import type { ClientTab } from '../../clients/traders/client-tab.ts'
import { POSITION_COLUMNS } from './position-columns.tsx'
import { PositionDrawer } from './position-drawer.tsx'
import { fetchPositions } from './positions.api.ts'
import { say } from './words.ts'

/** Lists the open and the closed positions of one client. */
const TraderPositions = ({ traderId }: { traderId: string }) => {
  return (
    <DataList
      id="positions"
      label={say('positions.positions')}
      fetch={fetchPositions}
      columns={POSITION_COLUMNS.map((column) => (column.key === 'status' ? { ...column, optional: false } : column))}
      fixed={{ traderId }}
      beside={(position, close) => <PositionDrawer position={position} onClose={close} />}
      refetchEvery={15_000}
      plain
      empty={<EmptyState title={say('positions.empty.title_client')}>{say('positions.empty.about_client')}</EmptyState>}
    />
  )
}

export const positionsTab: ClientTab = {
  key: 'positions',
  label: say('positions.positions'),
  records: 'positions',
  panel: ({ id }) => <TraderPositions traderId={id} />,
}
