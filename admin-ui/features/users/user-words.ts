import { ROLE_LABELS, ROLES, type Role } from '../../lib/session.ts'

/** What each role may do, in a line. */
export const ROLE_HINTS: Record<Role, string> = {
  viewer: 'Reads everything about traders and money',
  operator: 'Adds and changes traders, accounts, deposits and leads; answers tickets',
  manager: 'Decides deposits, withdrawals and identity checks; reads the ledger and the audit log',
  admin: 'Users, API keys, webhooks, gateways and settings',
  owner: 'Everything in the firm',
  platform_admin: 'Every firm on this installation',
}

/** The roles that somebody with a role may give: none above their own. */
export const grantable = (role: Role | null): { value: Role; label: string }[] =>
  ROLES.slice(0, role === null ? 0 : ROLES.indexOf(role) + 1).map((value) => ({ value, label: ROLE_LABELS[value] }))

/** Whether somebody may change a user: nobody changes one above themselves. */
export const isBelow = (roles: readonly Role[], mine: Role | null): boolean =>
  mine !== null && roles.every((role) => ROLES.indexOf(role) <= ROLES.indexOf(mine))
