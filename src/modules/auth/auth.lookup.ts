import { topRole } from '../../platform/access/catalogue.ts'
import type { Ctx } from '../../platform/access/ctx.ts'
import { createCtx } from '../../platform/access/ctx.ts'
import type { Principal } from '../../platform/access/principal.ts'
import { parseRoles } from '../../platform/access/session.ts'
import { sha256Hex } from '../../platform/secrets.ts'

/** Somebody who may sign in with an address: the only reads that look across tenants before anyone is known. */
export type Candidate = {
  tenantId: string
  tenantSlug: string
  tenantName: string
  tenantDomain: string | null
  userId: string | null
  traderId: string | null
  roles: string | null
  passwordHash: string | null
  totpEnabled: number
  displayName: string
}

const USERS = `SELECT t.id AS tenantId, t.slug AS tenantSlug, t.name AS tenantName, t.domain AS tenantDomain, u.id AS userId,
  NULL AS traderId, u.roles, c.password_hash AS passwordHash, coalesce(c.totp_enabled, 0) AS totpEnabled, u.display_name AS displayName
  FROM users u JOIN tenants t ON t.id = u.tenant_id
  LEFT JOIN credentials c ON c.tenant_id = u.tenant_id AND c.user_id = u.id
  WHERE u.email = ? AND u.deleted_at IS NULL AND u.status IN ('active', 'invited') AND t.status = 'active'`
const TRADERS = `SELECT t.id AS tenantId, t.slug AS tenantSlug, t.name AS tenantName, t.domain AS tenantDomain, NULL AS userId,
  r.id AS traderId, NULL AS roles, c.password_hash AS passwordHash, coalesce(c.totp_enabled, 0) AS totpEnabled,
  coalesce(concat_ws(' ', r.first_name, r.last_name), '') AS displayName
  FROM traders r JOIN tenants t ON t.id = r.tenant_id
  LEFT JOIN credentials c ON c.tenant_id = r.tenant_id AND c.trader_id = r.id
  WHERE r.email = ? AND r.deleted_at IS NULL AND r.status <> 'closed' AND t.status = 'active'`

/**
 * Everybody active or invited (who has no password yet) with this address,
 * staff first; only the tenant of the Host when that is a tenant's domain.
 */
export function findCandidates(ctx: Ctx, email: string, host: string): Candidate[] {
  const { reader } = ctx.platform
  const all = [...reader.all<Candidate>(USERS, [email]), ...reader.all<Candidate>(TRADERS, [email])]
  const name = host.toLowerCase().replace(/:\d+$/, '')
  const here = reader.get<{ id: string }>('SELECT id FROM tenants WHERE domain = ?', [name])
  return here ? all.filter((candidate) => candidate.tenantId === here.id) : all
}

const LINK = `SELECT l.tenant_id AS tenantId, l.id, l.purpose, l.user_id AS userId, l.trader_id AS traderId, l.expires_at AS expiresAt
  FROM one_time_links l JOIN tenants t ON t.id = l.tenant_id AND t.status = 'active' WHERE l.token_hash = ?`
export type FoundLink = {
  tenantId: string
  id: string
  purpose: 'invite' | 'reset'
  userId: string | null
  traderId: string | null
  expiresAt: number
}

/** The link a one-time token belongs to. */
export const findLink = (ctx: Ctx, token: string): FoundLink | undefined =>
  ctx.platform.reader.get<FoundLink>(LINK, [sha256Hex(token)])

/** The context of the person who just proved to be somebody: the same request, now theirs. */
export function ctxOf(
  ctx: Ctx,
  person: { tenantId: string; userId: string | null; traderId: string | null; roles?: string | null },
): Ctx {
  const roles = person.roles ? parseRoles(person.roles) : []
  const principal: Principal =
    person.userId !== null
      ? { kind: 'user', id: person.userId, role: topRole(roles), roles, sessionId: '', impersonatorId: null }
      : { kind: 'trader', id: person.traderId ?? '', sessionId: '', impersonatorId: null }
  return createCtx(ctx.platform, { principal, tenantId: person.tenantId, requestId: ctx.requestId, ip: ctx.ip })
}
