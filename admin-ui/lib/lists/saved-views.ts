import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type Body, call, type Row } from '../../api.ts'
import { useMe } from '../api/session.ts'
import { ALL, type Filter, keysOf } from './filters.ts'
import type { ListLook } from './list-look.ts'
import { type SearchParams, useSearchParams } from './search-params.ts'

export type SavedView = Row<'savedViews.list'>
type Filters = SavedView['filters']
/** The lists of the console, as the server knows them: one that it does not know can have no views. */
export type ListName = Body<'savedViews.create'>['list']

/** The word of the address for a list that is looked at without any view. */
const NO_VIEW = 'none'

/**
 * What a view keeps of the address: filters and order, also those that apply untouched. The search, and whatever else
 * may name a client, is not among what the server `keeps` of this list.
 */
export function filtersOfView(search: SearchParams, filters: readonly Filter[], keeps: readonly string[]): Filters {
  const kept: Filters = {}
  for (const filter of filters)
    for (const key of keysOf(filter).filter((one) => keeps.includes(one))) {
      const value = search[key] ?? (key === filter.key ? filter.fallback : undefined)
      if (value) kept[key] = value
    }
  return search.sort && keeps.includes('sort') ? { ...kept, sort: search.sort } : kept
}

const sameFilters = (a: Filters, b: Filters): boolean => {
  const said = (filters: Filters): string =>
    JSON.stringify(
      Object.entries(filters)
        .filter(([, value]) => value !== ALL)
        .toSorted(([left], [right]) => (left < right ? -1 : 1)),
    )
  return said(a) === said(b)
}

/** The change of the address that shows a view: its filters in place of those that are there. */
export const addressOfView = (
  view: Pick<SavedView, 'id' | 'filters'> | null,
  filters: readonly Filter[],
): Record<string, string | undefined> => ({
  q: undefined,
  sort: undefined,
  ...Object.fromEntries(
    filters.flatMap((filter) =>
      keysOf(filter).map((key) => [key, view && key === filter.key && filter.fallback ? ALL : undefined]),
    ),
  ),
  ...view?.filters,
  view: view?.id ?? NO_VIEW,
})

/** The view that a list opens with: one's own before a shared one. */
export const openingView = (views: readonly SavedView[], me: string): SavedView | undefined => {
  const defaults = views.filter(({ isDefault }) => isDefault)
  return defaults.find(({ ownerId, shared }) => ownerId === me && !shared) ?? defaults.find(({ shared }) => shared)
}

export type ListViews = {
  views: readonly SavedView[]
  /** Whether the list has views: a page of its own, for staff. */
  isOn: boolean
  /** The view that the address names. */
  active: SavedView | null
  /** Whether the list is looked at in another way than the active view keeps. */
  isChanged: boolean
  /** What a view of the list as it is now would keep. */
  now: Pick<Body<'savedViews.create'>, 'list' | 'filters' | 'look'>
  show(view: SavedView | null): void
  /** Nothing is read before it is known with which view the list opens. */
  isReady: boolean
}

type Parts = {
  list: ListName
  filters: readonly Filter[]
  look: ListLook
  /** Whether the list has views at all. */
  on: boolean
}

/** The saved views of a list, and the one that it is looked at with; an address without anything opens the default. */
export function useListViews({ list, filters, look, on: isPage }: Parts): ListViews {
  const [search, setSearch] = useSearchParams()
  const me = useMe()
  const on = isPage && me.kind === 'user'
  const asked = useQuery({
    queryKey: ['saved-views', list],
    queryFn: () => call('savedViews.list', { query: { list } }),
    enabled: on,
    staleTime: 60_000,
  })
  const views = asked.data?.data ?? []
  const { hidden, order, widths, dense } = look
  const now = {
    list,
    filters: filtersOfView(search, filters, asked.data?.keeps ?? []),
    look: { hidden: [...hidden], order: [...order], widths: { ...widths }, dense },
  }
  const active = views.find(({ id }) => id === search.view) ?? null
  const show = (view: SavedView | null): void => {
    if (view) look.set(view.look)
    setSearch(addressOfView(view, filters))
  }
  const isBare = Object.keys(search).length === 0
  const opening = isBare ? openingView(views, me.id) : undefined
  const opened = useRef<string | null>(null)
  useEffect(() => {
    // once: the address takes a moment to change
    if (opening && opened.current !== opening.id) show(opening)
    opened.current = opening?.id ?? null
  })
  return {
    isOn: on,
    views,
    active,
    isChanged:
      active !== null &&
      !(sameFilters(active.filters, now.filters) && JSON.stringify(active.look) === JSON.stringify(now.look)),
    now,
    show,
    isReady: !on || !isBare || !(asked.isPending || opening),
  }
}
