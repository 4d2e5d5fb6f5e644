import type { Static } from '@sinclair/typebox'
import type { Role } from '../../platform/access/catalogue.ts'
import { type Ctx, createCtx, systemCtx } from '../../platform/access/ctx.ts'
import type { Connection, SqlValue } from '../../platform/db/client.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { foldEmail } from '../../platform/http/fields.ts'
import { invalid, notFound, Problem, versionConflict } from '../../platform/http/problem.ts'
import type { Platform } from '../../platform/platform.ts'
import { hashPassword } from '../auth/auth.passwords.ts'
import { setPassword } from '../auth/auth.service.ts'
import { sessions } from '../auth/auth.table.ts'
import { mailUserInvite } from '../auth/invites.service.ts'
import { releaseFile } from '../files/files.service.ts'
import { users } from '../users/users.table.ts'
import {
  type Tenant,
  type TenantAdminPatch,
  type TenantIn,
  type TenantPatch,
  type TenantRow,
  toTenant,
} from './tenants.model.ts'

const COLUMNS = `id, slug, name, domain, status, branding, feature_flags AS featureFlags, version, created_at AS createdAt, updated_at AS updatedAt`

/** Tenants are the one table without a tenant: it is read by id, from here only. */
const findTenant = (connection: Connection, id: string): TenantRow => {
  const row = connection.get<TenantRow>(`SELECT ${COLUMNS} FROM tenants WHERE id = ?`, [id])
  if (!row) throw notFound()
  return row
}

/** One tenant: the caller's own, or any for `platform_admin` (the route says which). */
export const readTenant = (ctx: Ctx, id: string): Tenant => toTenant(findTenant(ctx.platform.reader, id))

/** All tenants, oldest first: a handful on one box. */
export const listTenants = (ctx: Ctx): { data: Tenant[]; nextCursor: null } => ({
  data: ctx.platform.reader.all<TenantRow>(`SELECT ${COLUMNS} FROM tenants ORDER BY created_at, id`).map(toTenant),
  nextCursor: null,
})

const slugify = (name: string): string =>
  name
    .normalize('NFKD')
    // ö is o and a mark now
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '') || 'firm'

const INSERT = `INSERT INTO tenants (id, slug, name, domain, status, branding, feature_flags, version, created_at, updated_at)
  VALUES (?1,?2,?3,?4,'active','{}','{}',1,?5,?5)`

/** Slug and domain are unique on the box: a taken one is a 409 that names the field. */
function execute(tx: Tx, sql: string, params: readonly SqlValue[]): void {
  try {
    tx.execute(sql, params)
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('UNIQUE'))) throw error
    const path = error.message.includes('domain') ? 'domain' : 'slug'
    throw new Problem(409, 'duplicate', `Another tenant has this ${path} already.`, [
      { path, code: 'duplicate', message: 'is taken' },
    ])
  }
}

export type Founding = {
  name: string
  slug?: string
  domain?: string
  owner: { email: string; displayName: string; passwordHash: string | null; roles: Role[] }
}

/**
 * Founds a tenant with its owner, who gets a password now or an invite by mail: the first of a box, or one made by a command. The writes belong to the
 * new tenant's own audit.
 */
export function foundTenant(platform: Platform, founding: Founding): Promise<Tenant> {
  const ctx = systemCtx(platform, platform.ids.next('tnt'), 'founding')
  return ctx.write('tenant.create', (tx) => found(tx, ctx, founding))
}

/** Writes a tenant with its owner; `tx` and `ctx` are the new tenant's own. */
function found(tx: Tx, ctx: Ctx, founding: Founding, outbox?: { tx: Tx; ctx: Ctx }): Tenant {
  const slug = founding.slug ?? slugify(founding.name)
  execute(tx, INSERT, [slug, founding.name, founding.domain ?? null, tx.now])
  tx.audit({ entity: 'tenant', entityId: ctx.tenantId, after: { name: founding.name, slug } })
  addOwner(tx, ctx, founding.owner, outbox)
  return toTenant(findTenant(ctx.platform.connection, ctx.tenantId))
}

function addOwner(tx: Tx, ctx: Ctx, owner: Founding['owner'], outbox?: { tx: Tx; ctx: Ctx }): void {
  const user = tx.insert(users, {
    email: foldEmail(owner.email),
    displayName: owner.displayName,
    roles: owner.roles,
    status: owner.passwordHash === null ? 'invited' : 'active',
  })
  if (owner.passwordHash === null) mailUserInvite(tx, ctx, user, outbox)
  else setPassword(tx, { userId: user.id }, owner.passwordHash)
}

/** The box's administrator in another tenant, whose own audit then names who did it. */
const actingIn = ({ platform, principal, requestId, ip, tenantId: home }: Ctx, tenantId: string): Ctx =>
  createCtx(platform, { principal, tenantId, requestId, ip, home })

