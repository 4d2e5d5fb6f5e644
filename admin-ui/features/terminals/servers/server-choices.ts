import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useCan } from '../../../lib/api/session.ts'
import type { Choice } from '../../../lib/text/choices.ts'
import { fetchServers } from './servers.api.ts'

/** Returns the trading servers as choices of a filter; none for those who may not see them. */
export function useServerChoices(): Choice[] {
  const { data } = useQuery({
    queryKey: ['platforms', 'names'],
    queryFn: () => fetchServers({ limit: 100 }),
    enabled: useCan()('operator'),
  })
  return useMemo(() => data?.data.map(({ id, name }) => ({ value: id, label: name })) ?? [], [data])
}
