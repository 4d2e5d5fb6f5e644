import { sql } from 'drizzle-orm'
import { lookUp, ofActiveTenant, tenantFacts } from '../../../platform/db/directory.ts'
import { listed } from '../../../platform/db/statement.ts'
import { credentialFacts } from '../../firm/auth/auth.lookup.ts'
import type { Candidate, OwnerKind } from '../../firm/auth/auth.owners.ts'
import { credentials } from '../../firm/auth/auth.table.ts'
import { writeTraderInvite } from './client-access.ts'
import { fullName } from './client-name.ts'
import { traders } from './traders.table.ts'

const BY_ADDRESS = lookUp<Candidate>(
  sql`SELECT ${tenantFacts}, ${listed({
    tenantId: traders.tenantId,
    userId: sql`NULL`,
    traderId: traders.id,
    roles: sql`NULL`,
    displayName: fullName(traders),
    ...credentialFacts,
  })}
  FROM ${traders} ${ofActiveTenant(traders.tenantId)}
  LEFT JOIN ${credentials} ON ${credentials.tenantId} = ${traders.tenantId} AND ${credentials.traderId} = ${traders.id}
  WHERE ${traders.email} = ? AND ${traders.deletedAt} IS NULL AND ${traders.status} <> 'closed'`,
)

/**
 * Clients as owners of credentials: all but closed ones may sign in. A client who never accepted an invitation has no
 * password to reset.
 */
export const traderOwners: OwnerKind = {
  byAddress: BY_ADDRESS,
  find: (db, id) => {
    const trader = db.find(traders, { id })
    if (!trader) return undefined
    const displayName = [trader.firstName, trader.lastName].filter(Boolean).join(' ')
    const { email, language: locale, status } = trader
    return { email, displayName, role: null, locale, maySignIn: status !== 'closed', isInvited: false }
  },
  noteSignIn: () => {},
  takeInvite: (tx, _ctx, id) => tx.find(traders, { id }) !== undefined,
  mailInvite: (tx, ctx, id, link) => writeTraderInvite(tx, ctx, tx.get(traders, id), link),
}
