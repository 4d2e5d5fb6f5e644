import { ROLE_LABELS, ROLES, type Role } from '../../../lib/api/session.ts'
import { say } from './words.ts'

/** Each text says in one line what the role may do. */
export const ROLE_HINTS: Record<Role, string> = {
  viewer: say('users.role.viewer'),
  operator: say('users.role.operator'),
  manager: say('users.role.manager'),
  admin: say('users.role.admin'),
  owner: say('users.role.owner'),
  platform_admin: say('users.role.platform_admin'),
}

/** Returns the roles that a colleague with `role` may give: none above their own. */
export const grantable = (role: Role | null): { value: Role; label: string }[] =>
  ROLES.slice(0, role === null ? 0 : ROLES.indexOf(role) + 1).map((value) => ({ value, label: ROLE_LABELS[value] }))

/** Sorts the roles, and drops `viewer` beside another one, which may do all that a viewer may. */
export const tidyRoles = (roles: readonly Role[]): Role[] =>
  ROLES.filter((role) => roles.includes(role) && (role !== 'viewer' || roles.length === 1))

/** Says whose an account is: “Theirs alone”, or “Also Ingrid Solheim's”. */
export const describeOwnership = (
  { alone, belongsTo }: { alone: boolean; belongsTo: readonly string[] },
  findStaffName: (id: string) => string | null,
): string =>
  alone
    ? say('users.theirs_alone')
    : say('users.also_s', {
        belongsTo: belongsTo.map((id) => findStaffName(id) ?? say('users.some_colleague')).join(', '),
      })

/** Returns whether a reader whose role is `mine` may change a user: none of the user's roles may be higher. */
export const isBelow = (roles: readonly Role[], mine: Role | null): boolean =>
  mine !== null && roles.every((role) => ROLES.indexOf(role) <= ROLES.indexOf(mine))
