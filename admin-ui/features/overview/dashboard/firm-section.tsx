import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Loaded } from '../../../components/page/loaded.tsx'
import { Section } from '../../../components/page/section.tsx'
import { LateValue } from '../../../components/show/late-value.tsx'
import { When } from '../../../components/show/moment.tsx'
import { Money } from '../../../components/show/money.tsx'
import { useMe } from '../../../lib/api/session.ts'
import type { SearchParams } from '../../../lib/lists/search-params.ts'
import type { PagePath } from '../../../lib/screen/page-path.ts'
import { beforeText } from '../../../lib/text/change.ts'
import { daysText, dayText, shiftDay } from '../../../lib/text/day-text.ts'
import { formatCount, groupDigits } from '../../../lib/text/format.ts'
import { shownName } from '../../clients/traders/trader-names.ts'
import type { Dashboard } from './dashboard.api.ts'
import { earnedQuery, exposureQuery, firmQuery } from './firm.api.ts'
import { say } from './words.ts'

/** At most this many currencies and symbols are named in a tile; the lists have all. */
const NAMED = 3

type Firm = NonNullable<Dashboard['firm']>
type Converted = NonNullable<Dashboard['converted']>

/** Shows a manager what the firm holds, earned and moved, in the firm's currency, beside the period before. */
export const FirmSection = () => {
  const { currency } = useMe().tenant
  const read = useQuery(firmQuery(currency))
  return (
    <Section
      title={say('dashboard.firm.title', { currency })}
      description={read.data && <FigureDates dashboard={read.data} />}
    >
      <Loaded query={read}>
        {({ firm, converted }) =>
          firm && converted ? (
            <>
              <ul className="tiles">
                <NetTile firm={firm} converted={converted} />
                <EarnedTile currency={currency} />
                <HeldTile firm={firm} currency={currency} />
                <ClientsTile firm={firm} />
                <ExposureTile firm={firm} currency={currency} />
              </ul>
              <NoRates firm={firm} converted={converted} />
            </>
          ) : null
        }
      </Loaded>
    </Section>
  )
}

/** Says which days the figures cover and are compared with, in which time zone, and when they were computed. */
const FigureDates = ({ dashboard: { from, to, timeZone, asOf, firm } }: { dashboard: Dashboard }) => (
  <>
    {say('dashboard.firm.about', {
      days: daysText(from, shiftDay(to, -1)),
      before: firm ? daysText(firm.before.from, shiftDay(firm.before.to, -1)) : '',
      timeZone: timeZone.replaceAll('_', ' '),
    })}{' '}
    · <When at={asOf} as="time" />
  </>
)

/** Shows an amount, or that a rate is missing for a part of it. */
const Amount = ({ amount, currency }: { amount: string | null; currency: string }) =>
  amount === null ? <span className="dim">{say('dashboard.firm.no_rate')}</span> : <Money {...{ amount, currency }} />

type FirmTileProps = { label: string; figure: ReactNode; to?: PagePath; search?: SearchParams; children?: ReactNode }

/** Shows one figure; its label links to where it is explained. */
const FirmTile = ({ label, figure, to, search = {}, children }: FirmTileProps) => (
  <li className="tile">
    <div className="tile-label">
      {to ? (
        <Link to={to} search={search} className="text-link">
          {label}
        </Link>
      ) : (
        label
      )}
    </div>
    <div className="tile-figure">{figure}</div>
    {children}
  </li>
)

const Line = ({ children }: { children: ReactNode }) => <div className="tile-label">{children}</div>

const NetTile = ({ firm: { before }, converted }: { firm: Firm; converted: Converted }) => {
  const { currency, net, deposits, withdrawals } = converted
  const sides = [
    { key: 'in', text: say('dashboard.in'), now: deposits, was: before.deposits },
    { key: 'out', text: say('dashboard.out'), now: withdrawals, was: before.withdrawals },
  ]
  return (
    <FirmTile
      label={say('dashboard.firm.net')}
      figure={<Amount amount={net} currency={currency} />}
      to="/reports"
      search={{ currency }}
    >
      <Line>{beforeText(net, before.net, currency)}</Line>
      {sides.map(({ key, text, now, was }) => (
        <div key={key} className="tile-line">
          {text} <Amount amount={now} currency={currency} />
          <Line>{beforeText(now, was, currency)}</Line>
        </div>
      ))}
    </FirmTile>
  )
}

