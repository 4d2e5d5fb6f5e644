import type { Static } from '@sinclair/typebox'
import ipaddr from 'ipaddr.js'
import { mintApiKey } from '../../../platform/access/api-key.ts'
import { getRank, topRole } from '../../../platform/access/catalogue.ts'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findRole, findStaffId } from '../../../platform/access/principal.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { type FieldError, invalid, notFound, wrongState } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import { refuseGivenPassword } from '../independence/independence.service.ts'
import { mailOwners } from '../users/users.notices.ts'
import { users } from '../users/users.table.ts'
import { apiKeyErrors } from './api-keys.errors.ts'
import { type ApiKey, type ApiKeyIn, type ApiKeyPatch, type NewApiKey, toApiKey } from './api-keys.model.ts'
import { type ApiKeyRow, apiKeys } from './api-keys.table.ts'

type Limits = Pick<ApiKeyRow, 'scopes' | 'role' | 'expiresAt' | 'allowedNetworks'>

function readExpiry(text: string | null | undefined, now: number): number | null {
  if (text === undefined || text === null) return null
  const at = Date.parse(text)
  if (!(at > now)) throw invalid('expiresAt', 'past', say('api-keys.field.expiry_past'))
  return at
}

function checkNetworks(networks: readonly string[]): string[] {
  return networks.map((network, index) => {
    if (!ipaddr.isValidCIDR(network))
      throw invalid(`allowedNetworks.${index}`, 'format', say('api-keys.field.network_format'))
    return network
  })
}

/** Refuses a key that would pass on more than it has: another scope, a higher role, a later end or another network. */
function mustHold(tx: Tx, ctx: Ctx, wanted: Limits): void {
  const { principal } = ctx
  if (principal.kind !== 'api_key') return
  const own = tx.get(apiKeys, principal.id)
  const longer = own.expiresAt !== null && (wanted.expiresAt === null || wanted.expiresAt > own.expiresAt)
  const elsewhere =
    own.allowedNetworks.length > 0 &&
    (wanted.allowedNetworks.length === 0 || !wanted.allowedNetworks.every((item) => own.allowedNetworks.includes(item)))
  const higher = own.role !== null && (wanted.role === null || getRank(wanted.role) > getRank(own.role))
  const beyond: [boolean, string][] = [
    [wanted.scopes.some((scope) => !own.scopes.includes(scope)), 'scopes'],
    [higher, 'role'],
    [longer, 'expiresAt'],
    [elsewhere, 'allowedNetworks'],
  ]
  const errors = beyond
    .filter(([is]) => is)
    .map(([, path]): FieldError => ({ path, code: 'beyond_you', message: say('api-keys.field.scope_beyond_you') }))
  if (errors.length > 0) throw apiKeyErrors.beyond_you({ errors })
}

/** A person may have this many keys in use: each has its own rate limits, so more would be a way round those. */
const MOST_KEYS = 100

/** Makes a key that acts for its maker, within `scopes`; `key` is in this answer only. RULES “API keys”. */
export function createApiKey(ctx: Ctx, input: Static<typeof ApiKeyIn>): Promise<NewApiKey> {
  const userId = findStaffId(ctx.principal)
  if (userId === null) throw notFound()
  const limits = {
    scopes: input.scopes,
    role: input.role ?? null,
    expiresAt: readExpiry(input.expiresAt, ctx.now()),
    allowedNetworks: checkNetworks(input.allowedNetworks ?? []),
  }
  const own = findRole(ctx.principal)
  if (limits.role !== null && (own === null || getRank(limits.role) > getRank(own)))
    throw apiKeyErrors.role_above_you({
      errors: [{ path: 'role', code: 'above_you', message: say('api-keys.field.role_above_you') }],
    })
  const { key, publicId, secretHash } = mintApiKey()
  return ctx.write('api_key.create', (tx) => {
    refuseGivenPassword(tx, ctx)
    mustHold(tx, ctx, limits)
    const inUse = tx
      .list(apiKeys, { userId, revokedAt: null })
      .filter(({ expiresAt }) => expiresAt === null || expiresAt > tx.now)
    if (inUse.length >= MOST_KEYS) throw apiKeyErrors.too_many()
    const row = tx.insert(apiKeys, { userId, publicId, secretHash, label: input.label, ...limits })
    return { ...toApiKey(row, tx.now), key }
  })
}

/** Returns whether a change makes a key usable for longer or from more networks. */
function widens(before: ApiKeyRow, after: Pick<ApiKeyRow, 'expiresAt' | 'allowedNetworks'>): boolean {
  const longer = before.expiresAt !== null && (after.expiresAt === null || after.expiresAt > before.expiresAt)
  const elsewhere =
    before.allowedNetworks.length > 0 &&
    (after.allowedNetworks.length === 0 || after.allowedNetworks.some((item) => !before.allowedNetworks.includes(item)))
  return longer || elsewhere
}

/** Changes label, end or networks of a key that is not revoked. */
export function updateApiKey(
  ctx: Ctx,
  id: string,
  patch: Static<typeof ApiKeyPatch>,
  expect: number | undefined,
): Promise<ApiKey> {
  const { label, expiresAt, allowedNetworks } = patch
  return ctx.write('api_key.update', (tx) => {
    const before = tx.get(apiKeys, id)
    const own = findRole(ctx.principal)
    const maker = tx.get(users, before.userId, { withDeleted: true })
    if (own === null || getRank(topRole(maker.roles)) > getRank(own)) throw apiKeyErrors.above_you()
    if (before.revokedAt !== null) throw wrongState('api_key', 'revoked')
    const after = {
      label: label ?? before.label,
      expiresAt: expiresAt === undefined ? before.expiresAt : readExpiry(expiresAt, tx.now),
      allowedNetworks: allowedNetworks === undefined ? before.allowedNetworks : checkNetworks(allowedNetworks),
    }
    if (widens(before, after)) refuseGivenPassword(tx, ctx)
    mustHold(tx, ctx, { scopes: before.scopes, role: before.role, ...after })
    return toApiKey(tx.update(apiKeys, id, after, { expect }), tx.now)
  })
}

/**
 * Revokes a key from this commit on; the row stays, and revoking again is no error. Everyone who may make keys may
 * revoke them, but another person's key is mailed to all owners, since a platform's bridge may use it. RULES “API
 * keys”.
 */
export function revokeApiKey(ctx: Ctx, id: string, expect: number | undefined): Promise<null> {
  return ctx.write('api_key.revoke', (tx) => {
    const key = tx.get(apiKeys, id)
    if (key.revokedAt !== null) return null
    tx.update(apiKeys, id, { revokedAt: tx.now }, { expect })
    tellOfRevoked(tx, ctx, [key])
    return null
  })
}

/** Mails all owners that a colleague's keys were revoked; revoking one's own keys mails nobody. */
export function tellOfRevoked(tx: Tx, ctx: Ctx, keys: readonly ApiKeyRow[]): void {
  const by = findStaffId(ctx.principal)
  const [first] = keys.filter(({ userId }) => userId !== by)
  if (first === undefined) return
  const getName = (id: string): string => tx.get(users, id, { withDeleted: true }).displayName
  const [revoker, maker] = [by === null ? '' : getName(by), getName(first.userId)]
  const isKnown = String(by !== null)
  const labels = keys.map(({ label }) => `“${label}”`).join(', ')
  mailOwners(tx, ctx, () => ({
    subject: say('api-keys.mail.revoked.subject', { isKnown, revoker, maker }),
    text: say('api-keys.mail.revoked.text', { isKnown, revoker, maker, labels }),
  }))
}
