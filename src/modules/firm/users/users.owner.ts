import { sql } from 'drizzle-orm'
import { topRole } from '../../../platform/access/catalogue.ts'
import { lookUp, ofActiveTenant, tenantFacts } from '../../../platform/db/directory.ts'
import { bare, listed, statement } from '../../../platform/db/statement.ts'
import { credentialFacts } from '../auth/auth.lookup.ts'
import type { Candidate, OwnerKind } from '../auth/auth.owners.ts'
import { credentials } from '../auth/auth.table.ts'
import { writeUserInvite } from './users.mails.ts'
import { noteRename } from './users.names.ts'
import { mailNewPower } from './users.notices.ts'
import { users } from './users.table.ts'

const BY_ADDRESS = lookUp<Candidate>(
  sql`SELECT ${tenantFacts}, ${listed({
    tenantId: users.tenantId,
    userId: users.id,
    traderId: sql`NULL`,
    roles: users.roles,
    displayName: users.displayName,
    ...credentialFacts,
  })}
  FROM ${users} ${ofActiveTenant(users.tenantId)}
  LEFT JOIN ${credentials} ON ${credentials.tenantId} = ${users.tenantId} AND ${credentials.userId} = ${users.id}
  WHERE ${users.email} = ? AND ${users.deletedAt} IS NULL AND ${users.status} IN ('active', 'invited')`,
)
const SIGNED_IN = statement(
  sql`UPDATE ${users} SET ${bare(users.lastLoginAt)} = ?2 WHERE ${users.tenantId} = ?1 AND ${users.id} = ?3`,
)

/** Staff as owners of credentials: active ones sign in; invited ones have no password yet. */
export const userOwners: OwnerKind = {
  byAddress: BY_ADDRESS,
  find: (db, id) => {
    const user = db.find(users, { id })
    if (!user) return undefined
    const { email, displayName, roles, status, locale } = user
    const role = topRole(roles)
    return { email, displayName, role, locale, maySignIn: status === 'active', isInvited: status === 'invited' }
  },
  noteSignIn: (tx, id) => void tx.execute(SIGNED_IN, [tx.now, id]),
  takeInvite: (tx, ctx, id, displayName) => {
    const user = tx.find(users, { id })
    if (!user || user.status === 'disabled') return false
    const name = displayName ?? user.displayName
    noteRename(tx, ctx, user, name)
    mailNewPower(tx, ctx, tx.update(users, id, { status: 'active', displayName: name }), 'accepted')
    return true
  },
  mailInvite: (tx, ctx, id, link) => writeUserInvite(tx, ctx, tx.get(users, id), link),
}
