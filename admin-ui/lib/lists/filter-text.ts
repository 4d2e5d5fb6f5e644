import { dayText } from '../text/day-text.ts'
import { groupDigits } from '../text/format.ts'
import { type SentenceKey, say } from '../text/words.ts'
import { ALL, dayShown, type Filter, isMoving, type Moving } from './filters.ts'
import type { SearchParams } from './search-params.ts'

/** The names of the relative periods. */
export const PERIODS: Readonly<Record<Moving, SentenceKey>> = {
  today: 'lists.days_today',
  '7d': 'lists.days_7d',
  month: 'lists.days_month',
}

const optionText = ({ options = [] }: Filter, value: string): string =>
  value
    .split(',')
    .map((one) => options.find((option) => option.value === one)?.label ?? one)
    .join(', ')

function rangeText(from: string, to: string, words: 'days' | 'amount', print: (value: string) => string): string {
  if (from !== '' && to !== '') return from === to ? print(from) : `${print(from)} – ${print(to)}`
  if (words === 'days')
    return from !== '' ? say('lists.days_since', { day: print(from) }) : say('lists.days_until', { day: print(to) })
  return from !== ''
    ? say('lists.amount_least', { amount: print(from) })
    : say('lists.amount_most', { amount: print(to) })
}

/** Returns a day in readable form; an invalid one stays as typed. */
const dayOr = (value: string, end: boolean): string => {
  const day = dayShown(value, end)
  return day === '' || Number.isNaN(Date.parse(day)) ? value : dayText(day)
}

/** Describes the value of a filter: “Pending, Settled”, “Today”, “Nov 1 – 21, 2026”. It is empty if none is set. */
export function filterText(filter: Filter, search: SearchParams): string {
  const from = search[filter.key] ?? filter.fallback ?? ''
  const to = filter.until === undefined ? '' : (search[filter.until] ?? '')
  if ((from === '' && to === '') || from === ALL) return ''
  if (filter.kind === 'amount') return rangeText(from, to, 'amount', groupDigits)
  if (filter.kind !== 'days') return optionText(filter, from)
  if (isMoving(from)) return say(PERIODS[from])
  const [first, last] = [from && dayOr(from, false), to && dayOr(to, true)]
  return rangeText(first, last, 'days', (day) => day)
}
