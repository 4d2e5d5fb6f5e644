import type { Static } from '@sinclair/typebox'
import { atLeast, getRank, isScope, type Role, SCOPES, topRole } from '../../../platform/access/catalogue.ts'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findRole, findStaffId, refuseImpersonation } from '../../../platform/access/principal.ts'
import { mayBecome } from '../../../platform/db/states.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { invalid, Problem, wrongState } from '../../../platform/problem.ts'
import { foldEmail } from '../../../platform/wire/formats.ts'
import { say } from '../../../words/say.ts'
import { tellOfRevoked } from '../api-keys/api-keys.service.ts'
import { apiKeys } from '../api-keys/api-keys.table.ts'
import type { Accepted } from '../auth/auth.model.ts'
import { readFirmName, voidLinks } from '../auth/auth.own-account.ts'
import { hashChosenPassword } from '../auth/auth.passwords.ts'
import { endSessions, setPassword } from '../auth/auth.service.ts'
import { credentials } from '../auth/auth.table.ts'
import { removeTwoFactor } from '../auth/auth.two-factor.ts'
import { independenceErrors } from '../independence/independence.errors.ts'
import { noteAccountAct, refuseGivenPassword } from '../independence/independence.service.ts'
import { accountVouches } from '../independence/independence.table.ts'
import { readPeople } from '../independence/people.ts'
import { mailTwoFactorRemoved, mailUserInvite, replaceUserInvite } from '../users/users.mails.ts'
import { noteRename, requireFreeName } from '../users/users.names.ts'
import { mailNewPower, mailOwners } from '../users/users.notices.ts'
import { userStates } from '../users/users.states.ts'
import { type UserRow, users } from '../users/users.table.ts'
import { mayRename } from './renaming.ts'
import { staffErrors } from './staff.errors.ts'
import type { StaffHooks } from './staff.hooks.ts'
import { type InviteIn, type RolesIn, shown, type User, type UserPatch, type VouchIn } from './staff.model.ts'

/**
 * Refuses to act on a role above the caller's, held or granted. A key may act only below its maker's role: it could
 * otherwise make a person of that role at an address of its choice, whose rights would outlast the key.
 */
function mustReach(ctx: Ctx, roles: readonly Role[]): void {
  const own = findRole(ctx.principal)
  if (own === null || getRank(topRole(roles)) > getRank(own)) throw staffErrors.above_you()
  if (ctx.principal.kind === 'api_key' && topRole(roles) === own) throw staffErrors.not_by_key()
}

const EVERY = Object.keys(SCOPES).filter(isScope)
const DECISIONS = EVERY.filter((scope) => /-decisions:write$|^(payouts|gifts|holds|merges|bridge):/.test(scope))

/** Refuses a key to grant what it lacks: all scopes to make administrators, those of decisions to make managers. */
function mayGrant(ctx: Ctx, roles: readonly Role[]): void {
  mustReach(ctx, roles)
  if (ctx.principal.kind !== 'api_key') return
  const { scopes } = ctx.principal
  const top = topRole(roles)
  const needed = atLeast(top, 'admin') ? EVERY : atLeast(top, 'manager') ? DECISIONS : []
  const missing = needed.find((scope) => !scopes.has(scope))
  if (missing !== undefined)
    throw staffErrors.not_by_key({ detail: say('users.error.key_lacks_scopes', { top, missing }) })
}

function mustLeaveOwner(tx: Tx, user: UserRow): void {
  if (!user.roles.includes('owner')) return
  const others = tx
    .list(users, { status: 'active' })
    .filter(({ id, roles }) => id !== user.id && roles.includes('owner'))
  if (others.length === 0) throw staffErrors.last_owner()
}

/** Ends all sessions and voids mailed links at once. */
function lockOut(tx: Tx, userId: string): void {
  endSessions(tx, { userId })
  voidLinks(tx, { userId })
}

/** Notes the loss of a person who decides about money or could vouch, so that nobody gains from a smaller firm. */
function noteStepDown(tx: Tx, ctx: Ctx, user: UserRow): void {
  if (getRank(topRole(user.roles)) >= getRank('manager'))
    noteAccountAct(tx, findStaffId(ctx.principal), user.id, 'stepped_down')
}

