import type { Scope } from '../../platform/access/catalogue.ts'
import type { Ctx } from '../../platform/access/ctx.ts'
import type { Hit } from './search.model.ts'
import { findAccounts, findDeposits, findTraders, findUsers } from './search.queries.ts'

/** Everything the text may mean, at most eight of a kind. A key finds only kinds that its scopes let it read. */
export function search(ctx: Ctx, q: string): { data: Hit[] } {
  const { principal, db } = ctx
  const text = q.trim()
  const may = (scope: Scope) => principal.kind !== 'api_key' || principal.scopes.has(scope)
  // one letter begins half of all words: a long walk for nothing that helps
  if (text.length < 2) return { data: [] }
  return {
    data: [
      ...findTraders(db, text),
      ...(may('accounts:read') ? findAccounts(db, text) : []),
      // references and ids have a digit and no space: a name never asks the deposits
      ...(may('deposits:read') && /^(?=.*\d)\S{4,}$/.test(text) ? findDeposits(db, text) : []),
      ...(may('users:read') ? findUsers(db, text) : []),
    ],
  }
}
