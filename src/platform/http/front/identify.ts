import { say } from '../../../words/say.ts'
import { createApiKeyIdentifier } from '../../access/api-key.ts'
import {
  countSessionCookies,
  type Identity,
  identifySession,
  identifyView,
  readSessionCookie,
} from '../../access/session.ts'
import type { Platform } from '../../platform.ts'
import { Problem } from '../../problem.ts'

/** The caller, null if anonymous, and the reason why a credential that was sent is refused. */
export type Identified = { identity: Identity | null; refused: Problem | null }

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

const badCredential = () =>
  new Problem(401, 'unauthorized', say('problems.error.credential_invalid'), [], {
    'www-authenticate': 'ApiKey',
  })

const twoSessions = () => new Problem(401, 'two_sessions', say('problems.error.two_sessions'))

/** Returns whether one of our pages sent a request, as its browser says: a cookie alone does not allow a change. */
export function isSameOrigin({ headers }: Request): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  const origin = headers.get('origin')
  if (origin === null || !URL.canParse(origin)) return false
  return new URL(origin).host === headers.get('host')
}

/** Identifies the caller by the token of a view, an API key or the cookie of a session, in this order. */
export function createIdentify(platform: Platform): (request: Request, ip: string, now: number) => Identified {
  const identifyKey = createApiKeyIdentifier(platform)
  return (request, ip, now) => {
    const key = request.headers.get('x-api-key')
    const view = request.headers.get('x-crm-view')
    if (view !== null) {
      // beside a view's token the cookie is ignored; no page of another origin can send this header
      const identity = key === null ? identifyView(platform, view, now) : null
      return { identity, refused: identity ? null : badCredential() }
    }
    if (key !== null) {
      const identity = identifyKey(key, ip, now)
      return { identity, refused: identity ? null : badCredential() }
    }
    const cookies = request.headers.get('cookie')
    // a page of a sibling host can set a session cookie of its own, which browsers send beside the real one
    if (countSessionCookies(cookies) > 1) return { identity: null, refused: twoSessions() }
    const token = readSessionCookie(cookies)
    if (token === undefined) return { identity: null, refused: null }
    const identity = identifySession(platform, token, now)
    const forged = identity !== null && !SAFE_METHODS.has(request.method) && !isSameOrigin(request)
    return {
      identity,
      refused: forged ? new Problem(403, 'cross_site', say('problems.error.cross_site')) : null,
    }
  }
}
