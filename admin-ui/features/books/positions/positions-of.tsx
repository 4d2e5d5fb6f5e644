import type { ReactNode } from 'react'
import { DataList } from '../../../components/lists/data-list.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { POSITION_COLUMNS } from './position-columns.tsx'
import { PositionDrawer } from './position-drawer.tsx'
import { fetchPositions, type Position } from './positions.api.ts'
import { say } from './words.ts'

const COLUMNS = POSITION_COLUMNS.map((column) => (column.key === 'status' ? { ...column, optional: false } : column))
/** The columns that say nothing where all positions are of one account. */
const OF_ACCOUNT = new Set(['trader', 'account'])

type PositionsOfProps = {
  of: { traderId: string } | { accountId: string }
  empty: string
  /** What is shown under the facts of an opened position. */
  more?: (position: Position) => ReactNode
}

/** Lists the open and the closed positions of one client or account. */
export const PositionsOf = ({ of, empty, more }: PositionsOfProps) => (
  <DataList
    id="positions"
    label={say('positions.positions')}
    fetch={fetchPositions}
    columns={'accountId' in of ? COLUMNS.filter(({ key }) => !OF_ACCOUNT.has(key)) : COLUMNS}
    fixed={of}
    beside={(position, close) => (
      <PositionDrawer position={position} onClose={close}>
        {more?.(position)}
      </PositionDrawer>
    )}
    refetchEvery={15_000}
    plain
    empty={<EmptyState title={say('positions.empty.title_client')}>{empty}</EmptyState>}
  />
)
