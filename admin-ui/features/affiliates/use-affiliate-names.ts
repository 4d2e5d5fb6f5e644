import { useQuery } from '@tanstack/react-query'
import { affiliateName } from './affiliate-words.tsx'
import { fetchAffiliates } from './affiliates.api.ts'

/** Names of the affiliates that were made last; one that is not among them is told by its id. */
export function useAffiliateNames(): (id: string) => string {
  const { data } = useQuery({ queryKey: ['affiliates', 'names'], queryFn: () => fetchAffiliates({ limit: 200 }) })
  const names = new Map((data?.data ?? []).map((row) => [row.id, affiliateName(row)]))
  return (id) => names.get(id) ?? id
}
