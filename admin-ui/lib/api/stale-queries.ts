/**
 * What else is stale once something of a resource has changed: the one place that knows. A resource is the first word
 * of a query's key. Not followed further: what a change reaches is named whole.
 */
const STALE = {
  accounts: ['traders'],
  adjustments: ['wallets', 'traders', 'summary'],
  affiliates: ['traders'],
  ads: [],
  'api-keys': ['setup'],
  audit: [],
  dashboard: [],
  deposits: ['wallets', 'traders', 'dashboard', 'summary'],
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

/** What is read from the server under one word, and read again when it is stale. */
export type Resource = keyof typeof STALE

/** A resource that changed, with all that is stale after it. */
export const staleAfter = (...changed: readonly Resource[]): Set<string> =>
  new Set(changed.flatMap((resource) => [resource, ...STALE[resource]]))
