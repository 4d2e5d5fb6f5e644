import { sql } from 'drizzle-orm'
import { topRole } from '../../platform/access/catalogue.ts'
import type { BoxCtx, Ctx } from '../../platform/access/ctx.ts'
import type { Principal } from '../../platform/access/principal.ts'
import { parseRoles } from '../../platform/access/session.ts'
import { lookUp, ofActiveTenant, tenantFacts } from '../../platform/db/directory.ts'
import { listed } from '../../platform/db/statement.ts'
import { sha256Hex } from '../../platform/secrets.ts'
import { fullName } from '../traders/client-name.ts'
import { traders } from '../traders/traders.table.ts'
import { users } from '../users/users.table.ts'
import { credentials, oneTimeLinks } from './auth.table.ts'

/** Somebody who may sign in with an address: nobody is known yet, so their tenant is not either. */
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

const credential = {
  passwordHash: credentials.passwordHash,
  totpEnabled: sql`coalesce(${credentials.totpEnabled}, 0)`,
}
const USERS = lookUp<Candidate>(
  sql`SELECT ${tenantFacts}, ${listed({
    tenantId: users.tenantId,
    userId: users.id,
    traderId: sql`NULL`,
    roles: users.roles,
    displayName: users.displayName,
    ...credential,
  })}
  FROM ${users} ${ofActiveTenant(users.tenantId)}
  LEFT JOIN ${credentials} ON ${credentials.tenantId} = ${users.tenantId} AND ${credentials.userId} = ${users.id}
  WHERE ${users.email} = ? AND ${users.deletedAt} IS NULL AND ${users.status} IN ('active', 'invited')`,
)
const TRADERS = lookUp<Candidate>(
  sql`SELECT ${tenantFacts}, ${listed({
    tenantId: traders.tenantId,
    userId: sql`NULL`,
    traderId: traders.id,
    roles: sql`NULL`,
    displayName: fullName(traders),
    ...credential,
  })}
  FROM ${traders} ${ofActiveTenant(traders.tenantId)}
  LEFT JOIN ${credentials} ON ${credentials.tenantId} = ${traders.tenantId} AND ${credentials.traderId} = ${traders.id}
  WHERE ${traders.email} = ? AND ${traders.deletedAt} IS NULL AND ${traders.status} <> 'closed'`,
)

/**
 * Everybody active or invited (who has no password yet) with this address,
 * staff first; only the tenant of the Host when that is a tenant's domain.
 */
export function findCandidates({ directory }: BoxCtx, email: string, host: string): Candidate[] {
  const all = [...directory.all(USERS, email), ...directory.all(TRADERS, email)]
  const here = directory.idOfDomain(host.toLowerCase().replace(/:\d+$/, ''))
  return here === undefined ? all : all.filter((candidate) => candidate.tenantId === here)
}

export type FoundLink = {
  tenantId: string
  id: string
  purpose: 'invite' | 'reset'
  userId: string | null
  traderId: string | null
  expiresAt: number
}
const LINK = lookUp<FoundLink>(
  sql`SELECT ${listed({
    tenantId: oneTimeLinks.tenantId,
    id: oneTimeLinks.id,
    purpose: oneTimeLinks.purpose,
    userId: oneTimeLinks.userId,
    traderId: oneTimeLinks.traderId,
    expiresAt: oneTimeLinks.expiresAt,
  })}
  FROM ${oneTimeLinks} ${ofActiveTenant(oneTimeLinks.tenantId)} WHERE ${oneTimeLinks.tokenHash} = ?`,
)

/** The link a one-time token belongs to. */
export const findLink = ({ directory }: BoxCtx, token: string): FoundLink | undefined =>
  directory.find(LINK, sha256Hex(token))

/** The context of the person who just proved to be somebody: the same request, now theirs. */
export function ctxOf(
  ctx: BoxCtx,
  person: { tenantId: string; userId: string | null; traderId: string | null; roles?: string | null },
): Ctx {
  const roles = person.roles ? parseRoles(person.roles) : []
  const principal: Principal =
    person.userId !== null
      ? { kind: 'user', id: person.userId, role: topRole(roles), roles, sessionId: '', impersonatorId: null }
      : { kind: 'trader', id: person.traderId ?? '', sessionId: '', impersonatorId: null }
  return ctx.enter(person.tenantId, principal)
}
