import { say } from '../../words/say.ts'
import { Problem } from '../problem.ts'
import { type Access, atLeast } from './catalogue.ts'
import { requireFresh } from './fresh.ts'
import { findRole, findViewerId, impersonating, type Principal } from './principal.ts'

const unauthorized = () =>
  new Problem(401, 'unauthorized', say('problems.error.unauthorized'), [], {
    'www-authenticate': 'ApiKey',
  })
const forbidden = (detail: string) => new Problem(403, 'forbidden', detail)
const secondFactorRequired = () =>
  new Problem(403, 'second_factor_required', say('problems.error.second_factor_required'))

/** Throws the 401 or 403 if a principal may not call a route now. Access is decided only here. src/README “Access”. */
export function decide(access: Access, method: string, acting: { principal: Principal; now(): number }): void {
  admit(access, method, acting.principal)
  if (access !== 'public' && access.fresh === true) requireFresh(acting)
}

function admit(access: Access, method: string, principal: Principal): void {
  if (findViewerId(principal) !== null) {
    if (access !== 'public' && 'any' in access && access.endsView) return
    if (method !== 'GET' || (access !== 'public' && access.closedToViews)) throw impersonating()
  }
  if (access === 'public') return
  if (principal.kind === 'anonymous') throw unauthorized()
  if (principal.kind === 'user' && principal.mustEnrol && !('any' in access && access.enrolling))
    throw secondFactorRequired()
  if ('any' in access) {
    if (access.role !== undefined) {
      const role = findRole(principal)
      if (role === null) throw forbidden(say('problems.error.staff_only'))
      if (!atLeast(role, access.role)) throw forbidden(say('problems.error.needs_role', { role: access.role }))
    }
    if (principal.kind !== 'api_key' || access.open) return
    for (const scope of [method === 'GET' ? 'auth:read' : 'auth:write', access.also] as const)
      if (scope && !principal.scopes.has(scope)) throw forbidden(say('problems.error.scope_missing', { scope }))
    return
  }
  if (principal.kind === 'trader') {
    if (access.audience?.includes('trader')) return
    if (!access.audience?.includes('ib')) throw forbidden(say('problems.error.staff_only'))
    if (!principal.affiliate) throw forbidden(say('affiliates.error.not_broker'))
    if (principal.affiliate.suspended && method !== 'GET') throw forbidden(say('affiliates.error.suspended'))
    return
  }
  if (principal.kind !== 'user' && principal.kind !== 'api_key') throw unauthorized()
  if (principal.kind === 'api_key' && !principal.scopes.has(access.scope)) {
    throw forbidden(say('problems.error.scope_missing', { scope: access.scope }))
  }
  if (!atLeast(principal.role, access.role)) throw forbidden(say('problems.error.needs_role', { role: access.role }))
}
