import { humanize } from '../../../lib/text/format.ts'
import type { Scope, ScopeInfo } from './api-keys.api.ts'
import { type SentenceKey, say } from './words.ts'

type Area = Scope extends `${infer Name}:${string}` ? Name : never

const NAMES: Readonly<Record<Area, SentenceKey>> = {
  accounts: 'api-keys.scopes.area.accounts',
  'adjustment-decisions': 'api-keys.scopes.area.adjustment_decisions',
  ads: 'api-keys.scopes.area.ads',
  'affiliate-decisions': 'api-keys.scopes.area.affiliate_decisions',
  affiliates: 'api-keys.scopes.area.affiliates',
  'api-keys': 'api-keys.scopes.area.api_keys',
  audit: 'api-keys.scopes.area.audit',
  auth: 'api-keys.scopes.area.auth',
  bridge: 'api-keys.scopes.area.bridge',
  'deposit-decisions': 'api-keys.scopes.area.deposit_decisions',
  deposits: 'api-keys.scopes.area.deposits',
  fx: 'api-keys.scopes.area.fx',
  gifts: 'api-keys.scopes.area.gifts',
  holds: 'api-keys.scopes.area.holds',
  kyc: 'api-keys.scopes.area.kyc',
  'kyc-decisions': 'api-keys.scopes.area.kyc_decisions',
  leads: 'api-keys.scopes.area.leads',
  platforms: 'api-keys.scopes.area.platforms',
  ledger: 'api-keys.scopes.area.ledger',
  mails: 'api-keys.scopes.area.mails',
  merges: 'api-keys.scopes.area.merges',
  payouts: 'api-keys.scopes.area.payouts',
  positions: 'api-keys.scopes.area.positions',
  privacy: 'api-keys.scopes.area.privacy',
  psp: 'api-keys.scopes.area.psp',
  reports: 'api-keys.scopes.area.reports',
  'sanctions-decisions': 'api-keys.scopes.area.sanctions_decisions',
  support: 'api-keys.scopes.area.support',
  tenants: 'api-keys.scopes.area.tenants',
  traders: 'api-keys.scopes.area.traders',
  users: 'api-keys.scopes.area.users',
  wallets: 'api-keys.scopes.area.wallets',
  webhooks: 'api-keys.scopes.area.webhooks',
  'withdrawal-decisions': 'api-keys.scopes.area.withdrawal_decisions',
  withdrawals: 'api-keys.scopes.area.withdrawals',
}
const isArea = (text: string): text is Area => Object.hasOwn(NAMES, text)

/** A row holds the scopes to read and to change one resource; `null` where the API has no such scope. */
export type ScopeRow = { area: string; name: string; read: ScopeInfo | null; write: ScopeInfo | null }

const nameArea = (area: string): string => (isArea(area) ? say(NAMES[area]) : humanize(area))

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
