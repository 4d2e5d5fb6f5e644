import { ROLE_LABELS, ROLES, type Role } from '../../../lib/api/session.ts'
import { say } from './words.ts'

/** What each role may do, in a line. */
export const ROLE_HINTS: Record<Role, string> = {
  viewer: say('users.role.viewer'),
  operator: say('users.role.operator'),
  manager: say('users.role.manager'),
  admin: say('users.role.admin'),
  owner: say('users.role.owner'),
  platform_admin: say('users.role.platform_admin'),
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
export const describeOwnership = (
  { alone, belongsTo }: { alone: boolean; belongsTo: readonly string[] },
  findStaffName: (id: string) => string | null,
): string =>
  alone
    ? say('users.theirs_alone')
    : say('users.also_s', {
        belongsTo: belongsTo.map((id) => findStaffName(id) ?? say('users.some_colleague')).join(', '),
      })

/** Whether somebody may change a user: nobody changes one above themselves. */
export const isBelow = (roles: readonly Role[], mine: Role | null): boolean =>
  mine !== null && roles.every((role) => ROLES.indexOf(role) <= ROLES.indexOf(mine))
