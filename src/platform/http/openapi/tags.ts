/** The chapters of the document in their order, and what each is about. */
const CHAPTERS: Readonly<Record<string, string>> = {
  Authentication: 'Signing in and out, sessions, passwords and the second factor of whoever calls.',
  'API keys': 'Credentials for programs, with their scopes, role, networks and end.',
  Search: 'One box over traders, accounts, deposits, withdrawals, leads and tickets.',
  Traders: 'The firm’s clients: their data, notes, timeline, access and erasure.',
  Accounts: 'Trading accounts on the firm’s platforms, with balances as the platforms report them.',
  'Wallets and ledger': 'What clients hold with the firm, and the double entries behind it.',
  Deposits: 'Money in: announced, settled in full or in part, failed or cancelled.',
  Withdrawals: 'Money out: asked for, approved by as many people as it takes, paid or rejected.',
  Transfers: 'Money between wallets and trading accounts, with conversion.',
  Adjustments: 'Corrections of a wallet, which take two people.',
  'Exchange rates': 'Rates of the firm and of the pool that all firms share.',
  'Payment gateways': 'Connections to gateways, their signed callbacks, and what they said against the books.',
  KYC: 'Papers of clients: upload, decision, revocation.',
  Sanctions: 'Lists, screening, and matches to decide.',
  Leads: 'People who are not clients yet.',
  Affiliates: 'Clients who bring clients: whom, by what way, what they earn by it and are paid.',
  Ads: 'Connections to ad platforms, and the leads they bring.',
  Support: 'Tickets with their messages and deadlines.',
  Positions: 'What clients hold on the trading platforms.',
  Platforms: 'Trading servers that are read, their logins and deals, and what does not fit with the books.',
  'Work queues': 'Counts of what waits, and the stream of their changes.',
  Reports: 'Figures by day of the firm’s time zone.',
  Webhooks: 'Subscriptions to events, their deliveries, and the events in order.',
  'Webhooks sent':
    'What receivers get: one envelope for each event, signed. /docs/guide/webhooks has code that checks it.',
  Audit: 'Who did what, and proof that nothing was taken out.',
  Files: 'Bytes of uploads behind signed addresses.',
  Mails: 'What the firm sent, or holds where there is no mail server.',
  Users: 'The firm’s staff, their roles, and whose each account is.',
  Views: 'Owners who look as a client or a colleague sees it, and why they did.',
  'Saved views': 'How people look at a list of the console, under a name: their own, and those of the firm.',
  Tenants: 'Firms and their settings.',
  System: 'The installation itself, for who administers the machine.',
  Setup: 'Founding the first firm of a new server, and the first steps of any firm.',
}

/** Returns the chapters in use, in order. Throws if one has no description. */
export function listChapters(used: ReadonlySet<string>): { name: string; description: string }[] {
  const unknown = [...used].filter((name) => CHAPTERS[name] === undefined)
  if (unknown.length > 0) throw new Error(`The document’s chapters ${unknown.join(', ')} have no description.`)
  return Object.entries(CHAPTERS).flatMap(([name, description]) => (used.has(name) ? { name, description } : []))
}
