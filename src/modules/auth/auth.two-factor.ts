import { Secret, TOTP } from 'otpauth'
import type { Ctx } from '../../platform/access/ctx.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { sha256Hex } from '../../platform/secrets.ts'
import { authErrors } from './auth.errors.ts'
import {
  type Owner,
  personOf,
  provePassword,
  refuseImpersonation,
  requireOwnCredential,
  signedInJustNow,
  stillProven,
  throttleKey,
} from './auth.people.ts'
import { type CredentialRow, credentials } from './auth.table.ts'
import type { Throttle } from './auth.throttle.ts'

const PERIOD = 30
const NO_SECOND_FACTOR = { totpEnabled: false, totpEnabledAt: null, totpSecret: null, recoveryCodes: [] }
const contextOf = (tenantId: string, credentialId: string): string => `totp:${tenantId}:${credentialId}`

const totpOf = (secret: Secret, label: string, issuer: string): TOTP =>
  new TOTP({ secret, label, issuer, algorithm: 'SHA1', digits: 6, period: PERIOD })

const tidy = (code: string): string => code.replace(/[\s-]/g, '').toUpperCase()

/** A recovery code as stored. The codes are random, so a plain hash is sound. */
const hashRecovery = (code: string): string => sha256Hex(`recovery:${tidy(code)}`)

const mintRecoveryCodes = (): string[] =>
  Array.from({ length: 10 }, () => {
    const text = Secret.fromHex(Buffer.from(crypto.getRandomValues(new Uint8Array(10))).toString('hex')).base32
    return `${text.slice(0, 4)}-${text.slice(4, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}`
  })

/** Takes a code once: an authenticator's step or a recovery code. Inside a transaction, so that two requests cannot both use it. */
export function takeCode(tx: Tx, ctx: Ctx, credential: CredentialRow, code: string): boolean {
  if (!credential.totpSecret) return false
  const tidied = tidy(code)
  if (/^\d{6}$/.test(tidied)) {
    const secret = Secret.fromBase32(
      ctx.secrets.openText(credential.totpSecret, contextOf(ctx.tenantId, credential.id)),
    )
    const delta = totpOf(secret, '', '').validate({ token: tidied, window: 1, timestamp: tx.now })
    if (delta === null) return false
    const step = Math.floor(tx.now / 1000 / PERIOD) + delta
    if (step <= credential.totpLastStep) return false
    tx.update(credentials, credential.id, { totpLastStep: step }, { action: 'auth.code_used' })
    return true
  }
  const hashed = hashRecovery(tidied)
  if (!credential.recoveryCodes.includes(hashed)) return false
  const recoveryCodes = credential.recoveryCodes.filter((stored) => stored !== hashed)
  tx.update(credentials, credential.id, { recoveryCodes }, { action: 'auth.recovery_code_used' })
  return true
}

/** Makes a new secret, not yet in force, with the URI for the authenticator's QR code. */
export function setupTwoFactor(ctx: Ctx): Promise<{ secret: string; uri: string }> {
  const secret = new Secret({ size: 20 })
  return ctx.write('auth.two_factor_setup', (tx) => {
    const credential = requireOwnCredential(tx, ctx)
    if (credential.totpEnabled) throw authErrors.two_factor_on()
    const totpSecret = ctx.secrets.seal(secret.base32, contextOf(ctx.tenantId, credential.id))
    tx.update(credentials, credential.id, { totpSecret, totpLastStep: 0 })
    const { label, issuer } = personOf(tx, ctx)
    return { secret: secret.base32, uri: totpOf(secret, label, issuer).toString() }
  })
}

/**
 * Puts the secret in force once a code proves that the authenticator has it; the recovery codes are shown this once. Asks for the password unless
 * the caller signed in just now: a session left open would be enough to lock its owner out.
 */
export async function enableTwoFactor(
  ctx: Ctx,
  throttle: Throttle,
  { code, password }: { code: string; password?: string },
): Promise<{ recoveryCodes: string[] }> {
  refuseImpersonation(ctx)
  if (password === undefined && !signedInJustNow(ctx)) throw authErrors.password_needed()
  const known = password === undefined ? null : await provePassword(ctx, throttle, password, 'password')
  const recoveryCodes = mintRecoveryCodes()
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
    return { recoveryCodes }
  })
  if (known) throttle.succeeded(throttleKey(ctx), ctx.ip)
  return done
}

/** Takes the second factor away; needs the password and a code. */
export async function disableTwoFactor(
  ctx: Ctx,
  throttle: Throttle,
  input: { password: string; code: string },
): Promise<{ status: 'ok' }> {
  const known = await provePassword(ctx, throttle, input.password, 'password')
  const done = await ctx.write('auth.two_factor_disable', (tx) => {
    stillProven(tx, known)
    const credential = requireOwnCredential(tx, ctx)
    if (!credential.totpEnabled) throw authErrors.two_factor_off()
    if (!takeCode(tx, ctx, credential, input.code)) throw authErrors.wrong_code()
    tx.update(credentials, credential.id, NO_SECOND_FACTOR)
    return { status: 'ok' as const }
  })
  throttle.succeeded(throttleKey(ctx), ctx.ip)
  return done
}

/** Takes the second factor off somebody else's account, for one who lost both phone and codes. 409 when there is none. */
export function removeTwoFactor(tx: Tx, owner: Owner): void {
  const credential = tx.find(credentials, owner)
  if (!credential?.totpEnabled) throw authErrors.two_factor_off()
  tx.update(credentials, credential.id, NO_SECOND_FACTOR)
}
