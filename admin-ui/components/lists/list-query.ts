import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Page, Query } from '../../api.ts'
import { noteAct, useHeldRows } from '../../lib/api/held-rows.ts'
import { pickPageSize } from '../../lib/api/page-size.ts'
import { askedTotals, type Counted, type Totals } from './list-foot.tsx'

type ListQueryInput<T> = {
  queryKey: readonly unknown[]
  /** Changes when the rows belong to another list. */
  listKey: string
  query: Query
  fetch: (query: Query) => Promise<Page<T> & Totals>
  counted?: Counted
  refetchEvery?: number
  /** Rows are read together with the saved views, and shown once it is known that no view replaces them. */
  isShown: boolean
}

/** The number of rows in a page, and in one of many pages that are read at once. */
const PAGE = 50
const WIDE_PAGE = 200

/** Reads the rows and totals of a cursor-paged list, and keeps them unchanged while the pointer is on them. */
export function useListQuery<T>(input: ListQueryInput<T>) {
  const { queryKey, listKey, query, fetch, counted, refetchEvery, isShown } = input
  const wide = useRef<string | null>(null)
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) =>
      fetch({
        limit: pageParam === '' ? PAGE : wide.current === listKey ? WIDE_PAGE : pickPageSize(PAGE),
        ...query,
        cursor: pageParam,
        ...(pageParam === '' && askedTotals(counted)),
      }),
    initialPageParam: '',
    getNextPageParam: (page: Page<T>) => page.nextCursor,
    placeholderData: (previous) => previous,
    ...(refetchEvery !== undefined && { refetchInterval: refetchEvery }),
  })
  const pages = list.data?.pages ?? []
  const fresh = pages.flatMap((page) => page.data)
  const own = `${listKey} ${pages.length} ${list.isPlaceholderData}`
  const { rows, on } = useHeldRows(fresh, own, list.isFetching)
  const totals = pages[0]
  const known = totals?.totalIsMinimum ? null : (totals?.total ?? null)
  return {
    list,
    rows: isShown ? rows : [],
    totals,
    /** The number of rows in all; null if they were not counted. */
    total: list.hasNextPage || totals?.totalIsMinimum ? known : rows.length,
    pages: pages.length,
    hold: on,
    /** Makes the further pages larger, because many rows are about to be read. */
    readWide: (): void => {
      wide.current = listKey
    },
    /** Reads everything again because the reader asked for it, and shows it at once. */
    refresh: (): void => {
      noteAct()
      void list.refetch()
    },
  }
}

/** The result of reading a list. */
export type ListReading<T> = ReturnType<typeof useListQuery<T>>
