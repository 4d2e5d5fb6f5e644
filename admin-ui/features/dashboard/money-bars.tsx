import { Table, Tooltip } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatCount, formatDate, groupDigits } from '../../lib/format.ts'
import { type CurrencyMoney, creditedIn, heightsOf, type MoneyDay, paidIn, type Sum } from './money-days.ts'

const short = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const noon = (day: string): string => `${day}T12:00:00`
// So many days have their date below them; the others are known by their place.
const LABEL_EVERY = 7

const inWords = ({ count, amount }: Sum, currency: string, word: string): string =>
  `${groupDigits(amount)} ${currency} ${word} (${formatCount(count)})`

/**
 * In above the line and out below it, a column a day. Each bar
 * opens the list it was summed from; the table has it in figures.
 */
export const MoneyBars = ({ money: { currency, days } }: { money: CurrencyMoney }) => {
  const { share, days: heights } = heightsOf(days)
  const busy = days.filter(({ deposits, withdrawals }) => deposits.count + withdrawals.count > 0)
  return (
    <>
      <div className="bars" aria-hidden style={{ gridTemplateColumns: `repeat(${days.length}, minmax(0, 1fr))` }}>
        {days.map((day, index) => (
          <BarDay
            key={day.day}
            day={day}
            currency={currency}
            share={share}
            up={heights[index]?.up ?? 0}
            down={heights[index]?.down ?? 0}
            labelled={(days.length - 1 - index) % LABEL_EVERY === 0}
          />
        ))}
      </div>
      <details className="figures">
        <summary>In figures</summary>
        <Table.ScrollContainer minWidth={380}>
          <Table aria-label={`Money in and out by day, ${currency}`} verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Day</Table.Th>
                <Table.Th ta="right">In</Table.Th>
                <Table.Th ta="right">Out</Table.Th>
                <Table.Th ta="right">Net</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {busy.map((day) => (
                <Table.Tr key={day.day}>
                  <Table.Th scope="row" fw={400}>
                    {formatDate(noon(day.day))}
                  </Table.Th>
                  <Table.Td ta="right" className="money">
                    <Link to="/deposits" search={creditedIn(currency, day)} className="text-link">
                      {groupDigits(day.deposits.amount)}
                    </Link>
                  </Table.Td>
                  <Table.Td ta="right" className="money">
                    <Link to="/withdrawals" search={paidIn(currency, day)} className="text-link">
                      {groupDigits(day.withdrawals.amount)}
                    </Link>
                  </Table.Td>
                  <Table.Td ta="right" className="money">
                    {groupDigits(day.net)}
                  </Table.Td>
                </Table.Tr>
              ))}
              {busy.length === 0 && (
                <Table.Tr>
                  <Table.Td colSpan={4} className="dim">
                    No money moved on these days.
                  </Table.Td>
                </Table.Tr>
              )}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </details>
    </>
  )
}

type BarDayProps = { day: MoneyDay; currency: string; share: number; up: number; down: number; labelled: boolean }

const BarDay = ({ day, currency, share, up, down, labelled }: BarDayProps) => (
  <Tooltip
    multiline
    openDelay={80}
    label={
      <>
        <div>{formatDate(noon(day.day))}</div>
        <div className="money">{inWords(day.deposits, currency, 'in')}</div>
        <div className="money">{inWords(day.withdrawals, currency, 'out')}</div>
        <div className="money">
          Net {groupDigits(day.net)} {currency}
        </div>
      </>
    }
  >
    <div className="bar-day" style={{ gridTemplateRows: `${share}fr ${1 - share}fr` }}>
      <Link to="/deposits" search={creditedIn(currency, day)} tabIndex={-1} className="bar-half" data-side="in">
        <span className="bar" style={{ height: `${up}%` }} />
      </Link>
      <Link to="/withdrawals" search={paidIn(currency, day)} tabIndex={-1} className="bar-half" data-side="out">
        <span className="bar" style={{ height: `${down}%` }} />
      </Link>
      {labelled && <span className="bar-label">{short.format(new Date(noon(day.day)))}</span>}
    </div>
  </Tooltip>
)
