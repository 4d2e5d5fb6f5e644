import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Money } from '../../../components/show/money.tsx'
import { Opens } from '../../../components/show/opens.tsx'
import { formatCount } from '../../../lib/text/format.ts'
import type { AffiliateDetail } from './affiliates.api.ts'
import { say } from './words.ts'
import './affiliates.css'

type StatsProps = Pick<AffiliateDetail, 'stats'> & {
  /** The affiliate, on its page for the staff: there the figures link to their rows. */
  linkedTo?: string
}

/** Shows in figures what an affiliate brought and earned. */
export const AffiliateStats = ({ stats, linkedTo }: StatsProps) => (
  <dl className="stats">
    <Stat label={say('affiliates.stat.clients')}>
      <Opens
        place={linkedTo === undefined ? null : { to: '/traders', search: { affiliateId: linkedTo } }}
        rows={stats.clients}
      >
        {formatCount(stats.clients)}
      </Opens>
    </Stat>
    {(
      [
        [say('affiliates.stat.below'), stats.below],
        [say('affiliates.stat.clients_below'), stats.clientsBelow],
        [say('affiliates.stat.clicks'), stats.clicks],
      ] as const
    ).map(([label, count]) => (
      <Stat key={label} label={label}>
        {formatCount(count)}
      </Stat>
    ))}
    {stats.balances.flatMap(({ currency, earned, asked, paid, available }) =>
      (
        [
          [say('affiliates.stat.earned'), earned, 'commissions'],
          [say('affiliates.stat.paid'), paid, 'payouts'],
          [say('affiliates.stat.asked'), asked, 'payouts'],
          [say('affiliates.stat.available'), available, null],
        ] as const
      ).map(([label, amount, tab]) => (
        <Stat key={`${currency} ${label}`} label={label}>
          <OfTab id={tab === null ? undefined : linkedTo} tab={tab ?? ''}>
            <Money amount={amount} currency={currency} />
          </OfTab>
        </Stat>
      )),
    )}
  </dl>
)

const Stat = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="stat">
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

/** Links to the tab of the affiliate's page that has the rows of a sum. */
const OfTab = ({ id, tab, children }: { id: string | undefined; tab: string; children: ReactNode }) =>
  id === undefined ? (
    children
  ) : (
    <Link to="/affiliates/$id" params={{ id }} search={{ tab }} className="text-link">
      {children}
    </Link>
  )
