import type { Moving as SavedMoving } from '../../../src/modules/overview/saved-views/saved-views.filters.ts'
import type { Query } from '../../api.ts'
import type { OperationId, QueryOf } from '../../operations.ts'
import { isApiError } from '../api/http.ts'
import type { Choice } from '../text/choices.ts'
import { shiftDay } from '../text/day-text.ts'
import { say } from '../text/words.ts'
import { endOfDay, startOfDay, toDay } from '../text/zone.ts'
import type { SearchParams } from './search-params.ts'

export type Filter<Key extends string = string> = {
  key: Key
  label: string
  /**
   * `days` is a period between two days in the firm's zone, `amount` a range of amounts; for both, `until` is the
   * parameter of their end. A filter with options is a choice; any other is text.
   */
  kind?: 'choice' | 'days' | 'amount' | 'text'
  until?: Key
  options?: readonly Choice[]
  /** Whether several options may be chosen at once. */
  several?: boolean
  /** Whether a text may be typed that is none of the options, such as a symbol without open positions. */
  free?: boolean
  /** The value of an untouched filter; clearing the filter then means all. */
  fallback?: string
}

/** A filter of an operation's list, by a parameter that the operation takes. */
export type FilterOf<Id extends OperationId> = Filter<keyof QueryOf<Id> & string>

/** Returns the filters of a queue, which opens on one status: the waiting records. */
export const opensOn = <F extends Filter>(status: string, filters: readonly F[]): readonly F[] =>
  filters.map((filter) => (filter.key === 'status' ? { ...filter, fallback: status } : filter))

/** Returns the order of a list: a queue has the longest waiting first, every other list the newest. */
export const queueSort = (search: SearchParams, filters: readonly Filter[]): string => {
  // the parameter is called `status` or `state`
  const state = filters.find(({ key }) => key === 'status' || key === 'state')
  const waits = state?.fallback !== undefined && (search[state.key] ?? state.fallback) === state.fallback
  return waits ? 'createdAt' : '-createdAt'
}

/** The value of a filter with a fallback that the reader has cleared. */
export const ALL = '*'

/** Returns the parameters of a filter: one, or both ends of a range. */
export const listParameters = ({ key, until }: Filter): string[] => (until === undefined ? [key] : [key, until])

/** Relative periods, counted from the day on which a link or a saved view is opened. */
export const MOVING = ['today', '7d', 'month'] as const satisfies readonly SavedMoving[]
export type Moving = (typeof MOVING)[number]
export const isMoving = (value: string): value is Moving => MOVING.some((one) => one === value)

/** Returns the first moment of a relative period. */
function movingStart(period: Moving, now: Date): Date {
  const today = toDay(now)
  if (period === 'month') return startOfDay(`${today.slice(0, 7)}-01`)
  return startOfDay(period === 'today' ? today : shiftDay(today, -6))
}

/** Returns whether a value is a moment: links of reports have the moments at which their days begin and end. */
const isMoment = (value: string): boolean => value.includes('T')

/** Returns the day that a filter's field shows, in the firm's zone; for an end it is the last day within. */
export const dayShown = (value: string, end: boolean): string => {
  if (isMoving(value)) return ''
  if (!isMoment(value)) return value
  return toDay(new Date(Date.parse(value) - (end ? 1 : 0)))
}

