import { say } from '../../words/say.ts'
import { MINUTE } from '../clock.ts'
import { defineErrors } from '../problem.ts'
import type { Principal } from './principal.ts'

/** Its code is that of RULES “Fresh sign-in”, without a module's name. */
const errors = defineErrors('', () => ({
  reauthentication_required: [403, say('auth.error.reauthentication_required')],
}))

/** How long after giving the password a person need not give it again. */
const FRESH = 15 * MINUTE

/** Who acts, and when: a context, or a request before it has one. */
type Acting = { readonly principal: Principal; now(): number }

/** Whether the caller gave the password so lately; a key never did. */
export function signedInJustNow({ principal, now }: Acting, within = FRESH): boolean {
  if (principal.kind !== 'user' && principal.kind !== 'trader') return false
  return principal.provenAt !== undefined && now() - principal.provenAt < within
}

/**
 * Refuses a session whose password was given longer than 15 minutes ago, so that one that was left open or stolen is
 * not enough. A route asks it itself by `fresh: true`; a use case asks it where the route says `fresh: 'if …'`. Keys
 * are exempt: they pass on nothing that they do not hold. So are commands of the operator, which have no session.
 * RULES “Fresh sign-in”.
 */
export function requireFresh(acting: Acting): void {
  const { principal } = acting
  const hasSession = (principal.kind === 'user' || principal.kind === 'trader') && principal.sessionId !== ''
  if (hasSession && !signedInJustNow(acting)) throw errors.reauthentication_required()
}

/** Refuses whoever gave no password within so many milliseconds; a key never did. */
export function requireSignedInWithin(acting: Acting, within: number): void {
  if (!signedInJustNow(acting, within)) throw errors.reauthentication_required()
}
