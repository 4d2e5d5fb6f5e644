import type { Query } from '../api.ts'
import type { OperationId, QueryOf } from '../operations.ts'
import type { Choice } from './choices.ts'
import { isApiError } from './http.ts'
import type { SearchParams } from './search-params.ts'

export type Filter<Key extends string = string> = {
  key: Key
  label: string
  /** `from` and `to` are days in the viewer's zone; a filter with options is a choice; otherwise it is text. */
  kind?: 'choice' | 'from' | 'to' | 'text'
  options?: readonly Choice[]
  /** Value of an untouched filter; clearing the filter then means all. */
  fallback?: string
  /** Kept behind "More filters". */
  more?: boolean
}

/** A filter of the list of an operation: by a parameter that it takes. */
export type FilterOf<Id extends OperationId> = Filter<keyof QueryOf<Id> & string>

/** The filters of a queue, which opens on one status: what waits for somebody. */
export const opensOn = <F extends Filter>(status: string, filters: readonly F[]): readonly F[] =>
  filters.map((filter) => (filter.key === 'status' ? { ...filter, fallback: status } : filter))

/** A filter with a fallback that the reader has cleared. */
export const ALL = '*'

/** A moment instead of a day, as links of reports have it: they mean the firm's days, which the viewer's may not be. */
const isMoment = (value: string): boolean => value.includes('T')

/** The day to show in the field of a filter: of a moment, that of the viewer's zone; an end is the last day within. */
export const dayShown = (value: string, end: boolean): string => {
  if (!isMoment(value)) return value
  const date = new Date(Date.parse(value) - (end ? 1 : 0))
  if (Number.isNaN(date.getTime())) return ''
  const two = (part: number): string => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The moment that bounds a day; null where the words are no day. */
const dayEdge = (day: string, end: boolean): string | null => {
  const date = isMoment(day) ? new Date(day) : edge(day, end)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

const isDay = (kind: Filter['kind']): boolean => kind === 'from' || kind === 'to'
const edge = (day: string, end: boolean): Date => new Date(`${day}T${end ? '23:59:59.999' : '00:00:00'}`)

/** The API's parameters for what the address says: search, order and the filters this list knows. */
export const listQuery = (search: SearchParams, filters: readonly Filter[]): Query => {
  const query: Query = {}
  if (search.q) query.q = search.q
  if (search.sort) query.sort = search.sort
  for (const { key, kind, fallback } of filters) {
    const value = search[key] ?? fallback
    // What is no day goes out as it is, so that the server names it: left out, the list would be another one.
    if (value && value !== ALL) query[key] = isDay(kind) ? (dayEdge(value, kind === 'to') ?? value) : value
  }
  return query
}

/** Whether the address has something for a day that is none. */
export const hasWrongDay = (search: SearchParams, filters: readonly Filter[]): boolean =>
  filters.some(({ key, kind }) => {
    const value = search[key]
    return isDay(kind) && value !== undefined && dayEdge(value, kind === 'to') === null
  })

// A filter that has a fallback would come back with it, so that one is set to "all".
/** The change of the address that takes search and every filter away. */
export const clearAll = (filters: readonly Filter[]): Record<string, string | undefined> =>
  Object.fromEntries([['q', undefined], ...filters.map(({ key, fallback }) => [key, fallback && ALL])])

/** Whether the reader has narrowed the list; what a fallback hides does not count. */
export const isNarrowed = (search: SearchParams, filters: readonly Filter[]): boolean =>
  Boolean(search.q) || filters.some(({ key }) => search[key] && search[key] !== ALL)

/** What the address says that the API did not understand, as the reader knows it, by its key. */
export const notUnderstood = (
  error: unknown,
  search: SearchParams,
  filters: readonly Filter[],
): { key: string; label: string }[] => {
  if (!isApiError(error)) return []
  const named = (error.problem.errors ?? []).map(({ path }) => path.split('.')[1] ?? '')
  const labels = new Map([
    ['q', 'Search'],
    ['sort', 'Order'],
    ...filters.map(({ key, label }) => [key, label] as const),
  ])
  return [...new Set(named)].flatMap((key) => {
    const label = labels.get(key)
    return label !== undefined && search[key] ? [{ key, label }] : []
  })
}
