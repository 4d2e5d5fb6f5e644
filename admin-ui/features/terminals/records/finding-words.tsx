import { StatusBadge, type Tone } from '../../../components/show/status-badge.tsx'
import type { Finding } from './records.api.ts'
import { say } from './words.ts'

export const FINDING_KINDS: Record<Finding['kind'], string> = {
  movement_unknown: say('terminals.finding.names.movement_unknown'),
  transfer_missing: say('terminals.finding.names.transfer_missing'),
  transfer_unresolved: say('terminals.finding.names.transfer_unresolved'),
  transfer_twice: say('terminals.finding.names.transfer_twice'),
  transfer_differs: say('terminals.finding.names.transfer_differs'),
  reference_unknown: say('terminals.finding.names.reference_unknown'),
  booked_after_refusal: say('terminals.finding.names.booked_after_refusal'),
  balance_differs: say('terminals.finding.names.balance_differs'),
  login_gone: say('terminals.finding.names.login_gone'),
  login_archived: say('terminals.finding.names.login_archived'),
  login_reused: say('terminals.finding.names.login_reused'),
  currency_differs: say('terminals.finding.names.currency_differs'),
  position_impossible: say('terminals.finding.names.position_impossible'),
  position_vanished: say('terminals.finding.names.position_vanished'),
  deal_changed: say('terminals.finding.names.deal_changed'),
  agent_commission: say('terminals.finding.names.agent_commission'),
  clock: say('terminals.finding.names.clock'),
  mass_vanish: say('terminals.finding.names.mass_vanish'),
}
/** What a finding means, and what to do. */
export const FINDING_TEXTS: Record<Finding['kind'], string> = {
  movement_unknown: say('terminals.finding.about.movement_unknown'),
  transfer_missing: say('terminals.finding.about.transfer_missing'),
  transfer_unresolved: say('terminals.finding.about.transfer_unresolved'),
  transfer_twice: say('terminals.finding.about.transfer_twice'),
  transfer_differs: say('terminals.finding.about.transfer_differs'),
  reference_unknown: say('terminals.finding.about.reference_unknown'),
  booked_after_refusal: say('terminals.finding.about.booked_after_refusal'),
  balance_differs: say('terminals.finding.about.balance_differs'),
  login_gone: say('terminals.finding.about.login_gone'),
  login_archived: say('terminals.finding.about.login_archived'),
  login_reused: say('terminals.finding.about.login_reused'),
  currency_differs: say('terminals.finding.about.currency_differs'),
  position_impossible: say('terminals.finding.about.position_impossible'),
  position_vanished: say('terminals.finding.about.position_vanished'),
  deal_changed: say('terminals.finding.about.deal_changed'),
  agent_commission: say('terminals.finding.about.agent_commission'),
  clock: say('terminals.finding.about.clock'),
  mass_vanish: say('terminals.finding.about.mass_vanish'),
}
export const FINDING_STATES: Record<Finding['state'], { label: string; tone: Tone }> = {
  open: { label: say('terminals.finding.state.open'), tone: 'wait' },
  closed: { label: say('terminals.finding.state.closed'), tone: 'off' },
}

export const FindingState = ({ state }: Pick<Finding, 'state'>) => (
  <StatusBadge status={state} {...FINDING_STATES[state]} />
)

/** Names a finding by its kind and what it is about. */
export const nameFinding = ({ kind, subject }: Finding): string =>
  subject === '' ? FINDING_KINDS[kind] : `${FINDING_KINDS[kind]} ${subject}`
