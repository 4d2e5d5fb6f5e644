import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { noteAct } from './held-rows.ts'
import { type Resource, staleAfter } from './stale-queries.ts'

/** How often a record that is under way is read again, in milliseconds. */
const UNDER_WAY = 3000

/**
 * One record by id. `resource` is the cache name that `useRefresh` takes. While `isUnderWay` says that something goes
 * on by itself, it is read again.
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

/** Reads again, after a change, everything on screen of what was changed and of what is stale after it. */
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
