import { ROLE_LABELS, ROLES, type Role } from '../../../lib/api/session.ts'
import { say } from './words.ts'

/** What each role may do, in a line. */
export const ROLE_HINTS: Record<Role, string> = {
  viewer: say('users.reads_everything_about_clients'),
  operator: say('users.adds_changes_clients_accounts'),
  manager: say('users.decides_deposits_withdrawals'),
  admin: say('users.users_api_keys_webhooks'),
  owner: say('users.everything_in_firm'),
  platform_admin: say('users.every_firm_on_this'),
}

/** The roles that somebody with a role may give: none above their own. */
export const grantable = (role: Role | null): { value: Role; label: string }[] =>
  ROLES.slice(0, role === null ? 0 : ROLES.indexOf(role) + 1).map((value) => ({ value, label: ROLE_LABELS[value] }))

/**
 * Roles as they are given: each may do all that the ones before it may, so the least one is not ticked beside another.
 */
export const tidyRoles = (roles: readonly Role[]): Role[] =>
  ROLES.filter((role) => roles.includes(role) && (role !== 'viewer' || roles.length === 1))

/** Whose an account is, in a word: "Theirs alone", or "Also Ingrid Solheim's". */
export const ownershipOf = (
  { alone, belongsTo }: { alone: boolean; belongsTo: readonly string[] },
  nameOf: (id: string) => string | null,
): string =>
  alone
    ? say('users.theirs_alone')
    : say('users.also_s', { belongsTo: belongsTo.map((id) => nameOf(id) ?? say('users.some_colleague')).join(', ') })

/** Whether somebody may change a user: nobody changes one above themselves. */
export const isBelow = (roles: readonly Role[], mine: Role | null): boolean =>
  mine !== null && roles.every((role) => ROLES.indexOf(role) <= ROLES.indexOf(mine))
