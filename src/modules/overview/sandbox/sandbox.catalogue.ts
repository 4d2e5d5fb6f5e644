import { getTableColumns } from 'drizzle-orm'
import { metaOf, type Row, type TenantTable } from '../../../platform/db/tenant-table.ts'
import { accounts } from '../../books/accounts/accounts.table.ts'
import { adjustments } from '../../books/adjustments/adjustments.table.ts'
import { deposits } from '../../books/deposits/deposits.table.ts'
import { fxRates } from '../../books/fx/fx.table.ts'
import { positions } from '../../books/positions/positions.table.ts'
import { transfers } from '../../books/transfers/transfers.table.ts'
import { ledgerEntries, ledgerTransactions, wallets } from '../../books/wallets/wallets.table.ts'
import { withdrawalDecisions, withdrawals } from '../../books/withdrawals/withdrawals.table.ts'
import { auditEntries } from '../../clients/audit/audit.table.ts'
import { kycSubmissions } from '../../clients/kyc/kyc.table.ts'
import { tickets } from '../../clients/support/support.table.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { userNames, users } from '../../firm/users/users.table.ts'
import { affiliateClicks } from '../../growth/affiliates/affiliates.table.ts'
import { leads } from '../../growth/leads/leads.table.ts'

/** The column that says an amount's currency, or the decimals of one that is no money. */
type Scales<T extends TenantTable> = { [K in keyof Row<T>]?: (keyof Row<T> & string) | number }
type Exposed = { table: TenantTable; keys: readonly string[]; scales: Readonly<Record<string, string | number>> }

function expose<T extends TenantTable>(
  table: T,
  keys: readonly (keyof Row<T> & string)[],
  of: Scales<T> = {},
): Exposed {
  const scales: Record<string, string | number> = {}
  for (const [key, scale] of Object.entries<string | number | undefined>(of))
    if (scale !== undefined) scales[key] = scale
  return { table, keys, scales }
}

/**
 * All that the SQL page may read, column by column: what is not named here is not there for it. Nothing that opens or
 * proves anything belongs here, nor papers, nor what clients wrote to the firm.
 */
const EXPOSED: readonly Exposed[] = [
  expose(traders, [
    ...(['id', 'email', 'firstName', 'lastName', 'country', 'language', 'status', 'kycLevel', 'kycStatus'] as const),
    ...(['riskLevel', 'segments', 'tags', 'assignedTo', 'affiliateId', 'leadId', 'source', 'legalHold'] as const),
    ...(['createdAt', 'updatedAt', 'deletedAt'] as const),
  ]),
  expose(accounts, [
    ...(['id', 'traderId', 'platform', 'accountNumber', 'currency', 'balance', 'balanceAt', 'equity'] as const),
    ...(['leverage', 'isDemo', 'status', 'createdAt', 'updatedAt', 'deletedAt'] as const),
  ]),
  expose(wallets, ['id', 'traderId', 'currency', 'available', 'held', 'createdAt', 'updatedAt']),
  expose(ledgerTransactions, ['id', 'kind', 'reference', 'description', 'createdAt']),
  expose(ledgerEntries, [
    ...(['id', 'transactionId', 'traderId', 'walletId', 'account', 'currency', 'amount', 'createdAt'] as const),
  ]),
  expose(deposits, [
    ...(['id', 'traderId', 'pspConnectionId', 'providerReference', 'method', 'currency', 'amount'] as const),
    ...(['settledAmount', 'status', 'failureReason', 'announcedBy', 'byTrader', 'settledBy', 'settledAt'] as const),
    ...(['createdAt', 'updatedAt'] as const),
  ]),
  expose(withdrawals, [
    ...(['id', 'traderId', 'walletId', 'currency', 'amount', 'status', 'requestedBy', 'rejectionDetail'] as const),
    ...(['paymentReference', 'approvedAt', 'paidAt', 'lapsedAt', 'createdAt', 'updatedAt'] as const),
  ]),
  expose(withdrawalDecisions, ['id', 'withdrawalId', 'userId', 'role', 'decision', 'void', 'createdAt']),
  expose(
    transfers,
    [
      ...(['id', 'traderId', 'toTraderId', 'kind', 'fromWalletId', 'toWalletId', 'accountId', 'fromCurrency'] as const),
      ...(['fromAmount', 'toCurrency', 'toAmount', 'rate', 'rateSource', 'rateAsOf', 'reference', 'state'] as const),
      ...(['createdBy', 'byTrader', 'acknowledgedBy', 'acknowledgedAt', 'platformReference'] as const),
      ...(['refusalReason', 'createdAt', 'updatedAt'] as const),
    ],
    { fromAmount: 'fromCurrency', toAmount: 'toCurrency' },
  ),
  expose(adjustments, [
    ...(['id', 'traderId', 'walletId', 'direction', 'currency', 'amount', 'reason', 'status', 'requestedBy'] as const),
    ...(['decidedBy', 'decidedAt', 'createdAt', 'updatedAt'] as const),
  ]),
  expose(leads, [
    ...(['id', 'email', 'firstName', 'lastName', 'country', 'language', 'status', 'source', 'campaign'] as const),
    ...(['assignedTo', 'traderId', 'convertedAt', 'createdAt', 'updatedAt', 'deletedAt'] as const),
  ]),
  // nobody who is known; the visitor's id is left out, for it says who brought a client
  expose(affiliateClicks, ['id', 'affiliateId', 'url', 'referrer', 'utm', 'createdAt']),
  expose(
    positions,
    [
      ...(['id', 'platform', 'server', 'ticket', 'accountNumber', 'accountId', 'traderId', 'symbol', 'side'] as const),
      ...(['volume', 'openPrice', 'currentPrice', 'currency', 'profit', 'swap', 'commission', 'status'] as const),
      ...(['openedAt', 'closedAt', 'assumedClosed', 'createdAt', 'updatedAt'] as const),
    ],
    { volume: 8 },
  ),
  expose(tickets, [
    ...(['id', 'traderId', 'subject', 'category', 'priority', 'status', 'assignedTo', 'firstRepliedAt'] as const),
    ...(['firstReplyDueAt', 'resolutionDueAt', 'breachedAt', 'closedAt', 'createdAt', 'updatedAt'] as const),
  ]),
  expose(kycSubmissions, [
    ...(['id', 'traderId', 'level', 'status', 'rejectionKind', 'rejectionCode', 'decidedBy', 'decidedAt'] as const),
    ...(['createdAt', 'updatedAt'] as const),
  ]),
  expose(fxRates, [
    ...([
      'id',
      'base',
      'quote',
      'rate',
      'source',
      'current',
      'unconfirmed',
      'createdBy',
      'createdAt',
      'endedAt',
    ] as const),
  ]),
  expose(users, ['id', 'email', 'displayName', 'roles', 'status', 'lastLoginAt', 'createdAt', 'deletedAt']),
  expose(userNames, ['userId', 'name', 'until']),
  expose(auditEntries, [
    ...(['id', 'seq', 'at', 'actorKind', 'actorId', 'apiKeyId', 'impersonatorId', 'action', 'entity'] as const),
    ...(['entityId', 'traderId'] as const),
  ]),
]

