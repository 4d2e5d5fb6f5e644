import type { TSchema } from '@sinclair/typebox'
import { getTableColumns } from 'drizzle-orm'
import { type Column, getTableMeta, type TenantTable } from '../../../platform/db/tenant-table.ts'
import { Country, Currency, Id, Language } from '../../../platform/wire/fields.ts'
import { getKind } from '../sandbox/sandbox.catalogue.ts'

/** Forms of the wire in which nobody can write words. */
const BOUND: ReadonlySet<TSchema | undefined> = new Set([Id, Currency, Country, Language])

const OURS = 'the program writes it'
const PLATFORM = 'a trading platform calls it so'
const NUMBER = 'a decimal number'

/**
 * The texts that are neither of a list nor of a bound form, but in which nobody writes about a person, each with the
 * reason. Other texts are free text, so that a new column is left out of files until somebody looks at it.
 */
export const NO_FREE_TEXT: Readonly<Record<string, string>> = {
  'accounts.platform': PLATFORM,
  'accounts.server': PLATFORM,
  'ledger_transactions.kind': OURS,
  'ledger_transactions.reference': OURS,
  'ledger_transactions.description': OURS,
  'withdrawal_decisions.role': OURS,
  'transfers.rate': NUMBER,
  'transfers.reference': OURS,
  'positions.platform': PLATFORM,
  'positions.server': PLATFORM,
  'positions.ticket': PLATFORM,
  'positions.symbol': PLATFORM,
  'positions.open_price': NUMBER,
  'positions.current_price': NUMBER,
  'position_closings.deal': PLATFORM,
  'terminal_instructions.reference': OURS,
  'terminal_instructions.number': PLATFORM,
  'tickets.category': 'one word of the firm’s own, in small letters',
  'kyc_submissions.rejection_code': OURS,
  'fx_rates.base': 'a currency',
  'fx_rates.quote': 'a currency',
  'fx_rates.rate': NUMBER,
  'fx_rates.created_by': OURS,
  'users.roles': OURS,
  'audit.actor_id': OURS,
  'audit.api_key_id': OURS,
  'audit.impersonator_id': OURS,
  'audit.action': OURS,
  'audit.entity': OURS,
  'audit.entity_id': OURS,
  'audit.trader_id': OURS,
}

/** Returns whether people, strangers among them, may write what they like into a column that the SQL page shows. */
export function isFreeText(table: TenantTable, column: Column): boolean {
  const { key, sql, said } = column
  const kind = getKind(table, column)
  if (kind !== 'text' && kind !== 'json') return false
  const words = getTableColumns(table)[key]?.enumValues ?? []
  if (words.length > 0 || BOUND.has(said.wire) || BOUND.has(said.takes)) return false
  return !(`${getTableMeta(table).name}.${sql}` in NO_FREE_TEXT)
}