/** A further tenant on this box, by its platform administrator: in the new tenant's audit and in theirs, with the answer, or not at all. */
export async function createTenant(ctx: Ctx, input: Static<typeof TenantIn>): Promise<Tenant> {
  const { password, ...owner } = input.owner
  const passwordHash = password === undefined ? null : await hashPassword(password)
  const { owner: _, ...firm } = input
  const id = ctx.platform.ids.next('tnt')
  const theirCtx = actingIn(ctx, id)
  return ctx.writeAcross('tenant.found', { tenantId: id, action: 'tenant.create' }, (tx, theirs) => {
    const founding: Founding = { ...firm, owner: { ...owner, passwordHash, roles: ['owner'] } }
    // nobody is in the new firm yet to hand on a held mail
    const tenant = found(theirs, theirCtx, founding, { tx, ctx })
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
}

const UPDATE = `UPDATE tenants SET name = ?2, status = ?3, domain = ?4, branding = ?5, feature_flags = ?6, version = version + 1, updated_at = ?7 WHERE id = ?1`

/** Writes changed columns of the transaction's own tenant with their audit entry. */
function changeTenant(
  tx: Tx,
  connection: Connection,
  id: string,
  changes: TenantChanges,
  expect: number | undefined,
): Tenant {
  const before = toTenant(findTenant(connection, id))
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
    tx.now,
  ])
  const { logoUrl } = before.branding
  if (logoUrl && logoUrl !== after.branding.logoUrl) releaseFile(tx, logoUrl.slice('/v1/files/'.length))
  const pick = (of: TenantChanges) => Object.fromEntries(changed.map((key) => [key, of[key]]))
  tx.audit({ entity: 'tenant', entityId: id, before: pick(before), after: pick(after) })
  return toTenant(findTenant(connection, id))
}

const MAX_FLAGS = 200

/** Changes the caller's own tenant. `branding` and `featureFlags` are merged by key; a null removes a key. Interface §2. */
export function updateCurrentTenant(
  ctx: Ctx,
  patch: Static<typeof TenantPatch>,
  expect: number | undefined,
): Promise<Tenant> {
  return ctx.write('tenant.update', (tx) => {
    const { connection } = ctx.platform
    const { branding, featureFlags } = toTenant(findTenant(connection, ctx.tenantId))
    const merged = Object.fromEntries(
      Object.entries({ ...branding, ...patch.branding }).filter(([, value]) => value !== null),
    )
    // a logo address must be one that this firm's logo-confirm made
    if (typeof merged.logoUrl === 'string' && merged.logoUrl !== branding.logoUrl) {
      throw new Problem(422, 'validation', 'Some fields are not valid.', [
        { path: 'branding.logoUrl', code: 'read_only', message: 'is set by logo-confirm' },
      ])
    }
    const flags = Object.fromEntries(
      Object.entries({ ...featureFlags, ...patch.featureFlags }).filter(([, on]) => on !== null),
    )
    if (Object.keys(flags).length > MAX_FLAGS)
      throw invalid('featureFlags', 'too_many', `there can be at most ${MAX_FLAGS}`)
    const changes: TenantChanges = {
      ...(patch.name === undefined ? {} : { name: patch.name }),
      ...(patch.branding === undefined ? {} : { branding: merged }),
      ...(patch.featureFlags === undefined ? {} : { featureFlags: flags }),
    }
    return changeTenant(tx, connection, ctx.tenantId, changes, expect)
  })
}

/** Sets the logo's address; called when an uploaded logo was checked. */
export function setLogo(tx: Tx, ctx: Ctx, logoUrl: string): Tenant {
  const { connection } = ctx.platform
  const { branding } = toTenant(findTenant(connection, ctx.tenantId))
  return changeTenant(tx, connection, ctx.tenantId, { branding: { ...branding, logoUrl } }, undefined)
}

/** Renames or suspends a tenant. Suspending ends every session of it; the administrator's own tenant cannot be suspended. */
export function updateTenant(
  ctx: Ctx,
  id: string,
  patch: Static<typeof TenantAdminPatch>,
  expect: number | undefined,
): Promise<Tenant> {
  if (id === ctx.tenantId && patch.status === 'suspended') {
    throw new Problem(409, 'tenants.own', 'You would lock yourself out: this is your own tenant.')
  }
  findTenant(ctx.platform.reader, id)
  return actingIn(ctx, id).write('tenant.update', (tx) => {
    const tenant = changeTenant(tx, ctx.platform.connection, id, patch, expect)
    if (patch.status === 'suspended')
      for (const session of tx.list(sessions, {})) tx.remove(sessions, session.id, { action: 'session.end' })
    return tenant
  })
}
