import { Type } from '@sinclair/typebox'
import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { OnePage } from '../../../platform/http/lists/page.ts'
import { op } from '../../../platform/http/openapi/openapi.ts'
import { Id, IdParam, Strict } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { UploadIn, UploadOut } from '../../base/files/files.model.ts'
import type { TenantHooks } from './tenants.hooks.ts'
import { confirmLogo, startLogoUpload } from './tenants.logo.ts'
import { TenantAdminPatch, TenantIn, TenantOut, TenantPatch } from './tenants.model.ts'
import { createTenant, listTenants, readTenant, updateCurrentTenant, updateTenant } from './tenants.service.ts'

const read = { scope: 'tenants:read', role: 'viewer' } as const
const write = { scope: 'tenants:write', role: 'admin' } as const
const readAll = { scope: 'tenants:read', role: 'platform_admin' } as const
const writeAll = { scope: 'tenants:write', role: 'platform_admin' } as const

/** The firm itself, and for the platform administrator all firms of this box. RULES “Firm settings”. */
export const tenantRoutes = (hooks: TenantHooks) =>
  declareRoutes('Tenants')
    .get('/v1/tenants/current', ({ ctx }) => readTenant(ctx, ctx.tenantId), {
      access: read,
      ...op('tenants.current', 'The caller’s firm', { 200: TenantOut }),
    })
    .patch('/v1/tenants/current', ({ ctx, body, expect }) => updateCurrentTenant(ctx, hooks, body, expect), {
      access: { ...write, fresh: 'if it changes a guarded setting' },
      body: TenantPatch,
      ...op('tenants.updateCurrent', 'Change name, branding and feature flags', { 200: TenantOut }),
    })
    .post('/v1/tenants/current/logo-upload', ({ ctx, body }) => startLogoUpload(ctx, body), {
      access: write,
      body: UploadIn,
      ...op('tenants.logoUpload', 'A signed address for the logo’s upload', { 200: UploadOut }, [409]),
    })
    .post('/v1/tenants/current/logo-confirm', ({ ctx, body }) => confirmLogo(ctx, body.key), {
      access: write,
      body: nameSchema('LogoConfirmIn', Strict({ key: Id })),
      ...op('tenants.logoConfirm', 'Take the uploaded file as logo', { 200: TenantOut }, [404, 409, 410]),
    })
    .get('/v1/tenants', ({ ctx }) => listTenants(ctx), {
      access: readAll,
      ...op('tenants.list', 'All tenants of this installation', {
        200: nameSchema('Tenants', Type.Object({ data: Type.Array(TenantOut), nextCursor: OnePage })),
      }),
    })
    .post('/v1/tenants', ({ ctx, body }) => createTenant(ctx, body), {
      access: { ...writeAll, fresh: true },
      creates: true,
      body: TenantIn,
      ...op('tenants.create', 'Found a tenant with its owner', { 201: TenantOut }, [409]),
    })
    .get('/v1/tenants/:id', ({ ctx, params }) => readTenant(ctx, params.id), {
      access: readAll,
      params: IdParam,
      ...op('tenants.get', 'One tenant', { 200: TenantOut }, [404]),
    })
    .patch('/v1/tenants/:id', ({ ctx, params, body, expect }) => updateTenant(ctx, params.id, body, expect), {
      access: { ...writeAll, fresh: true },
      params: IdParam,
      body: TenantAdminPatch,
      ...op('tenants.update', 'Rename or suspend a tenant, set its domain', { 200: TenantOut }, [404, 409]),
    })
