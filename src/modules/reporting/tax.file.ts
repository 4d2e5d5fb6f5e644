import type { Static } from '@sinclair/typebox'
import type { Reader } from '../../platform/db/reader.ts'
import { csvText } from '../../platform/http/csv.ts'
import type { MissingRate } from './reporting.model.ts'
import { type Place, readTax, type TaxParams } from './tax.queries.ts'

const COLUMNS = [
  'traderId',
  'name',
  'country',
  'currency',
  'opening',
  'deposits',
  'withdrawals',
  'transfersIn',
  'transfersOut',
  'converted',
  'adjustments',
  'commissions',
  'merged',
  'closing',
  'depositsConverted',
  'withdrawalsConverted',
] as const
export const TAX_FILE_COLUMNS = [...COLUMNS, 'convertedCurrency', 'missingRates'] as const

const missingText = (missing: readonly MissingRate[]): string =>
  missing.map(({ day, currency, amount }) => `${day} ${currency} ${amount}`).join('; ')

/** The next rows of the tax report as the text of a file. */
export function readTaxFile(db: Reader, params: Static<typeof TaxParams>): { text: string; next: Place | null } {
  const { rows, next } = readTax(db, params)
  const lines = rows.map((row) => [
    ...COLUMNS.map((column) => row[column]),
    params.currency,
    missingText(row.missingRates),
  ])
  return { text: csvText(lines), next }
}
