import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { ROLES, SCOPES, type Scope } from '../../../platform/access/catalogue.ts'
import { toIso } from '../../../platform/clock.ts'
import { equals, filter } from '../../../platform/http/lists/list-filters.ts'
import { defineList, OnePage } from '../../../platform/http/lists/page.ts'
import { Id, Line, Nullable, OneOf, QueryFlag, Strict, Time, Version } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { type ApiKeyRow, apiKeys } from './api-keys.table.ts'

const SCOPE_NAMES = Object.keys(SCOPES) as [Scope, ...Scope[]]
const ScopeName = nameSchema('Scope', OneOf(SCOPE_NAMES))
const Networks = Type.Array(Type.String({ minLength: 1, maxLength: 50, examples: ['203.0.113.0/24'] }), {
  maxItems: 50,
  uniqueItems: true,
  description: 'CIDRs the key may be used from; empty means anywhere',
})

export const ApiKeyIn = nameSchema(
  'ApiKeyIn',
  Strict({
    label: Line(100),
    scopes: Type.Array(ScopeName, { minItems: 1, maxItems: SCOPE_NAMES.length, uniqueItems: true }),
    role: Type.Optional(
      OneOf(ROLES, {
        description: 'the most that the key acts as, at or below your own role; yours where it is left out',
      }),
    ),
    expiresAt: Type.Optional(Nullable(Time)),
    allowedNetworks: Type.Optional(Networks),
  }),
)
export const ApiKeyPatch = nameSchema(
  'ApiKeyPatch',
  Strict({
    label: Type.Optional(Line(100)),
    expiresAt: Type.Optional(Nullable(Time)),
    allowedNetworks: Type.Optional(Networks),
  }),
)

const shown = {
  id: Id,
  label: Type.String(),
  prefix: Type.String({ description: 'how the key starts, to recognise it' }),
  userId: Type.String({ description: 'who made it and for whom it acts' }),
  scopes: Type.Array(ScopeName),
  role: Nullable(nameSchema('Role', OneOf(ROLES))),
  lostScopes: Type.Array(ScopeName, {
    description: 'decisions it might make before they got scopes of their own; a new key is needed for them',
  }),
  allowedNetworks: Type.Array(Type.String()),
  status: OneOf(['active', 'expired', 'revoked']),
  expiresAt: Nullable(Time),
  lastUsedAt: Nullable(Time),
  revokedAt: Nullable(Time),
  version: Version,
  createdAt: Time,
  updatedAt: Time,
}
export const ApiKeyOut = nameSchema('ApiKey', Type.Object(shown))
export const NewApiKeyOut = nameSchema(
  'CreatedApiKey',
  Type.Object({ ...shown, key: Type.String({ description: 'shown this once' }) }),
)
export type ApiKey = Static<typeof ApiKeyOut>
export type NewApiKey = Static<typeof NewApiKeyOut>

const maybeIso = (ms: number | null): string | null => (ms === null ? null : toIso(ms))

const getKeyStatus = (row: ApiKeyRow, now: number): ApiKey['status'] => {
  if (row.revokedAt !== null) return 'revoked'
  return row.expiresAt !== null && row.expiresAt <= now ? 'expired' : 'active'
}

/** Returns the wire form of a key, without its secret; `now` decides whether it has expired. */
export const toApiKey = (row: ApiKeyRow, now: number): ApiKey => ({
  id: row.id,
  label: row.label,
  prefix: `crm_live_${row.publicId}`,
  userId: row.userId,
  scopes: [...row.scopes],
  role: row.role,
  lostScopes: [...row.lostScopes],
  allowedNetworks: [...row.allowedNetworks],
  status: getKeyStatus(row, now),
  expiresAt: maybeIso(row.expiresAt),
  lastUsedAt: maybeIso(row.lastUsedAt),
  revokedAt: maybeIso(row.revokedAt),
  version: row.version,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

export const apiKeyList = defineList({
  name: 'api_keys',
  table: apiKeys,
  sorts: { createdAt: 'createdAt', label: 'label', lastUsedAt: 'lastUsedAt' },
  filters: {
    userId: equals(apiKeys.userId, Id),
    revoked: filter(QueryFlag(), sql`(${apiKeys.revokedAt} IS NOT NULL) = ?`, (text) => [text === 'true' ? 1 : 0]),
  },
})

export const ScopesOut = nameSchema(
  'Scopes',
  Type.Object({
    data: Type.Array(Type.Object({ scope: ScopeName, description: Type.String() })),
    nextCursor: OnePage,
  }),
)

/** Returns every scope with a description of what it allows. */
export const listScopes = (): Static<typeof ScopesOut> => ({
  data: SCOPE_NAMES.map((scope) => ({ scope, description: SCOPES[scope] })),
  nextCursor: null,
})
