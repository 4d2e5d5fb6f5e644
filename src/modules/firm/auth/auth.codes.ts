import { sql } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { DAY, MINUTE } from '../../../platform/clock.ts'
import { bare, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { sha256Hex } from '../../../platform/secrets.ts'
import { say } from '../../../words/say.ts'
import { identifyTryer, logRefusal, type Tries } from './auth.attempts.ts'
import { authErrors } from './auth.errors.ts'
import { mailHolder } from './auth.notices.ts'
import {
  getAccountOwner,
  ownAccount,
  type Proven,
  readFirmName,
  requireOwnCredential,
  stillProven,
} from './auth.own-account.ts'
import type { Owners } from './auth.owners.ts'
import { type CredentialRow, credentials } from './auth.table.ts'
import { slowDown } from './auth.throttle.ts'

const PERIOD = 30
/** After this many wrong codes in this time, from all addresses, only a known device or a recovery code is accepted. */
const MOST_WRONG = 10
const WINDOW = 15 * MINUTE

const sealContext = (tenantId: string, credentialId: string): string => `totp:${tenantId}:${credentialId}`

/** Returns the entry for an authenticator. */
export const createTotp = (secret: Secret, label: string, issuer: string): TOTP =>
  new TOTP({ secret, label, issuer, algorithm: 'SHA1', digits: 6, period: PERIOD })

/** Returns a code in Latin letters and digits, whatever keyboard it comes from: ١٢٣ and full-width １２３ become 123. */
const tidy = (code: string): string =>
  code
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, toDigit)
    .replace(/[\s\p{Pd}\p{Cf}]/gu, '')
    .toUpperCase()

/** Returns a digit of any script as 0 to 9: the ten digits of each script have consecutive code points. */
function toDigit(letter: string): string {
  const point = letter.codePointAt(0) ?? 0
  let digit = 0
  while (digit < 9 && /\p{Nd}/u.test(String.fromCodePoint(point - digit - 1))) digit += 1
  return String(digit)
}

/** Returns the stored form of a recovery code. The codes are random, so a plain hash is enough. */
export const hashRecovery = (code: string): string => sha256Hex(`recovery:${tidy(code)}`)

/** Makes ten recovery codes, for when the authenticator is lost. */
export const mintRecoveryCodes = (): string[] =>
  Array.from({ length: 10 }, () => {
    const text = Secret.fromHex(Buffer.from(crypto.getRandomValues(new Uint8Array(10))).toString('hex')).base32
    return `${text.slice(0, 4)}-${text.slice(4, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}`
  })

/** Returns the stored form of an authenticator's secret. */
export const sealSecret = (ctx: Ctx, { id }: Pick<CredentialRow, 'id'>, secret: Secret): Uint8Array =>
  ctx.secrets.seal(secret.base32, sealContext(ctx.tenantId, id))

/**
 * Accepts a code once: an authenticator's code or a recovery code. It runs inside a transaction, so that two requests
 * cannot both use the code.
 */
export function takeCode(tx: Tx, ctx: Ctx, credential: CredentialRow, code: string): boolean {
  if (!credential.totpSecret) return false
  const tidied = tidy(code)
  if (/^\d{6}$/.test(tidied)) {
    const secret = Secret.fromBase32(
      ctx.secrets.openText(credential.totpSecret, sealContext(ctx.tenantId, credential.id)),
    )
    const delta = createTotp(secret, '', '').validate({ token: tidied, window: 1, timestamp: tx.now })
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

const isDigits = (code: string): boolean => /^\d{6}$/.test(tidy(code))
const NOTE = statement(
  sql`UPDATE ${credentials} SET ${bare(credentials.codeFailures)} = ?2, ${bare(credentials.codeAlarmAt)} = ?3
  WHERE ${credentials.tenantId} = ?1 AND ${credentials.id} = ?4`,
)

/**
 * Accepts a code like `takeCode`. A wrong one is counted for the account, whatever its address; the commit keeps the
 * count. After ten wrong codes in 15 minutes the holder is mailed, and the 429 is thrown unless the try is from a known
 * device or has a recovery code.
 */
export function proveCode(
  tx: Tx,
  ctx: Ctx,
  owners: Owners,
  credential: CredentialRow,
  { code, knownDevice }: { code: string; knownDevice: boolean },
): boolean {
  const recent = credential.codeFailures.filter((at) => tx.now - at < WINDOW)
  const [oldest] = recent
  if (oldest !== undefined && recent.length >= MOST_WRONG && !knownDevice && isDigits(code))
    throw slowDown(oldest + WINDOW - tx.now, say('auth.error.codes_slow_down'))
  if (takeCode(tx, ctx, credential, code)) return true
  const failures = [...recent, tx.now].slice(-MOST_WRONG)
  const told = credential.codeAlarmAt !== null && tx.now - credential.codeAlarmAt < DAY
  const alarm = failures.length >= MOST_WRONG && !told
  if (alarm) mailCodeAlarm(tx, ctx, owners)
  tx.execute(NOTE, [JSON.stringify(failures), alarm ? tx.now : credential.codeAlarmAt, credential.id])
  return false
}

/** Mails the holder, at most once a day, that somebody who knows the password is guessing codes. */
const mailCodeAlarm = (tx: Tx, ctx: Ctx, owners: Owners): void =>
  mailHolder(tx, ctx, owners, getAccountOwner(ctx), () => ({
    subject: say('auth.mail.wrong_codes.subject', { firm: readFirmName(ctx) }),
    text: say('auth.mail.wrong_codes.text', { mostWrong: MOST_WRONG }),
  }))

/** Accepts a code of a signed-in caller whose password was right; a wrong code is counted and refused. */
export async function proveOwnCode(ctx: Ctx, owners: Owners, tries: Tries, known: Proven, code: string): Promise<void> {
  const account = ownAccount(ctx)
  const knownDevice = 'device' in identifyTryer(ctx, tries, account)
  const prove = (tx: Tx): boolean => {
    stillProven(tx, known)
    return proveCode(tx, ctx, owners, requireOwnCredential(tx, ctx), { code, knownDevice })
  }
  // This is a write of its own, since the count of a wrong code must stay whatever the answer is.
  if (await ctx.write('auth.code', prove, { answer: false })) return
  logRefusal(ctx, 'code', account)
  throw authErrors.wrong_code({
    errors: [{ path: 'code', code: 'wrong', message: say('auth.field.code_wrong') }],
  })
}
