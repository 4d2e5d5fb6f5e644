import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Loaded } from '../../../components/page/loaded.tsx'
import { Section } from '../../../components/page/section.tsx'
import { When } from '../../../components/show/moment.tsx'
import { Money } from '../../../components/show/money.tsx'
import type { PagePath } from '../../../lib/screen/page-path.ts'
import { countryName } from '../../../lib/text/countries.ts'
import { DepositStatus, METHOD_WORDS } from '../../books/deposits/deposit-columns.tsx'
import { fetchDeposits } from '../../books/deposits/deposits.api.ts'
import { shownName, traderName } from '../../clients/traders/trader-names.ts'
import { fetchTraders } from '../../clients/traders/traders.api.ts'
import { say } from './words.ts'

const COUNT = 6

const All = ({ to, search = {} }: { to: PagePath; search?: Record<string, string> }) => (
  <Anchor renderRoot={(props) => <Link {...props} to={to} search={search} />} size="sm">
    {say('dashboard.all')}
  </Anchor>
)

type NewRowProps = { to: string; main: ReactNode; sub: ReactNode; side: ReactNode; below: ReactNode }

const NewRow = ({ to, main, sub, side, below }: NewRowProps) => (
  <li>
    <Link to={to} className="row task">
      <div className="row-main">
        <div className="ellipsis">{main}</div>
        <div className="row-sub ellipsis">{sub}</div>
      </div>
      <div className="row-side">
        <div>{side}</div>
        <div className="row-sub">{below}</div>
      </div>
    </Link>
  </li>
)

/** Lists the latest deposits of every status. */
export const NewestDeposits = () => {
  const newest = useQuery({
    queryKey: ['deposits', 'newest'],
    queryFn: () => fetchDeposits({ limit: COUNT }),
  })
  return (
    <Section title={say('dashboard.deposits.title')} actions={<All to="/deposits" search={{ status: '*' }} />} flush>
      <Loaded query={newest}>
        {({ data }) =>
          data.length > 0 ? (
            <ul className="rows">
              {data.map((deposit) => (
                <NewRow
                  key={deposit.id}
                  to={`/deposits/${deposit.id}`}
                  main={shownName(deposit.traderName)}
                  sub={
                    <>
                      {METHOD_WORDS[deposit.method]} · <When at={deposit.createdAt} as="ago" />
                    </>
                  }
                  side={<Money amount={deposit.amount} currency={deposit.currency} />}
                  below={<DepositStatus status={deposit.status} firstWord={deposit.firstWord} />}
                />
              ))}
            </ul>
          ) : (
            <EmptyState title={say('dashboard.deposits.empty')}>{say('dashboard.deposits.empty.about')}</EmptyState>
          )
        }
      </Loaded>
    </Section>
  )
}

export const NewestTraders = () => {
  const newest = useQuery({ queryKey: ['traders', 'newest'], queryFn: () => fetchTraders({ limit: COUNT }) })
  return (
    <Section title={say('dashboard.clients')} actions={<All to="/traders" />} flush>
      <Loaded query={newest}>
        {({ data }) =>
          data.length > 0 ? (
            <ul className="rows">
              {data.map((trader) => (
                <NewRow
                  key={trader.id}
                  to={`/traders/${trader.id}`}
                  main={traderName(trader)}
                  sub={trader.email}
                  side={trader.country ? countryName(trader.country) : ''}
                  below={<When at={trader.createdAt} as="ago" />}
                />
              ))}
            </ul>
          ) : (
            <EmptyState title={say('dashboard.clients.none')}>{say('dashboard.clients.none.about')}</EmptyState>
          )
        }
      </Loaded>
    </Section>
  )
}
