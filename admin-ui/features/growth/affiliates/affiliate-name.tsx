import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { affiliateName } from './affiliate-words.tsx'
import { fetchAffiliate, fetchAffiliates } from './affiliates.api.ts'

/** Returns an affiliate's name. It is read with the newest 200 affiliates, or by itself if it is not among them. */
export function useAffiliateName(id: string): string {
  const newest = useQuery({ queryKey: ['affiliates', 'names'], queryFn: () => fetchAffiliates({ limit: 200 }) })
  const known = newest.data?.data.find((row) => row.id === id)
  const older = useQuery({
    queryKey: ['affiliates', 'one', id],
    queryFn: () => fetchAffiliate(id),
    enabled: newest.isSuccess && !known,
  })
  const found = known ?? older.data
  if (found) return affiliateName(found)
  return newest.isError || older.isError ? id : '…'
}

export const AffiliateName = ({ id }: { id: string }) => useAffiliateName(id)

/** Shows an affiliate's name as a link to the record. */
export const AffiliateLink = ({ id }: { id: string }) => (
  <Link to="/affiliates/$id" params={{ id }} className="text-link">
    <AffiliateName id={id} />
  </Link>
)
