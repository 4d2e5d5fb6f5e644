import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call } from '../../../api.ts'
import { Facts } from '../../../components/page/record-page.tsx'
import { Section } from '../../../components/page/section.tsx'
import { When } from '../../../components/show/moment.tsx'
import { Money } from '../../../components/show/money.tsx'
import { StatusBadge } from '../../../components/show/status-badge.tsx'
import { stateSince } from '../../../lib/text/state-since.ts'
import { SanctionsBadge } from '../../clients/traders/sanctions-badge.tsx'
import { KYC_LABELS } from '../../clients/traders/trader-words.ts'
import { fetchOverview, fetchTrader } from '../../clients/traders/traders.api.ts'
import { DepositStatus } from './deposit-columns.tsx'
import type { NamedDeposit } from './deposits.api.ts'
import { say } from './words.ts'

/** At most this many other deposits are shown; the client's own page has them all. */
const FEW = 4

/** Shows facts about the client beside the decision about a deposit: identity, sanctions, wallet, other deposits. */
export const ClientContext = ({ deposit: { id, traderId, currency } }: { deposit: NamedDeposit }) => {
  const trader = useQuery({ queryKey: ['traders', 'one', traderId], queryFn: () => fetchTrader(traderId) }).data
  const overview = useQuery({
    queryKey: ['traders', 'overview', traderId],
    queryFn: () => fetchOverview(traderId),
  }).data
  const others = useQuery({
    queryKey: ['deposits', 'beside', traderId, id],
    queryFn: () => call('deposits.list', { query: { traderId, limit: FEW + 1 } }),
  }).data?.data.filter((other) => other.id !== id)
  const wallet = overview?.wallets?.find((one) => one.currency === currency)
  return (
    <Section title={say('deposits.client.title')}>
      <Facts
        items={[
          [
            say('deposits.client.identity'),
            trader && <StatusBadge key="kyc" status={trader.kycStatus} label={KYC_LABELS[trader.kycStatus]} />,
          ],
          [
            say('deposits.client.sanctions'),
            overview?.sanctions && <SanctionsBadge key="sanctions" state={overview.sanctions} traderId={traderId} />,
          ],
          [
            say('deposits.client.wallet'),
            overview?.wallets && <Money key="wallet" amount={wallet?.available ?? '0'} currency={currency} />,
          ],
        ]}
      />
      {others && (
        <section className="beside" aria-label={say('deposits.client.others')}>
          <h3>{say('deposits.client.others')}</h3>
          {others.length === 0 && <span className="dim">{say('deposits.client.none')}</span>}
          <ul>
            {others.slice(0, FEW).map((other) => (
              <li key={other.id}>
                <Link to="/deposits/$id" params={{ id: other.id }} className="text-link">
                  <Money amount={other.amount} currency={other.currency} />
                </Link>
                <span>
                  <DepositStatus status={other.status} firstWord={other.firstWord} />{' '}
                  <When at={stateSince(other)} as="date" />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Section>
  )
}
