import { SegmentedControl, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { EmptyState } from '../../components/empty-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Money } from '../../components/money.tsx'
import { Section } from '../../components/section.tsx'
import { formatCount } from '../../lib/format.ts'
import type { SearchParams } from '../../lib/search-params.ts'
import { type Dashboard, moneyQuery } from './dashboard.api.ts'
import { MoneyBars } from './money-bars.tsx'
import { byCurrency, type CurrencyMoney, creditedIn, paidIn, type Sum } from './money-days.ts'

/** Money in and out, one currency at a time, as the books have it. */
export const MoneySection = () => {
  const money = useQuery(moneyQuery)
  const [chosen, setChosen] = useState<string | null>(null)
  const currencies = money.data ? byCurrency(money.data) : []
  const shown = currencies.find(({ currency }) => currency === chosen) ?? currencies[0]
  return (
    <Section
      title="Money"
      description={money.data && `Credited and paid, by day of ${money.data.timeZone.replaceAll('_', ' ')}.`}
      actions={
        shown && (
          <CurrencyTabs
            currencies={currencies.map(({ currency }) => currency)}
            value={shown.currency}
            onChange={setChosen}
          />
        )
      }
    >
      <Loaded query={money}>
        {(data) =>
          shown ? (
            <>
              <Tiles money={shown} dashboard={data} />
              <MoneyBars money={shown} />
            </>
          ) : (
            <EmptyState title="No money moved yet">
              Deposits that were credited and withdrawals that were paid in the last 30 days are summed here.
            </EmptyState>
          )
        }
      </Loaded>
    </Section>
  )
}

const MOST_TABS = 5

type CurrencyTabsProps = { currencies: string[]; value: string; onChange: (currency: string) => void }

const CurrencyTabs = ({ currencies, value, onChange }: CurrencyTabsProps) => {
  if (currencies.length < 2) return null
  return currencies.length <= MOST_TABS ? (
    <SegmentedControl size="xs" aria-label="Currency" data={currencies} value={value} onChange={onChange} />
  ) : (
    <Select
      size="xs"
      w={110}
      aria-label="Currency"
      data={currencies}
      value={value}
      allowDeselect={false}
      onChange={(next) => onChange(next ?? value)}
    />
  )
}

const Tiles = ({ money, dashboard }: { money: CurrencyMoney; dashboard: Dashboard }) => {
  const { currency, today, days, net, waiting } = money
  const [first, last] = [days[0], days.at(-1)]
  const period = first && last && { startsAt: first.startsAt, endsAt: last.endsAt }
  const lines = [
    { word: 'to settle', sum: waiting.deposits, to: '/deposits', search: { currency, status: 'pending' } },
    { word: 'to approve', sum: waiting.toApprove, to: '/withdrawals', search: { currency, status: 'requested' } },
    { word: 'to pay', sum: waiting.toPay, to: '/withdrawals', search: { currency, status: 'approved' } },
  ]
  return (
    <ul className="tiles">
      {today && (
        <>
          <Tile
            label="In today"
            to="/deposits"
            search={creditedIn(currency, today)}
            foot={said(today.deposits, 'deposit')}
          >
            <Money amount={today.deposits.amount} currency={currency} />
          </Tile>
          <Tile
            label="Out today"
            to="/withdrawals"
            search={paidIn(currency, today)}
            foot={said(today.withdrawals, 'withdrawal')}
          >
            <Money amount={today.withdrawals.amount} currency={currency} />
          </Tile>
        </>
      )}
      {period && (
        <Tile
          label={`Net ${dashboard.days.length} days`}
          to="/deposits"
          search={creditedIn(currency, period)}
          foot="In less out"
        >
          <Money amount={net} currency={currency} />
        </Tile>
      )}
      <li className="tile">
        <div className="tile-label">Waiting</div>
        {lines.every(({ sum }) => sum.count === 0) && <div className="tile-line dim">Nothing</div>}
        {lines.map(({ sum, word, to, search }) =>
          sum.count === 0 ? null : (
            <Link key={word} to={to} search={search} className="tile-line">
              {formatCount(sum.count)} {word} · <Money amount={sum.amount} currency={currency} />
            </Link>
          ),
        )}
      </li>
    </ul>
  )
}

const said = ({ count }: Sum, word: string): string => `${formatCount(count)} ${word}${count === 1 ? '' : 's'}`

type TileProps = { label: string; to: string; search: SearchParams; foot: string; children: ReactNode }

const Tile = ({ label, to, search, foot, children }: TileProps) => (
  <li>
    <Link to={to} search={search} className="tile" data-link>
      <div className="tile-label">{label}</div>
      <div className="tile-figure">{children}</div>
      <div className="tile-label">{foot}</div>
    </Link>
  </li>
)
