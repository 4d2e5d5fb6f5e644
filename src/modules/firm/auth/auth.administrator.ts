import type { BoxCtx, Ctx } from '../../../platform/access/ctx.ts'
import { parseRoles } from '../../../platform/access/session.ts'
import { foldEmail } from '../../../platform/wire/formats.ts'
import { proveCode } from './auth.codes.ts'
import { authErrors } from './auth.errors.ts'
import { createPersonCtx, findCandidates } from './auth.lookup.ts'
import { getAccountOwner } from './auth.own-account.ts'
import type { Owners } from './auth.owners.ts'
import { filterByPassword } from './auth.passwords.ts'
import { credentials } from './auth.table.ts'

/**
 * Returns the context of an administrator of the box who proves password and, if it is on, second factor; commands on
 * the machine use it, as they have no session. Throws the 401 for a wrong sign-in; the code is used up.
 */
export async function proveAdministrator(
  ctx: BoxCtx,
  owners: Owners,
  { email, password, code }: { email: string; password: string; code: string },
): Promise<Ctx> {
  const candidates = findCandidates(ctx, owners, foldEmail(email), '').filter(({ roles }) =>
    parseRoles(roles ?? '[]').includes('platform_admin'),
  )
  const [administrator] = await filterByPassword(candidates, password)
  if (!administrator) throw authErrors.invalid_credentials()
  const person = createPersonCtx(ctx, administrator)
  const proven = await person.write('auth.administrator', (tx) => {
    const credential = tx.find(credentials, getAccountOwner(person))
    if (credential?.passwordHash !== administrator.passwordHash) return false
    const given = { code, knownDevice: false }
    if (!credential.totpEnabled || proveCode(tx, person, owners, credential, given)) return true
    tx.audit({ action: 'auth.login_failed', entity: 'session', after: { reason: 'code' } })
    return false
  })
  if (!proven) throw authErrors.invalid_code()
  return person
}
