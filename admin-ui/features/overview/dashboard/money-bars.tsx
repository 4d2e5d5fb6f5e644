import { Table, Tooltip } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useRef, useState } from 'react'
import { Opens } from '../../../components/show/opens.tsx'
import { creditedIn, paidIn } from '../../../lib/lists/places.ts'
import { dayText } from '../../../lib/text/day-text.ts'
import { formatCount, groupDigits } from '../../../lib/text/format.ts'
import { locale } from '../../../lib/text/language.ts'
import { type BarAt, barAfter, type CurrencyMoney, type MoneyDay, type Sum, scaleBars } from './money-days.ts'
import { say } from './words.ts'

// the days are formatted in UTC, so that no time zone changes them
const short = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
// Only one day in seven has its date below it, for lack of room.
const LABEL_EVERY = 7

const describeSum = ({ count, amount }: Sum, currency: string, side: BarAt['side']): string =>
  say(side === 'in' ? 'dashboard.bar.in' : 'dashboard.bar.out', {
    amount: `${groupDigits(amount)} ${currency}`,
    count: formatCount(count),
  })

/**
 * Draws money in above the line and money out below it, a column for each day. Each bar opens the list that it was
 * summed from, by mouse or by arrows and Enter; the table has the figures.
 */
export const MoneyBars = ({ money: { currency, days } }: { money: CurrencyMoney }) => {
  const { share, days: heights } = scaleBars(days)
  const bars = useBars(days.length)
  return (
    <>
      <Legend />
      <div className="bars-frame">
        <Axis days={days} share={share} />
        {/* biome-ignore lint/a11y/useSemanticElements: these are links of a chart, not fields of a form */}
        <div
          ref={bars.frame}
          className="bars"
          role="group"
          aria-label={say('dashboard.bars', { currency })}
          style={{ gridTemplateColumns: `repeat(${days.length}, minmax(0, 1fr))` }}
        >
          {days.map((day, index) => (
            <BarDay
              key={day.day}
              day={day}
              currency={currency}
              share={share}
              up={heights[index]?.up ?? 0}
              down={heights[index]?.down ?? 0}
              labelled={(days.length - 1 - index) % LABEL_EVERY === 0}
              half={(side) => bars.half({ index, side })}
            />
          ))}
        </div>
      </div>
      <MoneyFigures currency={currency} days={days} />
    </>
  )
}

const Legend = () => (
  <ul className="bars-legend" aria-hidden>
    <li data-side="in">{say('dashboard.in')}</li>
    <li data-side="out">{say('dashboard.out')}</li>
  </ul>
)

const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumSignificantDigits: 3 })
const mostText = (sums: readonly Sum[]): string => compact.format(Math.max(0, ...sums.map(({ amount }) => +amount)))

/** Says how much the highest bars of both sides are; the figures below have every amount to the cent. */
const Axis = ({ days, share }: { days: readonly MoneyDay[]; share: number }) => (
  <div className="bars-axis" aria-hidden style={{ gridTemplateRows: `${share}fr ${1 - share}fr` }}>
    <span>{mostText(days.map(({ deposits }) => deposits))}</span>
    <span>{mostText(days.map(({ withdrawals }) => withdrawals))}</span>
  </div>
)

/** Lists the days on which money moved. Each sum links to the list that it was added up from. */
const MoneyFigures = ({ currency, days }: Pick<CurrencyMoney, 'currency' | 'days'>) => {
  const busy = days.filter(({ deposits, withdrawals }) => deposits.count + withdrawals.count > 0)
  return (
    <details className="figures">
      <summary>{say('dashboard.figures')}</summary>
      <Table.ScrollContainer minWidth={380}>
        <Table aria-label={say('dashboard.figures.label', { currency })} verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{say('dashboard.day')}</Table.Th>
              <Table.Th ta="right">{say('dashboard.in')}</Table.Th>
              <Table.Th ta="right">{say('dashboard.out')}</Table.Th>
              <Table.Th ta="right">{say('dashboard.net')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {busy.map((day) => (
              <DayFigures key={day.day} currency={currency} day={day} />
            ))}
            {busy.length === 0 && (
              <Table.Tr>
                <Table.Td colSpan={4} className="dim">
                  {say('dashboard.figures.empty')}
                </Table.Td>
              </Table.Tr>
            )}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </details>
  )
}

const DayFigures = ({ currency, day }: { currency: string; day: MoneyDay }) => (
  <Table.Tr>
    <Table.Th scope="row" fw={400}>
      {dayText(day.day)}
    </Table.Th>
    <Table.Td ta="right" className="money">
      <Opens place={creditedIn(day, currency)} rows={day.deposits.count}>
        {groupDigits(day.deposits.amount)}
      </Opens>
    </Table.Td>
    <Table.Td ta="right" className="money">
      <Opens place={paidIn(day, currency)} rows={day.withdrawals.count}>
        {groupDigits(day.withdrawals.amount)}
      </Opens>
    </Table.Td>
    <Table.Td ta="right" className="money">
      {groupDigits(day.net)}
    </Table.Td>
  </Table.Tr>
)

/** The Tab key stops once for the whole chart; the arrows move the focus from bar to bar. */
function useBars(count: number) {
  const frame = useRef<HTMLDivElement>(null)
  const [stop, setStop] = useState<BarAt>({ index: count - 1, side: 'in' })
  const name = ({ index, side }: BarAt): string => `${side} ${index}`
  const half = (at: BarAt) => ({
    'data-side': at.side,
    'data-bar': name(at),
    className: 'bar-half',
    tabIndex: name(at) === name(stop) ? 0 : -1,
    onFocus: () => setStop(at),
    onKeyDown: (event: KeyboardEvent) => {
      const next = barAfter(event.key, at, count)
      if (!next) return
      event.preventDefault()
      frame.current?.querySelector<HTMLElement>(`[data-bar="${name(next)}"]`)?.focus()
    },
  })
  return { frame, half }
}

type BarDayProps = {
  day: MoneyDay
  currency: string
  share: number
  up: number
  down: number
  labelled: boolean
  half: (side: BarAt['side']) => ReturnType<ReturnType<typeof useBars>['half']>
}

const BarDay = ({ day, currency, share, up, down, labelled, half }: BarDayProps) => {
  const [date, into, out] = [
    dayText(day.day),
    describeSum(day.deposits, currency, 'in'),
    describeSum(day.withdrawals, currency, 'out'),
  ]
  return (
    <Tooltip
      multiline
      openDelay={80}
      events={{ hover: true, focus: true, touch: false }}
      label={
        <>
          <div>{date}</div>
          <div className="money">{into}</div>
          <div className="money">{out}</div>
          <div className="money">{say('dashboard.bar.net', { amount: `${groupDigits(day.net)} ${currency}` })}</div>
        </>
      }
    >
      <div className="bar-day" style={{ gridTemplateRows: `${share}fr ${1 - share}fr` }}>
        <Link
          {...creditedIn(day, currency)}
          data-rows={day.deposits.count}
          aria-label={`${date}: ${into}`}
          {...half('in')}
        >
          <span className="bar" style={{ height: `${up}%` }} />
        </Link>
        <Link
          {...paidIn(day, currency)}
          data-rows={day.withdrawals.count}
          aria-label={`${date}: ${out}`}
          {...half('out')}
        >
          <span className="bar" style={{ height: `${down}%` }} />
        </Link>
        {labelled && <span className="bar-label">{short.format(new Date(day.day))}</span>}
      </div>
    </Tooltip>
  )
}