/**
 * Adds a staff user: active with a given password, or else mailed a one-time link (both if both are asked for). 409 if
 * the address or the name exists in the firm. RULES “Staff accounts”.
 */
export async function inviteUser(ctx: Ctx, input: Static<typeof InviteIn>): Promise<User> {
  mayGrant(ctx, input.roles)
  const { password, sendInviteLink = password === undefined } = input
  // with the password it could sign in as that person, which a key must not do
  if (password !== undefined && ctx.principal.kind === 'api_key')
    throw new Problem(403, 'forbidden', say('users.error.key_sets_no_password'))
  if (password === undefined && !sendInviteLink)
    throw invalid('password', 'required', say('users.field.password_required'))
  const names = { email: input.email, firm: readFirmName(ctx) }
  const passwordHash = password === undefined ? null : await hashChosenPassword('password', password, names)
  return ctx.write('user.invite', (tx) => {
    refuseGivenPassword(tx, ctx)
    requireFreeName(tx, input.displayName, null)
    const user = tx.insert(users, {
      email: foldEmail(input.email),
      displayName: input.displayName,
      roles: input.roles,
      status: passwordHash === null ? 'invited' : 'active',
    })
    if (passwordHash !== null) setPassword(tx, { userId: user.id }, passwordHash, { given: true, isPart: true })
    noteAccountAct(tx, findStaffId(ctx.principal), user.id, 'invited')
    if (sendInviteLink) mailUserInvite(tx, ctx, user)
    mailNewPower(tx, ctx, user, 'invited')
    return shown(tx, user)
  })
}

/** Mails a new invite and voids the former link. 409 unless the user is invited. */
export function resendInvite(ctx: Ctx, id: string): Promise<Static<typeof Accepted>> {
  return ctx.write('user.resend_invite', (tx) => {
    const user = tx.get(users, id)
    mustReach(ctx, user.roles)
    if (user.status !== 'invited') throw staffErrors.not_invited()
    refuseGivenPassword(tx, ctx)
    mailUserInvite(tx, ctx, user)
    noteAccountAct(tx, findStaffId(ctx.principal), id, 'invited')
    tx.audit({ entity: 'user', entityId: id })
    return { status: 'accepted' as const }
  })
}

/**
 * Renames, disables or enables a user. Disabling ends sessions and voids links, and owners are mailed what the user
 * leaves behind; keys stop too, since the user's row is read on each request.
 */
export function updateUser(
  ctx: Ctx,
  id: string,
  patch: Static<typeof UserPatch>,
  expect: number | undefined,
  { afterLeaving }: StaffHooks,
): Promise<User> {
  return ctx.write('user.update', (tx) => {
    const before = tx.get(users, id)
    mustReach(ctx, before.roles)
    const { status = before.status, displayName = before.displayName } = patch
    const changes = status !== before.status
    if (changes && !mayBecome(userStates, before.status, status)) throw wrongState('user', before.status)
    if (changes && status === 'active') mayGrant(ctx, before.roles)
    if (changes && status === 'disabled') {
      if (id === findStaffId(ctx.principal)) throw staffErrors.self()
      mustLeaveOwner(tx, before)
    }
    if (displayName !== before.displayName) mayRename(ctx, before)
    noteRename(tx, ctx, before, displayName)
    const user = tx.update(users, id, { displayName, status }, { expect })
    if (changes && status === 'active') mailNewPower(tx, ctx, user, 'enabled')
    if (changes && status === 'disabled') {
      lockOut(tx, id)
      noteStepDown(tx, ctx, before)
      afterLeaving(tx, ctx, user, 'disabled')
    }
    return shown(tx, user)
  })
}

/**
 * Sets a user's roles, which apply to the next request; sessions stay. A promotion voids mailed links, which colleagues
 * of the lower role may have read, and mails a new invite. The last owner stays owner. RULES “Staff accounts”.
 */