/** Returns the moment that bounds a day or a period; null if the text is invalid. */
const dayEdge = (day: string, end: boolean): string | null => {
  if (!end && isMoving(day)) return movingStart(day, new Date()).toISOString()
  const date = isMoment(day) ? new Date(day) : end ? endOfDay(day) : startOfDay(day)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** Returns the API's parameters for the address: search, order and the filters of this list. */
export const listQuery = (search: SearchParams, filters: readonly Filter[]): Query => {
  const query: Query = {}
  if (search.q) query.q = search.q
  if (search.sort) query.sort = search.sort
  for (const filter of filters) {
    for (const key of listParameters(filter)) {
      const value = search[key] ?? (key === filter.key ? filter.fallback : undefined)
      // An invalid day is sent as it is, so that the server refuses it: without it the list would show other rows.
      if (value && value !== ALL)
        query[key] = filter.kind === 'days' ? (dayEdge(value, key === filter.until) ?? value) : value
    }
  }
  return query
}

/** Returns whether the address has an invalid day. */
export const hasWrongDay = (search: SearchParams, filters: readonly Filter[]): boolean =>
  filters.some(
    (filter) =>
      filter.kind === 'days' &&
      listParameters(filter).some(
        (key) => search[key] !== undefined && dayEdge(search[key], key === filter.until) === null,
      ),
  )

// A cleared filter with a fallback is set to "all", since its fallback would apply otherwise.
/** Returns the change of the address that removes a filter. */
export const cleared = (filter: Filter): Record<string, string | undefined> =>
  Object.fromEntries(
    listParameters(filter).map((key) => [key, key === filter.key && filter.fallback !== undefined ? ALL : undefined]),
  )

/** Returns whether a list has one currency: only then can its rows be sorted and limited by amount. */
export const isOneCurrency = ({ currency }: SearchParams): boolean =>
  currency !== undefined && currency !== ALL && !currency.includes(',')

/** Returns a filter that is on or off, with the sentence of what it keeps. */
export const buildFlag = <Key extends string>(key: Key, label: string, only: string) => ({
  key,
  label,
  options: [{ value: 'true', label: only }],
})

/** The amount filter of every list of money. */
export const AMOUNTS = { key: 'amountFrom', until: 'amountTo', label: say('lists.amount'), kind: 'amount' } as const

/** Returns the change of the address that removes search and every filter. */
export const clearAll = (filters: readonly Filter[]): Record<string, string | undefined> =>
  Object.assign({ q: undefined }, ...filters.map(cleared))

/** Returns whether a filter narrows the list, even by its fallback. */
export const isSet = (search: SearchParams, filter: Filter): boolean =>
  listParameters(filter).some((key) => {
    const value = search[key] ?? (key === filter.key ? filter.fallback : undefined)
    return Boolean(value) && value !== ALL
  })

/** Returns whether the reader has narrowed the list; fallbacks do not count. */
export const isNarrowed = (search: SearchParams, filters: readonly Filter[]): boolean =>
  Boolean(search.q) || filters.flatMap(listParameters).some((key) => search[key] && search[key] !== ALL)

const isByAmount = ({ sort }: SearchParams): boolean => sort === 'amount' || sort === '-amount'

/**
 * Returns the parts of the address that the API refused, by key and the reader's name for each. If a 422 names nothing
 * that the reader set, all parts are returned, so that each list can always be opened again.
 */
export const notUnderstood = (
  error: unknown,
  search: SearchParams,
  filters: readonly Filter[],
): { key: string; label: string }[] => {
  if (!isApiError(error)) return []
  const named = (error.problem.errors ?? []).map(({ path }) => path.split('.')[1] ?? '')
  const labels = new Map([
    ['q', say('parts.search')],
    ['sort', say('parts.order')],
    ...filters.flatMap((filter) => listParameters(filter).map((key) => [key, filter.label] as const)),
  ])
  // filters that need a currency are refused without one, and are removed with a wrong one
  const wrong = named.flatMap((key) =>
    key === 'currency'
      ? [...(isOneCurrency(search) ? [key] : []), ...listParameters(AMOUNTS), ...(isByAmount(search) ? ['sort'] : [])]
      : [key],
  )
  const said = (keys: Iterable<string>) =>
    [...keys].flatMap((key) => {
      const label = labels.get(key)
      return label !== undefined && search[key] && search[key] !== ALL ? [{ key, label }] : []
    })
  const known = said(new Set(wrong))
  return known.length > 0 || error.status !== 422 ? known : said(labels.keys())
}
