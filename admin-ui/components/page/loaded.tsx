import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState } from './error-state.tsx'
import { PageLoader } from './page-loader.tsx'

type LoadedProps<T> = { query: UseQueryResult<T>; children: (data: T) => ReactNode }

/** Shows the result of a query; until then a loader, or an error with a button to try again. */
export const Loaded = <T,>({ query, children }: LoadedProps<T>) => {
  if (query.isPending) return <PageLoader />
  if (query.isError && query.data === undefined) {
    return <ErrorState error={query.error} retry={() => void query.refetch()} />
  }
  return query.data === undefined ? null : children(query.data)
}
