import { say } from '../../words/say.ts'
import type { Veil } from '../db/hidden-fields.ts'
import { invalid, Problem } from '../problem.ts'
import { atLeast, type Need, type Role, type Scope } from './catalogue.ts'

/** The affiliate of a client; a suspended one sees what it saw before, and may request nothing. */
export type OwnAffiliate = { id: string; suspended: boolean }

/**
 * The acting principal. An API key acts for the user who made it, with the lower of the user's present role and its
 * own. `sessionId` is empty without a session: at sign-in, or by a command.
 */
export type Principal =
  | {
      kind: 'user'
      id: string
      role: Role
      roles: readonly Role[]
      sessionId: string
      /** When the password was last given in this session. */
      provenAt?: number
      impersonatorId: string | null
      /** The firm demands a second factor of this role and the person has none, so they may only set it up. */
      mustEnrol?: boolean
    }
  | { kind: 'api_key'; id: string; userId: string; role: Role; roles: readonly Role[]; scopes: ReadonlySet<Scope> }
  | {
      kind: 'trader'
      id: string
      sessionId: string
      provenAt?: number
      impersonatorId: string | null
      /** Makes the session also one of an introducing broker. */
      affiliate?: OwnAffiliate
    }
  | { kind: 'system'; id: string }
  | { kind: 'gateway'; id: string }
  | { kind: 'anonymous' }

/** Returns who views as this principal: such a request only reads. RULES “Views”. */
export const findViewerId = (principal: Principal): string | null =>
  principal.kind === 'user' || principal.kind === 'trader' ? principal.impersonatorId : null

/** Makes the 403 for an act that a view may not do. */
export const impersonating = (): Problem => new Problem(403, 'impersonating', say('problems.error.impersonating'))

/** Refuses a person who views as another: credentials are not theirs to change. RULES “Views”. */
export function refuseImpersonation({ principal }: { readonly principal: Principal }): void {
  if (findViewerId(principal) !== null) throw impersonating()
}

/** Returns the staff user behind a principal, `null` for any other. */
export function findStaffId(principal: Principal): string | null {
  if (principal.kind === 'user') return principal.id
  return principal.kind === 'api_key' ? principal.userId : null
}

/** Returns whether the caller is a client, and not a person who views as one. */
export const isClient = (principal: Principal): boolean =>
  principal.kind === 'trader' && findViewerId(principal) === null

/** Returns the person whose share of the installation a request uses: a key's maker, or the viewer of a view. */
export const findPersonId = (principal: Principal): string | undefined =>
  findViewerId(principal) ?? findStaffId(principal) ?? ('id' in principal ? principal.id : undefined)

/** Returns the present staff role of a principal; `null` for clients and our own machines. */
export function findRole(principal: Principal): Role | null {
  return principal.kind === 'user' || principal.kind === 'api_key' ? principal.role : null
}

/** Returns false for a key that lacks the scope, and true for all others: people are limited by their role only. */
export const hasScope = (principal: Principal, scope: Scope): boolean =>
  principal.kind !== 'api_key' || principal.scopes.has(scope)

/** Returns whether a caller is staff of at least this role; a key must have this scope too. */
export function mayCall(principal: Principal, { scope, role }: Need): boolean {
  const have = findRole(principal)
  return have !== null && atLeast(have, role) && hasScope(principal, scope)
}

/** Throws the 403 of a key that lacks a scope. */
export function requireScope({ principal }: { readonly principal: Principal }, scope: Scope): void {
  if (!hasScope(principal, scope)) throw new Problem(403, 'forbidden', say('problems.error.scope_missing', { scope }))
}

const NOTHING: readonly Veil[] = []
const DESTINATIONS: readonly Veil[] = ['destination']
const BOTH: readonly Veil[] = ['identity', 'destination']
/**
 * Returns what is hidden from a principal in every answer: from viewers dates of birth, streets and phones, from staff
 * below manager the destinations of money. A key counts as its role; clients see their own data. RULES “Reading
 * people”.
 */
export function listVeils(principal: Principal): readonly Veil[] {
  const role = findRole(principal)
  if (role === null || atLeast(role, 'manager')) return NOTHING
  return atLeast(role, 'operator') ? DESTINATIONS : BOTH
}

/** Returns the affiliate of a principal; null for staff, machines and clients who are none. */
export const findAffiliateId = (principal: Principal): string | null =>
  principal.kind === 'trader' ? (principal.affiliate?.id ?? null) : null

/** Returns whether a principal may read the names of clients: staff, and keys with the scope for it. */
export const readsClients = (principal: Principal): boolean =>
  principal.kind === 'user' || (principal.kind === 'api_key' && principal.scopes.has('traders:read'))

/** Returns the value for the kind of caller: `forTrader` to a client, `forStaff` to all others. */
export const seenBy = <T>(principal: Principal, forStaff: T, forTrader: T): T =>
  principal.kind === 'trader' ? forTrader : forStaff

/** Returns the client of a request: the named one or, without a name, the client who asks. */
export function getTraderId(principal: Principal, named: string | undefined): string {
  const traderId = named ?? (principal.kind === 'trader' ? principal.id : undefined)
  if (traderId === undefined) throw invalid('traderId', 'required', say('problems.field.required'))
  return traderId
}
