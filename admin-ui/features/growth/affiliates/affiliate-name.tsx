import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { affiliateName } from './affiliate-words.tsx'
import { fetchAffiliate, fetchAffiliates } from './affiliates.api.ts'

/** How an affiliate is called: read with the newest two hundred, and by itself when it is older than those. */
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

/** An affiliate's name in a row of a list. */
export const AffiliateName = ({ id }: { id: string }) => useAffiliateName(id)

/** An affiliate's name that leads to the record. */
export const AffiliateLink = ({ id }: { id: string }) => (
  <Link to="/affiliates/$id" params={{ id }} className="text-link">
    <AffiliateName id={id} />
  </Link>
)
