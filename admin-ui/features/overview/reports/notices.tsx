import { Alert } from '@mantine/core'
import { When } from '../../../components/show/moment.tsx'
import { dayText } from '../../../lib/text/day-text.ts'
import { groupDigits } from '../../../lib/text/format.ts'
import type { Missing } from './missing-rates.ts'
import { say } from './words.ts'

const SHOWN = 5

/** Lists the rates that a report misses: amounts without a rate are left out of its sums. */
export const MissingRates = ({ missing, currency }: { missing: readonly Missing[]; currency: string }) => {
  if (missing.length === 0) return null
  return (
    <Alert role="status" color="yellow" variant="light" mb="md" title={say('reports.missing.title', { currency })}>
      <p>{say('reports.missing.text')}</p>
      <ul>
        {missing.slice(0, SHOWN).map(({ currency: of, day, amount }) => (
          <li key={`${day} ${of}`} className="money">
            {dayText(day)} · {groupDigits(amount)} {of}
          </li>
        ))}
      </ul>
      {missing.length > SHOWN && <p>{say('reports.missing.more', { count: missing.length - SHOWN })}</p>}
    </Alert>
  )
}

/** Says when the report was computed, and in which time zone. */
export const AsOf = ({ asOf, timeZone }: { asOf: string; timeZone: string }) => (
  <>
    {say('reports.as_of', { zone: timeZone.replaceAll('_', ' ') })} · <When at={asOf} as="second" />
  </>
)

/** Shows a converted sum, or that a rate is missing. */
export const Converted = ({ amount, currency }: { amount: string | null; currency?: string }) =>
  amount === null ? (
    <span className="dim" title={say('reports.missing.cell')}>
      {say('reports.missing.none')}
    </span>
  ) : (
    <>
      {groupDigits(amount)} {currency && <span className="money-currency">{currency}</span>}
    </>
  )
