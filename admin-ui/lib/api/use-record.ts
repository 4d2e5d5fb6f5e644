import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { noteAct } from './held-rows.ts'
import { type Resource, staleAfter } from './stale-queries.ts'

/** A record with background work is read again at this interval, in milliseconds. */
const UNDER_WAY = 3000

/**
 * Reads one record by id. `resource` is the cache name that `useRefresh` takes. It is read again while `isUnderWay`
 * reports background work.
 */
export const useRecord = <T>(
  resource: Resource,
  id: string,
  fetch: (id: string) => Promise<T>,
  isUnderWay: (record: T) => boolean = () => false,
): UseQueryResult<T> =>
  useQuery({
    queryKey: [resource, 'one', id],
    queryFn: () => fetch(id),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isUnderWay(data) ? UNDER_WAY : false),
  })

/** Returns a function that reads again everything on screen that changed or became stale. */
export const useRefresh = (): ((...changed: Resource[]) => Promise<void>) => {
  const client = useQueryClient()
  return useCallback(
    async (...changed) => {
      noteAct()
      await Promise.all(
        [...staleAfter(...changed)].map((resource) => client.invalidateQueries({ queryKey: [resource] })),
      )
    },
    [client],
  )
}
