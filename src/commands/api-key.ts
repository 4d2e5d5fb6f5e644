import type { Config } from '../config.ts'
import { createApiKey } from '../modules/firm/api-keys/api-keys.service.ts'
import { users } from '../modules/firm/users/users.table.ts'
import { isScope, SCOPES, topRole } from '../platform/access/catalogue.ts'
import { createCtx, systemCtx } from '../platform/access/ctx.ts'
import { withPlatform } from './with-platform.ts'

/** Makes an API key that acts for a tenant's oldest owner; returns the key's text, which is never shown again. */
export async function createKey(
  config: Config,
  input: { tenant: string; label: string; scopes: string },
): Promise<string> {
  const scopes = [...new Set(input.scopes.split(',').map((scope) => scope.trim()))]
  const known = scopes.filter(isScope)
  const unknown = scopes.find((scope) => !isScope(scope))
  if (unknown !== undefined)
    throw new Error(`--scopes: “${unknown}” is not a scope. Valid: ${Object.keys(SCOPES).join(', ')}`)
  return withPlatform(config, async (platform) => {
    const tenantId = platform.directory.idOfSlug(input.tenant)
    if (tenantId === undefined) throw new Error(`--tenant: there is no tenant “${input.tenant}” in ${config.dataDir}.`)
    const staff = systemCtx(platform, tenantId, 'api-key').db.list(
      users,
      { status: 'active' },
      { orderBy: 'createdAt' },
    )
    const owner = staff.find((user) => user.roles.includes('owner'))
    if (!owner) throw new Error(`The tenant “${input.tenant}” has no active owner that the key could act for.`)
    const principal = {
      kind: 'user',
      id: owner.id,
      role: topRole(owner.roles),
      roles: owner.roles,
      sessionId: '',
      impersonatorId: null,
    } as const
    const ctx = createCtx(platform, { principal, tenantId, requestId: 'command', ip: null })
    const { key } = await createApiKey(ctx, { label: input.label, scopes: known })
    return `${key}\n`
  })
}
