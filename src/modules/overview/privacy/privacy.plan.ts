import { getTableMeta, type TenantTable } from '../../../platform/db/tenant-table.ts'
import { accounts } from '../../books/accounts/accounts.table.ts'
import { deposits } from '../../books/deposits/deposits.table.ts'
import { transfers } from '../../books/transfers/transfers.table.ts'
import { ledgerEntries, wallets } from '../../books/wallets/wallets.table.ts'
import { payoutDestinations, withdrawals } from '../../books/withdrawals/withdrawals.table.ts'
import { kycDocuments, kycSubmissions } from '../../clients/kyc/kyc.table.ts'
import { ticketMessages, tickets } from '../../clients/support/support.table.ts'
import { traderAliases } from '../../clients/traders/merged.table.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { sessions } from '../../firm/auth/auth.table.ts'
import { affiliates } from '../../growth/affiliates/affiliates.table.ts'
import { affiliatePayouts } from '../../growth/payouts/payouts.table.ts'

/** One kind of row in the bundle, with its columns. */
export type BundlePart = {
  section: string
  table: TenantTable
  keys: readonly string[]
  isTold?: (row: Readonly<Record<string, unknown>>) => boolean
  /**
   * How the rows are read: `time` in the order of the index by client; `written` as they were inserted, if that index
   * has no time; `few` sorted, if a client has only few of them.
   */
  walk: 'time' | 'written' | 'few'
}

/** Returns the part of a section's statement that follows the firm: the client, the last row, and the limit. */
export function buildTail({ table, walk }: Pick<BundlePart, 'table' | 'walk'>): string {
  if (walk === 'written')
    return ` AND trader_id = ? AND rowid < coalesce((SELECT last.rowid FROM ${getTableMeta(table).name} AS last
      WHERE last.tenant_id = ? AND last.id = ?), ${Number.MAX_SAFE_INTEGER}) ORDER BY rowid DESC LIMIT ?`
  // the plus keeps SQLite from reading the whole firm by time
  const [at, id] = walk === 'few' ? ['+created_at', '+id'] : ['created_at', 'id']
  return ` AND trader_id = ? AND (${at}, ${id}) < (?, ?) ORDER BY ${at} DESC, ${id} DESC LIMIT ?`
}

/** Returns a table's section: all columns but the firm's own and those that say nothing about the person. */
export function tell(
  section: string,
  table: TenantTable,
  { walk = 'time', ...condition }: { walk?: BundlePart['walk'] } & Pick<BundlePart, 'isTold'> = {},
): BundlePart {
  const told = getTableMeta(table).columns.filter(({ said: { fate } }) => fate && !fate.ours && !fate.untold)
  return { section, table, keys: [...new Set(['id', 'createdAt', ...told.map(({ key }) => key)])], walk, ...condition }
}

/**
 * The tables of the bundle, by section. RULES “Privacy bundle”. A contract test fails for a column without a
 * classification, and for a table that is in neither this list nor `NOT_IN_BUNDLE`.
 */
export const BUNDLE_PARTS: readonly BundlePart[] = [
  tell('person', traders),
  tell('aliases', traderAliases, { walk: 'few' }),
  tell('accounts', accounts),
  tell('affiliate', affiliates, { walk: 'few' }),
  tell('affiliatePayouts', affiliatePayouts, { walk: 'few' }),
  tell('wallets', wallets, { walk: 'few' }),
  tell('walletEntries', ledgerEntries, { walk: 'written' }),
  tell('deposits', deposits),
  tell('destinations', payoutDestinations, { walk: 'few' }),
  tell('withdrawals', withdrawals),
  tell('transfers', transfers),
  tell('kycDecisions', kycSubmissions),
  tell('kycDocuments', kycDocuments),
  tell('tickets', tickets),
  tell('ticketMessages', ticketMessages, { walk: 'written', isTold: (row) => row.internal === false }),
  tell('sessions', sessions, { walk: 'written' }),
]

/** Tables about a person that are not in the bundle, each with the reason. */
export const NOT_IN_BUNDLE: Readonly<Record<string, string>> = {
  ad_notifications: 'what an ad platform told of a lead, before there was a client',
  affiliate_codes: 'stands with the affiliate',
  commission_lines: 'what others earned',
  trader_affiliations: 'who brought them is the firm’s and the broker’s business',
  adjustments: 'their money is in the entries; the reasons are notes of staff',
  audit: 'the own acts are a section of their own, made of it',
  client_acts: 'names colleagues, not the client',
  credentials: 'secrets, and nothing else',
  files: 'the bytes are in the archive as they came',
  import_lines: 'how a file was read; what it told of them is in their record',
  leads: 'what sales noted before there was a client',
  one_time_links: 'secrets, and nothing else',
  positions: 'reported by the trading platform, which shows them to the client',
  psp_exceptions: 'what a gateway said against the books: a check',
  sanctions_hits: 'no tipping-off',
  terminal_instructions: 'what was asked of the terminal; its money is among the transfers',
  terminal_deals: 'found by logins: a section of their own',
  terminal_deal_revisions: 'the deal is told as it is now',
  terminal_findings: 'what a terminal said against the books: a check',
  trader_notes: 'internal notes',
  views: 'names colleagues, not the client',
  withdrawal_decisions: 'votes and notes of staff',
}
