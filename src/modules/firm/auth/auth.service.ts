import type { Static } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { LONGEST_SESSION, sessionCookie } from '../../../platform/access/session.ts'
import { HOUR, SECOND } from '../../../platform/clock.ts'
import { ownName, ownTenant } from '../../../platform/db/directory.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { randomToken } from '../../../platform/ids.ts'
import { invalid, notFound } from '../../../platform/problem.ts'
import { sha256Hex } from '../../../platform/secrets.ts'
import { say } from '../../../words/say.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import type { Tries } from './auth.attempts.ts'
import { proveOwnCode } from './auth.codes.ts'
import { deviceCookie } from './auth.device.ts'
import { authErrors } from './auth.errors.ts'
import {
  type ChangePasswordIn,
  type LoginOut,
  type MeOut,
  type ReauthenticateIn,
  type SessionsOut,
  toSession,
} from './auth.model.ts'
import { mailHolder } from './auth.notices.ts'
import {
  findCredential,
  getAccountOwner,
  ownAccount,
  provePassword,
  readAccountNames,
  stillProven,
  voidLinks,
} from './auth.own-account.ts'
import type { Owner, Owners } from './auth.owners.ts'
import { hashChosenPassword } from './auth.passwords.ts'
import { credentials, sessions } from './auth.table.ts'

/**
 * One person may have this many open sessions; a new one ends the least recently used. The limit keeps ending all of
 * them short.
 */
const MOST_SESSIONS = 50

/** The answer to a sign-in, and the cookies that it sets. */
export type Outcome<A = Static<typeof LoginOut>> = { answer: A; cookies: string[] }

/**
 * Renews a session's sign-in by password and, if it is on, second factor: for 15 minutes the session may do what needs
 * a fresh sign-in. It gets a new token, and its device counts as known from then on.
 */
export async function reauthenticate(
  ctx: Ctx,
  owners: Owners,
  tries: Tries,
  { password, code }: Static<typeof ReauthenticateIn>,
): Promise<Outcome<{ status: 'ok' }>> {
  if (currentSession(ctx) === null) throw authErrors.not_by_key()
  const known = await provePassword(ctx, tries, password, 'password')
  if (known.credential.totpEnabled) {
    if (code === undefined) throw invalid('code', 'required', say('auth.field.code_required'))
    await proveOwnCode(ctx, owners, tries, known, code)
  }
  const token = randomToken(32)
  const answer = await ctx.write('auth.reauthenticate', (tx) => {
    stillProven(tx, known)
    // a second factor that was turned on meanwhile was not proven
    if (!known.credential.totpEnabled && tx.find(credentials, { id: known.credential.id })?.totpEnabled)
      throw authErrors.wrong_code()
    renewSession(tx, ctx, token, tx.now)
    return { status: 'ok' as const }
  })
  known.succeeded()
  return { answer, cookies: [cookieFor(token), deviceCookie(ctx, tries.device, ownAccount(ctx))] }
}

/**
 * Gives the caller's session a new token; the former one ends with its streams and views, since a stolen copy must not
 * become fresh too. `provenAt` is when the password was last given. A key has no session.
 */
export function renewSession(tx: Tx, ctx: Ctx, token: string, provenAt?: number): void {
  const session = tx.find(sessions, { id: currentSession(ctx) ?? '' })
  if (!session) return
  const { id, tenantId: _, ...rest } = session
  tx.remove(sessions, id, { action: 'session.end' })
  tx.insert(sessions, {
    ...rest,
    tokenHash: sha256Hex(token),
    lastSeenAt: tx.now,
    provenAt: provenAt ?? session.provenAt,
  })
}

/** Opens a session for the person of `ctx`; only the token's hash is stored. */
export function openSession(tx: Tx, ctx: Ctx, token: string, userAgent: string): void {
  const newest = { orderBy: 'lastSeenAt', descending: true, limit: 2 * MOST_SESSIONS } as const
  for (const old of tx.list(sessions, getAccountOwner(ctx), newest).slice(MOST_SESSIONS - 1))
    tx.remove(sessions, old.id, { action: 'session.end' })
  tx.insert(sessions, {
    ...getAccountOwner(ctx),
    tokenHash: sha256Hex(token),
    ip: ctx.ip ?? '',
    userAgent: userAgent.slice(0, 300),
    lastSeenAt: tx.now,
    expiresAt: tx.now + Math.min(ctx.config.sessionHours * HOUR, LONGEST_SESSION),
  })
}

/**
 * Returns the cookie of a new session. The server decides when the session ends; the browser keeps the cookie as long
 * as a session can last.
 */
export const cookieFor = (token: string): string => sessionCookie(token, LONGEST_SESSION / SECOND)

/** Returns the cookie for a session's new token; a key gets none. */
export const buildCookies = (ctx: Ctx, token: string): string[] =>
  currentSession(ctx) === null ? [] : [cookieFor(token)]

/** Ends the caller's session; a key has none. */
export async function logout(ctx: Ctx): Promise<{ status: 'ok' }> {
  const { principal } = ctx
  if (principal.kind === 'user' || principal.kind === 'trader') {
    await ctx.write('auth.logout', (tx) => {
      if (tx.find(sessions, { id: principal.sessionId })) tx.remove(sessions, principal.sessionId)
    })
  }
  return { status: 'ok' }
}

