import type { help } from '../../../../src/words/en/help.ts'
import type { HelpTerm } from '../../../lib/screen/help.ts'

type AreaOf<Key> = Key extends `help.about.${infer Area}` ? Area : never
/** The help of a page: the area of its sentences, and the words that are explained. */
type PageHelp = { area: AreaOf<keyof typeof help>; terms: readonly HelpTerm[] }

const MONEY = ['four_eyes', 'threshold'] as const

/** Maps the beginning of an address to its help; a page without help of its own has that of the page above it. */
const HELP: Readonly<Record<string, PageHelp>> = {
  '/': { area: 'home', terms: ['available', 'held', 'pending', 'first_reply'] },
  '/traders': { area: 'traders', terms: ['risk', 'level', 'hold'] },
  '/traders/$id': { area: 'client', terms: ['available', 'held', 'risk', 'level', 'match', 'hold'] },
  '/traders/import': { area: 'import', terms: ['control', 'alone'] },
  '/merge': { area: 'merge', terms: ['hold', 'risk'] },
  '/deposits': { area: 'deposits', terms: ['pending', 'partial', 'first_approval', 'reference', ...MONEY] },
  '/withdrawals': {
    area: 'withdrawals',
    terms: ['held', 'destination', 'checks', 'lapsed', 'reference', ...MONEY],
  },
  '/kyc': { area: 'kyc', terms: ['level', 'final'] },
  '/sanctions': { area: 'sanctions', terms: ['match', 'cleared'] },
  '/support': { area: 'support', terms: ['first_reply', 'paused', 'internal'] },
  '/leads': { area: 'leads', terms: ['convert', 'junk'] },
  '/affiliates': { area: 'affiliates', terms: ['code', 'plan', 'payout', ...MONEY] },
  '/positions': { area: 'positions', terms: ['exposure', 'swap', 'demo'] },
  '/platforms': { area: 'platforms', terms: [] },
  '/accounts': { area: 'accounts', terms: ['equity', 'demo'] },
  '/wallets': { area: 'wallets', terms: ['available', 'held'] },
  '/transfers': { area: 'transfers', terms: ['sent', 'held', 'available'] },
  '/adjustments': { area: 'adjustments', terms: ['alone', 'available'] },
  '/rates': { area: 'rates', terms: ['shared_rate', 'unconfirmed'] },
  '/ledger': { area: 'ledger', terms: ['available', 'held'] },
  '/reports': { area: 'reports', terms: ['margin', 'swap'] },
  '/sql': { area: 'sql', terms: ['equity', 'held'] },
  '/api-keys': { area: 'keys', terms: ['scope'] },
  '/webhooks': { area: 'webhooks', terms: ['delivery'] },
  '/gateways': { area: 'gateways', terms: ['exception', 'reference'] },
  '/ads': { area: 'ads', terms: ['convert'] },
  '/users': { area: 'users', terms: ['alone', 'vouch'] },
  '/audit': { area: 'audit', terms: ['scope'] },
  '/views': { area: 'views', terms: [] },
  '/kept-records': { area: 'kept', terms: [] },
  '/mail': { area: 'mail', terms: ['held_mail', 'alone'] },
  '/settings': { area: 'settings', terms: ['first_reply', ...MONEY] },
  '/tenants': { area: 'tenants', terms: [] },
  '/system': { area: 'system', terms: ['snapshot'] },
  '/recovery-key': { area: 'recovery', terms: ['snapshot'] },
  '/security': { area: 'security', terms: ['four_eyes'] },
}

/** Returns the help of a page by its pattern, such as `/deposits/$id`, or that of the page above it. */
export const findHelp = (pattern: string): PageHelp | undefined =>
  HELP[pattern] ?? (pattern.lastIndexOf('/') > 0 ? findHelp(pattern.slice(0, pattern.lastIndexOf('/'))) : undefined)

/** Every word that some page's help explains. */
export const HELP_TERMS: readonly HelpTerm[] = [...new Set(Object.values(HELP).flatMap(({ terms }) => terms))]
