import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../../../components/page/loaded.tsx'
import { Section } from '../../../components/page/section.tsx'
import { Opens } from '../../../components/show/opens.tsx'
import { creditedIn, firstDepositIn, joinDays, type Place, paidIn, registeredIn } from '../../../lib/lists/places.ts'
import { dayText } from '../../../lib/text/day-text.ts'
import { formatCount } from '../../../lib/text/format.ts'
import { Chart } from './chart.tsx'
import { ChartTable } from './figure-table.tsx'
import { settingsQuery } from './firm-settings.ts'
import { AsOf, Converted, MissingRates } from './notices.tsx'
import { ReportBar, useAskedPeriod } from './report-bar.tsx'
import { makeOverviewFile } from './report-files.ts'
import { fetchOverview, type Overview, overviewCsv } from './reports.api.ts'
import { say } from './words.ts'

/** Shows money in and out, converted to one currency, and new clients, by day. */
export const OverviewReport = () => {
  const asked = useAskedPeriod()
  const firm = useQuery(settingsQuery)
  const currency = asked.currency ?? firm.data?.currency
  const query = { ...asked, ...(currency && { currency }) }
  const read = useQuery({
    queryKey: ['reports', 'overview', query],
    queryFn: () => fetchOverview(query),
    enabled: currency !== undefined,
  })
  return (
    <>
      <ReportBar
        csv={{
          href: overviewCsv(query),
          name: 'overview',
          make: (text) => (read.data ? makeOverviewFile(read.data) : text),
        }}
        shown={read.data && { ...read.data, ...(currency && { currency }) }}
        hasCurrency
      />
      {currency === undefined ? (
        <Loaded query={firm}>{() => null}</Loaded>
      ) : (
        <Loaded query={read}>
          {(overview) => (
            <Stack gap="lg">
              {overview.converted && <Money overview={overview} converted={overview.converted} />}
              <NewClients overview={overview} />
            </Stack>
          )}
        </Loaded>
      )}
    </>
  )
}

type Day = Overview['days'][number]
const nth =
  (days: readonly Day[], of: (day: Day) => Place) =>
  (index: number): Place | null => {
    const day = days[index]
    return day ? of(day) : null
  }

type MoneyProps = { overview: Overview; converted: NonNullable<Overview['converted']> }

const Money = ({ overview, converted }: MoneyProps) => {
  const { currency, days, missingRates } = converted
  const known = new Map(days.map((day) => [day.day, day]))
  const all = overview.days.map(({ day }) => known.get(day))
  const names = overview.days.map(({ day }) => dayText(day))
  const span = joinDays(overview.days)
  const places = { deposits: span && creditedIn(span), withdrawals: span && paidIn(span), net: null }
  return (
    <Section title={say('reports.overview.money', { currency })} description={<AsOf {...overview} />}>
      <MissingRates missing={missingRates} currency={currency} />
      <ul className="tiles">
        {(['deposits', 'withdrawals', 'net'] as const).map((what) => (
          <li key={what} className="tile">
            <div className="tile-label">{say(`reports.overview.${what}`)}</div>
            <div className="tile-figure money">
              <Opens place={places[what]}>
                <Converted amount={converted[what]} currency={currency} />
              </Opens>
            </div>
          </li>
        ))}
      </ul>
      <Chart
        names={names}
        unit={currency}
        series={[
          {
            name: say('reports.overview.deposits'),
            color: 'var(--long)',
            texts: all.map((day) => day?.deposits ?? '0'),
            opens: nth(overview.days, (day) => creditedIn(day)),
          },
          {
            name: say('reports.overview.withdrawals'),
            color: 'var(--short)',
            texts: all.map((day) => day?.withdrawals ?? '0'),
            opens: nth(overview.days, (day) => paidIn(day)),
          },
        ]}
      />
      <MoneyFigures overview={overview} converted={converted} />
    </Section>
  )
}

/** Shows what moved on each day; each sum links to its rows. */
const MoneyFigures = ({ overview, converted: { currency, days } }: MoneyProps) => (
  <ChartTable
    label={say('reports.overview.money', { currency })}
    headings={[
      { title: say('reports.head.day') },
      { title: say('reports.overview.deposits'), right: true },
      { title: say('reports.overview.withdrawals'), right: true },
      { title: say('reports.overview.net'), right: true },
    ]}
    rows={days.map(({ day, deposits, withdrawals, net }) => {
      const bounds = overview.days.find((one) => one.day === day)
      return {
        key: day,
        cells: [
          dayText(day),
          <Opens key="in" place={bounds ? creditedIn(bounds) : null}>
            <Converted amount={deposits} />
          </Opens>,
          <Opens key="out" place={bounds ? paidIn(bounds) : null}>
            <Converted amount={withdrawals} />
          </Opens>,
          <Converted key="net" amount={net} />,
        ],
      }
    })}
  />
)

const NewClients = ({ overview }: { overview: Overview }) => {
  const [registered, first] = [say('reports.overview.registrations'), say('reports.overview.first_deposits')]
  return (
    <Section title={say('reports.overview.clients')}>
      <Chart
        names={overview.days.map(({ day }) => dayText(day))}
        series={[
          {
            name: registered,
            color: 'var(--info)',
            texts: overview.days.map(({ registrations }) => String(registrations)),
            opens: nth(overview.days, (day) => registeredIn(day)),
          },
          {
            name: first,
            color: 'var(--good)',
            texts: overview.days.map(({ firstDeposits }) => String(firstDeposits)),
            opens: nth(overview.days, firstDepositIn),
          },
        ]}
      />
      <ChartTable
        label={say('reports.overview.clients')}
        headings={[
          { title: say('reports.head.day') },
          { title: registered, right: true },
          { title: first, right: true },
        ]}
        rows={overview.days.map((day) => ({
          key: day.day,
          cells: [
            dayText(day.day),
            <Opens key="registered" place={registeredIn(day)} rows={day.registrations}>
              {formatCount(day.registrations)}
            </Opens>,
            <Opens key="first" place={firstDepositIn(day)} rows={day.firstDeposits}>
              {formatCount(day.firstDeposits)}
            </Opens>,
          ],
        }))}
      />
    </Section>
  )
}
