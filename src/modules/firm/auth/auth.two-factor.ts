import { Secret } from 'otpauth'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { signedInJustNow } from '../../../platform/access/fresh.ts'
import { refuseImpersonation } from '../../../platform/access/principal.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { randomToken } from '../../../platform/ids.ts'
import { say } from '../../../words/say.ts'
import type { Tries } from './auth.attempts.ts'
import { createTotp, hashRecovery, mintRecoveryCodes, proveOwnCode, sealSecret, takeCode } from './auth.codes.ts'
import { authErrors } from './auth.errors.ts'
import { mailHolder } from './auth.notices.ts'
import {
  getAccountOwner,
  provePassword,
  readAccountNames,
  readFirmName,
  requireOwnCredential,
  stillProven,
} from './auth.own-account.ts'
import type { Owner, Owners } from './auth.owners.ts'
import { buildCookies, type Outcome, renewSession } from './auth.service.ts'
import { credentials } from './auth.table.ts'

const NO_SECOND_FACTOR = { totpEnabled: false, totpEnabledAt: null, totpSecret: null, recoveryCodes: [] }
/** Makes a new secret, not yet in use, with the URI for the authenticator's QR code. */
export function setupTwoFactor(ctx: Ctx, owners: Owners): Promise<{ secret: string; uri: string }> {
  const secret = new Secret({ size: 20 })
  return ctx.write('auth.two_factor_setup', (tx) => {
    const credential = requireOwnCredential(tx, ctx)
    if (credential.totpEnabled) throw authErrors.two_factor_on()
    const totpSecret = sealSecret(ctx, credential, secret)
    tx.update(credentials, credential.id, { totpSecret, totpLastStep: 0 })
    const { email, firm } = readAccountNames(tx, ctx, owners, getAccountOwner(ctx))
    return { secret: secret.base32, uri: createTotp(secret, email ?? 'account', firm).toString() }
  })
}

/**
 * Puts the secret into use once a code proves that the authenticator has it; the recovery codes are shown only now.
 * Asks for the password unless the caller has just signed in; otherwise anyone at an open session could lock its owner
 * out.
 */
export async function enableTwoFactor(
  ctx: Ctx,
  owners: Owners,
  tries: Tries,
  { code, password }: { code: string; password?: string },
): Promise<Outcome<{ recoveryCodes: string[] }>> {
  refuseImpersonation(ctx)
  if (password === undefined && !signedInJustNow(ctx)) throw authErrors.password_needed()
  const known = password === undefined ? null : await provePassword(ctx, tries, password, 'password')
  const recoveryCodes = mintRecoveryCodes()
  const token = randomToken(32)
  const done = await ctx.write('auth.two_factor_enable', (tx) => {
    if (known) stillProven(tx, known)
    const credential = requireOwnCredential(tx, ctx)
    if (credential.totpEnabled) throw authErrors.two_factor_on()
    if (!credential.totpSecret) throw authErrors.two_factor_off()
    if (!takeCode(tx, ctx, credential, code)) throw authErrors.wrong_code()
    tx.update(credentials, credential.id, {
      totpEnabled: true,
      totpEnabledAt: tx.now,
      recoveryCodes: recoveryCodes.map(hashRecovery),
    })
    renewSession(tx, ctx, token, known ? tx.now : undefined)
    tellOfSecondFactor(tx, ctx, owners, true)
    return { recoveryCodes }
  })
  known?.succeeded()
  return { answer: done, cookies: buildCookies(ctx, token) }
}

const tellOfSecondFactor = (tx: Tx, ctx: Ctx, owners: Owners, on: boolean): void =>
  mailHolder(tx, ctx, owners, getAccountOwner(ctx), () => ({
    subject: say('auth.mail.second_factor.subject', { firm: readFirmName(ctx), isOn: String(on) }),
    text: say('auth.mail.second_factor.text', { firm: readFirmName(ctx), isOn: String(on) }),
  }))

/** Removes the second factor of the caller, with the password and a code. */
export async function disableTwoFactor(
  ctx: Ctx,
  owners: Owners,
  tries: Tries,
  input: { password: string; code: string },
): Promise<Outcome<{ status: 'ok' }>> {
  const known = await provePassword(ctx, tries, input.password, 'password')
  if (!requireOwnCredential(ctx.db, ctx).totpEnabled) throw authErrors.two_factor_off()
  await proveOwnCode(ctx, owners, tries, known, input.code)
  const token = randomToken(32)
  const done = await ctx.write('auth.two_factor_disable', (tx) => {
    stillProven(tx, known)
    const credential = requireOwnCredential(tx, ctx)
    if (!credential.totpEnabled) throw authErrors.two_factor_off()
    tx.update(credentials, credential.id, NO_SECOND_FACTOR)
    renewSession(tx, ctx, token, tx.now)
    tellOfSecondFactor(tx, ctx, owners, false)
    return { status: 'ok' as const }
  })
  known.succeeded()
  return { answer: done, cookies: buildCookies(ctx, token) }
}

/** Removes the second factor of another person who lost both phone and codes. 409 if there is none. */
export function removeTwoFactor(tx: Tx, owner: Owner): void {
  const credential = tx.find(credentials, owner)
  if (!credential?.totpEnabled) throw authErrors.two_factor_off()
  tx.update(credentials, credential.id, NO_SECOND_FACTOR)
}