export function setRoles(
  ctx: Ctx,
  id: string,
  { roles }: Static<typeof RolesIn>,
  expect: number | undefined,
): Promise<User> {
  return ctx.write('user.set_roles', (tx) => {
    const before = tx.get(users, id)
    mustReach(ctx, before.roles)
    mayGrant(ctx, roles)
    if (!roles.includes('owner')) mustLeaveOwner(tx, before)
    const user = tx.update(users, id, { roles }, { expect })
    mailNewPower(tx, ctx, { ...user, roles: roles.filter((role) => !before.roles.includes(role)) }, 'raised')
    if (getRank(topRole(roles)) < getRank(topRole(before.roles))) noteStepDown(tx, ctx, before)
    if (getRank(topRole(roles)) > getRank(topRole(before.roles))) {
      noteAccountAct(tx, findStaffId(ctx.principal), id, 'role')
      const links = voidLinks(tx, { userId: id })
      if (links.some(({ purpose }) => purpose === 'invite')) replaceUserInvite(tx, ctx, user)
    }
    return shown(tx, user)
  })
}

/**
 * Removes the second factor of a colleague who lost it, and mails the colleague, who still needs the password. Refused
 * for oneself and for keys.
 */
export function resetTwoFactor(ctx: Ctx, id: string): Promise<{ status: 'ok' }> {
  refuseImpersonation(ctx)
  if (ctx.principal.kind === 'api_key') throw staffErrors.not_by_key()
  return ctx.write('user.reset_two_factor', (tx) => {
    const user = tx.get(users, id)
    mustReach(ctx, user.roles)
    if (id === findStaffId(ctx.principal)) throw staffErrors.own_two_factor()
    removeTwoFactor(tx, { userId: id })
    noteAccountAct(tx, findStaffId(ctx.principal), id, 'second_factor')
    mailTwoFactorRemoved(tx, ctx, user)
    return { status: 'ok' as const }
  })
}

/**
 * Deletes a user: sessions end, keys are revoked, the name stays in the audit, and owners are mailed what the user
 * leaves behind. Refused for oneself and for the last owner.
 */
export function deleteUser(
  ctx: Ctx,
  id: string,
  expect: number | undefined,
  { afterLeaving }: StaffHooks,
): Promise<null> {
  return ctx.write('user.delete', (tx) => {
    const user = tx.get(users, id)
    mustReach(ctx, user.roles)
    if (id === findStaffId(ctx.principal)) throw staffErrors.self()
    mustLeaveOwner(tx, user)
    tx.remove(users, id, { expect })
    afterLeaving(tx, ctx, user, 'deleted')
    lockOut(tx, id)
    noteStepDown(tx, ctx, user)
    const keys = tx.list(apiKeys, { userId: id, revokedAt: null })
    for (const key of keys) tx.update(apiKeys, key.id, { revokedAt: tx.now }, { action: 'api_key.revoke' })
    tellOfRevoked(tx, ctx, keys)
    return null
  })
}

/**
 * Confirms as a third person that an account is its holder's alone: its votes about money count from now on. Refused
 * for keys, for those who control the account, from an account that is not its holder's alone, and if the holder has no
 * second factor. All owners are mailed. RULES “Independence”.
 */
export function vouchFor(ctx: Ctx, id: string, { note }: Static<typeof VouchIn>): Promise<User> {
  const voucher = findStaffId(ctx.principal)
  if (voucher === null || ctx.principal.kind === 'api_key') throw staffErrors.not_by_key()
  refuseImpersonation(ctx)
  return ctx.write('user.vouch', (tx) => {
    const user = tx.get(users, id)
    const people = readPeople(tx, tx.now)
    refuseGivenPassword(tx, ctx)
    if (user.status !== 'active') throw wrongState('user', user.status)
    if (people.independence(id).alone) throw staffErrors.alone_already()
    if (!people.mayVouch(voucher, id)) throw independenceErrors.not_independent({ detail: say('users.error.voucher') })
    if (!tx.find(credentials, { userId: id, totpEnabled: true })) throw staffErrors.no_second_factor()
    tx.insert(accountVouches, { userId: id, byUserId: voucher, note })
    const { displayName } = tx.get(users, voucher)
    mailOwners(tx, ctx, () => ({
      subject: say('users.mail.vouched.subject', { voucher: displayName, user: user.displayName }),
      text: say('users.mail.vouched.text', { voucher: displayName, user: user.displayName, note }),
    }))
    return shown(tx, user)
  })
}
