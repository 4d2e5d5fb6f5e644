import { Drawer } from '@mantine/core'
import { Money } from '../../components/money.tsx'
import { Facts } from '../../components/record-page.tsx'
import { When } from '../../components/when.tsx'
import { groupDigits, humanize } from '../../lib/format.ts'
import { TraderLink } from '../traders/trader-link.tsx'
import { AccountNumber, Result } from './position-columns.tsx'
import type { Position } from './positions.api.ts'

/** One position, as the platform last reported it. */
export const PositionDrawer = ({ position, onClose }: { position: Position | null; onClose: () => void }) => (
  <Drawer
    opened={position !== null}
    onClose={onClose}
    title={position ? `${position.symbol}, ${humanize(position.side).toLowerCase()}` : 'Position'}
  >
    {position && (
      <Facts
        items={[
          [
            'Client',
            position.traderId && <TraderLink key="trader" id={position.traderId} name={position.traderName} />,
          ],
          ['Account', <AccountNumber key="account" position={position} />],
          ['Lots', groupDigits(position.volume)],
          ['Result', <Result key="profit" amount={position.profit} currency={position.currency} />],
          ['Swap', <Money key="swap" amount={position.swap} currency={position.currency} />],
          ['Commission', <Money key="commission" amount={position.commission} currency={position.currency} />],
          ['Open price', groupDigits(position.openPrice)],
          ['Price now', groupDigits(position.currentPrice)],
          ['Opened', <When key="opened" at={position.openedAt} />],
          ['Closed', position.closedAt ? <When key="closed" at={position.closedAt} /> : undefined],
          ['Last report', <When key="updated" at={position.updatedAt} as="second" />],
          ['Platform', `${humanize(position.platform)}, ${position.server}`],
          ['Ticket', position.ticket],
        ]}
      />
    )}
  </Drawer>
)
