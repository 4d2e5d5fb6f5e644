import { SegmentedControl, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Loaded } from '../../../components/page/loaded.tsx'
import { Section } from '../../../components/page/section.tsx'
import { Money } from '../../../components/show/money.tsx'
import { Opens } from '../../../components/show/opens.tsx'
import { creditedIn, joinDays, type Place, paidIn } from '../../../lib/lists/places.ts'
import { type Dashboard, moneyQuery } from './dashboard.api.ts'
import { MoneyBars } from './money-bars.tsx'
import { byCurrency, type CurrencyMoney, othersToday, type Sum } from './money-days.ts'
import { say } from './words.ts'

/** Shows money in and out by the books, one currency at a time. */
export const MoneySection = () => {
  const money = useQuery(moneyQuery)
  const [chosen, setChosen] = useState<string | null>(null)
  const currencies = money.data ? byCurrency(money.data) : []
  const shown = currencies.find(({ currency }) => currency === chosen) ?? currencies[0]
  return (
    <Section
      title={say('common.money')}
      description={money.data && say('dashboard.money.about', { timeZone: money.data.timeZone.replaceAll('_', ' ') })}
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
              <OthersToday others={othersToday(currencies, shown.currency)} />
              <MoneyBars money={shown} />
            </>
          ) : (
            <EmptyState title={say('dashboard.money.none', { days: data.days.length })}>
              {say('dashboard.money.none.about')}
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
    <SegmentedControl
      size="xs"
      aria-label={say('common.currency')}
      styles={{ label: { fontWeight: 400 } }}
      data={currencies}
      value={value}
      onChange={onChange}
    />
  ) : (
    <Select
      size="xs"
      w={110}
      aria-label={say('common.currency')}
      data={currencies}
      value={value}
      allowDeselect={false}
      onChange={(next) => onChange(next ?? value)}
    />
  )
}

const Tiles = ({ money, dashboard }: { money: CurrencyMoney; dashboard: Dashboard }) => (
  <ul className="tiles">
    {money.today && <TodayTiles currency={money.currency} today={money.today} />}
    <NetTile money={money} days={dashboard.days.length} />
    <WaitingTile money={money} />
  </ul>
)

type TodayTilesProps = { currency: string; today: NonNullable<CurrencyMoney['today']> }

/** Shows what came in today, and what went out. */
const TodayTiles = ({ currency, today }: TodayTilesProps) => (
  <>
    <Tile
      label={say('dashboard.tile.in_today')}
      place={creditedIn(today, currency)}
      rows={today.deposits.count}
      foot={say('dashboard.tile.deposits', { count: today.deposits.count })}
    >
      <Money amount={today.deposits.amount} currency={currency} />
    </Tile>
    <Tile
      label={say('dashboard.tile.out_today')}
      place={paidIn(today, currency)}
      rows={today.withdrawals.count}
      foot={say('dashboard.tile.withdrawals', { count: today.withdrawals.count })}
    >
      <Money amount={today.withdrawals.amount} currency={currency} />
    </Tile>
  </>
)

/** Shows money in, money out and the difference over all days that are shown. */
const NetTile = ({ money, days: shown }: { money: CurrencyMoney; days: number }) => {
  const { currency, days, net, deposits, withdrawals } = money
  const period = joinDays(days)
  if (!period) return null
  const lines: TileLine[] = [
    {
      key: 'in',
      text: say('dashboard.tile.in', { count: deposits.count }),
      sum: deposits,
      place: creditedIn(period, currency),
    },
    {
      key: 'out',
      text: say('dashboard.tile.out', { count: withdrawals.count }),
      sum: withdrawals,
      place: paidIn(period, currency),
    },
  ]
  return (
    <li className="tile">
      <div className="tile-label">{say('dashboard.tile.net', { days: shown })}</div>
      <div className="tile-figure">
        <Money amount={net} currency={currency} />
      </div>
      <TileLines currency={currency} lines={lines} />
    </li>
  )
}

/** Shows what waits: deposits to settle, withdrawals to approve and to pay. */
const WaitingTile = ({ money: { currency, waiting } }: { money: CurrencyMoney }) => {
  const { deposits, toApprove, toPay } = waiting
  const lines: TileLine[] = [
    {
      key: 'settle',
      text: say('dashboard.tile.settle', { count: deposits.count }),
      sum: deposits,
      place: { to: '/deposits', search: { currency, status: 'pending' } },
    },
    {
      key: 'approve',
      text: say('dashboard.tile.approve', { count: toApprove.count }),
      sum: toApprove,
      place: { to: '/withdrawals', search: { currency, status: 'requested' } },
    },
    {
      key: 'pay',
      text: say('dashboard.tile.pay', { count: toPay.count }),
      sum: toPay,
      place: { to: '/withdrawals', search: { currency, status: 'approved' } },
    },
  ]
  return (
    <li className="tile">
      <div className="tile-label">{say('dashboard.tile.waiting')}</div>
      {lines.every(({ sum }) => sum.count === 0) && (
        <div className="tile-line dim">{say('dashboard.tile.nothing')}</div>
      )}
      <TileLines currency={currency} lines={lines} />
    </li>
  )
}

type TileLine = { key: string; text: string; sum: Sum; place: Place }

/** Shows the counts and amounts of a tile as links to their rows; a count of zero is left out. */
const TileLines = ({ currency, lines }: { currency: string; lines: readonly TileLine[] }) =>
  lines.map(({ key, text, sum, place }) =>
    sum.count === 0 ? null : (
      <Opens key={key} place={place} rows={sum.count} className="tile-line">
        {text} · <Money amount={sum.amount} currency={currency} />
      </Opens>
    ),
  )

/** Shows today's sums in the other currencies, so that the reader need not open their tabs. */
const OthersToday = ({ others }: { others: ReturnType<typeof othersToday> }) =>
  others.length === 0 ? null : (
    <dl className="others-today">
      <dt>{say('dashboard.others')}</dt>
      {others.map(({ currency, today }) => (
        <dd key={currency}>
          <Opens place={creditedIn(today, currency)} rows={today.deposits.count}>
            <Money amount={today.deposits.amount} currency={currency} /> {say('dashboard.others.in')}
          </Opens>
          <Opens place={paidIn(today, currency)} rows={today.withdrawals.count}>
            <Money amount={today.withdrawals.amount} currency={currency} /> {say('dashboard.others.out')}
          </Opens>
        </dd>
      ))}
    </dl>
  )

type TileProps = { label: string; place: Place; rows: number; foot: string; children: ReactNode }

const Tile = ({ label, place, rows, foot, children }: TileProps) => (
  <li>
    <Link {...place} data-rows={rows} className="tile" data-link>
      <div className="tile-label">{label}</div>
      <div className="tile-figure">{children}</div>
      <div className="tile-label">{foot}</div>
    </Link>
  </li>
)
