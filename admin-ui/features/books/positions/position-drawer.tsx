import type { ReactNode } from 'react'
import { RecordDrawer } from '../../../components/page/record-drawer.tsx'
import { Facts } from '../../../components/page/record-page.tsx'
import { When } from '../../../components/show/moment.tsx'
import { Money } from '../../../components/show/money.tsx'
import { groupDigits, humanize } from '../../../lib/text/format.ts'
import { TraderLink } from '../../clients/traders/trader-link.tsx'
import { Closings } from './closings.tsx'
import { AccountNumber, Result, SIDE_LABELS } from './position-columns.tsx'
import type { Position } from './positions.api.ts'
import { say } from './words.ts'

/** Returns whether more was closed under the ticket than its last close says, so that there may be several closings. */
const hasParts = ({ closedVolume, volume }: Position): boolean => closedVolume !== '0.00' && closedVolume !== volume

type PositionDrawerProps = { position: Position; onClose: () => void; children?: ReactNode }

/** Shows one position as the platform last reported it. */
export const PositionDrawer = ({ position, onClose, children }: PositionDrawerProps) => (
  <RecordDrawer opened onClose={onClose} title={`${position.symbol}, ${SIDE_LABELS[position.side].toLowerCase()}`}>
    <Facts
      items={[
        [
          say('common.client'),
          position.traderId && <TraderLink key="trader" id={position.traderId} name={position.traderName} />,
        ],
        [say('common.account'), <AccountNumber key="account" position={position} />],
        [say('positions.lots_column'), groupDigits(position.volume)],
        [
          say('positions.opened_lots'),
          position.openedVolume === position.volume ? undefined : groupDigits(position.openedVolume),
        ],
        [say('positions.closed_lots'), hasParts(position) ? groupDigits(position.closedVolume) : undefined],
        [say('parts.result'), <Result key="profit" amount={position.profit} currency={position.currency} />],
        [say('positions.swap'), <Money key="swap" amount={position.swap} currency={position.currency} />],
        [
          say('positions.commission'),
          <Money key="commission" amount={position.commission} currency={position.currency} />,
        ],
        [say('positions.column.open_price'), groupDigits(position.openPrice)],
        [say('positions.column.current_price'), groupDigits(position.currentPrice)],
        [say('positions.opened'), <When key="opened" at={position.openedAt} />],
        [say('common.closed'), position.closedAt ? <When key="closed" at={position.closedAt} /> : undefined],
        [say('positions.updated'), <When key="updated" at={position.updatedAt} as="second" />],
        [say('common.platform'), `${humanize(position.platform)}, ${position.server}`],
        [say('positions.ticket'), position.ticket],
      ]}
    />
    {hasParts(position) && <Closings position={position} />}
    {children}
  </RecordDrawer>
)
