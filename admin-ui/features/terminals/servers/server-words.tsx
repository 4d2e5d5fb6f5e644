import { StatusBadge, type Tone } from '../../../components/show/status-badge.tsx'
import type { Check, Server, ServerTest } from './servers.api.ts'
import { say } from './words.ts'

const STATES: Record<Server['status'], { label: string; tone: Tone }> = {
  unconfirmed: { label: say('terminals.state.unconfirmed'), tone: 'wait' },
  active: { label: say('terminals.state.active'), tone: 'good' },
  paused: { label: say('terminals.state.paused'), tone: 'off' },
  error: { label: say('terminals.state.error'), tone: 'bad' },
}
const HEALTH: Record<Server['health']['state'], { label: string; tone: Tone }> = {
  connecting: { label: say('terminals.health.connecting'), tone: 'info' },
  connected: { label: say('terminals.health.connected'), tone: 'good' },
  waiting: { label: say('terminals.health.waiting'), tone: 'wait' },
  stopped: { label: say('terminals.health.stopped'), tone: 'bad' },
}
const CHECK_STATES: Record<Check['state'], { label: string; tone: Tone }> = {
  fine: { label: say('terminals.test.state.fine'), tone: 'good' },
  look_closer: { label: say('terminals.test.state.look_closer'), tone: 'wait' },
  fails: { label: say('terminals.test.state.fails'), tone: 'bad' },
}
export const CHECKS: Record<Check['name'], string> = {
  certificate: say('terminals.test.check.certificate'),
  sign_in: say('terminals.test.check.sign_in'),
  clock: say('terminals.test.check.clock'),
  groups: say('terminals.test.check.groups'),
  read: say('terminals.test.check.read'),
  open: say('terminals.test.check.open'),
  change: say('terminals.test.check.change'),
  money: say('terminals.test.check.money'),
  needless: say('terminals.test.check.needless'),
}
export const TRUST: Record<Server['trust'], string> = {
  public: say('terminals.trust.public'),
  authority: say('terminals.trust.authority'),
  pinned: say('terminals.trust.pinned'),
}
export const TRUST_HINTS: Record<Server['trust'], string> = {
  public: say('terminals.trust.public.hint'),
  authority: say('terminals.trust.authority.hint'),
  pinned: say('terminals.trust.pinned.hint'),
}
export const GROUP_TYPES: Record<Server['groups'][number]['type'], string> = {
  live: say('terminals.group.live'),
  demo: say('terminals.group.demo'),
}
export const DRIVERS: Record<Server['driver'], string> = {
  terminal5: say('terminals.driver.terminal5'),
  simulator: say('terminals.driver.simulator'),
}
const RIGHTS: Record<ServerTest['rights']['had'][number], string> = {
  connect: say('terminals.right.connect'),
  accounts: say('terminals.right.accounts'),
  trades: say('terminals.right.trades'),
  money: say('terminals.right.money'),
  change: say('terminals.right.change'),
  personal: say('terminals.right.personal'),
  technical: say('terminals.right.technical'),
  administrator: say('terminals.right.administrator'),
  delete: say('terminals.right.delete'),
  edit_trades: say('terminals.right.edit_trades'),
}

export const ServerStatus = ({ status }: Pick<Server, 'status'>) => <StatusBadge status={status} {...STATES[status]} />
export const HealthState = ({ state }: Pick<Server['health'], 'state'>) => (
  <StatusBadge status={state} {...HEALTH[state]} />
)
export const CheckState = ({ state }: Pick<Check, 'state'>) => <StatusBadge status={state} {...CHECK_STATES[state]} />
/** Says whether money is booked at a server. */
export const MoneyState = ({ money }: Pick<Server, 'money'>) => (
  <StatusBadge
    status={money ? 'on' : 'off'}
    tone={money ? 'good' : 'off'}
    label={say(money ? 'terminals.money.on' : 'terminals.money.off')}
  />
)

/** Returns the names of rights as one text. */
export const nameRights = (rights: ServerTest['rights']['had']): string => rights.map((one) => RIGHTS[one]).join(', ')

const FINGERPRINT = /^[0-9a-f]{64}$/
const PAIRS_A_LINE = /(?:[0-9A-F]{2}){8}/g
/** Writes a fingerprint in lines of pairs, as other programs show it; a certificate itself stays as it is. */
export const formatCertificate = (text: string): string =>
  FINGERPRINT.test(text)
    ? (text.toUpperCase().match(PAIRS_A_LINE) ?? []).map((line) => (line.match(/../g) ?? []).join(':')).join(':\n')
    : text

/** Writes the masks of groups, a line each. */
export const listGroups = (groups: Server['groups']): string =>
  groups.map(({ mask, type }) => `${mask} · ${GROUP_TYPES[type]}`).join('\n')
