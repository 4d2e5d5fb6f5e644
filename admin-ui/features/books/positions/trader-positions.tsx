import type { ClientTab } from '../../clients/traders/client-tab.ts'
import { PositionsOf } from './positions-of.tsx'
import { say } from './words.ts'

export const positionsTab: ClientTab = {
  key: 'positions',
  label: say('positions.positions'),
  records: 'positions',
  panel: ({ id }) => <PositionsOf of={{ traderId: id }} empty={say('positions.empty.about_client')} />,
}
