import { type NamedState, stateName } from '../../lib/text/state-name.ts'

export type Tone = 'good' | 'wait' | 'bad' | 'info' | 'off'

const TONES: Record<string, Tone> = {
  active: 'good',
  settled: 'good',
  paid: 'good',
  approved: 'good',
  success: 'good',
  succeeded: 'good',
  delivered: 'good',
  enabled: 'good',
  healthy: 'good',
  ok: 'good',
  low: 'good',
  pending: 'wait',
  processing: 'wait',
  partially_settled: 'info',
  requested: 'wait',
  retrying: 'wait',
  failing: 'wait',
  medium: 'wait',
  invited: 'info',
  new: 'info',
  failed: 'bad',
  rejected: 'bad',
  error: 'bad',
  suspended: 'bad',
  dead: 'bad',
  high: 'bad',
  revoked: 'off',
  disabled: 'off',
  closed: 'off',
  cancelled: 'off',
  expired: 'off',
  deleted: 'off',
}

type StatusBadgeProps = { tone?: Tone | undefined } & (
  | { status: NamedState; label?: undefined }
  | { status: string; label: string }
)

/** Shows a state as text with a coloured mark. The text has the meaning; the colour only helps the eye. */
export const StatusBadge = ({ status, label, tone }: StatusBadgeProps) => (
  <span className="status" data-tone={tone ?? TONES[status] ?? 'off'}>
    {label ?? stateName(status)}
  </span>
)
