import { Alert, Anchor, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCan } from '../../../lib/api/session.ts'
import { fetchOverview } from '../../clients/traders/traders.api.ts'
import { CheckRow } from './review-panels.tsx'
import { fetchReviews, fetchWithdrawals, type NewWithdrawal } from './withdrawals.api.ts'
import { say } from './words.ts'

/** This many of the client's last withdrawals are searched for earlier destinations. */
const LOOKED_THROUGH = 10

/** Shows whether a withdrawal of the client could be created now, and what is missing, before anything is typed. */
export const Eligibility = ({ traderId }: { traderId: string }) => {
  const { data } = useQuery({
    queryKey: ['traders', 'overview', traderId],
    queryFn: () => fetchOverview(traderId),
    enabled: traderId !== '',
  })
  const checks = data?.withdrawalChecks ?? []
  if (checks.length === 0) return null
  const stops = checks.filter(({ state }) => state === 'blocks').map(({ name }) => name)
  return (
    <>
      {stops.length > 0 && (
        <Alert color="red" variant="light" title={say('withdrawals.eligibility.blocked')}>
          {stops.includes('kyc') && (
            <Anchor
              size="sm"
              renderRoot={(props) => (
                <Link {...props} to="/traders/$id" params={{ id: traderId }} search={{ tab: 'kyc' }} />
              )}
            >
              {say('withdrawals.eligibility.documents')}
            </Anchor>
          )}
        </Alert>
      )}
      <ul className="rows not-fine" aria-label={say('withdrawals.eligibility.checks')}>
        {checks.map((check) => (
          <CheckRow key={check.name} check={check} />
        ))}
      </ul>
    </>
  )
}

type Destination = NewWithdrawal['destination']

/**
 * Offers the destinations of the client's earlier withdrawals; only a reader who sees the whole reference can take one.
 */
export const EarlierDestinations = ({ traderId, onTake }: { traderId: string; onTake: (to: Destination) => void }) => {
  const can = useCan()
  const { data } = useQuery({
    queryKey: ['withdrawals', 'destinations', traderId],
    queryFn: async () => {
      const { data: last } = await fetchWithdrawals({ traderId, limit: LOOKED_THROUGH })
      return fetchReviews(last.map(({ id }) => id))
    },
    enabled: traderId !== '',
  })
  const known = new Map(data?.map(({ destination }) => [`${destination.kind} ${destination.reference}`, destination]))
  if (known.size === 0) return null
  return (
    <div>
      <Text size="sm" fw={600}>
        {say('withdrawals.eligibility.earlier')}
      </Text>
      <Group gap="xs" mt={4}>
        {[...known].map(([key, { kind, reference, holder }]) =>
          can('manager') && kind !== 'card' ? (
            <Button
              key={key}
              size="xs"
              variant="default"
              onClick={() => onTake({ kind, reference, ...(holder !== null && { holder }) })}
            >
              {reference}
            </Button>
          ) : (
            <Text key={key} size="sm" c="dimmed">
              {reference}
            </Text>
          ),
        )}
      </Group>
    </div>
  )
}
