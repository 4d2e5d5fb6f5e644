import type { Static } from '@sinclair/typebox'
import { atLeast, type Role } from '../../../platform/access/catalogue.ts'
import type { BoxCtx, Ctx } from '../../../platform/access/ctx.ts'
import { requireFresh } from '../../../platform/access/fresh.ts'
import { findRole } from '../../../platform/access/principal.ts'
import { ownTenant, type TenantRow } from '../../../platform/db/directory.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { defineErrors, invalid, notFound, Problem, versionConflict } from '../../../platform/problem.ts'
import type { SqlValue } from '../../../platform/sqlite.ts'
import { boundedMetadata } from '../../../platform/wire/fields.ts'
import { foldEmail } from '../../../platform/wire/formats.ts'
import { say } from '../../../words/say.ts'
import { releaseFile } from '../../base/files/files.service.ts'
import {
  changedSettings,
  type FirmSettings,
  guardedChanges,
  ownerOnly,
  pickSettings,
} from '../../base/firm-settings/firm-settings.ts'
import { hashChosenPassword } from '../auth/auth.passwords.ts'
import { setPassword } from '../auth/auth.service.ts'
import { sessions } from '../auth/auth.table.ts'
import { mailUserInvite } from '../users/users.mails.ts'
import { mailGuardChange } from '../users/users.notices.ts'
import { users } from '../users/users.table.ts'
import type { TenantHooks } from './tenants.hooks.ts'
import { type Tenant, type TenantAdminPatch, type TenantIn, type TenantPatch, toTenant } from './tenants.model.ts'

const needsOwner = (path: string): Problem =>
  new Problem(403, 'forbidden', say('tenants.error.needs_owner'), [
    { path, code: 'needs_owner', message: say('tenants.field.needs_owner') },
  ])

const tenantErrors = defineErrors('tenants', () => ({
  own: [409, say('tenants.error.own')],
}))

const requireTenant = (row: TenantRow | undefined): Tenant => {
  if (!row) throw notFound()
  return toTenant(row)
}

/** Returns the transaction's tenant with its changes so far. */
const own = (tx: Reader): Tenant => requireTenant(ownTenant(tx))

/** Returns one tenant: the caller's own, or any for `platform_admin` (the route says which). */
export const readTenant = (ctx: BoxCtx, id: string): Tenant => requireTenant(ctx.directory.tenant(id))

/** Returns all tenants, oldest first; a box has few. */
export const listTenants = (ctx: BoxCtx): { data: Tenant[]; nextCursor: null } => ({
  data: ctx.directory.tenants().map(toTenant),
  nextCursor: null,
})

const slugify = (name: string): string =>
  name
    .normalize('NFKD')
    // after NFKD, ö is an o and a combining mark
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '') || 'firm'

const INSERT = `INSERT INTO tenants (id, slug, name, domain, status, branding, feature_flags, settings, version, created_at, updated_at)
  VALUES (?1,?2,?3,?4,'active','{}','{}',?5,1,?6,?6)`

/** Runs a statement; if another tenant has the slug or domain, throws a 409 that names the field. */
function execute(tx: Tx, sql: string, params: readonly SqlValue[]): void {
  try {
    tx.execute(sql, params)
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('UNIQUE'))) throw error
    const path = error.message.includes('domain') ? 'domain' : 'slug'
    throw new Problem(409, 'duplicate', say('tenants.error.taken', { path }), [
      { path, code: 'duplicate', message: say('problems.field.taken') },
    ])
  }
}

type Founding = {
  name: string
  slug?: string
  domain?: string
  /** The settings that differ from the defaults. */
  settings?: Partial<FirmSettings>
  owner: { email: string; displayName: string; passwordHash: string | null; roles: Role[]; given?: boolean }
}

/**
 * Creates a tenant with its owner, who gets a password or an invite by mail: the first of a box, or one made by a
 * command. `ctx` is `foundingCtx`, so that the entries go into the new tenant's audit.
 */
