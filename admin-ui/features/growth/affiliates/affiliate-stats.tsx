import { Money } from '../../../components/show/money.tsx'
import { formatCount } from '../../../lib/text/format.ts'
import type { AffiliateDetail } from './affiliates.api.ts'
import { say } from './words.ts'
import './affiliates.css'

/** Shows in figures what an affiliate brought and earned. */
export const AffiliateStats = ({ stats }: Pick<AffiliateDetail, 'stats'>) => (
  <dl className="stats">
    {(
      [
        [say('affiliates.stat.clients'), stats.clients],
        [say('affiliates.stat.below'), stats.below],
        [say('affiliates.stat.clients_below'), stats.clientsBelow],
        [say('affiliates.stat.clicks'), stats.clicks],
      ] as const
    ).map(([label, count]) => (
      <div className="stat" key={label}>
        <dt>{label}</dt>
        <dd>{formatCount(count)}</dd>
      </div>
    ))}
    {stats.balances.flatMap(({ currency, earned, asked, paid, available }) =>
      (
        [
          [say('affiliates.stat.earned'), earned],
          [say('affiliates.stat.paid'), paid],
          [say('affiliates.stat.asked'), asked],
          [say('affiliates.stat.available'), available],
        ] as const
      ).map(([label, amount]) => (
        <div className="stat" key={`${currency} ${label}`}>
          <dt>{label}</dt>
          <dd>
            <Money amount={amount} currency={currency} />
          </dd>
        </div>
      )),
    )}
  </dl>
)
