import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Choice } from '../../../lib/text/choices.ts'
import { fetchServers } from './servers.api.ts'

/** Returns the trading servers as choices of a filter. */
export function useServerChoices(): Choice[] {
  const { data } = useQuery({ queryKey: ['platforms', 'names'], queryFn: () => fetchServers({ limit: 100 }) })
  return useMemo(() => data?.data.map(({ id, name }) => ({ value: id, label: name })) ?? [], [data])
}
