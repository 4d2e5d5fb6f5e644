import type { Need } from '../../../platform/access/catalogue.ts'
import { mayCall, type Principal } from '../../../platform/access/principal.ts'
import { READS_HITS } from '../../clients/sanctions/sanctions.access.ts'

/** The groups by which a timeline can be filtered. */
export const TIMELINE_GROUPS = ['money', 'identity', 'support', 'changes'] as const
type TimelineGroup = (typeof TIMELINE_GROUPS)[number]

type Kind = Need & { group: TimelineGroup }

/** The rights that each kind of entry needs, as on its routes. Kinds that are not listed are shown to nobody. */
const KINDS: Readonly<Record<string, Kind>> = {
  trader: { scope: 'traders:read', role: 'viewer', group: 'changes' },
  trader_note: { scope: 'traders:read', role: 'viewer', group: 'support' },
  credential: { scope: 'traders:read', role: 'viewer', group: 'changes' },
  session: { scope: 'traders:read', role: 'viewer', group: 'changes' },
  account: { scope: 'accounts:read', role: 'viewer', group: 'changes' },
  wallet: { scope: 'wallets:read', role: 'viewer', group: 'money' },
  transfer: { scope: 'wallets:read', role: 'viewer', group: 'money' },
  adjustment: { scope: 'wallets:read', role: 'manager', group: 'money' },
  deposit: { scope: 'deposits:read', role: 'viewer', group: 'money' },
  withdrawal: { scope: 'withdrawals:read', role: 'viewer', group: 'money' },
  payout_destination: { scope: 'withdrawals:read', role: 'viewer', group: 'money' },
  kyc_submission: { scope: 'kyc:read', role: 'viewer', group: 'identity' },
  kyc_document: { scope: 'kyc:read', role: 'viewer', group: 'identity' },
  file: { scope: 'kyc:read', role: 'viewer', group: 'identity' },
  sanctions_hit: { ...READS_HITS, group: 'identity' },
  ticket: { scope: 'support:read', role: 'viewer', group: 'support' },
  ticket_message: { scope: 'support:read', role: 'viewer', group: 'support' },
  lead: { scope: 'leads:read', role: 'viewer', group: 'changes' },
  mail: { scope: 'mails:read', role: 'admin', group: 'support' },
}

/** Returns whether a caller may read entries and rows of this kind. */
export function mayRead(principal: Principal, entity: string): boolean {
  const kind = KINDS[entity]
  return kind !== undefined && mayCall(principal, kind)
}

/** Returns the kinds of entries that a caller may read, of one group or of all groups. */
export const readableBy = (principal: Principal, group?: TimelineGroup): string[] =>
  Object.entries(KINDS)
    .filter(([, kind]) => (group === undefined || kind.group === group) && mayCall(principal, kind))
    .map(([entity]) => entity)

/** Returns the group of a kind of entries. */
export const getGroup = (entity: string): TimelineGroup => KINDS[entity]?.group ?? 'changes'
