import type { Ctx } from '../../../platform/access/ctx.ts'
import { refuseImpersonation, staffIdOf } from '../../../platform/access/principal.ts'
import { ownName } from '../../../platform/db/directory.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { notFound } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import { beginTry, type Tries } from './auth.attempts.ts'
import { accountOf } from './auth.device.ts'
import { authErrors } from './auth.errors.ts'
import { factsOf, type Owner, type Owners } from './auth.owners.ts'
import { verifyPassword } from './auth.passwords.ts'
import { type CredentialRow, credentials, type OneTimeLinkRow, oneTimeLinks } from './auth.table.ts'

/** The account that a caller may manage: their own, or for a key that of the user who made it. */
export function ownerOf(ctx: Ctx): Owner {
  const userId = staffIdOf(ctx.principal)
  if (userId !== null) return { userId }
  if (ctx.principal.kind === 'trader') return { traderId: ctx.principal.id }
  throw notFound()
}

export const credentialOf = (db: Reader, ctx: Ctx): CredentialRow | undefined => db.find(credentials, ownerOf(ctx))

export function requireOwnCredential(db: Reader, ctx: Ctx): CredentialRow {
  refuseImpersonation(ctx)
  const credential = credentialOf(db, ctx)
  if (!credential) throw authErrors.two_factor_off()
  return credential
}

/**
 * A password of the caller's own that was right: the credential it
 * was checked against, and a way to say that all of the act was.
 */
export type Proven = { credential: CredentialRow; succeeded: () => void }

/** The caller's own account, as tries at it are counted. */
export const ownAccount = (ctx: Ctx): string => accountOf(ctx.tenantId, ownerOf(ctx))

/**
 * Checks the caller's own password, slowed down after failures; counts as a failure until
 * the caller of this says `succeeded`. What it was checked against is for `stillProven`.
 */
export async function provePassword(ctx: Ctx, tries: Tries, password: string, field: string): Promise<Proven> {
  refuseImpersonation(ctx)
  const account = ownAccount(ctx)
  const isStaff = 'userId' in ownerOf(ctx)
  const attempt = await beginTry(ctx, tries, [{ account, isStaff, of: account }], account)
  const credential = credentialOf(ctx.db, ctx)
  const matches = await attempt.check(() => verifyPassword(credential?.passwordHash ?? null, password))
  if (!matches || !credential)
    throw authErrors.wrong_password({
      errors: [{ path: field, code: 'wrong', message: say('auth.field.password_wrong') }],
    })
  return { credential, succeeded: () => attempt.succeeded([account], account) }
}

/** Refuses when the password that was checked is not the account's any more: the slow hash leaves time for a change. */
export function stillProven(tx: Tx, { credential }: Proven): void {
  if (tx.find(credentials, { id: credential.id })?.passwordHash !== credential.passwordHash)
    throw authErrors.wrong_password()
}

/** Voids the links that were mailed to an account and not used; returns them. */
export function voidLinks(tx: Tx, owner: Owner, purpose?: OneTimeLinkRow['purpose']): OneTimeLinkRow[] {
  const links = tx.list(oneTimeLinks, purpose === undefined ? owner : { ...owner, purpose })
  for (const link of links) tx.remove(oneTimeLinks, link.id)
  return links
}

/** The name of a caller's firm. */
export const firmOf = (ctx: Ctx): string => ownName(ctx.unowned)

/**
 * The address of an account and the name of its firm: for an authenticator's entry, and what a password must not be.
 */
export const namesOf = (
  db: Reader,
  ctx: Ctx,
  owners: Owners,
  owner: Owner,
): { email: string | null; firm: string } => ({ email: factsOf(owners, db, owner)?.email ?? null, firm: firmOf(ctx) })
