import { DatePicker } from '@mantine/dates'
import { useEffect, useRef } from 'react'
import { locale } from '../../lib/text/language.ts'
import { say } from '../../lib/text/words.ts'
import { toDay } from '../../lib/text/zone.ts'

const createFormat = (options: Intl.DateTimeFormatOptions): ((day: string) => string) => {
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
  return (day) => format.format(new Date(`${day.slice(0, 10)}T00:00:00Z`))
}
const monthOfYear = createFormat({ month: 'long', year: 'numeric' })
const month = createFormat({ month: 'short' })
const year = createFormat({ year: 'numeric' })
const weekday = createFormat({ weekday: 'short' })
const wholeDay = createFormat({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })

/** Weeks begin on Sunday in American English, and on Monday in the other languages of the console. */
const FIRST_DAY = locale === 'en-US' ? 0 : 1

const LABELS = {
  nextMonth: say('parts.day.next_month'),
  previousMonth: say('parts.day.previous_month'),
  nextYear: say('parts.day.next_year'),
  previousYear: say('parts.day.previous_year'),
  nextDecade: say('parts.day.next_decade'),
  previousDecade: say('parts.day.previous_decade'),
}

type DayPickerProps = { day: string | null; onChoose: (day: string) => void }

/** A calendar in the reader's language; the marked day is today's of the firm. */
export const DayPicker = ({ day, onChoose }: DayPickerProps) => {
  const today = toDay(new Date())
  const calendar = useRef<HTMLDivElement>(null)
  // The calendar is loaded after its menu has opened, so it takes the focus itself.
  useEffect(() => calendar.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), [])
  return (
    <DatePicker
      ref={calendar}
      className="day-picker"
      value={day}
      {...(day !== null && { defaultDate: day })}
      onChange={(chosen) => chosen && onChoose(chosen)}
      allowDeselect={false}
      hideOutsideDates
      weekendDays={[]}
      getDayProps={(date) => ({
        'data-autofocus': date === (day ?? today) || undefined,
        'data-firm-today': date === today || undefined,
      })}
      getDayAriaLabel={wholeDay}
      firstDayOfWeek={FIRST_DAY}
      monthLabelFormat={monthOfYear}
      monthsListFormat={month}
      yearLabelFormat={year}
      yearsListFormat={year}
      decadeLabelFormat={(from, to) => `${year(from)} – ${year(to)}`}
      weekdayFormat={weekday}
      ariaLabels={LABELS}
      size="sm"
    />
  )
}