/** Answers the caller's person, firm and rights. */
export function readMe(ctx: Ctx, owners: Owners): Static<typeof MeOut> {
  const row = ownTenant(ctx.unowned)
  if (!row) throw notFound()
  const { currency, timeZone } = readFirmSettings(ctx.unowned)
  const [branding, featureFlags] = [JSON.parse(row.branding), JSON.parse(row.featureFlags)]
  const tenant = { id: row.id, slug: row.slug, name: row.name, branding, featureFlags, currency, timeZone }
  const { principal } = ctx
  const credential = findCredential(ctx.db, ctx)
  const twoFactor = credential?.totpEnabled ?? false
  const mustChangePassword = credential?.mustChange ?? false
  if (principal.kind === 'trader') {
    const trader = owners.traders.find(ctx.db, principal.id)
    if (!trader) throw notFound()
    return {
      kind: 'trader',
      id: principal.id,
      email: trader.email,
      displayName: trader.displayName,
      locale: trader.locale,
      role: null,
      roles: [],
      twoFactor,
      mustChangePassword,
      mustEnrolTwoFactor: false,
      scopes: null,
      impersonatorId: principal.impersonatorId,
      affiliateId: principal.affiliate?.id ?? null,
      tenant,
    }
  }
  if (principal.kind !== 'user' && principal.kind !== 'api_key') throw notFound()
  const id = principal.kind === 'user' ? principal.id : principal.userId
  const user = owners.users.find(ctx.db, id)
  if (!user) throw notFound()
  return {
    kind: 'user',
    id,
    email: user.email,
    displayName: user.displayName,
    locale: user.locale,
    role: principal.role,
    roles: [...principal.roles],
    twoFactor,
    mustChangePassword,
    mustEnrolTwoFactor: principal.kind === 'user' && principal.mustEnrol === true,
    scopes: principal.kind === 'api_key' ? [...principal.scopes] : null,
    impersonatorId: principal.kind === 'user' ? principal.impersonatorId : null,
    affiliateId: null,
    tenant,
  }
}

const currentSession = (ctx: Ctx): string | null =>
  ctx.principal.kind === 'user' || ctx.principal.kind === 'trader' ? ctx.principal.sessionId : null

/** Lists the caller's active sessions, the last used one first. RULES “Sign-in”. */
export function listSessions(ctx: Ctx): Static<typeof SessionsOut> {
  const rows = ctx.db
    .list(sessions, getAccountOwner(ctx), { orderBy: 'lastSeenAt', descending: true, limit: 200 })
    .filter((row) => row.expiresAt > ctx.now())
  return { data: rows.map((row) => toSession(row, currentSession(ctx))), nextCursor: null }
}

/** Revokes one of the caller's own sessions; another person's is a 404. */
export function revokeSession(ctx: Ctx, id: string): Promise<null> {
  return ctx.write('session.revoke', (tx) => {
    if (!tx.find(sessions, { id, ...getAccountOwner(ctx) })) throw notFound()
    tx.remove(sessions, id)
    return null
  })
}

/** Ends all sessions of an account except `except`. */
export function endSessions(tx: Tx, owner: Owner, except: string | null = null): number {
  const open = tx.list(sessions, owner).filter((row) => row.id !== except)
  for (const session of open) tx.remove(sessions, session.id, { action: 'session.end' })
  return open.length
}

/** Ends all sessions of the caller, including this one. */
export function revokeAllSessions(ctx: Ctx): Promise<{ status: 'ok' }> {
  return ctx.write('session.revoke_all', (tx) => {
    endSessions(tx, getAccountOwner(ctx))
    return { status: 'ok' as const }
  })
}

/** Changes the caller's own password, with the current one. Other sessions end, and this one gets a new token. */
export async function changePassword(
  ctx: Ctx,
  owners: Owners,
  tries: Tries,
  input: Static<typeof ChangePasswordIn>,
): Promise<Outcome<{ status: 'ok' }>> {
  const known = await provePassword(ctx, tries, input.currentPassword, 'currentPassword')
  known.succeeded()
  const names = readAccountNames(ctx.db, ctx, owners, getAccountOwner(ctx))
  const passwordHash = await hashChosenPassword('newPassword', input.newPassword, names)
  const token = randomToken(32)
  const answer = await ctx.write('auth.change_password', (tx) => {
    stillProven(tx, known)
    setPassword(tx, getAccountOwner(ctx), passwordHash)
    endSessions(tx, getAccountOwner(ctx), currentSession(ctx))
    renewSession(tx, ctx, token, tx.now)
    tellOfPassword(tx, ctx, owners, getAccountOwner(ctx))
    return { status: 'ok' as const }
  })
  return { answer, cookies: buildCookies(ctx, token) }
}

/** Mails the holder that their password was changed. */
export const tellOfPassword = (tx: Tx, ctx: Ctx, owners: Owners, owner: Owner): void =>
  mailHolder(tx, ctx, owners, owner, () => ({
    subject: say('auth.mail.password_changed.subject', { firm: ownName(tx.unowned) }),
    text: say('auth.mail.password_changed.text', { firm: ownName(tx.unowned) }),
  }))

/**
 * Stores a password's hash for an account. Links mailed before become void, since they could set it again. `given`
 * means that a colleague chose the password. `isPart` means that another audit row tells the act, and this one only
 * that a password was set.
 */
export function setPassword(
  tx: Tx,
  owner: Owner,
  passwordHash: string,
  { given = false, isPart = false }: { given?: boolean; isPart?: boolean } = {},
): void {
  voidLinks(tx, owner)
  const existing = tx.find(credentials, owner)
  const action = isPart ? 'auth.change_password' : undefined
  if (existing) tx.update(credentials, existing.id, { passwordHash, mustChange: given }, { ...(action && { action }) })
  else tx.insert(credentials, { ...owner, passwordHash, mustChange: given }, action)
}