const EarnedTile = ({ currency }: { currency: string }) => {
  const read = useQuery(earnedQuery(currency))
  const { earned, earnedBefore, total } = read.data ?? {}
  return (
    <FirmTile
      label={say('dashboard.firm.earned')}
      figure={earned ? <Amount amount={earned.total} currency={currency} /> : <LateValue isError={read.isError} />}
      to="/reports"
      search={{ tab: 'earnings', currency }}
    >
      {read.isError && <div className="tile-line dim">{read.error.message}</div>}
      {earned && earnedBefore && (
        <>
          <Line>{beforeText(earned.total, earnedBefore.total, currency)}</Line>
          {earned.parts.map(({ part, converted }) =>
            part === 'house' ? null : (
              <div key={part} className="tile-line">
                {say(`dashboard.firm.part.${part}`)} <Amount amount={converted} currency={currency} />
              </div>
            ),
          )}
          <div className="tile-line">
            {say('dashboard.firm.costs')} <Amount amount={total ?? null} currency={currency} />
          </div>
        </>
      )}
    </FirmTile>
  )
}

const HeldTile = ({ firm: { held }, currency }: { firm: Firm; currency: string }) => (
  <FirmTile
    label={say('dashboard.firm.held')}
    figure={<Amount amount={held.total} currency={currency} />}
    to="/wallets"
  >
    {held.currencies.slice(0, NAMED).map(({ currency: of, amount, wallets }) => (
      <Link key={of} to="/wallets" search={{ currency: of }} className="tile-line">
        <Money amount={amount} currency={of} /> · {say('dashboard.firm.wallets', { count: wallets })}
      </Link>
    ))}
    {held.currencies.length > NAMED && (
      <Line>{say('dashboard.firm.more_currencies', { count: held.currencies.length - NAMED })}</Line>
    )}
  </FirmTile>
)

const ClientsTile = ({ firm, firm: { before } }: { firm: Firm }) => (
  <FirmTile label={say('dashboard.firm.active')} figure={formatCount(firm.active)} to="/traders">
    <Line>{beforeText(String(firm.active), String(before.active))}</Line>
    {(['firstDeposits', 'registrations'] as const).map((what) => (
      <div key={what} className="tile-line">
        {say(`dashboard.firm.${what}`, { count: firm[what] })}
        <Line>{beforeText(String(firm[what]), String(before[what]))}</Line>
      </div>
    ))}
  </FirmTile>
)

/** Shows what clients win or lose by open positions, and the symbols in which they are furthest on one side. */
const ExposureTile = ({ firm: { open }, currency }: { firm: Firm; currency: string }) => {
  const exposure = useQuery(exposureQuery)
  const symbols = (exposure.data?.data ?? [])
    .toSorted((a, b) => Math.abs(Number(b.net)) - Math.abs(Number(a.net)))
    .slice(0, NAMED)
  return (
    <FirmTile
      label={say('dashboard.firm.open')}
      figure={<Amount amount={open.profit} currency={currency} />}
      to="/positions"
    >
      <Line>{say('dashboard.firm.open.about', { positions: open.positions, traders: open.traders })}</Line>
      {symbols.map(({ symbol, net }) => (
        <Link key={symbol} to="/positions" search={{ symbol }} className="tile-line">
          {say('dashboard.firm.lots', { symbol, lots: groupDigits(net) })}
        </Link>
      ))}
    </FirmTile>
  )
}

/** Names each amount that has no rate, so that no sum leaves it out silently. */
const NoRates = ({ firm, converted }: { firm: Firm; converted: Converted }) => {
  const missing = [...converted.missingRates, ...firm.before.missingRates, ...firm.missingRates]
  if (missing.length === 0) return null
  return (
    <p className="tile-label" role="status">
      {say('dashboard.firm.missing', { currency: converted.currency })}{' '}
      {missing
        .slice(0, NAMED)
        .map(({ currency, day, amount }) => `${groupDigits(amount)} ${currency} (${dayText(day)})`)
        .join(', ')}
      {missing.length > NAMED && ` ${say('dashboard.firm.missing.more', { count: missing.length - NAMED })}`}
    </p>
  )
}

/** Lists the clients for whom the firm holds most. */
export const LargestClients = () => {
  const { currency } = useMe().tenant
  const read = useQuery(firmQuery(currency))
  return (
    <Section title={say('dashboard.largest')} description={say('dashboard.largest.about', { currency })} flush>
      <Loaded query={read}>
        {({ firm }) =>
          firm?.largest && firm.largest.length > 0 ? (
            <ul className="rows">
              {firm.largest.map(({ traderId, name, balance }) => (
                <li key={traderId}>
                  <Link to="/traders/$id" params={{ id: traderId }} className="row task" data-work>
                    <span className="row-main ellipsis">{shownName(name)}</span>
                    <Money amount={balance} currency={currency} />
                  </Link>
                </li>
              ))}
            </ul>
          ) : (
            <EmptyState title={say('dashboard.largest.none')} />
          )
        }
      </Loaded>
    </Section>
  )
}
