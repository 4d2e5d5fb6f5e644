import type { Ctx } from '../../platform/access/ctx.ts'
import { staffIdOf } from '../../platform/access/principal.ts'
import type { Reader } from '../../platform/db/reader.ts'
import { notFound } from '../../platform/http/problem.ts'
import { traders } from '../traders/traders.table.ts'
import { users } from '../users/users.table.ts'
import { authErrors } from './auth.errors.ts'
import { type CredentialRow, credentials } from './auth.table.ts'

/** Whose account it is: exactly one of the two. */
export type Owner = { userId: string } | { traderId: string }

/** The account that a caller may manage: their own, or for a key that of the user who made it. */
export function ownerOf(ctx: Ctx): Owner {
  const userId = staffIdOf(ctx.principal)
  if (userId !== null) return { userId }
  if (ctx.principal.kind === 'trader') return { traderId: ctx.principal.id }
  throw notFound()
}

/** Refuses somebody who acts as another: credentials are never theirs to touch. rules.md “Impersonation”. */
export function refuseImpersonation(ctx: Ctx): void {
  const { principal } = ctx
  if ((principal.kind === 'user' || principal.kind === 'trader') && principal.impersonatorId !== null)
    throw authErrors.impersonating()
}

export const credentialOf = (db: Reader, ctx: Ctx): CredentialRow | undefined => db.find(credentials, ownerOf(ctx))

export function requireOwnCredential(db: Reader, ctx: Ctx): CredentialRow {
  refuseImpersonation(ctx)
  const credential = credentialOf(db, ctx)
  if (!credential) throw authErrors.two_factor_off()
  return credential
}

const TENANT = 'SELECT name FROM tenants WHERE id = ?1'

/** Names for an authenticator's entry. */
export function personOf(db: Reader, ctx: Ctx): { label: string; issuer: string } {
  const owner = ownerOf(ctx)
  const email = 'userId' in owner ? db.get(users, owner.userId).email : db.get(traders, owner.traderId).email
  const tenant = ctx.platform.reader.get<{ name: string }>(TENANT, [ctx.tenantId])
  return { label: email ?? 'account', issuer: tenant?.name ?? 'Brokerbase' }
}
