import type { Moving as SavedMoving } from '../../../src/modules/overview/saved-views/saved-views.filters.ts'
import type { Query } from '../../api.ts'
import type { OperationId, QueryOf } from '../../operations.ts'
import { isApiError } from '../api/http.ts'
import type { Choice } from '../text/choices.ts'
import { say } from '../text/words.ts'
import type { SearchParams } from './search-params.ts'

export type Filter<Key extends string = string> = {
  key: Key
  label: string
  /**
   * `days` is a period between two days in the viewer's zone, `amount` a range of amounts; both have their end under
   * `until`. A filter with options is a choice; otherwise it is text.
   */
  kind?: 'choice' | 'days' | 'amount' | 'text'
  until?: Key
  options?: readonly Choice[]
  /** More than one of the options may be asked for at once. */
  several?: boolean
  /** A text that is none of the options may be typed, such as a symbol of which nothing is open. */
  free?: boolean
  /** Value of an untouched filter; clearing the filter then means all. */
  fallback?: string
}

/** A filter of the list of an operation: by a parameter that it takes. */
export type FilterOf<Id extends OperationId> = Filter<keyof QueryOf<Id> & string>

/** The filters of a queue, which opens on one status: what waits for somebody. */
export const opensOn = <F extends Filter>(status: string, filters: readonly F[]): readonly F[] =>
  filters.map((filter) => (filter.key === 'status' ? { ...filter, fallback: status } : filter))

/** The order of a queue: what waits longest comes first, while everything else is newest first. */
export const queueSort = (search: SearchParams, filters: readonly Filter[]): string => {
  // a list calls it by the one word or the other
  const state = filters.find(({ key }) => key === 'status' || key === 'state')
  const waits = state?.fallback !== undefined && (search[state.key] ?? state.fallback) === state.fallback
  return waits ? 'createdAt' : '-createdAt'
}

/** A filter with a fallback that the reader has cleared. */
export const ALL = '*'

/** The parameters of a filter: one, or both ends of a range. */
export const keysOf = ({ key, until }: Filter): string[] => (until === undefined ? [key] : [key, until])

/** Periods that move with the day, so that a link or a saved view of them means the day on which it is opened. */
export const MOVING = ['today', '7d', 'month'] as const satisfies readonly SavedMoving[]
export type Moving = (typeof MOVING)[number]
export const isMoving = (value: string): value is Moving => MOVING.some((one) => one === value)

/** The first moment of a period that moves. */
function movingStart(period: Moving, now: Date): Date {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()]
  if (period === 'month') return new Date(year, month, 1)
  return new Date(year, month, period === 'today' ? day : day - 6)
}

/** A moment instead of a day, as links of reports have it: they mean the firm's days, which the viewer's may not be. */
const isMoment = (value: string): boolean => value.includes('T')

/** The day to show in the field of a filter: of a moment, that of the viewer's zone; an end is the last day within. */
export const dayShown = (value: string, end: boolean): string => {
  if (isMoving(value)) return ''
  if (!isMoment(value)) return value
  const date = new Date(Date.parse(value) - (end ? 1 : 0))
  if (Number.isNaN(date.getTime())) return ''
  const two = (part: number): string => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The moment that bounds a day or a period; null where the words are none. */
const dayEdge = (day: string, end: boolean): string | null => {
  if (!end && isMoving(day)) return movingStart(day, new Date()).toISOString()
  const date = isMoment(day) ? new Date(day) : edge(day, end)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
const edge = (day: string, end: boolean): Date => new Date(`${day}T${end ? '23:59:59.999' : '00:00:00'}`)

/** The API's parameters for what the address says: search, order and the filters this list knows. */
export const listQuery = (search: SearchParams, filters: readonly Filter[]): Query => {
  const query: Query = {}
  if (search.q) query.q = search.q
  if (search.sort) query.sort = search.sort
  for (const filter of filters) {
    for (const key of keysOf(filter)) {
      const value = search[key] ?? (key === filter.key ? filter.fallback : undefined)
      // What is no day goes out as it is, so that the server names it: left out, the list would be another one.
      if (value && value !== ALL)
        query[key] = filter.kind === 'days' ? (dayEdge(value, key === filter.until) ?? value) : value
    }
  }
  return query
}

/** Whether the address has something for a day that is none. */
export const hasWrongDay = (search: SearchParams, filters: readonly Filter[]): boolean =>
  filters.some(
    (filter) =>
      filter.kind === 'days' &&
      keysOf(filter).some((key) => search[key] !== undefined && dayEdge(search[key], key === filter.until) === null),
  )

// A filter that has a fallback would come back with it, so that one is set to "all".
/** The change of the address that takes a filter away. */
export const cleared = (filter: Filter): Record<string, string | undefined> =>
  Object.fromEntries(
    keysOf(filter).map((key) => [key, key === filter.key && filter.fallback !== undefined ? ALL : undefined]),
  )

/** Whether a list is of one currency: only then its rows have an order by amount, and bounds of it. */
export const isOneCurrency = ({ currency }: SearchParams): boolean =>
  currency !== undefined && currency !== ALL && !currency.includes(',')

/** The bounds of the amount, as every list of money has them. */
export const AMOUNTS = { key: 'amountFrom', until: 'amountTo', label: say('lists.amount'), kind: 'amount' } as const

/** The change of the address that takes search and every filter away. */
export const clearAll = (filters: readonly Filter[]): Record<string, string | undefined> =>
  Object.assign({ q: undefined }, ...filters.map(cleared))

/** Whether a filter narrows the list, be it by its fallback. */
export const isSet = (search: SearchParams, filter: Filter): boolean =>
  keysOf(filter).some((key) => {
    const value = search[key] ?? (key === filter.key ? filter.fallback : undefined)
    return Boolean(value) && value !== ALL
  })

/** Whether the reader has narrowed the list; what a fallback hides does not count. */
export const isNarrowed = (search: SearchParams, filters: readonly Filter[]): boolean =>
  Boolean(search.q) || filters.flatMap(keysOf).some((key) => search[key] && search[key] !== ALL)

const isByAmount = ({ sort }: SearchParams): boolean => sort === 'amount' || sort === '-amount'

/**
 * What the address says that the API did not understand, as the reader knows it, by its key. Where the API names
 * nothing that the reader set, it is all of it: a list that a link or a shared view opens always has a way out.
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
    ...filters.flatMap((filter) => keysOf(filter).map((key) => [key, filter.label] as const)),
  ])
  // a currency that is missing is asked for by what cannot do without it, and one that is wrong takes that along
  const wrong = named.flatMap((key) =>
    key === 'currency'
      ? [...(isOneCurrency(search) ? [key] : []), ...keysOf(AMOUNTS), ...(isByAmount(search) ? ['sort'] : [])]
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
