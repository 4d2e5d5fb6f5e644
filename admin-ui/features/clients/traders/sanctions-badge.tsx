import { Link } from '@tanstack/react-router'
import { StatusBadge, type Tone } from '../../../components/show/status-badge.tsx'
import { useCan } from '../../../lib/api/session.ts'
import type { Overview } from './traders.api.ts'
import { say } from './words.ts'

type State = NonNullable<Overview['sanctions']>

const STATES: Record<State, readonly [label: string, tone: Tone]> = {
  not_screened: [say('client.sanctions_not_screened'), 'off'],
  waiting: [say('client.sanctions_waiting'), 'wait'],
  clear: [say('client.sanctions_clear'), 'good'],
  open: [say('client.sanctions_open'), 'bad'],
  confirmed: [say('client.sanctions_confirmed'), 'bad'],
}

/** Shows a client's screening; a match is a link for those who decide it. */
export const SanctionsBadge = ({ state, traderId }: { state: State; traderId: string }) => {
  const can = useCan()
  const [label, tone] = STATES[state]
  const badge = <StatusBadge status={state} tone={tone} label={label} />
  if (!can('manager') || (state !== 'open' && state !== 'confirmed')) return badge
  return (
    <Link to="/sanctions" search={{ q: traderId, status: state }} className="stand-link">
      {badge}
    </Link>
  )
}
