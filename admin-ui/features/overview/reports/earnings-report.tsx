import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Loaded } from '../../../components/page/loaded.tsx'
import { Section } from '../../../components/page/section.tsx'
import { Opens } from '../../../components/show/opens.tsx'
import { closedIn, convertedIn, type Place, toSpan } from '../../../lib/lists/places.ts'
import { beforeText } from '../../../lib/text/change.ts'
import { daysText, shiftDay } from '../../../lib/text/day-text.ts'
import { groupDigits } from '../../../lib/text/format.ts'
import { FigureTable } from './figure-table.tsx'
import { gatherMissing } from './missing-rates.ts'
import { AsOf, Converted, MissingRates } from './notices.tsx'
import { ReportBar, useAskedPeriod } from './report-bar.tsx'
import { makeEarningsFile } from './report-files.ts'
import { fetchRevenue, type Revenue, revenueCsv } from './reports.api.ts'
import { say } from './words.ts'

/** Shows what the firm earned from its clients, with the period before, and how much of it affiliates cost. */
export const EarningsReport = () => {
  const asked = useAskedPeriod()
  const read = useQuery({ queryKey: ['reports', 'revenue', asked], queryFn: () => fetchRevenue(asked) })
  const revenue = read.data
  return (
    <>
      <ReportBar
        csv={{
          href: revenueCsv(asked),
          name: 'revenue',
          make: (text) => makeEarningsFile(text, revenue?.currency ?? ''),
        }}
        shown={revenue}
        hasCurrency
      />
      <Section
        title={revenue ? say('reports.earnings.title', { currency: revenue.currency }) : say('reports.tab.earnings')}
        description={revenue && <AsOf {...revenue} />}
      >
        <Loaded query={read}>
          {(known) =>
            known.earned.data.length + known.earnedBefore.data.length === 0 ? (
              <EmptyState title={say('reports.earnings.empty')}>{say('reports.earnings.empty.text')}</EmptyState>
            ) : (
              <Earnings revenue={known} />
            )
          }
        </Loaded>
      </Section>
    </>
  )
}

type Part = { revenue: Revenue }

/** Links to the trades or conversions of a part of the revenue; to none for what they leave. */
function findSources({ from, to }: Revenue, part: string, currency?: string): Place | null {
  if (part === 'costs') return { to: '/reports', search: { tab: 'revenue', from, to: shiftDay(to, -1) } }
  if (part === 'total' || part === 'net') return null
  return part === 'conversion' ? convertedIn(toSpan(from, to)) : closedIn(toSpan(from, to), currency)
}

const Earnings = ({ revenue }: Part) => {
  const { earned, earnedBefore, currency } = revenue
  const period = daysText(earnedBefore.from, shiftDay(earnedBefore.to, -1))
  return (
    <>
      <MissingRates missing={gatherMissing([earned, earnedBefore, revenue])} currency={currency} />
      <p className="report-hint">
        {say('reports.earnings.about', { trades: earned.trades })} {say('reports.earnings.before', { days: period })}
      </p>
      <Unknown earned={earned} />
      <EarningTiles revenue={revenue} />
      <PartTable revenue={revenue} />
    </>
  )
}

/** Says how many trades are missing in the sums. */
const Unknown = ({ earned: { withoutSpread, unlinked } }: Pick<Revenue, 'earned'>) =>
  withoutSpread + unlinked === 0 ? null : (
    <Alert role="status" color="yellow" variant="light" mb="md">
      {withoutSpread > 0 && <div>{say('reports.earnings.without_spread', { count: withoutSpread })}</div>}
      {unlinked > 0 && <div>{say('reports.earnings.unlinked', { count: unlinked })}</div>}
    </Alert>
  )

const EarningTiles = ({ revenue, revenue: { earned, earnedBefore, total, net, currency } }: Part) => {
  const before = new Map(earnedBefore.parts.map(({ part, converted }) => [part, converted]))
  const tiles = [
    { key: 'total', amount: earned.total, was: earnedBefore.total },
    ...earned.parts.map(({ part, converted }) => ({ key: part, amount: converted, was: before.get(part) ?? null })),
    { key: 'costs', amount: total },
    { key: 'net', amount: net },
  ] as const
  return (
    <ul className="tiles">
      {tiles.map(({ key, amount, ...tile }) => (
        <li key={key} className="tile">
          <div className="tile-label">{say(`reports.earnings.${key}`)}</div>
          <div className="tile-figure money">
            <Opens place={findSources(revenue, key)}>
              <Converted amount={amount} currency={currency} />
            </Opens>
          </div>
          {'was' in tile && <div className="tile-label">{beforeText(amount, tile.was, currency)}</div>}
        </li>
      ))}
    </ul>
  )
}

/** Lists each kind of revenue by the currencies in which it was charged. */
const PartTable = ({ revenue, revenue: { earned, currency } }: Part) => (
  <FigureTable
    label={say('reports.earnings.parts')}
    headings={[
      { title: say('reports.head.part') },
      { title: say('reports.head.currency') },
      { title: say('reports.head.amount'), right: true },
      { title: say('reports.head.converted', { currency }), right: true },
    ]}
    rows={earned.data.map(({ part, currency: of, amount, converted }) => ({
      key: `${part} ${of}`,
      cells: [
        say(`reports.earnings.${part}`),
        of,
        <Opens key="amount" place={findSources(revenue, part, of)}>
          {groupDigits(amount)}
        </Opens>,
        <Converted key="converted" amount={converted} />,
      ],
    }))}
  />
)
