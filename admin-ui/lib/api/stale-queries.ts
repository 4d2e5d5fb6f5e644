/**
 * Maps a changed resource to the others that are stale then; no other place lists them. A resource is the first word of
 * a query's key. The lists are complete: they are not followed further.
 */
const STALE = {
  accounts: ['traders'],
  adjustments: ['wallets', 'traders', 'summary'],
  affiliates: ['traders'],
  ads: [],
  'api-keys': ['setup'],
  audit: [],
  boxes: ['audit'],
  dashboard: [],
  deposits: ['wallets', 'traders', 'dashboard', 'summary', 'setup'],
  'approval-policy': ['withdrawals'],
  firm: ['me', 'fx', 'setup'],
  fx: ['dashboard', 'setup', 'summary'],
  gateways: ['setup', 'summary'],
  imports: ['traders', 'accounts', 'wallets', 'summary'],
  'kyc-reasons': [],
  kyc: ['traders', 'withdrawals', 'summary'],
  leads: ['traders', 'summary'],
  mail: ['setup'],
  me: [],
  mine: [],
  payouts: ['affiliates', 'wallets', 'summary'],
  plans: ['affiliates'],
  'platform-days': [],
  'platform-findings': ['platform-days', 'summary'],
  'platform-instructions': [],
  platforms: ['platform-findings', 'platform-instructions'],
  positions: [],
  runs: [],
  sanctions: ['traders', 'withdrawals', 'setup', 'summary'],
  'saved-views': [],
  sla: ['support'],
  setup: [],
  summary: [],
  support: ['traders', 'summary'],
  tenants: ['firm', 'me'],
  traders: ['setup'],
  transfers: ['wallets', 'accounts', 'traders', 'summary'],
  users: ['me', 'mail', 'withdrawals', 'audit', 'setup'],
  views: [],
  wallets: ['traders'],
  webhooks: ['dashboard', 'setup'],
  withdrawals: ['wallets', 'traders', 'dashboard', 'summary'],
} as const satisfies Record<string, readonly string[]>

/** A group of queries that are read from the server, and read again when they are stale. */
export type Resource = keyof typeof STALE

/** Returns the changed resources with all others that are stale then. */
export const staleAfter = (...changed: readonly Resource[]): Set<string> =>
  new Set(changed.flatMap((resource) => [resource, ...STALE[resource]]))
