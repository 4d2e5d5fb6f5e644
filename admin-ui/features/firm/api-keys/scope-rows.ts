import { humanize } from '../../../lib/text/format.ts'
import type { Scope, ScopeInfo } from './api-keys.api.ts'
import { type SentenceKey, say } from './words.ts'

const NAMES: Record<string, SentenceKey> = {
  'api-keys': 'api-keys.scopes.area.api_keys',
  auth: 'api-keys.scopes.area.auth',
  fx: 'api-keys.scopes.area.fx',
  kyc: 'api-keys.scopes.area.kyc',
  'kyc-decisions': 'api-keys.scopes.area.kyc_decisions',
  mails: 'api-keys.scopes.area.mails',
  psp: 'api-keys.scopes.area.psp',
  tenants: 'api-keys.scopes.area.tenants',
  traders: 'api-keys.scopes.area.traders',
  users: 'api-keys.scopes.area.users',
}

/** A row holds the scopes to read and to change one resource; `null` where the API has no such scope. */
export type ScopeRow = { area: string; name: string; read: ScopeInfo | null; write: ScopeInfo | null }

const nameArea = (area: string): string => {
  const word = NAMES[area]
  return word ? say(word) : humanize(area)
}

/** Returns a scope as the form calls it, such as “Clients: read”. */
export const nameScope = (scope: string): string => {
  const [area = '', act] = scope.split(':')
  const name = nameArea(area)
  return act === 'read' ? say('api-keys.scope_read', { name }) : say('api-keys.scope_write', { name })
}

/** Returns the scopes as rows of a table, one for each resource, in the order of the API. */
export const scopeRows = (scopes: readonly ScopeInfo[]): ScopeRow[] => {
  const rows = new Map<string, ScopeRow>()
  for (const info of scopes) {
    const [area = '', act] = info.scope.split(':')
    const row = rows.get(area) ?? { area, name: nameArea(area), read: null, write: null }
    rows.set(area, { ...row, [act === 'read' ? 'read' : 'write']: info })
  }
  return [...rows.values()]
}

/** Returns the chosen scopes with every scope to read, or without any. */
export const withAllRead = (chosen: readonly Scope[], rows: readonly ScopeRow[], all: boolean): Scope[] => {
  const read = rows.flatMap((row) => (row.read ? [row.read.scope] : []))
  const rest = chosen.filter((scope) => !read.includes(scope))
  return all ? [...rest, ...read] : rest
}
