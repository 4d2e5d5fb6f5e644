import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { noteAct } from './held-rows.ts'

/** How often a record that is under way is read again, in milliseconds. */
const UNDER_WAY = 3000

/**
 * One record by id. `resource` is the cache name that `useRefresh` takes. While `isUnderWay` says that something goes
 * on by itself, it is read again.
 */
export const useRecord = <T>(
  resource: string,
  id: string,
  fetch: (id: string) => Promise<T>,
  isUnderWay: (record: T) => boolean = () => false,
): UseQueryResult<T> =>
  useQuery({
    queryKey: [resource, 'one', id],
    queryFn: () => fetch(id),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isUnderWay(data) ? UNDER_WAY : false),
  })

/** Reads again everything that is on screen of these resources, after a change. */
export const useRefresh = (): ((...resources: string[]) => Promise<void>) => {
  const client = useQueryClient()
  return useCallback(
    async (...resources) => {
      noteAct()
      await Promise.all(resources.map((resource) => client.invalidateQueries({ queryKey: [resource] })))
    },
    [client],
  )
}
