import { HOUR, MINUTE } from '../clock.ts'
import type { Platform } from '../platform.ts'
import { sha256Hex } from '../secrets.ts'
import { isRole, type Role, topRole } from './catalogue.ts'
import type { Principal } from './principal.ts'

export const SESSION_COOKIE = 'crm_session'

/** A caller whose credential holds right now. */
export type Identity = { principal: Principal; tenantId: string }

type SessionRow = {
  tenantId: string
  id: string
  userId: string | null
  traderId: string | null
  impersonatorId: string | null
  lastSeenAt: number
  expiresAt: number
  tenantStatus: string
  roles: string | null
  userStatus: string | null
  userDeleted: number | null
  traderStatus: string | null
  traderDeleted: number | null
}

// Read on every request: a revoked session, a disabled user, a changed role or a suspended tenant acts at once.
const FIND = `SELECT s.tenant_id AS tenantId, s.id, s.user_id AS userId, s.trader_id AS traderId, s.impersonator_id AS impersonatorId,
  s.last_seen_at AS lastSeenAt, s.expires_at AS expiresAt, t.status AS tenantStatus, u.roles, u.status AS userStatus,
  u.deleted_at AS userDeleted, c.status AS traderStatus, c.deleted_at AS traderDeleted
  FROM sessions s JOIN tenants t ON t.id = s.tenant_id
  LEFT JOIN users u ON u.tenant_id = s.tenant_id AND u.id = s.user_id
  LEFT JOIN traders c ON c.tenant_id = s.tenant_id AND c.id = s.trader_id
  WHERE s.token_hash = ?`
const TOUCH = 'UPDATE sessions SET last_seen_at = ?, expires_at = ? WHERE tenant_id = ? AND id = ?'

/** The roles column of a user row as role names. */
export const parseRoles = (text: string): Role[] => {
  const value: unknown = JSON.parse(text)
  return Array.isArray(value) ? value.filter(isRole) : []
}

/** Whose session a cookie is, or null when it is nobody's any more. */
export function identifySession(platform: Platform, token: string, now: number): Identity | null {
  const row = platform.reader.get<SessionRow>(FIND, [sha256Hex(token)])
  if (!row || row.expiresAt <= now || row.tenantStatus !== 'active') return null
  let principal: Principal
  if (row.userId !== null) {
    if (row.userStatus !== 'active' || row.userDeleted !== null || row.roles === null) return null
    const roles = parseRoles(row.roles)
    principal = {
      kind: 'user',
      id: row.userId,
      role: topRole(roles),
      roles,
      sessionId: row.id,
      impersonatorId: row.impersonatorId,
    }
  } else {
    if (row.traderId === null || row.traderStatus === 'closed' || row.traderDeleted !== null) return null
    principal = { kind: 'trader', id: row.traderId, sessionId: row.id, impersonatorId: row.impersonatorId }
  }
  if (now - row.lastSeenAt > 5 * MINUTE) touch(platform, row, now)
  return { principal, tenantId: row.tenantId }
}

/** Use keeps a session alive; written seldom, and never waited for. */
function touch(platform: Platform, row: SessionRow, now: number): void {
  const expiresAt = now + platform.config.sessionHours * HOUR
  // an impersonation never lives longer than it was given
  const until = row.impersonatorId === null ? expiresAt : row.expiresAt
  platform.writer
    .submit(() => platform.connection.run(TOUCH, [now, until, row.tenantId, row.id]))
    .catch((error: unknown) => platform.log.warn({ err: error }, 'session could not be touched'))
}

/** The cookie of interface §5; `maxAge` 0 removes it. */
export const sessionCookie = (token: string, maxAgeSeconds: number): string =>
  `${SESSION_COOKIE}=${token}; HttpOnly; Secure; Path=/; SameSite=Lax; Max-Age=${maxAgeSeconds}`

/** The session token in a Cookie header. */
export function readSessionCookie(header: string | null): string | undefined {
  if (header === null) return undefined
  for (const part of header.split(';')) {
    const [name, value] = part.trim().split('=', 2)
    if (name === SESSION_COOKIE && value) return value
  }
  return undefined
}
