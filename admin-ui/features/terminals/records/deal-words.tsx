import { StatusBadge, type Tone } from '../../../components/show/status-badge.tsx'
import { fieldName } from '../../../lib/text/field-name.ts'
import type { Deal } from './records.api.ts'
import { say } from './words.ts'

export const DEAL_KINDS: Record<Deal['kind'], string> = {
  trade: say('terminals.deal.kind.trade'),
  balance: say('terminals.deal.kind.balance'),
  credit: say('terminals.deal.kind.credit'),
  charge: say('terminals.deal.kind.charge'),
  correction: say('terminals.deal.kind.correction'),
  bonus: say('terminals.deal.kind.bonus'),
  cost: say('terminals.deal.kind.cost'),
  agent: say('terminals.deal.kind.agent'),
  compensation: say('terminals.deal.kind.compensation'),
  credit_compensation: say('terminals.deal.kind.credit_compensation'),
}
export const DEAL_STATES: Record<Deal['state'], { label: string; tone: Tone }> = {
  live: { label: say('terminals.deal.state.live'), tone: 'good' },
  cancelled: { label: say('terminals.deal.state.cancelled'), tone: 'off' },
  gone: { label: say('terminals.deal.state.gone'), tone: 'bad' },
}
export const DEAL_ENTRIES: Record<NonNullable<Deal['entry']>, string> = {
  in: say('terminals.deal.entry.in'),
  out: say('terminals.deal.entry.out'),
  turn: say('terminals.deal.entry.turn'),
  by: say('terminals.deal.entry.by'),
}
export const DEAL_SIDES: Record<NonNullable<Deal['side']>, string> = {
  long: say('terminals.deal.side.long'),
  short: say('terminals.deal.side.short'),
}
/** The kinds by which the list is narrowed. */
export const DEAL_GROUPS = {
  trade: say('terminals.deal.group.trade'),
  money: say('terminals.deal.group.money'),
  other: say('terminals.deal.group.other'),
}

export const DealState = ({ state }: Pick<Deal, 'state'>) => <StatusBadge status={state} {...DEAL_STATES[state]} />

const FIELDS: Readonly<Record<string, string>> = {
  login: say('terminals.record.login'),
  at: say('terminals.deal.at'),
  kind: say('terminals.deal.kind'),
  entry: say('terminals.deal.entry'),
  position: say('terminals.deal.position'),
  orderNumber: say('terminals.deal.order'),
  symbol: say('terminals.deal.symbol'),
  side: say('terminals.deal.side'),
  lots: say('terminals.deal.lots'),
  lotsClosed: say('terminals.deal.lots_closed'),
  price: say('terminals.deal.price'),
  profit: say('terminals.deal.profit'),
  swap: say('terminals.deal.swap'),
  commission: say('terminals.deal.commission'),
  fee: say('terminals.deal.fee'),
  spread: say('terminals.deal.spread'),
  technical: say('terminals.deal.technical'),
  reason: say('terminals.deal.reason'),
  comment: say('terminals.deal.comment'),
  flags: say('terminals.deal.flags'),
  state: say('common.state'),
}

/** Returns the word for a field of a deal. */
export const nameDealField = (key: string): string => FIELDS[key] ?? fieldName(key)

/** Returns whether a text is a state of a deal. */
export const isDealState = (text: string | undefined): text is Deal['state'] =>
  text !== undefined && Object.hasOwn(DEAL_STATES, text)
