import { type Static, Type } from '@sinclair/typebox'
import { toIso } from '../../../platform/clock.ts'
import type { TenantRow } from '../../../platform/db/directory.ts'
import {
  Domain,
  Email,
  Id,
  Line,
  Nullable,
  OneOf,
  Password,
  Slug,
  Strict,
  Time,
  Version,
} from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { completeSettings, FirmSettings, FirmSettingsPatch } from '../../base/firm-settings/firm-settings.ts'

const TENANT_STATUS = ['active', 'suspended'] as const

/** The look of the firm. Any keys are accepted; the console uses the two that are named here. RULES “Firm settings”. */
const Branding = nameSchema(
  'Branding',
  Type.Object(
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
    { additionalProperties: true, description: 'free-form object, at most 16 KiB; null removes a key' },
  ),
)
/** Values for other programs; the console can switch those that are true or false. RULES “Firm settings”. */
const FeatureFlags = nameSchema(
  'FeatureFlags',
  Type.Object({}, { additionalProperties: true, description: 'free-form object, at most 16 KiB; null removes a key' }),
)
export const TenantPatch = nameSchema(
  'TenantPatch',
  Strict(
    {
      name: Type.Optional(Line(100)),
      branding: Type.Optional(Branding),
      featureFlags: Type.Optional(FeatureFlags),
      ...FirmSettingsPatch.properties,
    },
    { examples: [{ name: 'Example', branding: { color: '#1c7ed6' }, timeZone: 'Europe/Nicosia', currency: 'EUR' }] },
  ),
)
export const TenantIn = nameSchema(
  'TenantIn',
  Strict({
    name: Line(100),
    slug: Type.Optional(Slug),
    domain: Type.Optional(Domain),
    owner: Strict({ email: Email, displayName: Line(100), password: Type.Optional(Password) }),
  }),
)
export const TenantAdminPatch = nameSchema(
  'TenantAdminPatch',
  Strict({
    name: Type.Optional(Line(100)),
    status: Type.Optional(OneOf(TENANT_STATUS)),
    domain: Type.Optional(Nullable(Domain)),
  }),
)

export const TenantOut = nameSchema(
  'Tenant',
  Type.Object({
    id: Id,
    slug: Type.String(),
    name: Type.String(),
    domain: Nullable(Type.String()),
    status: OneOf(TENANT_STATUS),
    branding: Branding,
    featureFlags: FeatureFlags,
    ...FirmSettings.properties,
    version: Version,
    createdAt: Time,
    updatedAt: Time,
  }),
)
export type Tenant = Static<typeof TenantOut>

export const toTenant = (row: TenantRow): Tenant => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  domain: row.domain,
  status: row.status,
  branding: JSON.parse(row.branding),
  featureFlags: JSON.parse(row.featureFlags),
  ...completeSettings(row.settings),
  version: row.version,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})
