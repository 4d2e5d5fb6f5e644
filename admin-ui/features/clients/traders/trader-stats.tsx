import { UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api.ts'
import { useSearchParams } from '../../../lib/lists/search-params.ts'
import { formatCount } from '../../../lib/text/format.ts'
import { say } from './words.ts'
import './trader-stats.css'

/** Shows how many clients there are, above their list; a number that the list can show filters the list. */
export const TraderStats = () => {
  const [search, setSearch] = useSearchParams()
  const stats = useQuery({ queryKey: ['traders', 'stats'], queryFn: () => call('traders.stats'), staleTime: 30_000 })
  // The list below shows the error, so it is not repeated here.
  if (stats.isLoadingError) return null
  if (!stats.data) return <div className="trader-stats" aria-hidden />
  const { total, byStatus, byKycStatus, byRiskLevel, newIn7Days } = stats.data
  const facts = [
    { label: say('bulk.stats.all'), count: total },
    { label: say('bulk.stats.active'), count: byStatus.active, key: 'status', value: 'active' },
    { label: say('bulk.stats.suspended'), count: byStatus.suspended, key: 'status', value: 'suspended' },
    { label: say('bulk.stats.papers'), count: byKycStatus.requested, key: 'kycStatus', value: 'requested' },
    { label: say('bulk.stats.high_risk'), count: byRiskLevel.high, key: 'riskLevel', value: 'high' },
    { label: say('bulk.stats.new'), count: newIn7Days },
  ]
  return (
    <div className="trader-stats">
      {facts.map(({ label, count = 0, key, value }) =>
        key === undefined ? (
          <div key={label} className="trader-stat">
            <span className="trader-stat-count">{formatCount(count)}</span>
            <span className="trader-stat-label">{label}</span>
          </div>
        ) : (
          <UnstyledButton
            key={label}
            className="trader-stat"
            aria-pressed={search[key] === value}
            onClick={() => setSearch({ [key]: search[key] === value ? undefined : value })}
          >
            <span className="trader-stat-count">{formatCount(count)}</span>
            <span className="trader-stat-label">{label}</span>
          </UnstyledButton>
        ),
      )}
    </div>
  )
}