export function foundTenant(ctx: Ctx, founding: Founding): Promise<Tenant> {
  return ctx.write('tenant.create', (tx) => insertTenant(tx, ctx, founding))
}

/** Writes a tenant with its owner; `tx` and `ctx` belong to the new tenant. */
function insertTenant(tx: Tx, ctx: Ctx, founding: Founding, outbox?: { tx: Tx; ctx: Ctx }): Tenant {
  const slug = founding.slug ?? slugify(founding.name)
  execute(tx, INSERT, [slug, founding.name, founding.domain ?? null, JSON.stringify(founding.settings ?? {}), tx.now])
  tx.audit({ entity: 'tenant', entityId: ctx.tenantId, after: { name: founding.name, slug } })
  addOwner(tx, ctx, founding.owner, outbox)
  return own(tx)
}

function addOwner(tx: Tx, ctx: Ctx, owner: Founding['owner'], outbox?: { tx: Tx; ctx: Ctx }): void {
  const user = tx.insert(users, {
    email: foldEmail(owner.email),
    displayName: owner.displayName,
    roles: owner.roles,
    status: owner.passwordHash === null ? 'invited' : 'active',
  })
  if (owner.passwordHash === null) mailUserInvite(tx, ctx, user, outbox)
  else setPassword(tx, { userId: user.id }, owner.passwordHash, { given: owner.given ?? false })
}

/** Creates a further tenant for the platform administrator; both audits and the answer are committed together. */
export async function createTenant(ctx: BoxCtx, input: Static<typeof TenantIn>): Promise<Tenant> {
  const { password, ...owner } = input.owner
  const names = { email: owner.email, firm: input.name }
  const passwordHash = password === undefined ? null : await hashChosenPassword('owner.password', password, names)
  const { owner: _, ...firm } = input
  const id = ctx.ids.next('tnt')
  const theirCtx = ctx.visit(id)
  return ctx.writeAcross('tenant.found', { tenantId: id, action: 'tenant.create' }, (tx, theirs) => {
    const founding: Founding = { ...firm, owner: { ...owner, passwordHash, roles: ['owner'], given: true } }
    // in the new firm nobody can pass on a held mail yet, so the mail is held in the administrator's firm
    const tenant = insertTenant(theirs, theirCtx, founding, { tx, ctx })
    tx.audit({ entity: 'tenant', entityId: id, after: { name: tenant.name, slug: tenant.slug } })
    return tenant
  })
}

type TenantChanges = {
  name?: string
  status?: 'active' | 'suspended'
  domain?: string | null
  branding?: Tenant['branding']
  featureFlags?: object
} & Partial<FirmSettings>

const UPDATE = `UPDATE tenants SET name = ?2, status = ?3, domain = ?4, branding = ?5, feature_flags = ?6, settings = ?7,
  version = version + 1, updated_at = ?8 WHERE id = ?1`

/** Writes changed columns of the transaction's own tenant with their audit entry. */
function changeTenant(tx: Tx, changes: TenantChanges, expect: number | undefined): Tenant {
  const before = own(tx)
  if (expect !== undefined && expect !== before.version) throw versionConflict(before.version)
  const after = { ...before, ...changes }
  const changed = (Object.keys(changes) as (keyof TenantChanges)[]).filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  )
  if (changed.length === 0) return before
  execute(tx, UPDATE, [
    after.name,
    after.status,
    after.domain,
    JSON.stringify(after.branding),
    JSON.stringify(after.featureFlags),
    JSON.stringify(pickSettings(after)),
    tx.now,
  ])
  const { logoUrl } = before.branding
  if (logoUrl && logoUrl !== after.branding.logoUrl) releaseFile(tx, logoUrl.slice('/v1/files/'.length))
  const pick = (of: TenantChanges) => Object.fromEntries(changed.map((key) => [key, of[key]]))
  tx.audit({ entity: 'tenant', entityId: before.id, before: pick(before), after: pick(after) })
  return own(tx)
}

