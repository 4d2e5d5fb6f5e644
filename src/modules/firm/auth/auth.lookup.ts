import { sql } from 'drizzle-orm'
import { topRole } from '../../../platform/access/catalogue.ts'
import type { BoxCtx, Ctx } from '../../../platform/access/ctx.ts'
import type { Principal } from '../../../platform/access/principal.ts'
import { parseRoles } from '../../../platform/access/session.ts'
import { lookUp, ofActiveTenant } from '../../../platform/db/directory.ts'
import { listed } from '../../../platform/db/statement.ts'
import { sha256Hex } from '../../../platform/secrets.ts'
import type { Candidate, Owners } from './auth.owners.ts'
import { credentials, oneTimeLinks } from './auth.table.ts'

/** The columns of a credential that sign-in needs to know of a candidate. */
export const credentialFacts = {
  passwordHash: credentials.passwordHash,
  totpEnabled: sql`coalesce(${credentials.totpEnabled}, 0)`,
}

/**
 * Finds every active or invited account with this address, staff first; an invited one may have no password yet. If the
 * Host is a firm's domain, only that firm is searched.
 */
export function findCandidates({ directory }: BoxCtx, owners: Owners, email: string, host: string): Candidate[] {
  const all = [...directory.all(owners.users.byAddress, email), ...directory.all(owners.traders.byAddress, email)]
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

/** Finds the link of a one-time token. */
export const findLink = ({ directory }: BoxCtx, token: string): FoundLink | undefined =>
  directory.find(LINK, sha256Hex(token))

/** Returns the context of the person who has just signed in, for the same request. */
export function createPersonCtx(
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
