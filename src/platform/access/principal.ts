import { say } from '../../words/say.ts'
import type { Veil } from '../db/hidden-fields.ts'
import { invalid, Problem } from '../problem.ts'
import { atLeast, type Role, type Scope } from './catalogue.ts'

/** The affiliate that a trader is; one that is suspended sees what it saw before, and asks for nothing. */
export type OwnAffiliate = { id: string; suspended: boolean }

/**
 * Who acts. An API key acts for the user who made it, with that user's role now or a lesser one of
 * its own. `sessionId` is empty for somebody who acts without one: at sign-in, or by a command.
 */
export type Principal =
  | {
      kind: 'user'
      id: string
      role: Role
      roles: readonly Role[]
      sessionId: string
      /** When the password was given last in this session. */
      provenAt?: number
      impersonatorId: string | null
      /** The firm demands a second factor of this role and there is none: only enrolling is possible. */
      mustEnrol?: boolean
    }
  | { kind: 'api_key'; id: string; userId: string; role: Role; roles: readonly Role[]; scopes: ReadonlySet<Scope> }
  | {
      kind: 'trader'
      id: string
      sessionId: string
      provenAt?: number
      impersonatorId: string | null
      /** What makes the session one of an introducing broker, too. */
      affiliate?: OwnAffiliate
    }
  | { kind: 'system'; id: string }
  | { kind: 'gateway'; id: string }
  | { kind: 'anonymous' }

/** Who views as this principal: such a request reads, and changes nothing. RULES “Views”. */
export const viewerOf = (principal: Principal): string | null =>
  principal.kind === 'user' || principal.kind === 'trader' ? principal.impersonatorId : null

/** The 403 of whatever a view is not for. */
export const impersonating = (): Problem => new Problem(403, 'impersonating', say('problems.error.impersonating'))

/** Refuses somebody who acts as another: credentials are never theirs to touch. RULES “Views”. */
export function refuseImpersonation({ principal }: { readonly principal: Principal }): void {
  if (viewerOf(principal) !== null) throw impersonating()
}

/** The staff user behind a principal, `null` for anybody else. */
export function staffIdOf(principal: Principal): string | null {
  if (principal.kind === 'user') return principal.id
  return principal.kind === 'api_key' ? principal.userId : null
}

/** Whether somebody asks as a client, and is one: not who views as one. */
export const isClient = (principal: Principal): boolean => principal.kind === 'trader' && viewerOf(principal) === null

/** Who takes part in shares of the box: somebody's keys are they, and so is whoever they view as. */
export const personOf = (principal: Principal): string | undefined =>
  viewerOf(principal) ?? staffIdOf(principal) ?? ('id' in principal ? principal.id : undefined)

/** The staff role that a principal has now; `null` for traders and machines of our own. */
export function roleOf(principal: Principal): Role | null {
  return principal.kind === 'user' || principal.kind === 'api_key' ? principal.role : null
}

/** Throws the 403 of a key that lacks a scope of its own for what it asks; people are held by their role alone. */
export function requireScope({ principal }: { readonly principal: Principal }, scope: Scope): void {
  if (principal.kind === 'api_key' && !principal.scopes.has(scope))
    throw new Problem(403, 'forbidden', say('problems.error.scope_missing', { scope }))
}

const NOTHING: readonly Veil[] = []
const DESTINATIONS: readonly Veil[] = ['destination']
const BOTH: readonly Veil[] = ['identity', 'destination']
/**
 * What is hidden from somebody in every answer: from viewers dates of birth, streets and phones, from staff below
 * manager where money goes. Keys act by their role; clients see what is theirs. RULES “Reading people”.
 */
export function veilsOf(principal: Principal): readonly Veil[] {
  const role = roleOf(principal)
  if (role === null || atLeast(role, 'manager')) return NOTHING
  return atLeast(role, 'operator') ? DESTINATIONS : BOTH
}

/** The affiliate that somebody is; null for staff, machines and traders who are none. */
export const affiliateIdOf = (principal: Principal): string | null =>
  principal.kind === 'trader' ? (principal.affiliate?.id ?? null) : null

/** Whether somebody may read who the firm's clients are: staff may, and keys with the scope for it. */
export const readsClients = (principal: Principal): boolean =>
  principal.kind === 'user' || (principal.kind === 'api_key' && principal.scopes.has('traders:read'))

/** What a trader sees where staff see more. */
export const seenBy = <T>(principal: Principal, forStaff: T, forTrader: T): T =>
  principal.kind === 'trader' ? forTrader : forStaff

/** The trader a request is about: the one it names or, where it names none, the trader who asks. */
export function traderIdOf(principal: Principal, named: string | undefined): string {
  const traderId = named ?? (principal.kind === 'trader' ? principal.id : undefined)
  if (traderId === undefined) throw invalid('traderId', 'required', say('problems.field.required'))
  return traderId
}