/** Refuses to remove a platform that still has accounts, since its bridge's reports would be refused. */
function refuseTakenOff(
  tx: Tx,
  { isPlatformUsed }: TenantHooks,
  before: readonly string[],
  after: readonly string[] = before,
): void {
  const off = before.filter((platform) => !after.includes(platform))
  const used = off.find((platform) => isPlatformUsed(tx, platform))
  if (used !== undefined) throw invalid('platforms', 'in_use', say('tenants.field.platform_in_use', { used }))
}

/** Merges objects by key; a null removes a key. */
const merged = (before: object, patch: object | undefined): Record<string, unknown> =>
  Object.fromEntries(Object.entries({ ...before, ...patch }).filter(([, value]) => value !== null))

/**
 * Changes the caller's own tenant. Objects are merged by key, and null removes a key of `branding` or `featureFlags`.
 * Only an owner changes conversion, the second factor and whether platforms acknowledge transfers. RULES “Firm
 * settings”.
 */
export function updateCurrentTenant(
  ctx: Ctx,
  hooks: TenantHooks,
  patch: Static<typeof TenantPatch>,
  expect: number | undefined,
): Promise<Tenant> {
  const role = findRole(ctx.principal)
  const owns = role !== null && atLeast(role, 'owner')
  return ctx.write('tenant.update', (tx) => {
    const before = own(tx)
    const { name, branding, featureFlags, ...settings } = patch
    const forbidden = owns ? undefined : ownerOnly(before, settings)
    if (forbidden !== undefined) throw needsOwner(forbidden)
    const brand = boundedMetadata('branding', merged(before.branding, branding))
    // the address of a logo may only be set by confirming its upload
    if (typeof brand.logoUrl === 'string' && brand.logoUrl !== before.branding.logoUrl) {
      throw new Problem(422, 'validation', say('problems.error.validation'), [
        { path: 'branding.logoUrl', code: 'read_only', message: say('tenants.field.logo_read_only') },
      ])
    }
    const changes: TenantChanges = {
      ...(name === undefined ? {} : { name }),
      branding: brand,
      featureFlags: boundedMetadata('featureFlags', merged(before.featureFlags, featureFlags)),
      ...changedSettings(before, settings),
    }
    const guarded = guardedChanges(before, changes)
    if (guarded.length > 0) requireFresh(ctx)
    mailGuardChange(tx, ctx, guarded)
    refuseTakenOff(tx, hooks, before.platforms, changes.platforms)
    // until an owner sets the approval policy, it is in the firm's currency; an admin must not raise the threshold by
    // changing the currency
    if (changes.currency !== before.currency && !owns) hooks.beforeCurrencyChanges(tx)
    return changeTenant(tx, changes, expect)
  })
}

/** Sets the address of a logo that was confirmed. */
export const setLogo = (tx: Tx, logoUrl: string): Tenant =>
  changeTenant(tx, { branding: { ...own(tx).branding, logoUrl } }, undefined)

/** Renames or suspends a tenant; suspending ends all its sessions. The administrator's own cannot be suspended. */
export function updateTenant(
  ctx: BoxCtx,
  id: string,
  patch: Static<typeof TenantAdminPatch>,
  expect: number | undefined,
): Promise<Tenant> {
  if (id === ctx.tenantId && patch.status === 'suspended') {
    throw tenantErrors.own()
  }
  requireTenant(ctx.directory.tenant(id))
  const theirs = ctx.visit(id)
  return theirs.write('tenant.update', (tx) => {
    const before = own(tx)
    const tenant = changeTenant(tx, patch, expect)
    mailGuardChange(
      tx,
      theirs,
      (['domain', 'status'] as const).filter((name) => before[name] !== tenant[name]),
    )
    if (patch.status === 'suspended')
      for (const session of tx.list(sessions, {})) tx.remove(sessions, session.id, { action: 'session.end' })
    return tenant
  })
}