type Kind = 'text' | 'integer' | 'money' | 'time' | 'flag' | 'json' | 'decimal' | 'day'
/** `expression` is over the table's own columns. */
type ReadableColumn = { name: string; kind: Kind; expression: string }
/** One table as the SQL page sees it; `base` are the columns that reading it touches. */
export type ReadableTable = { name: string; columns: readonly ReadableColumn[]; base: ReadonlySet<string> }

const kindOf = (table: TenantTable, key: string): Kind => {
  const { columnType } = getTableColumns(table)[key] ?? {}
  if (columnType === 'SQLiteCustomColumn') return 'money'
  if (columnType === 'SQLiteBoolean') return 'flag'
  if (columnType === 'SQLiteTextJson') return 'json'
  if (columnType === 'SQLiteText') return 'text'
  if (columnType !== 'SQLiteInteger') throw new Error(`${metaOf(table).name}.${key} is nothing that a person reads`)
  return /(?:^at|At|AsOf)$/.test(key) ? 'time' : 'integer'
}

function readable({ table, keys, scales }: Exposed): ReadableTable {
  const { name, byKey } = metaOf(table)
  const sqlOf = (key: string): string => {
    const column = byKey.get(key)
    if (!column) throw new Error(`no column ${key} in ${name}`)
    return column.sql
  }
  const columns = keys.flatMap((key): ReadableColumn[] => {
    const sql = sqlOf(key)
    const kind = kindOf(table, key)
    const own: ReadableColumn = { name: sql, kind, expression: sql }
    if (kind === 'time') {
      const day = sql === 'at' ? 'day' : `${sql.replace(/_(?:at|as_of)$/, '')}_day`
      return [own, { name: day, kind: 'day', expression: `firm_day(${sql})` }]
    }
    if (kind !== 'money') return [own]
    const scale = scales[key] ?? 'currency'
    const expression = typeof scale === 'number' ? `decimal_of(${sql}, ${scale})` : `money(${sql}, ${sqlOf(scale)})`
    return [own, { name: `${sql}_decimal`, kind: 'decimal', expression }]
  })
  const currencies = keys.map((key) => scales[key] ?? 'currency').filter((scale) => typeof scale === 'string')
  const base = [...keys, ...currencies, 'tenantId'].flatMap((key) => byKey.get(key)?.sql ?? [])
  return { name, columns, base: new Set(base) }
}

/** Every table that the SQL page may read. */
export const READABLE: readonly ReadableTable[] = EXPOSED.map(readable)
