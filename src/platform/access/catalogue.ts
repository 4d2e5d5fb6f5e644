/** The staff roles, the lowest first; a route names the lowest role that may call it. RULES “Roles”. */
export const ROLES = ['viewer', 'operator', 'manager', 'admin', 'owner', 'platform_admin'] as const
export type Role = (typeof ROLES)[number]

/** Returns the rank of a role; a higher one may do more. */
export const getRank = (role: Role): number => ROLES.indexOf(role)
/** Returns the lower of two roles. */
export const pickLower = (a: Role, b: Role): Role => (getRank(a) < getRank(b) ? a : b)
export const atLeast = (have: Role, need: Role): boolean => getRank(have) >= getRank(need)
/** Returns the highest of a user's roles; without any it is `viewer`, which can only read. */
export const topRole = (roles: readonly Role[]): Role =>
  roles.reduce<Role>((top, role) => (getRank(role) > getRank(top) ? role : top), 'viewer')
export const isRole = (value: unknown): value is Role => ROLES.some((role) => role === value)

/**
 * The scopes of API keys with what they allow; the key form, `GET /v1/api-keys/scopes` and the routes use this list.
 */
export const SCOPES = {
  'auth:read': 'Read the key owner’s sessions',
  'auth:write': 'End the key owner’s sessions, change password and second factor (each still asks for the password)',
  'users:read': 'Read staff users',
  'users:write': 'Invite, change and delete staff users',
  'tenants:read': 'Read the firm’s name, branding and settings',
  'tenants:write': 'Change the firm’s name, branding and settings',
  'api-keys:read': 'Read API keys (never their secrets)',
  'api-keys:write': 'Make, change and revoke API keys',
  'traders:read': 'Read traders, notes, timelines, search and the counts of all work queues',
  'traders:write': 'Create, change, delete and restore traders; add notes',
  'privacy:read': 'Read which records of erased clients are kept, without names; only a person opens one',
  'holds:write': 'Suspend, close and reopen clients, set and lift legal holds, lower their risk',
  'merges:write': 'Merge two clients',
  'accounts:read': 'Read trading accounts',
  'accounts:write': 'Create, change and delete trading accounts',
  'wallets:read': 'Read wallets and their entries',
  'wallets:write': 'Make transfers of one client, ask for adjustments',
  'gifts:write': 'Transfer money of a client to another client',
  'bridge:write': 'Acknowledge transfers for the trading platform',
  'adjustment-decisions:write': 'Approve and reject adjustments',
  'ledger:read': 'Read the trial balance and the ledger',
  'deposits:read': 'Read and export deposits',
  'deposits:write': 'Announce and cancel deposits',
  'deposit-decisions:write': 'Settle, partially settle and fail deposits',
  'withdrawals:read': 'Read and export withdrawals, their checks and the approval policy',
  'withdrawals:write': 'Ask for and cancel withdrawals',
  'withdrawal-decisions:write': 'Approve and reject withdrawals',
  'payouts:write': 'Mark approved withdrawals as paid',
  'fx:read': 'Read exchange rates and convert',
  'fx:write': 'Set and remove exchange rates',
  'kyc:read': 'Read KYC submissions, documents and sanctions hits',
  'kyc:write': 'Upload documents and submit them for review',
  'kyc-decisions:write': 'Approve, reject and revoke KYC, set the reasons',
  'sanctions-decisions:write': 'Decide sanctions hits, load lists',
  'leads:read': 'Read leads',
  'leads:write': 'Create, change, import, assign and convert leads',
  'support:read': 'Read support tickets',
  'support:write': 'Open, answer, change and close support tickets',
  'positions:read': 'Read positions and the heatmap',
  'positions:write': 'Report positions from a trading platform',
  'psp:read': 'Read payment gateways',
  'psp:write': 'Connect and change payment gateways, whose secrets sign what credits deposits',
  'audit:read': 'Read, export and verify the audit log',
  'webhooks:read': 'Read webhook subscriptions and deliveries',
  'webhooks:write': 'Change subscriptions, test and replay deliveries',
  'mails:read': 'Read mail that is waiting or held',
  'mails:write': 'Send failed or held mail again',
  'reports:read': 'Read reports of money, clients and tax; a key of an owner also asks the firm’s rows by SQL',
  'affiliates:read': 'Read affiliates, their clients (masked without traders:read), commissions, plans and payouts',
  'affiliates:write': 'Create affiliates, compute commissions, ask for payouts',
  'affiliate-decisions:write': 'Decide payouts, set plans and what affiliates earn by, and who brought a client',
  'platforms:read': 'Read connections to trading servers (never their passwords), their logins, deals and findings',
  'platforms:write': 'Pause, test and confirm connections to trading servers, close findings',
  'ads:read': 'Read connections to ad platforms (never their credentials)',
  'ads:write': 'Connect ad platforms and fetch their leads',
} as const
export type Scope = keyof typeof SCOPES
export const isScope = (value: unknown): value is Scope => typeof value === 'string' && Object.hasOwn(SCOPES, value)

/** What a caller needs to read or act: a key needs the scope, a person of staff at least the role. */
export type Need = { scope: Scope; role: Role }

/** The callers besides staff: each may reach their own rows only. */
type Audience = 'trader' | 'ib'

/**
 * The access of a route. `public`: nobody has to sign in. `any`: every signed-in caller may call it for themselves; a
 * key needs `auth:read` or `auth:write`, unless the route is `open` to all keys, and the scope `also` if there is one;
 * staff need `role` if it is given. Otherwise keys need a scope and staff at least a role. `enrolling`: a person who
 * must first set up a second factor may call it too. `endsView`: a view may call it too.
 */
export type Access =
  | 'public'
  | ({ any: true; open?: true; also?: Scope; enrolling?: true; endsView?: true; role?: Role } & Manner)
  | (Need & { audience?: readonly Audience[] } & Manner)

type Manner = {
  /** The data is only for the person themselves, such as documents, keys and sessions, so views are refused. */
  closedToViews?: true
  /**
   * Whether a session must have given its password recently: always, or in the described case, which the use case
   * checks by `requireFresh`. RULES “Fresh sign-in”.
   */
  fresh?: true | `if ${string}`
}
