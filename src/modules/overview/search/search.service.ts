import type { Scope } from '../../../platform/access/catalogue.ts'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { hasScope } from '../../../platform/access/principal.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { findAffiliates, findTickets, findUsers } from './search.desk.ts'
import type { Hit } from './search.model.ts'
import { findAccounts, findDeposits, findWithdrawals, meansMoney } from './search.money.ts'
import { findLeads, findTraders } from './search.people.ts'

type Kind = {
  /** The scope that a key needs; every member of staff may read all kinds. */
  scope: Scope
  find: (db: Reader, text: string) => Hit[]
  /** Returns whether a text may mean something of this kind. */
  fits?: (text: string) => boolean
}

/** The kinds, in the order in which they are shown. */
const KINDS: readonly Kind[] = [
  { scope: 'traders:read', find: findTraders },
  { scope: 'accounts:read', find: findAccounts },
  { scope: 'deposits:read', find: findDeposits, fits: meansMoney },
  { scope: 'withdrawals:read', find: findWithdrawals, fits: meansMoney },
  { scope: 'support:read', find: findTickets },
  { scope: 'leads:read', find: findLeads },
  { scope: 'affiliates:read', find: findAffiliates },
  { scope: 'users:read', find: findUsers },
]

/** Finds everything that a text may mean, at most eight of a kind; a key gets only kinds that its scopes allow. */
export function search(ctx: Ctx, q: string): { data: Hit[] } {
  const { principal, db } = ctx
  const text = q.trim()
  // half of all words begin with any one letter, so the search would be slow and useless
  if (text.length < 2) return { data: [] }
  return {
    data: KINDS.filter((kind) => hasScope(principal, kind.scope) && (kind.fits?.(text) ?? true)).flatMap(({ find }) =>
      find(db, text),
    ),
  }
}
