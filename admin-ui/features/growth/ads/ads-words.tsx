import { StatusBadge, type Tone } from '../../../components/show/status-badge.tsx'
import type { Backfill, Check, ConnectionRow } from './ads.api.ts'
import { say } from './words.ts'

export const CONNECTION_STATES: Record<ConnectionRow['status'], string> = {
  active: say('ads.state.active'),
  error: say('ads.state.error'),
  disabled: say('ads.state.disabled'),
}

const BACKFILL_STATES: Record<Backfill['status'], { label: string; tone: Tone }> = {
  running: { label: say('ads.state.running'), tone: 'info' },
  waiting: { label: say('ads.state.waiting'), tone: 'wait' },
  done: { label: say('ads.state.done'), tone: 'good' },
  failed: { label: say('ads.state.failed'), tone: 'bad' },
}

const CHECKS: Record<Check['what'], string> = {
  identity: say('ads.check.identity'),
  ad_account: say('ads.check.ad_account'),
  page: say('ads.check.page'),
}

export const ConnectionStatus = ({ status }: Pick<ConnectionRow, 'status'>) => (
  <StatusBadge status={status} label={CONNECTION_STATES[status]} />
)

export const BackfillStatus = ({ status }: Pick<Backfill, 'status'>) => (
  <StatusBadge status={status} {...BACKFILL_STATES[status]} />
)

/** Returns what was checked at the platform, with the id of the page or ad account. */
export const checkName = ({ what, id }: Check): string => (id === null ? CHECKS[what] : `${CHECKS[what]} ${id}`)

/** Returns whether a backfill is still running or waiting. */
export const isOpen = ({ status }: Backfill): boolean => status === 'running' || status === 'waiting'
