import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Loaded } from '../../../components/page/loaded.tsx'
import { Section } from '../../../components/page/section.tsx'
import { LateValue } from '../../../components/show/late-value.tsx'
import { When } from '../../../components/show/moment.tsx'
import { Money } from '../../../components/show/money.tsx'
import { Opens } from '../../../components/show/opens.tsx'
import { useMe } from '../../../lib/api/session.ts'
import {
  activeIn,
  closedIn,
  convertedIn,
  creditedIn,
  earnedIn,
  firstDepositIn,
  joinDays,
  type Place,
  paidIn,
  registeredIn,
  type Span,
  toSpan,
} from '../../../lib/lists/places.ts'
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
        {({ firm, converted, days }) =>
          firm && converted ? (
            <>
              <ul className="tiles">
                <NetTile firm={firm} converted={converted} span={joinDays(days)} />
                <EarnedTile currency={currency} />
                <HeldTile firm={firm} currency={currency} />
                <ClientsTile firm={firm} span={joinDays(days)} />
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

/** `place` is where the figure is explained; `rows` is how many rows of that list it counts. */
type FirmTileProps = { label: string; figure: ReactNode; place?: Place | null; rows?: number; children?: ReactNode }

/** Shows one figure, which links to where it is explained. */
const FirmTile = ({ label, figure, place, rows, children }: FirmTileProps) => (
  <li className="tile">
    <div className="tile-label">{label}</div>
    <div className="tile-figure">
      <Opens place={place} {...(rows !== undefined && { rows })}>
        {figure}
      </Opens>
    </div>
    {children}
  </li>
)

const Line = ({ children }: { children: ReactNode }) => <div className="tile-label">{children}</div>

type NetProps = { firm: Firm; converted: Converted; span: Span | null }

const NetTile = ({ firm: { before }, converted, span }: NetProps) => {
  const { currency, net, deposits, withdrawals } = converted
  const sides = [
    { key: 'in', text: say('dashboard.in'), place: span && creditedIn(span), now: deposits, was: before.deposits },
    { key: 'out', text: say('dashboard.out'), place: span && paidIn(span), now: withdrawals, was: before.withdrawals },
  ]
  return (
    <FirmTile
      label={say('dashboard.firm.net')}
      figure={<Amount amount={net} currency={currency} />}
      place={{ to: '/reports', search: { currency } }}
    >
      <Line>{beforeText(net, before.net)}</Line>
      {sides.map(({ key, text, place, now, was }) => (
        <div key={key} className="tile-line">
          {text}{' '}
          <Opens place={place}>
            <Amount amount={now} currency={currency} />
          </Opens>
          <Line>{beforeText(now, was)}</Line>
        </div>
      ))}
    </FirmTile>
  )
}

const EarnedTile = ({ currency }: { currency: string }) => {
  const read = useQuery(earnedQuery(currency))
  const { earned, earnedBefore, total } = read.data ?? {}
  const span = toSpan(earned?.from ?? '', earned?.to ?? '')
  const findPart = (part: string): Place => (part === 'conversion' ? convertedIn(span) : closedIn(span))
  return (
    <FirmTile
      label={say('dashboard.firm.earned')}
      figure={earned ? <Amount amount={earned.total} currency={currency} /> : <LateValue isError={read.isError} />}
      place={{ to: '/reports', search: { tab: 'earnings', currency } }}
    >
      {read.isError && <div className="tile-line dim">{read.error.message}</div>}
      {earned && earnedBefore && (
        <>
          <Line>{beforeText(earned.total, earnedBefore.total)}</Line>
          {earned.parts.map(({ part, converted }) =>
            part === 'house' ? null : (
              <div key={part} className="tile-line">
                {say(`dashboard.firm.part.${part}`)}{' '}
                <Opens place={findPart(part)}>
                  <Amount amount={converted} currency={currency} />
                </Opens>
              </div>
            ),
          )}
          <div className="tile-line">
            {say('dashboard.firm.costs')}{' '}
            <Opens place={earnedIn(span)}>
              <Amount amount={total ?? null} currency={currency} />
            </Opens>
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
    place={{ to: '/wallets', search: { holds: 'true' } }}
    rows={held.currencies.reduce((sum, { wallets }) => sum + wallets, 0)}
  >
    {held.currencies.slice(0, NAMED).map(({ currency: of, amount, wallets }) => (
      <Opens
        key={of}
        place={{ to: '/wallets', search: { currency: of, holds: 'true' } }}
        rows={wallets}
        className="tile-line"
      >
        <Money amount={amount} currency={of} /> · {say('dashboard.firm.wallets', { count: wallets })}
      </Opens>
    ))}
    {held.currencies.length > NAMED && (
      <Line>{say('dashboard.firm.more_currencies', { count: held.currencies.length - NAMED })}</Line>
    )}
  </FirmTile>
)

const CLIENTS = { firstDeposits: firstDepositIn, registrations: (span: Span) => registeredIn(span) }

const ClientsTile = ({ firm, firm: { before }, span }: { firm: Firm; span: Span | null }) => (
  <FirmTile
    label={say('dashboard.firm.active')}
    figure={formatCount(firm.active)}
    place={span && activeIn(span)}
    rows={firm.active}
  >
    <Line>{beforeText(String(firm.active), String(before.active))}</Line>
    {(['firstDeposits', 'registrations'] as const).map((what) => (
      <div key={what} className="tile-line">
        <Opens place={span && CLIENTS[what](span)} rows={firm[what]}>
          {say(`dashboard.firm.${what}`, { count: firm[what] })}
        </Opens>
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
      place={{ to: '/positions', search: { status: 'open', live: 'true' } }}
      rows={open.positions}
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
