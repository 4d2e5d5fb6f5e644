import { getTableColumns } from 'drizzle-orm'
import { type Column, getTableMeta, type TenantTable } from '../../../platform/db/tenant-table.ts'
import { accounts } from '../../books/accounts/accounts.table.ts'
import { adjustments } from '../../books/adjustments/adjustments.table.ts'
import { deposits } from '../../books/deposits/deposits.table.ts'
import { fxRates } from '../../books/fx/fx.table.ts'
import { positionClosings, positions } from '../../books/positions/positions.table.ts'
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
import { terminalDays } from '../../terminals/days/days.table.ts'
import { terminalInstructions } from '../../terminals/instructions/instructions.table.ts'

/**
 * The tables that the SQL page may read, each with the columns marked for it; files for analysis have the same tables.
 * Secrets, proofs, documents and messages of clients must not be here.
 */
export const EXPOSED: readonly TenantTable[] = [
  traders,
  accounts,
  wallets,
  ledgerTransactions,
  ledgerEntries,
  deposits,
  withdrawals,
  withdrawalDecisions,
  transfers,
  adjustments,
  leads,
  affiliateClicks,
  positions,
  positionClosings,
  terminalDays,
  terminalInstructions,
  tickets,
  kycSubmissions,
  fxRates,
  users,
  userNames,
  auditEntries,
]

type Kind = 'text' | 'integer' | 'money' | 'time' | 'flag' | 'json' | 'decimal' | 'day'
/** A column as it is shown; `expression` uses the table's own columns. */
type ReadableColumn = { name: string; kind: Kind; expression: string }
/** A table as the SQL page shows it; reading it touches the columns in `base`. */
export type ReadableTable = { name: string; columns: readonly ReadableColumn[]; base: ReadonlySet<string> }

/** Returns the kind of a column. Throws if it has nothing that a person reads. */
export const getKind = (table: TenantTable, { key, said }: Column): Kind => {
  const { columnType } = getTableColumns(table)[key] ?? {}
  if (columnType === 'SQLiteCustomColumn') return 'money'
  if (columnType === 'SQLiteBoolean') return 'flag'
  if (columnType === 'SQLiteTextJson') return 'json'
  if (columnType === 'SQLiteText') return 'text'
  if (columnType !== 'SQLiteInteger')
    throw new Error(`${getTableMeta(table).name}.${key} is nothing that a person reads`)
  return said.isTime ? 'time' : 'integer'
}

/** Returns whether the SQL page shows a column. */
export const isReadable = ({ said }: Column): boolean => said.shown?.includes('sql') ?? false

/** Returns the name of the firm's day of a time: `created_day` for `created_at`. */
export const nameDay = (sql: string): string => (sql === 'at' ? 'day' : `${sql.replace(/_(?:at|as_of)$/, '')}_day`)

function readable(table: TenantTable): ReadableTable {
  const { name, byKey, columns } = getTableMeta(table)
  const getSql = (key: string): string => byKey.get(key)?.sql ?? key
  const shown = columns.filter(isReadable)
  const read = shown.flatMap((column): ReadableColumn[] => {
    const { sql, currency } = column
    const kind = getKind(table, column)
    const own: ReadableColumn = { name: sql, kind, expression: sql }
    if (kind === 'time') return [own, { name: nameDay(sql), kind: 'day', expression: `firm_day(${sql})` }]
    if (kind !== 'money') return [own]
    // amounts without a currency are lots
    const expression = currency === null ? `decimal_of(${sql}, 8)` : `money(${sql}, ${getSql(currency)})`
    return [own, { name: `${sql}_decimal`, kind: 'decimal', expression }]
  })
  const base = [...shown.map(({ sql }) => sql), ...shown.flatMap(({ currency }) => currency ?? []).map(getSql)]
  return { name, columns: read, base: new Set([...base, getSql('tenantId')]) }
}

export const READABLE: readonly ReadableTable[] = EXPOSED.map(readable)
