import { say } from '../../words/say.ts'
import { MINUTE } from '../clock.ts'
import { defineErrors } from '../problem.ts'
import type { Principal } from './principal.ts'

/** The code has no module's name, as RULES “Fresh sign-in” says. */
const errors = defineErrors('', () => ({
  reauthentication_required: [403, say('auth.error.reauthentication_required')],
}))

/** Within this time a person does not have to give the password again. */
const FRESH = 15 * MINUTE

/** The caller and the time: a context, or a request before it has one. */
type Acting = { readonly principal: Principal; now(): number }

/** Returns whether the caller gave the password within this many milliseconds; a key never did. */
export function signedInJustNow({ principal, now }: Acting, within = FRESH): boolean {
  if (principal.kind !== 'user' && principal.kind !== 'trader') return false
  return principal.provenAt !== undefined && now() - principal.provenAt < within
}

/**
 * Refuses a session whose password was given more than 15 minutes ago, so that a session left open or stolen is not
 * enough. It runs for routes with `fresh: true`; with `fresh: 'if …'` the use case calls it. Keys are exempt, since no
 * key can pass on a right that it lacks, and so are the operator's commands, which have no session. RULES “Fresh
 * sign-in”.
 */
export function requireFresh(acting: Acting): void {
  const { principal } = acting
  const hasSession = (principal.kind === 'user' || principal.kind === 'trader') && principal.sessionId !== ''
  if (hasSession && !signedInJustNow(acting)) throw errors.reauthentication_required()
}

/** Refuses a caller who gave no password within this many milliseconds; a key never did. */
export function requireSignedInWithin(acting: Acting, within: number): void {
  if (!signedInJustNow(acting, within)) throw errors.reauthentication_required()
}
