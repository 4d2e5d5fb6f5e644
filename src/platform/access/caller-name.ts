import { findPersonId, type Principal } from './principal.ts'

/** Returns who a caller is for the standby that reads for this server: a person has one name for all their keys. */
export const nameCaller = (tenantId: string, principal: Principal): string =>
  `${tenantId} ${findPersonId(principal) ?? (principal.kind === 'anonymous' ? '' : principal.id)}`
