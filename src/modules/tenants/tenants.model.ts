import { type Static, Type } from '@sinclair/typebox'
import { toIso } from '../../platform/clock.ts'
import { Email, Id, Line, Nullable, OneOf, Password, Strict, Time, Version } from '../../platform/http/fields.ts'

export const TENANT_STATUS = ['active', 'suspended'] as const

/** How the firm looks: an accent colour and the logo (set by logo-confirm). */
export const Branding = Type.Object(
  {
    color: Type.Optional(
      Nullable(Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'accent colour, #rrggbb' })),
    ),
    logoUrl: Type.Optional(
      Nullable(
        Type.String({ maxLength: 300, pattern: '^/v1/files/', description: 'set by logo-confirm; null removes it' }),
      ),
    ),
  },
  { additionalProperties: false },
)
export const FeatureFlags = Type.Record(
  Type.String({ pattern: '^[a-zA-Z][a-zA-Z0-9_.-]{0,63}$' }),
  Type.Union([Type.Boolean(), Type.Null()], { description: 'null removes the flag' }),
  // without it a name outside the pattern would pass with any value
  { additionalProperties: false },
)
const Domain = Type.String({
  pattern: '^[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?$',
  description: 'host name that belongs to this firm alone',
})
const Slug = Type.String({ pattern: '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$' })

export const TenantPatch = Strict({
  name: Type.Optional(Line(100)),
  branding: Type.Optional(Branding),
  featureFlags: Type.Optional(FeatureFlags),
})
export const TenantIn = Strict({
  name: Line(100),
  slug: Type.Optional(Slug),
  domain: Type.Optional(Domain),
  owner: Strict({ email: Email, displayName: Line(100), password: Type.Optional(Password) }),
})
export const TenantAdminPatch = Strict({
  name: Type.Optional(Line(100)),
  status: Type.Optional(OneOf(TENANT_STATUS)),
  domain: Type.Optional(Nullable(Domain)),
})

export const TenantOut = Type.Object({
  id: Id,
  slug: Type.String(),
  name: Type.String(),
  domain: Nullable(Type.String()),
  status: OneOf(TENANT_STATUS),
  branding: Type.Object({
    color: Type.Optional(Nullable(Type.String())),
    logoUrl: Type.Optional(Nullable(Type.String())),
  }),
  featureFlags: Type.Record(Type.String(), Type.Boolean()),
  version: Version,
  createdAt: Time,
  updatedAt: Time,
})
export type Tenant = Static<typeof TenantOut>

export type TenantRow = {
  id: string
  slug: string
  name: string
  domain: string | null
  status: 'active' | 'suspended'
  branding: string
  featureFlags: string
  version: number
  createdAt: number
  updatedAt: number
}

/** The wire form of a tenant. */
export const toTenant = (row: TenantRow): Tenant => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  domain: row.domain,
  status: row.status,
  branding: JSON.parse(row.branding),
  featureFlags: JSON.parse(row.featureFlags),
  version: row.version,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})
