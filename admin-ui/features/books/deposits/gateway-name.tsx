import { useQuery } from '@tanstack/react-query'
import { useCan } from '../../../lib/api/session.ts'
import { fetchGateways } from './deposits.api.ts'
import { say } from './words.ts'

/** Shows the name of a payment gateway to administrators, who alone may read it. */
export const GatewayName = ({ id }: { id: string }) => {
  const admin = useCan()('admin')
  const { data } = useQuery({
    queryKey: ['gateways', 'names'],
    queryFn: () => fetchGateways(),
    staleTime: 5 * 60_000,
    enabled: admin,
  })
  if (!data) return say('deposits.gateway.unknown')
  return data.data.find((gateway) => gateway.id === id)?.name ?? say('deposits.gateway.removed')
}
