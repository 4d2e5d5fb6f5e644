import { useQuery } from '@tanstack/react-query'
import { LateValue } from '../../../components/show/late-value.tsx'
import { dayText } from '../../../lib/text/day-text.ts'
import { fetchHit } from './sanctions.api.ts'

/** Shows the client's own date of birth, which tells two clients of one name apart. */
export const ClientBirth = ({ id }: { id: string }) => {
  const { data, isError } = useQuery({ queryKey: ['sanctions', 'one', id], queryFn: () => fetchHit(id) })
  if (data && !data.client?.dateOfBirth) return null
  return (
    <span className="dim">
      {', '}
      {data?.client?.dateOfBirth ? dayText(data.client.dateOfBirth) : <LateValue isError={isError} />}
    </span>
  )
}
