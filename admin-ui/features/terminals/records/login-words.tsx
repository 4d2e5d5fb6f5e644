import { StatusBadge, type Tone } from '../../../components/show/status-badge.tsx'
import type { Login } from './records.api.ts'
import { say } from './words.ts'

export const LOGIN_STATES: Record<Login['state'], { label: string; tone: Tone }> = {
  linked: { label: say('terminals.login.state.linked'), tone: 'good' },
  unlinked: { label: say('terminals.login.state.unlinked'), tone: 'wait' },
  archived: { label: say('terminals.login.state.archived'), tone: 'off' },
  gone: { label: say('terminals.login.state.gone'), tone: 'bad' },
  reused: { label: say('terminals.login.state.reused'), tone: 'bad' },
}
export const LOGIN_TYPES: Record<Login['accountType'], string> = {
  live: say('terminals.group.live'),
  demo: say('terminals.group.demo'),
}

export const LoginState = ({ state }: Pick<Login, 'state'>) => <StatusBadge status={state} {...LOGIN_STATES[state]} />
