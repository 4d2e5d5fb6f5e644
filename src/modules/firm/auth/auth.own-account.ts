import type { Ctx } from '../../../platform/access/ctx.ts'
import { findStaffId, refuseImpersonation } from '../../../platform/access/principal.ts'
import { ownName } from '../../../platform/db/directory.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { notFound } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import { beginTry, type Tries } from './auth.attempts.ts'
import { buildAccountKey } from './auth.device.ts'
import { authErrors } from './auth.errors.ts'
import { findOwnerFacts, type Owner, type Owners } from './auth.owners.ts'
import { verifyPassword } from './auth.passwords.ts'
import { type CredentialRow, credentials, type OneTimeLinkRow, oneTimeLinks } from './auth.table.ts'

/** Returns the account that a caller may manage: their own, or that of the key's maker. */
export function getAccountOwner(ctx: Ctx): Owner {
  const userId = findStaffId(ctx.principal)
  if (userId !== null) return { userId }
  if (ctx.principal.kind === 'trader') return { traderId: ctx.principal.id }
  throw notFound()
}

export const findCredential = (db: Reader, ctx: Ctx): CredentialRow | undefined =>
  db.find(credentials, getAccountOwner(ctx))

export function requireOwnCredential(db: Reader, ctx: Ctx): CredentialRow {
  refuseImpersonation(ctx)
  const credential = findCredential(db, ctx)
  if (!credential) throw authErrors.two_factor_off()
  return credential
}

/** A credential for which the caller's password was right; `succeeded` reports that the whole act was right. */
export type Proven = { credential: CredentialRow; succeeded: () => void }

/** Returns the key of the caller's account, under which tries are counted. */
export const ownAccount = (ctx: Ctx): string => buildAccountKey(ctx.tenantId, getAccountOwner(ctx))

/**
 * Checks the caller's own password, slowed down after failures. The try counts as a failure until `succeeded` is
 * called. `stillProven` later checks that the credential did not change.
 */
export async function provePassword(ctx: Ctx, tries: Tries, password: string, field: string): Promise<Proven> {
  refuseImpersonation(ctx)
  const account = ownAccount(ctx)
  const isStaff = 'userId' in getAccountOwner(ctx)
  const attempt = await beginTry(ctx, tries, [{ account, isStaff, of: account }], account)
  const credential = findCredential(ctx.db, ctx)
  const matches = await attempt.check(() => verifyPassword(credential?.passwordHash ?? null, password))
  if (!matches || !credential)
    throw authErrors.wrong_password({
      errors: [{ path: field, code: 'wrong', message: say('auth.field.password_wrong') }],
    })
  return { credential, succeeded: () => attempt.succeeded([account], account) }
}

/** Refuses if the password changed since it was checked, which the slow hash leaves time for. */
export function stillProven(tx: Tx, { credential }: Proven): void {
  if (tx.find(credentials, { id: credential.id })?.passwordHash !== credential.passwordHash)
    throw authErrors.wrong_password()
}

/** Voids the unused links that were mailed to an account, and returns them. */
export function voidLinks(tx: Tx, owner: Owner, purpose?: OneTimeLinkRow['purpose']): OneTimeLinkRow[] {
  const links = tx.list(oneTimeLinks, purpose === undefined ? owner : { ...owner, purpose })
  for (const link of links) tx.remove(oneTimeLinks, link.id)
  return links
}

export const readFirmName = (ctx: Ctx): string => ownName(ctx.unowned)

/** Returns the account's address and firm name: an authenticator shows them, and a password must not be one of them. */
export const readAccountNames = (
  db: Reader,
  ctx: Ctx,
  owners: Owners,
  owner: Owner,
): { email: string | null; firm: string } => ({
  email: findOwnerFacts(owners, db, owner)?.email ?? null,
  firm: readFirmName(ctx),
})
