import { useInfiniteQuery } from '@tanstack/react-query'
import type { Page, Query } from '../../api.ts'
import { pickPageSize } from './page-size.ts'

/** Reads a cursor-paged endpoint page by page, for lists that are not tables. */
export const usePages = <T>(key: readonly unknown[], fetch: (query: Query) => Promise<Page<T>>) => {
  const list = useInfiniteQuery({
    queryKey: [...key],
    queryFn: ({ pageParam }) => fetch({ limit: pickPageSize(50), cursor: pageParam }),
    initialPageParam: '',
    getNextPageParam: (page: Page<T>) => page.nextCursor,
  })
  return { list, rows: list.data?.pages.flatMap((page) => page.data) ?? [] }
}
