import { skipToken, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type Body, call, type Row } from '../../api.ts'
import { useMe } from '../api/session.ts'
import { ALL, type Filter, listParameters } from './filters.ts'
import type { ListLook } from './list-look.ts'
import { type SearchParams, useSearchParams } from './search-params.ts'

export type SavedView = Row<'savedViews.list'>
type Filters = SavedView['filters']
/** The lists of which the server keeps views. */
type ViewedName = Body<'savedViews.create'>['list']
/** The lists without saved views: the server does not know them. */
const WITHOUT_VIEWS = ['platforms', 'platform-findings', 'platform-days', 'platform-instructions'] as const
/** The lists of the console. */
export type ListName = ViewedName | (typeof WITHOUT_VIEWS)[number]
const hasViews = (list: ListName): list is ViewedName => !WITHOUT_VIEWS.some((name) => name === list)

/** The value in the address for a list without any view. */
const NO_VIEW = 'none'

/**
 * Returns what a view keeps of the address: filters and order, default ones too. The search, and every other value that
 * may name a client, is not among those that the server `keeps` of this list.
 */
export function pickViewFilters(search: SearchParams, filters: readonly Filter[], keeps: readonly string[]): Filters {
  const kept: Filters = {}
  for (const filter of filters)
    for (const key of listParameters(filter).filter((one) => keeps.includes(one))) {
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

/** Returns the change of the address that shows a view: its filters replace the present ones. */
export const buildViewSearch = (
  view: Pick<SavedView, 'id' | 'filters'> | null,
  filters: readonly Filter[],
): Record<string, string | undefined> => ({
  q: undefined,
  sort: undefined,
  ...Object.fromEntries(
    filters.flatMap((filter) =>
      listParameters(filter).map((key) => [key, view && key === filter.key && filter.fallback ? ALL : undefined]),
    ),
  ),
  ...view?.filters,
  view: view?.id ?? NO_VIEW,
})

/** Returns the view that a list opens with: the user's own before a shared one. */
export const openingView = (views: readonly SavedView[], me: string): SavedView | undefined => {
  const defaults = views.filter(({ isDefault }) => isDefault)
  return defaults.find(({ ownerId, shared }) => ownerId === me && !shared) ?? defaults.find(({ shared }) => shared)
}

export type ListViews = {
  views: readonly SavedView[]
  /** The view that the address names. */
  active: SavedView | null
  /** Whether the list differs from what the active view keeps. */
  isChanged: boolean
  /** The content of a view of the present list. */
  now: Pick<Body<'savedViews.create'>, 'list' | 'filters' | 'look'>
  show(view: SavedView | null): void
  /** Whether it is known with which view the list opens; no row is shown before that. */
  isReady: boolean
}

type Parts = {
  list: ListName
  filters: readonly Filter[]
  look: ListLook
  /** Whether the list has views at all. */
  on: boolean
}

/** The views of a list; `now` is null for one that has none: a part of a page, or a list of a client. */
type MaybeViews = Omit<ListViews, 'now'> & { now: ListViews['now'] | null }

/** Returns the saved views of a list and the active one; an address without parameters opens the default. */
export function useListViews({ list, filters, look, on: isPage }: Parts): MaybeViews {
  const [search, setSearch] = useSearchParams()
  const me = useMe()
  const viewed = isPage && me.kind === 'user' && hasViews(list) ? list : null
  const on = viewed !== null
  const asked = useQuery({
    queryKey: ['saved-views', list],
    queryFn: viewed === null ? skipToken : () => call('savedViews.list', { query: { list: viewed } }),
    staleTime: 60_000,
  })
  const views = asked.data?.data ?? []
  const { hidden, order, widths, dense } = look
  const now = viewed && {
    list: viewed,
    filters: pickViewFilters(search, filters, asked.data?.keeps ?? []),
    look: { hidden: [...hidden], order: [...order], widths: { ...widths }, dense },
  }
  const active = views.find(({ id }) => id === search.view) ?? null
  const show = (view: SavedView | null): void => {
    if (view) look.set(view.look)
    setSearch(buildViewSearch(view, filters))
  }
  const isBare = Object.keys(search).length === 0
  const opening = isBare ? openingView(views, me.id) : undefined
  const opened = useRef<string | null>(null)
  useEffect(() => {
    // only once, since the address changes a moment later
    if (opening && opened.current !== opening.id) show(opening)
    opened.current = opening?.id ?? null
  })
  return {
    views,
    active,
    isChanged:
      active !== null &&
      now !== null &&
      !(sameFilters(active.filters, now.filters) && JSON.stringify(active.look) === JSON.stringify(now.look)),
    now,
    show,
    isReady: !on || !isBare || !(asked.isPending || opening),
  }
}
