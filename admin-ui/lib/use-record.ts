import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { noteAct } from './held-rows.ts'

/** One record by id. `resource` is the cache name that `useRefresh` takes. */
export const useRecord = <T>(resource: string, id: string, fetch: (id: string) => Promise<T>): UseQueryResult<T> =>
  useQuery({ queryKey: [resource, 'one', id], queryFn: () => fetch(id) })

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
