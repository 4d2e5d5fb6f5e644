import { useInfiniteQuery } from '@tanstack/react-query'
import type { Page, Query } from '../../api.ts'
import { noteAct, useHeldRows } from '../../lib/api/held-rows.ts'
import { askedTotals, type Counted, type Totals } from './list-foot.tsx'

type ListQueryInput<T> = {
  queryKey: readonly unknown[]
  /** Changes when the rows are of another list. */
  asked: string
  query: Query
  fetch: (query: Query) => Promise<Page<T> & Totals>
  counted?: Counted
  refetchEvery?: number
  enabled: boolean
}

/** Rows at a time. */
const PAGE = 50

/** The rows of a cursor-paged list as far as they were read, held still under the pointer, and what they come to. */
export function useListQuery<T>(input: ListQueryInput<T>) {
  const { queryKey, asked, query, fetch, counted, refetchEvery, enabled } = input
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) =>
      fetch({ limit: PAGE, ...query, cursor: pageParam, ...(pageParam === '' && askedTotals(counted)) }),
    initialPageParam: '',
    enabled,
    getNextPageParam: (page: Page<T>) => page.nextCursor,
    placeholderData: (previous) => previous,
    ...(refetchEvery !== undefined && { refetchInterval: refetchEvery }),
  })
  const pages = list.data?.pages ?? []
  const fresh = pages.flatMap((page) => page.data)
  const { rows, on } = useHeldRows(fresh, `${asked} ${pages.length} ${list.isPlaceholderData}`)
  const totals = pages[0]
  const known = totals?.totalIsMinimum ? null : (totals?.total ?? null)
  return {
    list,
    rows,
    totals,
    /** How many rows there are in all; null where nobody counted them. */
    total: list.hasNextPage || totals?.totalIsMinimum ? known : rows.length,
    pages: pages.length,
    hold: on,
    /** Reads all again because the reader asked for it: what comes is shown at once. */
    refresh: (): void => {
      noteAct()
      void list.refetch()
    },
  }
}

/** A list as it was read. */
export type ListReading<T> = ReturnType<typeof useListQuery<T>>
