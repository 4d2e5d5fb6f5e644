import { stateName } from '../../../lib/text/state-name.ts'
import { platformName } from '../../books/accounts/account-words.ts'
import { DEPOSIT_STATES } from '../../books/deposits/deposit-columns.tsx'
import { WITHDRAWAL_STATES } from '../../books/withdrawals/withdrawal-columns.tsx'
import { ticketStateName } from '../../clients/support/ticket-words.tsx'
import { AFFILIATE_STATES } from '../../growth/affiliates/affiliate-words.tsx'
import { LEAD_STATES } from '../../growth/leads/lead-words.tsx'
import type { Hit } from './search.api.ts'

type Names = Readonly<Record<string, string | { label: string }>>
/** The names of states that are those of one kind of record, as its list shows them. */
const STATES: Readonly<Partial<Record<Hit['kind'], Names>>> = {
  deposit: DEPOSIT_STATES,
  withdrawal: WITHDRAWAL_STATES,
  affiliate: AFFILIATE_STATES,
  lead: LEAD_STATES,
}

function nameState(kind: Hit['kind'], state: string): string {
  if (kind === 'ticket') return ticketStateName(state)
  const named = STATES[kind]?.[state]
  return typeof named === 'object' ? named.label : (named ?? stateName(state))
}

/** Returns the second line of a hit, with states and platforms by the names that people know. */
export const describeHit = ({ kind, facts }: Hit): string =>
  facts
    .map(({ is, value }) => {
      if (is === 'status' || is === 'priority') return nameState(kind, value)
      return is === 'platform' ? platformName(value) : value
    })
    .join(' · ')
