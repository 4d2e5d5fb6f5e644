import type { Ctx } from '../../platform/access/ctx.ts'
import { staffIdOf } from '../../platform/access/principal.ts'
import { MINUTE } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/reader.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { notFound } from '../../platform/http/problem.ts'
import { traders } from '../traders/traders.table.ts'
import { users } from '../users/users.table.ts'
import { authErrors, freshErrors } from './auth.errors.ts'
import { verifyPassword } from './auth.passwords.ts'
import { type CredentialRow, credentials, type OneTimeLinkRow, oneTimeLinks, sessions } from './auth.table.ts'
import type { Throttle } from './auth.throttle.ts'

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

/** How long after signing in a person need not show the password again. */
export const FRESH = 15 * MINUTE

/** Whether the caller signed in just now, so that a session left open or stolen later is not enough. A key never did. */
export function signedInJustNow(ctx: Ctx): boolean {
  const { principal } = ctx
  if (principal.kind !== 'user' && principal.kind !== 'trader') return false
  const session = ctx.db.find(sessions, { id: principal.sessionId })
  return session !== undefined && ctx.now() - Math.max(session.createdAt, session.provenAt ?? 0) < FRESH
}

/**
 * Refuses a session that signed in longer than 15 minutes ago, for acts that reach beyond it: keys, roles, passwords and secrets of others. Keys are
 * exempt: they pass on nothing that they do not hold. rules.md “Tenants, users, first run”.
 */
export function requireFreshSignIn(ctx: Ctx): void {
  const { principal } = ctx
  // A command of the box's operator acts without a session.
  const hasSession = (principal.kind === 'user' || principal.kind === 'trader') && principal.sessionId !== ''
  if (hasSession && !signedInJustNow(ctx)) throw freshErrors.reauthentication_required()
}

/** The key under which the caller's own tries at a password or code are counted. */
export const throttleKey = (ctx: Ctx): string => JSON.stringify(ownerOf(ctx))

/**
 * Checks the caller's own password, slowed down after failures; counts as a failure until the caller of this says `succeeded`. Returns the credential it
 * was checked against, for `stillProven`.
 */
export async function provePassword(
  ctx: Ctx,
  throttle: Throttle,
  password: string,
  field: string,
): Promise<CredentialRow> {
  refuseImpersonation(ctx)
  throttle.attempt(throttleKey(ctx), ctx.ip, ctx.now())
  const known = credentialOf(ctx.db, ctx)
  if (!(await verifyPassword(known?.passwordHash ?? null, password)) || !known)
    throw authErrors.wrong_password({
      errors: [{ path: field, code: 'wrong', message: 'is not the current password' }],
    })
  return known
}

/** Refuses when the password that was checked is not the account's any more: the slow hash leaves time for a change. */
export function stillProven(tx: Tx, proven: CredentialRow): void {
  if (tx.find(credentials, { id: proven.id })?.passwordHash !== proven.passwordHash) throw authErrors.wrong_password()
}

/** Voids the links that were mailed to an account and not used; returns them. */
export function voidLinks(tx: Tx, owner: Owner, purpose?: OneTimeLinkRow['purpose']): OneTimeLinkRow[] {
  const links = tx.list(oneTimeLinks, purpose === undefined ? owner : { ...owner, purpose })
  for (const link of links) tx.remove(oneTimeLinks, link.id)
  return links
}

const TENANT = 'SELECT name FROM tenants WHERE id = ?1'

/** Names for an authenticator's entry. */
export function personOf(db: Reader, ctx: Ctx): { label: string; issuer: string } {
  const owner = ownerOf(ctx)
  const email = 'userId' in owner ? db.get(users, owner.userId).email : db.get(traders, owner.traderId).email
  const tenant = ctx.platform.reader.get<{ name: string }>(TENANT, [ctx.tenantId])
  return { label: email ?? 'account', issuer: tenant?.name ?? 'Brokerbase' }
}
